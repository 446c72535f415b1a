import type { MovementOnWire } from "@sesame/contract/reports";
import { formatFcfa } from "../../../lib/format.ts";
import { sayShortInstant } from "../../../lib/time-words.fr.ts";
import { OperatorMark } from "../../../kit/operator-mark.tsx";
import { Cell } from "../../../kit/section.tsx";
import { reportsCopy as copy } from "../home-messages.fr.ts";
import { StatusBadge } from "./status-badge.tsx";
import { Line, Text } from "../../../kit/layout.tsx";

/** A transfer leaves the seller as much as he had. */
const SIGNS = { payout: "−", return: "+", transfer: "" } as const;

/** Money that left for the seller's phone, or came back from there. */
export function MovementRow(props: { movement: MovementOnWire; onOpen(): void }) {
  const { movement } = props;
  const counts = movement.status === "success" || movement.status === "pending";
  const sign = SIGNS[movement.type];
  return (
    <li>
      <Cell
        before={<OperatorMark operator={movement.operateur} size={42} />}
        title={
          <Text as="span" clamp strong>
            {copy.movement[movement.type]}
          </Text>
        }
        subtitle={
          <>
            <Text as="span" clamp>
              {movement.methode_nom}
            </Text>
            <Line as="span" between>
              <span>{sayShortInstant(movement.date)}</span>
              <StatusBadge status={movement.status} />
            </Line>
          </>
        }
        after={
          <Text as="strong" {...(movement.type === "return" ? { tone: "green" } : {})}>
            {counts ? sign : ""}
            {formatFcfa(movement.amount)}
          </Text>
        }
        onClick={props.onOpen}
      />
    </li>
  );
}
