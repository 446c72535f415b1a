import { StrictMode, useEffect, useState, type FormEvent } from "react";
import { createRoot } from "react-dom/client";
import "../base.css";
import type { CheckoutAction, CheckoutView } from "../../wire.ts";
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
    case "refused": {
      const close = leave(null);
      if (close === null) return <p className={css.quiet}>{page.why}</p>;
      return (
        <section className={css.card}>
          <p className={css.complaint} role="alert">
            {page.why}
          </p>
          <button type="button" className={css.secondary} onClick={close}>
            {copy.close}
          </button>
        </section>
      );
    }
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

/** Draws the page. */
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
  const [phone, setPhone] = useState(checkout.phone ?? "");
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
      <fieldset className={css.methods}>
        <legend>{crypto ? copy.asset : copy.method}</legend>
        {offered.map((one) => (
          <label key={one.code} className={css.method}>
            <input
              type="radio"
              name="method"
              checked={one.code === method}
              onChange={() => setMethod(one.code)}
            />
            <span>
              {/* Operators go by their own names; a card has a French one. */}
              {one.code.startsWith("card") ? copy.card : one.name}
              {one.price !== undefined && <small>{copy.price(one.price)}</small>}
            </span>
          </label>
        ))}
      </fieldset>
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
      <section className={css.others} aria-label={copy.other}>
        {(crypto ? (["pending"] as const) : (["fail", "pending", "cancel"] as const)).map((end) => (
          <button
            type="button"
            key={end}
            className={css.secondary}
            disabled={busy}
            onClick={() => void act(end)}
          >
            {copy[end]}
          </button>
        ))}
      </section>
    </form>
  );
}
