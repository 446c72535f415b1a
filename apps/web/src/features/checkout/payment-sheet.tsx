import type { PaymentProviderOnWire } from "@sesame/contract/checkout";
import { useEffect, useId, useRef, useState } from "react";
import { formatFcfa } from "../../lib/format.ts";
import { checkoutCopy as copy } from "./copy.fr.ts";
import styles from "./payment-sheet.module.css";

export type PaymentSheetProps = {
  readonly amount: number;
  readonly providers: readonly PaymentProviderOnWire[];
  readonly state: { at: "choosing"; complaint: string | null } | { at: "paying" };
  onPay(provider: string): void;
  onClose(): void;
};

/** The choice of a way to pay. A native dialog: focus stays inside, Escape closes it. */
export function PaymentSheet({ amount, providers, state, onPay, onClose }: PaymentSheetProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [chosen, setChosen] = useState<string | null>(
    providers.length === 1 ? (providers[0]?.id ?? null) : null,
  );
  const [missing, setMissing] = useState(false);
  const titleId = useId();
  const paying = state.at === "paying";
  useEffect(() => dialog.current?.showModal(), []);
  const pay = () => {
    if (chosen) onPay(chosen);
    else setMissing(true);
  };
  const complaint =
    state.at === "choosing" ? (state.complaint ?? (missing ? copy.chooseMissing : null)) : null;
  return (
    <dialog
      ref={dialog}
      className={styles.sheet}
      aria-labelledby={titleId}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === dialog.current && !paying) dialog.current.close();
      }}
    >
      <div className={styles.content}>
        <h2 id={titleId}>{copy.chooseTitle}</h2>
        <fieldset className={styles.choices} disabled={paying}>
          <legend className={styles.hidden}>{copy.chooseTitle}</legend>
          {providers.map((provider) => (
            <label key={provider.id} className={styles.choice}>
              <input
                type="radio"
                name="provider"
                value={provider.id}
                checked={chosen === provider.id}
                onChange={() => {
                  setChosen(provider.id);
                  setMissing(false);
                }}
              />
              <span>
                <strong>{provider.name}</strong>
                <small>{provider.methods.join(", ")}</small>
                <small>{provider.description}</small>
              </span>
            </label>
          ))}
        </fieldset>
        <p className={styles.complaint} role="alert">
          {complaint}
        </p>
        <button className={styles.pay} type="button" onClick={pay} aria-busy={paying}>
          {paying ? copy.paying : copy.pay(formatFcfa(amount))}
        </button>
        <p className={styles.note}>{copy.pageNote}</p>
        <button
          className={styles.close}
          type="button"
          disabled={paying}
          onClick={() => dialog.current?.close()}
        >
          {copy.close}
        </button>
      </div>
    </dialog>
  );
}
