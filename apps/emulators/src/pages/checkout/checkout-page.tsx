import { StrictMode, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import "../base.css";
import type { CheckoutAction, CheckoutView } from "../../wire.ts";
import { EmulatorRefusal } from "../emulators/api.ts";
import css from "./checkout.module.css";
import { checkoutCopy as copy } from "./messages.fr.ts";
import { PayForm } from "./pay-form.tsx";

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
