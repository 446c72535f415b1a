import type { SellerSignInAnswer } from "@sesame/contract/identity";
import { useState } from "react";
import { formatFcfa, formatInstant } from "../../lib/format.ts";
import { readInstance } from "../../lib/instance.ts";
import { supportAddress } from "../../lib/support-address.ts";
import { startCopy } from "./start-messages.fr.ts";
import { lastPerson, readSaved } from "./storage.ts";
import { Facts } from "../../kit/facts.tsx";
import { Card, Text } from "../../kit/layout.tsx";

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
    <Card as="section" aria-label={copy.title}>
      {saved ? (
        <>
          <Text tone="soft">{copy.since(formatInstant(saved.savedAt))}</Text>
          <Facts
            facts={[
              [copy.balance, formatFcfa(availableOf(saved.user)), true],
              [copy.products, saved.products.length],
              [copy.groups, saved.channels.length],
            ]}
          />
        </>
      ) : null}
      {support ? (
        <a href={support} target="_blank" rel="noreferrer">
          {copy.support}
        </a>
      ) : null}
    </Card>
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
