import type { DeveloperKeyOnWire } from "@sesame/contract/developers";
import { useState } from "react";
import { sayShortDay } from "../../../lib/time-words.fr.ts";
import { Button } from "../../../kit/button.tsx";
import { Facts } from "../../../kit/facts.tsx";
import { Stack, Text } from "../../../kit/layout.tsx";
import { Sheet } from "../../../kit/modal.tsx";
import { Cell, Section } from "../../../kit/section.tsx";
import { developersCopy } from "../messages.fr.ts";
import { useAct } from "../use-act.ts";
import { AskedTwice } from "./asked-twice.tsx";
import type { Choice } from "./choices.tsx";

const copy = developersCopy.keys;

type KeyProps = { readonly of: DeveloperKeyOnWire; readonly scopes: readonly Choice[] };

/** A key, masked; tapped, what it may do and the way to end it. */
export function KeyRow(props: KeyProps) {
  const { of: key } = props;
  const [open, setOpen] = useState(false);
  const used =
    key.last_used_on === null ? copy.neverUsed : copy.lastUsed(sayShortDay(key.last_used_on));
  return (
    <>
      <Cell
        icon="shield"
        title={
          <Text as="span" strong>
            {key.name}
          </Text>
        }
        subtitle={
          <>
            <Text as="code" block>
              {key.masked}
            </Text>
            <Text as="span" block>
              {used}
            </Text>
          </>
        }
        onClick={() => setOpen(true)}
        chevron
      />
      {open ? <KeySheet {...props} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function KeySheet(props: KeyProps & { onClose(): void }) {
  const { of: key, onClose } = props;
  const revoke = useAct("DELETE /api/developers/keys/:id", { params: { id: key.id } });
  const labels = props.scopes.filter((scope) => key.scopes.some((each) => each === scope.key));
  return (
    <Sheet title={key.name} onClose={onClose}>
      <Stack>
        <Text tone="soft">{copy.createdOn(sayShortDay(key.created_at))}</Text>
        <Section title={copy.scopes}>
          <Stack pad>
            <Facts facts={labels.map((scope) => [scope.label, scope.key])} />
          </Stack>
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
      </Stack>
    </Sheet>
  );
}
