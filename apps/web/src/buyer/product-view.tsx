import type { PublicProductOnWire } from "@sesame/contract/catalogue";
import { useEffect, useState } from "react";
import { ProductPage } from "../features/checkout/product-page.tsx";
import {
  createOrder,
  noteView,
  openPayment,
  readOrder,
  reportProduct,
} from "../features/checkout/queries.ts";
import { ReportSheet } from "../features/checkout/report-sheet.tsx";
import { readLaunch } from "../telegram/launch.ts";
import { forgetOrder, rememberedOrder, rememberOrder } from "./last-order.ts";
import { type BuyerPage, type BuyerView, telegramLink } from "./page.ts";
import { PayFlow } from "./pay-flow.tsx";
import { useBack } from "./use-back.ts";
import { useBridge } from "./use-bridge.ts";
import { withToken } from "./with-token.ts";

export type ProductViewProps = {
  readonly page: BuyerPage;
  readonly product: PublicProductOnWire;
  readonly back: (() => void) | null;
  /** Opened on the choice of a payment. */
  readonly paying: boolean;
  go(view: BuyerView): void;
};

export function ProductView({ page, product, back, paying, go }: ProductViewProps) {
  const bridge = useBridge();
  const { reference } = product;
  const [open, setOpen] = useState<"none" | "payment" | "report">("none");
  const underWay = useOrderUnderWay(reference);
  useBack(bridge, back);
  useEffect(() => {
    if (paying && readLaunch()) setOpen("payment");
  }, [paying]);

  useEffect(() => {
    // Signs in ahead of the purchase, and counts one view a day (decision 39).
    if (readLaunch()) withToken((token) => noteView(reference, token)).catch(() => {});
  }, [reference]);

  const close = () => setOpen("none");
  return (
    <>
      <ProductPage
        product={product}
        telegramLink={telegramLink(page, reference)}
        onBuy={() => {
          bridge?.haptic("light");
          setOpen("payment");
        }}
        onReport={() => setOpen("report")}
        onFollow={underWay === null ? null : () => go({ at: "order", orderId: underWay })}
      />
      {open === "report" ? (
        <ReportSheet
          send={(report) => withToken((token) => reportProduct({ reference, ...report }, token))}
          onClose={close}
        />
      ) : null}
      {open === "payment" ? (
        <PayFlow
          amount={product.price}
          reference={reference}
          providers={page.providers.filter(({ id }) => product.providers.includes(id))}
          open={(choice, { key, orderId }) =>
            withToken((token) =>
              orderId === null
                ? createOrder({ reference, ...choice, token, key })
                : openPayment(orderId, choice, { token, key }),
            )
          }
          onOpened={(orderId) => {
            rememberOrder(reference, orderId);
            close();
            go({ at: "order", orderId });
          }}
          onClose={close}
        />
      ) : null}
    </>
  );
}

/** An order begun here before and not paid yet: its number, once the server says so. */
function useOrderUnderWay(reference: string): string | null {
  const [underWay, setUnderWay] = useState<string | null>(null);
  useEffect(() => {
    const orderId = readLaunch() ? rememberedOrder(reference) : null;
    if (orderId === null) return;
    let gone = false;
    withToken((token) => readOrder(orderId, token)).then(
      ({ status }) => {
        if (status !== "pending") forgetOrder(reference);
        else if (!gone) setUnderWay(orderId);
      },
      () => {},
    );
    return () => {
      gone = true;
    };
  }, [reference]);
  return underWay;
}
