import type { TransactionOnWire } from "@sesame/contract/reports";
import { formatFcfa } from "../../../lib/format.ts";
import { sayShortInstant } from "../../../lib/time-words.fr.ts";
import { Avatar } from "../../../kit/avatar.tsx";
import { Line, Text } from "../../../kit/layout.tsx";
import { Cell } from "../../../kit/section.tsx";
import { homeCopy as copy } from "../home-messages.fr.ts";
import { nameSale } from "../name-sale.ts";
import { StatusBadge } from "./status-badge.tsx";

/** What came in, from whom, for what, and where it stands (decision 73). */
export function TransactionRow(props: { transaction: TransactionOnWire; onOpen?: () => void }) {
  const { transaction, onOpen } = props;
  const { status } = transaction;
  const kind = nameSale(transaction);
  return (
    <li>
      <Cell
        before={<Avatar name={transaction.nomClient} />}
        title={
          <Text as="span" clamp strong>
            {transaction.nomClient}
          </Text>
        }
        subtitle={
          <>
            <Text as="span" clamp>
              {transaction.produitNom}
            </Text>
            <Line as="span" between>
              <span>
                {sayShortInstant(transaction.date)} · {kind}
              </span>
              <StatusBadge status={status} />
            </Line>
            {transaction.direct || status === "success" || status === "pending" ? (
              <Text as="span" size="tiny" block>
                {transaction.direct ? copy.direct : copy.net(formatFcfa(transaction.net))}
              </Text>
            ) : null}
          </>
        }
        after={
          <Text as="strong" {...(status === "success" ? { tone: "green" } : {})}>
            {status === "success" ? "+" : ""}
            {formatFcfa(transaction.amount)}
          </Text>
        }
        {...(onOpen ? { onClick: onOpen } : {})}
      />
    </li>
  );
}
