import type { EndpointOnWire } from "@sesame/contract/developers";
import { useState } from "react";
import { sayShortInstant } from "../../../lib/time-words.fr.ts";
import { Badge } from "../../../kit/badge.tsx";
import { Line, Text } from "../../../kit/layout.tsx";
import { Cell } from "../../../kit/section.tsx";
import { developersCopy } from "../messages.fr.ts";
import type { Choice } from "./choices.tsx";
import { EndpointSheet } from "./endpoint-sheet.tsx";

const copy = developersCopy.endpoints;

export type EndpointProps = {
  readonly of: EndpointOnWire;
  readonly events: readonly Choice[];
  /** Nothing may be changed now: offline, or without premium. */
  readonly closed: boolean;
};

export function EndpointRow(props: EndpointProps) {
  const [open, setOpen] = useState(false);
  const { of: endpoint } = props;
  const { active, failing_since: since } = endpoint;
  return (
    <>
      <Cell
        icon="globe"
        tone={active ? undefined : "soft"}
        title={
          <Text as="span" strong>
            {endpoint.url}
          </Text>
        }
        subtitle={
          <Line as="span">
            {active ? (
              since ? (
                <Badge tone="warning">{copy.failing}</Badge>
              ) : (
                <Badge tone="positive">{copy.active}</Badge>
              )
            ) : (
              <Badge tone="neutral">{copy.paused}</Badge>
            )}
            {active && since ? copy.failingSince(sayShortInstant(since)) : null}
          </Line>
        }
        onClick={() => setOpen(true)}
        chevron
      />
      {open ? <EndpointSheet {...props} onClose={() => setOpen(false)} /> : null}
    </>
  );
}
