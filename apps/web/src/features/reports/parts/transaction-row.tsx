import type { TransactionOnWire } from "@sesame/contract/reports";
import { formatFcfa } from "../../../lib/format.ts";
import { sayShortInstant } from "../../../lib/time-words.fr.ts";
import { Avatar } from "../../../kit/avatar.tsx";
import { Stack, Text } from "../../../kit/layout.tsx";
import { Cell } from "../../../kit/section.tsx";
import { homeCopy as copy } from "../home-messages.fr.ts";
import styles from "../reports.module.css";
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
            <Text as="span" block>
              {sayShortInstant(transaction.date)} · {kind}
            </Text>
          </>
        }
        after={
          <Stack as="span" gap={1} end>
            <Text as="strong" {...(status === "success" ? { tone: "green" } : {})}>
              {status === "success" ? "+" : ""}
              {formatFcfa(transaction.amount)}
            </Text>
            {transaction.direct ? (
              <Text as="span" size="tiny">
                {copy.direct}
              </Text>
            ) : status === "success" || status === "pending" ? (
              <Text as="span" size="tiny">
                {copy.net(formatFcfa(transaction.net))}
              </Text>
            ) : null}
            <StatusBadge status={status} />
          </Stack>
        }
        {...(onOpen ? { onClick: onOpen } : {})}
      />
    </li>
  );
}
