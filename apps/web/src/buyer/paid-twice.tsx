import { checkoutCopy } from "../features/checkout/messages.fr.ts";
import styles from "../kit/buyer.module.css";

/** Two of an order's payments came through: the second one goes back, whoever reads this. */
export function PaidTwice() {
  return (
    <section className={styles.card}>
      <h2>{checkoutCopy.status.twiceTitle}</h2>
      <p>{checkoutCopy.status.twiceText}</p>
    </section>
  );
}
