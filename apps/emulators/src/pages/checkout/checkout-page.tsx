import { StrictMode, useEffect, useState, type FormEvent } from "react";
import { createRoot } from "react-dom/client";
import "../base.css";
import type { CheckoutAction, CheckoutView, CheckoutMethod } from "../../wire.ts";
import { EmulatorRefusal } from "../emulators.ts";
import css from "./checkout.module.css";
import { checkoutCopy as copy } from "./messages.fr.ts";

type Page =
  | { at: "waiting" }
  | { at: "refused"; why: string }
  | { at: "form"; checkout: CheckoutView; complaint: string | null }
  | { at: "outcome"; checkout: CheckoutView };

type Props = {
  /** The payment, once the provider knows it. */
  opened: Promise<CheckoutView>;
  act(checkout: CheckoutView, action: CheckoutAction): Promise<CheckoutView>;
  /** Shown while the payment is loading. */
  waiting: string;
  /** Why the payment cannot be shown. */
  refused(reason: unknown): string;
  /** Leaves the page; null when there is nowhere to go. */
  leave(checkout: CheckoutView | null): (() => void) | null;
  retried?(): void;
};

/** A provider's hosted page: the customer decides here what the operator will answer. */
function CheckoutPage({ opened, act, waiting, refused, leave, retried }: Props) {
  const [page, setPage] = useState<Page>({ at: "waiting" });
  useEffect(() => {
    opened.then(
      (checkout) =>
        setPage(
          checkout.over ? { at: "outcome", checkout } : { at: "form", checkout, complaint: null },
        ),
      (reason: unknown) => setPage({ at: "refused", why: refused(reason) }),
    );
  }, [opened, refused]);

  const settle = async (checkout: CheckoutView, action: CheckoutAction) => {
    try {
      setPage({ at: "outcome", checkout: await act(checkout, action) });
    } catch (reason) {
      const complaint = reason instanceof EmulatorRefusal ? copy.alreadyOver : copy.noAnswer;
      setPage({ at: "form", checkout, complaint });
    }
  };
  switch (page.at) {
    case "waiting":
      return <p className={css.quiet}>{waiting}</p>;
    case "refused":
      return <Refused why={page.why} close={leave(null)} />;
    case "form":
      return (
        <PayForm
          checkout={page.checkout}
          complaint={page.complaint}
          onAct={(action) => settle(page.checkout, action)}
        />
      );
    case "outcome":
      return (
        <Outcome
          checkout={page.checkout}
          onBack={leave(page.checkout)}
          onRetry={() => {
            retried?.();
            setPage({ at: "form", checkout: page.checkout, complaint: null });
          }}
        />
      );
  }
}

function Refused({ why, close }: { why: string; close: (() => void) | null }) {
  if (close === null) return <p className={css.quiet}>{why}</p>;
  return (
    <section className={css.card}>
      <p className={css.complaint} role="alert">
        {why}
      </p>
      <button type="button" className={css.secondary} onClick={close}>
        {copy.close}
      </button>
    </section>
  );
}

type OutcomeProps = { checkout: CheckoutView; onRetry: () => void; onBack: (() => void) | null };

function Outcome({ checkout, onRetry, onBack }: OutcomeProps) {
  const words = copy.outcomes[checkout.status];
  return (
    <section className={css.card} data-status={checkout.status}>
      <div role="status">
        <h1 className={css.outcome}>{words.title}</h1>
      </div>
      <p className={css.quiet}>
        {checkout.failureMessage ?? (onBack === null ? copy.stay : words.text)}
      </p>
      {onBack !== null && (
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

/** Draws the page, in the machine's own light. */
export function showCheckout(provider: string, props: Props): void {
  const root = document.getElementById("root");
  if (root === null) throw new Error("the page has no #root");
  createRoot(root).render(
    <StrictMode>
      <main className={css.page} data-provider={provider}>
        <p className={css.simulated}>{copy.simulated}</p>
        <CheckoutPage {...props} />
      </main>
    </StrictMode>,
  );
}

type FormProps = {
  checkout: CheckoutView;
  complaint: string | null;
  onAct: (action: CheckoutAction) => Promise<void>;
};

function PayForm({ checkout, complaint, onAct }: FormProps) {
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
