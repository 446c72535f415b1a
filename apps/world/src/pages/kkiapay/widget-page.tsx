import { useEffect, useState } from "react";
import type { CheckoutAction, CheckoutView, KkiapayConfig } from "../../wire.ts";
import css from "../checkout/checkout.module.css";
import { checkoutCopy } from "../checkout/copy.fr.ts";
import { Outcome } from "../checkout/outcome.tsx";
import { PayForm } from "../checkout/pay-form.tsx";
import { actInKkiapay, openKkiapay, WorldRefusal } from "../world/api.ts";
import { kkiapayCopy as copy } from "./copy.fr.ts";
import type { MessageName } from "./messages.ts";
import type { PageAround } from "./page-around.ts";

type Page =
  | { at: "waiting" }
  | { at: "refused"; why: string }
  | { at: "form"; checkout: CheckoutView; complaint: string | null }
  | { at: "outcome"; checkout: CheckoutView };

const SAYS: Record<CheckoutAction["action"], MessageName> = {
  success: "PAYMENT_SUCCESS",
  fail: "PAYMENT_FAILED",
  pending: "PENDING_PAYMENT",
  cancel: "PAYMENT_ABORTED",
};

/** The page in the widget's frame: it learns what is to be paid from the page around it. */
export function WidgetPage({ around: waiting }: { around: Promise<PageAround> }) {
  const [page, setPage] = useState<Page>({ at: "waiting" });
  const [around, setAround] = useState<PageAround | null>(null);
  useEffect(() => {
    let here = true;
    void waiting.then(async (found) => {
      if (!here) return;
      setAround(found);
      setPage(await open(found.config));
      found.say("WIDGET_SUCCESSFULLY_INIT");
    });
    return () => {
      here = false;
    };
  }, [waiting]);

  const act = async (checkout: CheckoutView, action: CheckoutAction) => {
    around?.say("PAYMENT_INIT", checkout.told);
    try {
      const next = await actInKkiapay(checkout.id, action);
      // A number of the sandbox decides by itself, whatever was tapped.
      const refused = action.action === "success" && next.status === "failed";
      around?.say(refused ? "PAYMENT_FAILED" : SAYS[action.action], next.told);
      if (next.over) around?.say("PAYMENT_END", next.told);
      if (action.action === "cancel") around?.say("CLOSE_WIDGET");
      setPage({ at: "outcome", checkout: next });
    } catch (reason) {
      const complaint =
        reason instanceof WorldRefusal ? checkoutCopy.alreadyOver : checkoutCopy.noAnswer;
      setPage({ at: "form", checkout, complaint });
    }
  };
  return (
    <main className={css.page}>
      <p className={css.simulated}>{checkoutCopy.simulated}</p>
      <Inside
        page={page}
        onAct={act}
        onRetry={(checkout) => {
          around?.say("RETRY_PAYMENT");
          setPage({ at: "form", checkout, complaint: null });
        }}
        onClose={() => around?.say("CLOSE_WIDGET")}
      />
    </main>
  );
}

async function open(config: KkiapayConfig): Promise<Page> {
  try {
    return { at: "form", checkout: await openKkiapay(config), complaint: null };
  } catch (reason) {
    const known = reason instanceof WorldRefusal && Object.hasOwn(copy.refused, reason.message);
    const why = known ? copy.refused[reason.message as keyof typeof copy.refused] : copy.noAnswer;
    return { at: "refused", why };
  }
}

type InsideProps = {
  page: Page;
  onAct: (checkout: CheckoutView, action: CheckoutAction) => Promise<void>;
  onRetry: (checkout: CheckoutView) => void;
  onClose: () => void;
};

function Inside({ page, onAct, onRetry, onClose }: InsideProps) {
  switch (page.at) {
    case "waiting":
      return <p className={css.quiet}>{window.parent === window ? copy.alone : copy.waiting}</p>;
    case "refused":
      return (
        <section className={css.card}>
          <p className={css.complaint} role="alert">
            {page.why}
          </p>
          <button type="button" className={css.secondary} onClick={onClose}>
            {copy.close}
          </button>
        </section>
      );
    case "form":
      return (
        <PayForm
          checkout={page.checkout}
          complaint={page.complaint}
          onAct={(action) => onAct(page.checkout, action)}
        />
      );
    case "outcome":
      return (
        <Outcome checkout={page.checkout} onRetry={() => onRetry(page.checkout)} onBack={onClose} />
      );
  }
}
