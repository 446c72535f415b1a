import type { PaymentProviderOnWire } from "@sesame/contract/checkout";
import { useState } from "react";
import { formatFcfa, listWays, sayMethods, type WayToPay } from "../../lib/format.ts";
import common from "../../kit/buyer.module.css";
import styles from "./checkout.module.css";
import { checkoutCopy as copy } from "./messages.fr.ts";
import { Drawing } from "./order-status.tsx";
import { CloseButton, Sheet } from "./sheet.tsx";

/** How somebody pays; empty texts were not given. */
export type PaymentChoice = {
  readonly provider: string;
  readonly email: string;
  readonly phone: string;
};

export type PaymentSheetProps = {
  readonly amount: number;
  readonly providers: readonly PaymentProviderOnWire[];
  /** Providers that this order was tried with and that did not bring its money. */
  readonly tried: readonly string[];
  readonly state: { at: "choosing"; complaint: string | null } | { at: "paying" };
  onPay(choice: PaymentChoice): void;
  onClose(): void;
};

/** The choice of a way to pay. */
export function PaymentSheet(props: PaymentSheetProps) {
  const { amount, providers, tried, state, onPay, onClose } = props;
  const [tapped, setTapped] = useState<string | null>(null);
  const [said, setSaid] = useState({ email: "", phone: "" });
  const [missing, setMissing] = useState<string | null>(null);
  const paying = state.at === "paying";
  const chosen = providers.length === 1 ? providers[0] : providers.find(({ id }) => id === tapped);
  const pay = () => {
    if (!chosen) return setMissing(tapped === null ? copy.chooseMissing : copy.methodGone);
    const { fields } = chosen;
    onPay({
      provider: chosen.id,
      email: fields.email === "optional" ? said.email.trim() : "",
      phone: fields.phone === "optional" ? said.phone.trim() : "",
    });
  };
  const rows = listWays(providers, tried);
  const others = rows.filter(({ repeats }) => repeats);
  const choiceOf = (provider: WayToPay) => (
    <Choice
      key={provider.id}
      provider={provider}
      chosen={chosen?.id === provider.id}
      said={said}
      onSay={setSaid}
      onChoose={() => {
        setTapped(provider.id);
        setMissing(null);
      }}
    />
  );
  const complaint = state.at === "choosing" ? (missing ?? state.complaint) : null;
  return (
    <Sheet title={copy.chooseTitle} loose={!paying} onClose={onClose}>
      <div className={styles.scroll}>
        <fieldset className={styles.choices} disabled={paying}>
          <legend className={styles.hidden}>{copy.chooseTitle}</legend>
          {rows.filter(({ repeats }) => !repeats).map(choiceOf)}
          {others.length === 0 ? null : (
            <details open={others.some(({ id }) => id === chosen?.id)}>
              <summary className={styles.choice}>{copy.otherProviders}</summary>
              <div className={styles.choices}>{others.map(choiceOf)}</div>
            </details>
          )}
        </fieldset>
        {chosen ? <p className={common.note}>{copy.note[chosen.opens]}</p> : null}
        <CloseButton disabled={paying} />
      </div>
      <div className={common.form}>
        <p className={common.complaint} role="alert">
          {complaint}
        </p>
        <button className={common.action} type="button" onClick={pay} aria-busy={paying}>
          {paying ? copy.paying : copy.pay(chosen?.quote?.label ?? formatFcfa(amount))}
        </button>
      </div>
    </Sheet>
  );
}

type ChoiceProps = {
  readonly provider: WayToPay;
  readonly chosen: boolean;
  readonly said: Pick<PaymentChoice, "email" | "phone">;
  onSay(said: ChoiceProps["said"]): void;
  onChoose(): void;
};

/** A provider, under the operators it takes, which people know. */
function Choice({ provider, chosen, said, onSay, onChoose }: ChoiceProps) {
  const { id, name, fields, quote } = provider;
  const ways = sayMethods(provider.methods);
  const drawing = DRAWINGS[id];
  return (
    <>
      <label className={styles.choice}>
        <input type="radio" name="provider" value={id} checked={chosen} onChange={onChoose} />
        <span className={styles.provider} aria-hidden="true">
          {drawing ? <Drawing path={drawing} size={24} /> : name.charAt(0)}
        </span>
        <span>
          <strong>{drawing ? name : ways || name}</strong>
          {quote ? <b className={styles.quote}> {quote.label}</b> : null}
          <small>{drawing ? ways !== name && ways : name}</small>
          {provider.disturbed ? <em className={styles.disturbed}>{copy.disturbed}</em> : null}
          {chosen ? <small>{provider.description}</small> : null}
        </span>
      </label>
      {chosen
        ? PAYER_FIELDS.map(([name, type, max]) =>
            fields[name] === "optional" ? (
              <input
                key={name}
                className={common.field}
                type={type}
                autoComplete={type}
                maxLength={max}
                aria-label={copy[name]}
                placeholder={copy[name]}
                value={said[name]}
                onChange={(event) => onSay({ ...said, [name]: event.target.value })}
              />
            ) : null,
          )
        : null}
    </>
  );
}

/** What a provider takes of its payer, never asked for where it does not (decision 53). */
const PAYER_FIELDS = [
  ["email", "email", 254],
  ["phone", "tel", 32],
] as const;

/** Crypto and Stars go by their own name. Drawn, since not every phone has characters for a coin and a star. */
const DRAWINGS: Readonly<Record<string, string>> = {
  cryptopay: "M12 4l7 8-7 8-7-8zM9 10h6M12 10v6",
  stars: "M12 4l2 6h6l-5 4 2 6-5-4-5 4 2-6-5-4h6z",
};
