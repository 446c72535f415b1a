import type { DeveloperKeyOnWire } from "@sesame/contract/developers";
import type { AnswerOf } from "@sesame/contract/routes";
import { useState } from "react";
import { sayShortDay } from "../../../lib/time-words.fr.ts";
import { Button } from "../../../ui/button.tsx";
import { Facts } from "../../../ui/facts.tsx";
import { Sheet } from "../../../ui/modal.tsx";
import { Cell, Section } from "../../../ui/section.tsx";
import { developersCopy } from "../messages.fr.ts";
import styles from "../developers.module.css";
import { useRevokeKey } from "../queries.ts";
import { AskedTwice } from "./asked-twice.tsx";

const copy = developersCopy.keys;

/** A key, masked; tapped, what it may do and the way to end it. */
export function KeyRow({
  of: key,
  page,
}: {
  of: DeveloperKeyOnWire;
  page: AnswerOf<"GET /api/developers">;
}) {
  const [open, setOpen] = useState(false);
  const used =
    key.last_used_on === null ? copy.neverUsed : copy.lastUsed(sayShortDay(key.last_used_on));
  return (
    <>
      <Cell
        icon="shield"
        tint="teal"
        title={<span className={styles.name}>{key.name}</span>}
        subtitle={
          <>
            <code className={styles.line}>{key.masked}</code>
            <span className={styles.line}>{used}</span>
          </>
        }
        onClick={() => setOpen(true)}
        chevron
      />
      {open ? <KeySheet of={key} page={page} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function KeySheet(props: {
  of: DeveloperKeyOnWire;
  page: AnswerOf<"GET /api/developers">;
  onClose(): void;
}) {
  const { of: key, page, onClose } = props;
  const revoke = useRevokeKey(key.id);
  const labels = page.scopes.filter((scope) => key.scopes.includes(scope.key));
  return (
    <Sheet title={key.name} onClose={onClose}>
      <div className={styles.form}>
        <p className={styles.text}>{copy.createdOn(sayShortDay(key.created_at))}</p>
        <Section title={copy.scopes}>
          <div className={styles.padded}>
            <Facts facts={labels.map((scope) => ({ name: scope.label, value: scope.key }))} />
          </div>
        </Section>
        <AskedTwice
          label={copy.revoke}
          title={copy.revokeTitle(key.name)}
          text={copy.revokeText}
          act={revoke}
          onDone={onClose}
        />
        <Button look="plain" onClick={onClose}>
          {developersCopy.close}
        </Button>
      </div>
    </Sheet>
  );
}
