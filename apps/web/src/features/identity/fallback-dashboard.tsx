import type { SellerSignInAnswer } from "@sesame/contract/identity";
import { useState } from "react";
import { formatFcfa, formatInstant } from "../../lib/format.ts";
import { readInstance } from "../../lib/instance.ts";
import { supportAddress } from "../../lib/support-address.ts";
import styles from "./identity.module.css";
import { startCopy } from "./start-messages.fr.ts";
import { lastPerson, readSaved } from "./storage.ts";
import { Text } from "../../kit/layout.tsx";

const copy = startCopy.fallback;

/**
 * B §2: what the phone last knew, when the application fails. It stands on nothing that may be what
 * failed: no query, no route, no chunk of its own.
 */
export function FallbackDashboard() {
  const [saved] = useState(readLast);
  const support = supportAddress(readInstance());
  if (!saved && !support) return null;
  return (
    <section className={styles.fallback} aria-label={copy.title}>
      {saved ? (
        <>
          <Text tone="soft">{copy.since(formatInstant(saved.savedAt))}</Text>
          <dl className={styles.fallbackFacts}>
            <dt>{copy.balance}</dt>
            <dd>{formatFcfa(availableOf(saved.user))}</dd>
            <dt>{copy.products}</dt>
            <dd>{saved.products.length}</dd>
            <dt>{copy.groups}</dt>
            <dd>{saved.channels.length}</dd>
          </dl>
        </>
      ) : null}
      {support ? (
        <a className={styles.fallbackLink} href={support} target="_blank" rel="noreferrer">
          {copy.support}
        </a>
      ) : null}
    </section>
  );
}

function readLast() {
  const person = lastPerson();
  return person ? readSaved(person) : null;
}

function availableOf(user: SellerSignInAnswer["user"]): number {
  const amount = Number(user.soldeDisponible);
  return Number.isFinite(amount) ? Math.trunc(amount) : 0;
}
