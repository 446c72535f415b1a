import type { WithdrawalOnWire } from "@sesame/contract/withdrawals";
import { formatFcfa } from "../../../lib/format.ts";
import { sayShortInstant } from "../../../lib/time-words.fr.ts";
import { OperatorMark } from "../../../ui/operator-mark.tsx";
import { Cell } from "../../../ui/section.tsx";
import { trackingCopy } from "../messages.fr.ts";
import styles from "../withdrawals.module.css";
import { sayStanding, WithdrawalBadge } from "./standing.tsx";

/** How much, to where, and where it is; it opens on the whole. */
export function WithdrawalRow(props: { demande: WithdrawalOnWire; onOpen(): void }) {
  const { demande } = props;
  return (
    <li>
      <Cell
        before={<OperatorMark operator={demande.operateur} size={40} />}
        title={
          <span className={styles.rowTop}>
            <span className={styles.rowAmount}>{formatFcfa(demande.montant)}</span>
            <WithdrawalBadge demande={demande} />
          </span>
        }
        subtitle={
          <>
            <span className={styles.line}>
              {demande.methode_nom} · {sayShortInstant(demande.date_creation)}
            </span>
            <span className={styles.standing}>{sayStanding(demande)}</span>
            {demande.automatique ? (
              <span className={styles.line}>{trackingCopy.history.automatic}</span>
            ) : null}
          </>
        }
        onClick={props.onOpen}
      />
    </li>
  );
}
