import type { CheckoutView } from "../../wire.ts";
import css from "./checkout.module.css";
import { checkoutCopy as copy } from "./copy.fr.ts";

type Props = { checkout: CheckoutView; onRetry: () => void; onBack?: () => void };

export function Outcome({ checkout, onRetry, onBack }: Props) {
  const words = copy.outcomes[checkout.status];
  return (
    <section className={css.card} data-status={checkout.status}>
      <div role="status">
        <h1 className={css.outcome}>{words.title}</h1>
      </div>
      <p className={css.quiet}>
        {checkout.failureMessage ?? (onBack === undefined ? copy.stay : words.text)}
      </p>
      {onBack !== undefined && (
        <button type="button" className={css.pay} onClick={onBack}>
          {copy.back}
        </button>
      )}
      {!checkout.over && checkout.status !== "success" && (
        <button type="button" className={css.secondary} onClick={onRetry}>
          {copy.retry}
        </button>
      )}
    </section>
  );
}
