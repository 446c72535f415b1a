import { useSession } from "../../../lib/session.ts";
import { withdrawalsCopy } from "../messages.fr.ts";
import styles from "../withdrawals.module.css";

/** Why nothing can be asked for: no money action comes from a cache (decision 16). */
export function OfflineNote() {
  if (useSession().at !== "offline") return null;
  return <p className={styles.note}>{withdrawalsCopy.offline}</p>;
}
