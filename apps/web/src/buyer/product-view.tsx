import type { PublicProductOnWire } from "@sesame/contract/catalogue";
import { useEffect, useRef, useState } from "react";
import { checkoutCopy as copy } from "../features/checkout/copy.fr.ts";
import { PaymentSheet } from "../features/checkout/payment-sheet.tsx";
import { ProductPage } from "../features/checkout/product-page.tsx";
import { createOrder, noteView, reportProduct } from "../features/checkout/queries.ts";
import { ReportSheet } from "../features/checkout/report-sheet.tsx";
import { newIdempotencyKey, RequestError } from "../lib/request.ts";
import { readLaunch } from "../telegram/launch.ts";
import { type BuyerPage, type BuyerView, telegramLink } from "./page.ts";
import { useBack } from "./use-back.ts";
import { openOutside, useBridge } from "./use-bridge.ts";
import { withToken } from "./with-token.ts";

export type ProductViewProps = {
  readonly page: BuyerPage;
  readonly product: PublicProductOnWire;
  readonly back: (() => void) | null;
  readonly tappedEarly: boolean;
  go(view: BuyerView): void;
};

type Step =
  | { readonly at: "reading" }
  | { readonly at: "choosing"; readonly complaint: string | null }
  | { readonly at: "paying" };

export function ProductView({ page, product, back, tappedEarly, go }: ProductViewProps) {
  const bridge = useBridge();
  const { reference } = product;
  const [step, setStep] = useState<Step>({ at: "reading" });
  const [reporting, setReporting] = useState(false);
  /** The same intention keeps its key: a retry after a lost answer makes no second order. */
  const intention = useRef<{ provider: string; key: string } | null>(null);
  useBack(bridge, back);
  useEffect(() => {
    if (tappedEarly) setStep({ at: "choosing", complaint: null });
  }, [tappedEarly]);

  useEffect(() => {
    // Signs in ahead of the purchase, and counts one view a day (decision 39).
    if (readLaunch()) withToken((token) => noteView(product.reference, token)).catch(() => {});
  }, [product.reference]);

  const buy = () => {
    bridge?.haptic("light");
    setStep({ at: "choosing", complaint: null });
  };
  const pay = async (provider: string) => {
    setStep({ at: "paying" });
    if (intention.current?.provider !== provider) {
      intention.current = { provider, key: newIdempotencyKey() };
    }
    const { key } = intention.current;
    try {
      const order = await withToken((token) =>
        createOrder({ reference: product.reference, provider, token, key }),
      );
      intention.current = null;
      setStep({ at: "reading" });
      go({ at: "order", orderId: order.id });
      if (order.payment_url) void openOutside(order.payment_url);
    } catch (error) {
      bridge?.haptic("error");
      setStep({ at: "choosing", complaint: sentence(error) });
    }
  };
  return (
    <>
      <ProductPage
        product={product}
        telegramLink={telegramLink(page, product.reference)}
        onBuy={buy}
        onReport={() => setReporting(true)}
      />
      {reporting ? (
        <ReportSheet
          send={(report) => withToken((token) => reportProduct({ reference, ...report }, token))}
          onClose={() => setReporting(false)}
        />
      ) : null}
      {step.at === "reading" ? null : (
        <PaymentSheet
          amount={product.price}
          providers={page.providers.filter(({ id }) => product.providers.includes(id))}
          state={step}
          onPay={(provider) => void pay(provider)}
          onClose={() => setStep({ at: "reading" })}
        />
      )}
    </>
  );
}

function sentence(error: unknown): string {
  return error instanceof RequestError ? error.message : copy.signInFailed;
}
