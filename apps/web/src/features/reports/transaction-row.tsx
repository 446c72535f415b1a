import type { TransactionOnWire, TransactionStatus } from "@sesame/contract/reports";
import type { ReactNode } from "react";
import { formatFcfa } from "../../lib/format.ts";
import { sayShortInstant } from "../../lib/time-words.fr.ts";
import { Avatar } from "../../kit/avatar.tsx";
import { Badge, type BadgeTone } from "../../kit/button.tsx";
import { Cell, Line, Name, Text } from "../../kit/layout.tsx";
import { homeCopy } from "./home-messages.fr.ts";

/**
 * A row of the history: who, what, when and how much. A status other than success is shown as a
 * badge; success is only read to screen readers (decision 73).
 */
export function HistoryRow(props: {
  before: ReactNode;
  name: string;
  text: string;
  amount: string;
  came?: boolean;
  status: TransactionStatus;
  onOpen?(): void;
}) {
  const { status } = props;
  return (
    <Cell
      before={props.before}
      title={<Name>{props.name}</Name>}
      subtitle={
        <Line as="span" between>
          <Text as="span" clamp>
            {props.text}
          </Text>
          {status === "success" ? null : <StatusBadge status={status} />}
        </Line>
      }
      after={
        <Text as="strong" tone={props.came ? "green" : undefined}>
          {props.amount}
          {status === "success" ? (
            <span className="visually-hidden">{homeCopy.status[status]}</span>
          ) : null}
        </Text>
      }
      onClick={props.onOpen}
    />
  );
}

/** A sale, with the seller's net. */
export function TransactionRow(props: { transaction: TransactionOnWire; onOpen?(): void }) {
  const { nomClient, produitNom, date, status, direct, net, amount } = props.transaction;
  const counts = status === "success" || status === "pending";
  const kind = nameSale(props.transaction);
  const words = [
    sayShortInstant(date),
    kind === homeCopy.new ? "" : kind,
    direct ? homeCopy.direct : counts ? homeCopy.net(formatFcfa(net)) : "",
    produitNom,
  ];
  const came = status === "success";
  return (
    <HistoryRow
      before={<Avatar name={nomClient} />}
      name={nomClient}
      text={words.filter(Boolean).join(" · ")}
      amount={`${came ? "+" : ""}${formatFcfa(amount)}`}
      came={came}
      status={status}
      onOpen={props.onOpen}
    />
  );
}

const TONES: Record<TransactionStatus, BadgeTone> = {
  success: "positive",
  pending: "warning",
  failed: "danger",
  refunded: "neutral",
  cancelled: "neutral",
};

/** The three words of B §4, with Remboursé and Annulé (decision 73). */
export function StatusBadge({ status }: { status: TransactionStatus }) {
  return <Badge tone={TONES[status]}>{homeCopy.status[status]}</Badge>;
}

/** The kind of a sale: a donation has no duration. */
export function nameSale({ duration, renouvellement }: TransactionOnWire): string {
  if (duration === 0) return homeCopy.gift;
  return renouvellement === "Renouvellement" ? homeCopy.renewal : homeCopy.new;
}
