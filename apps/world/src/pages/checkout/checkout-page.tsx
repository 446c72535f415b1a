import { useEffect, useState } from "react";
import type { CheckoutAction, CheckoutView } from "../../wire.ts";
import { announceNavigation } from "../browser/navigation.ts";
import { actOnCheckout, type HostedPayment, readCheckout, WorldRefusal } from "../world/api.ts";
import css from "./checkout.module.css";
import { checkoutCopy as copy } from "./copy.fr.ts";
import { Outcome } from "./outcome.tsx";
import { PayForm } from "./pay-form.tsx";

type Page =
  | { at: "loading" }
  | { at: "unknown" }
  | { at: "form"; checkout: CheckoutView; complaint: string | null }
  | { at: "outcome"; checkout: CheckoutView };

type Props = {
  payment: HostedPayment;
  /** The customer is done, in a frame of the merchant's page: there is no way back to follow. */
  onDone?: (checkout: CheckoutView) => void;
};

function goBack({ returnUrl }: CheckoutView): void {
  if (returnUrl === null) return;
  announceNavigation(returnUrl);
  location.assign(returnUrl);
}

/** Stands for a provider's hosted page; the customer decides here what his operator will answer. */
export function CheckoutPage({ payment, onDone }: Props) {
  const { provider, token } = payment;
  const leave = onDone ?? goBack;
  const [page, setPage] = useState<Page>({ at: "loading" });
  useEffect(() => {
    readCheckout({ provider, token }).then(
      (checkout) =>
        setPage(
          checkout.over ? { at: "outcome", checkout } : { at: "form", checkout, complaint: null },
        ),
      () => setPage({ at: "unknown" }),
    );
  }, [provider, token]);

  const settle = async (checkout: CheckoutView, action: CheckoutAction) => {
    try {
      const next = await actOnCheckout(payment, action);
      setPage({ at: "outcome", checkout: next });
      if (next.status !== "failed") leave(next);
    } catch (reason) {
      const complaint = reason instanceof WorldRefusal ? copy.alreadyOver : copy.noAnswer;
      setPage({ at: "form", checkout, complaint });
    }
  };
  return (
    <main className={css.page} data-provider={provider}>
      <p className={css.simulated}>{copy.simulated}</p>
      {page.at === "loading" && <p className={css.quiet}>{copy.loading}</p>}
      {page.at === "unknown" && <p className={css.quiet}>{copy.unknown}</p>}
      {page.at === "form" && (
        <PayForm
          checkout={page.checkout}
          complaint={page.complaint}
          onAct={(action) => settle(page.checkout, action)}
        />
      )}
      {page.at === "outcome" && (
        <Outcome
          checkout={page.checkout}
          onRetry={() => setPage({ at: "form", checkout: page.checkout, complaint: null })}
          {...(onDone || page.checkout.returnUrl ? { onBack: () => leave(page.checkout) } : {})}
        />
      )}
    </main>
  );
}
