import { type FormEvent, useState } from "react";
import type { CheckoutAction, CheckoutMethod, CheckoutView } from "../../wire.ts";
import css from "./checkout.module.css";
import { checkoutCopy as copy } from "./messages.fr.ts";

type Props = {
  checkout: CheckoutView;
  complaint: string | null;
  onAct: (action: CheckoutAction) => Promise<void>;
};

export function PayForm({ checkout, complaint, onAct }: Props) {
  const countries = [...new Set(checkout.methods.map((method) => method.country))];
  const [country, setCountry] = useState(countries[0] ?? "");
  const [method, setMethod] = useState(checkout.methods[0]?.code ?? "");
  const [phone, setPhone] = useState(checkout.customer.phone ?? "");
  const [busy, setBusy] = useState(false);
  const amount = copy.money(checkout.amount, checkout.currency);
  const offered = checkout.methods.filter((one) => one.country === country);
  // A crypto payment is neither refused nor cancelled: it arrives, or it does not.
  const crypto = checkout.provider === "cryptopay";
  const price = offered.find(({ code }) => code === method)?.price;

  const act = async (action: CheckoutAction["action"]) => {
    setBusy(true);
    await onAct({ action, method, ...(phone === "" ? {} : { phone }) });
    setBusy(false);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void act("success");
  };
  return (
    <form className={css.card} onSubmit={submit}>
      <header className={css.order}>
        <p className={css.merchant}>{checkout.merchant}</p>
        <h1 className={css.amount}>
          <small>{copy.toPay}</small>
          {amount}
        </h1>
        <p className={css.quiet}>{checkout.description}</p>
      </header>
      {!crypto && (
        <label className={css.field}>
          {copy.country}
          <select
            value={country}
            onChange={(event) => {
              const chosen = event.target.value;
              setCountry(chosen);
              setMethod(checkout.methods.find((one) => one.country === chosen)?.code ?? "");
            }}
          >
            {countries.map((code) => (
              <option key={code} value={code}>
                {copy.countries[code] ?? code}
              </option>
            ))}
          </select>
        </label>
      )}
      <Methods offered={offered} chosen={method} onChoose={setMethod} />
      {!crypto && (
        <label className={css.field}>
          {copy.phone}
          <span className={css.phone}>
            <span>{offered[0]?.dialCode}</span>
            <input
              type="tel"
              inputMode="tel"
              autoComplete="off"
              value={phone}
              onChange={(event) => setPhone(event.target.value)}
            />
          </span>
        </label>
      )}
      {complaint !== null && (
        <p className={css.complaint} role="alert">
          {complaint}
        </p>
      )}
      <button type="submit" className={css.pay} disabled={busy}>
        {copy.pay(price === undefined ? amount : copy.price(price))}
      </button>
      <OtherEnds
        busy={busy}
        ends={crypto ? ["pending"] : ["fail", "pending", "cancel"]}
        onAct={act}
      />
    </form>
  );
}

/** Operators go by their own names; a card has a French one. */
const nameOf = (method: CheckoutMethod) =>
  method.code.startsWith("card") ? copy.card : method.name;

type MethodsProps = {
  offered: CheckoutMethod[];
  chosen: string;
  onChoose: (code: string) => void;
};

function Methods({ offered, chosen, onChoose }: MethodsProps) {
  return (
    <fieldset className={css.methods}>
      <legend>{offered.some(({ price }) => price) ? copy.asset : copy.method}</legend>
      {offered.map((method) => (
        <label key={method.code} className={css.method}>
          <input
            type="radio"
            name="method"
            checked={method.code === chosen}
            onChange={() => onChoose(method.code)}
          />
          <span>
            {nameOf(method)}
            {method.price !== undefined && <small>{copy.price(method.price)}</small>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

type End = "fail" | "pending" | "cancel";

type EndsProps = {
  busy: boolean;
  ends: End[];
  onAct: (action: CheckoutAction["action"]) => Promise<void>;
};

function OtherEnds({ busy, ends, onAct }: EndsProps) {
  const words = { fail: copy.fail, pending: copy.pending, cancel: copy.cancel };
  return (
    <section className={css.others} aria-label={copy.other}>
      {ends.map((action) => (
        <button
          type="button"
          key={action}
          className={css.secondary}
          disabled={busy}
          onClick={() => void onAct(action)}
        >
          {words[action]}
        </button>
      ))}
    </section>
  );
}
