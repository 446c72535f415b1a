import { useEffect, useState } from "react";
import type { CheckoutAction, CheckoutView } from "../../wire.ts";
import { announceNavigation } from "../browser/navigation.ts";
import { actOnCheckout, readCheckout, WorldRefusal } from "../world/api.ts";
import css from "./checkout.module.css";
import { checkoutCopy as copy } from "./copy.fr.ts";
import { Outcome } from "./outcome.tsx";
import { PayForm } from "./pay-form.tsx";

type Page =
  | { at: "loading" }
  | { at: "unknown" }
  | { at: "form"; checkout: CheckoutView; complaint: string | null }
  | { at: "outcome"; checkout: CheckoutView };

function goBack(checkout: CheckoutView): void {
  announceNavigation(checkout.returnUrl);
  location.assign(checkout.returnUrl);
}

const isOver = (checkout: CheckoutView) =>
  checkout.status === "success" || checkout.status === "cancelled";

/** Stands for a provider's hosted page; the customer decides here what his operator will answer. */
export function CheckoutPage({ id }: { id: string }) {
  const [page, setPage] = useState<Page>({ at: "loading" });
  useEffect(() => {
    readCheckout(id).then(
      (checkout) =>
        setPage(
          isOver(checkout)
            ? { at: "outcome", checkout }
            : { at: "form", checkout, complaint: null },
        ),
      () => setPage({ at: "unknown" }),
    );
  }, [id]);

  const settle = async (checkout: CheckoutView, action: CheckoutAction) => {
    try {
      const next = await actOnCheckout(id, action);
      setPage({ at: "outcome", checkout: next });
      if (next.status !== "failed") goBack(next);
    } catch (reason) {
      const complaint = reason instanceof WorldRefusal ? copy.alreadyOver : copy.noAnswer;
      setPage({ at: "form", checkout, complaint });
    }
  };
  return (
    <main className={css.page}>
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
          onBack={() => goBack(page.checkout)}
        />
      )}
    </main>
  );
}
