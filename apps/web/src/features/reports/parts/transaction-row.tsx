import type { TransactionOnWire } from "@sesame/contract/reports";
import { formatFcfa } from "../../../lib/format.ts";
import { sayShortInstant } from "../../../lib/time-words.fr.ts";
import { Avatar } from "../../../kit/avatar.tsx";
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
        title={<span className={styles.client}>{transaction.nomClient}</span>}
        subtitle={
          <>
            <span className={styles.product}>{transaction.produitNom}</span>
            <span className={styles.facts}>
              {sayShortInstant(transaction.date)} · {kind}
            </span>
          </>
        }
        after={
          <span className={styles.amounts}>
            <strong className={status === "success" ? styles.income : styles.amount}>
              {status === "success" ? "+" : ""}
              {formatFcfa(transaction.amount)}
            </strong>
            {transaction.direct ? (
              <span className={styles.netAmount}>{copy.direct}</span>
            ) : status === "success" || status === "pending" ? (
              <span className={styles.netAmount}>{copy.net(formatFcfa(transaction.net))}</span>
            ) : null}
            <StatusBadge status={status} />
          </span>
        }
        {...(onOpen ? { onClick: onOpen } : {})}
      />
    </li>
  );
}
