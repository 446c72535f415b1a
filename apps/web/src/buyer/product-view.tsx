import type { PublicProductOnWire } from "@sesame/contract/catalogue";
import { useEffect, useState } from "react";
import { ProductPage } from "../features/checkout/product-page.tsx";
import { readLaunch } from "../telegram/launch.ts";
import { forgetOrder, rememberedOrder, rememberOrder } from "./last-order.ts";
import { type Place, telegramLink } from "./page.ts";
import { PayFlow } from "./pay-flow.tsx";
import { useBridge } from "./use-bridge.ts";
import { usePart } from "./use-part.ts";
import { call, personId, real } from "./session.ts";

type ProductViewProps = Place & {
  readonly product: PublicProductOnWire;
  /** Opened on the choice of a payment. */
  readonly paying: boolean;
  readonly renews: string | null;
};

const loadDonation = () => import("../features/checkout/donation-sheet.tsx");
const loadReport = () => import("../features/checkout/report-sheet.tsx");

type Open = "none" | "amount" | "payment" | "report";

export function ProductView({ page, product, back, paying, renews, go }: ProductViewProps) {
  const bridge = useBridge(back);
  const { reference } = product;
  const [open, setOpen] = useState<Open>("none");
  const [amount, setAmount] = useState(product.price);
  const gift = product.group === null;
  const first = gift ? "amount" : "payment";
  const donation = usePart(open === "amount", loadDonation);
  const report = usePart(open === "report", loadReport);
  const underWay = useOrderUnderWay(reference);
  const [own, setOwn] = useState(false);
  useEffect(() => {
    if (paying && readLaunch()) setOpen(first);
  }, [paying, first]);

  useEffect(() => {
    // Signs in ahead of the purchase, and counts one view a day (decision 39).
    if (!readLaunch()) return;
    call("GET /api/public/products/:reference", { params: { reference } }).then(
      () => setOwn(personId() === product.seller.id),
      () => {},
    );
  }, [product, reference]);

  const close = () => setOpen("none");
  return (
    <>
      <ProductPage
        product={product}
        telegramLink={telegramLink(page, reference)}
        own={own}
        renews={renews}
        onBuy={() => {
          bridge?.haptic("light");
          setOpen(first);
        }}
        onReport={() => setOpen("report")}
        onAccesses={() => go({ at: "accesses" })}
        onFollow={underWay === null ? null : () => go({ at: "order", orderId: underWay })}
      />
      {report && open === "report" ? (
        <report.ReportSheet
          send={async (words) =>
            (await call("POST /api/reports", { body: { reference, ...words } })).message
          }
          onClose={close}
        />
      ) : null}
      {donation && open === "amount" ? (
        <donation.DonationSheet
          minimum={product.price}
          suggestions={product.suggestions}
          onChoose={(francs) => {
            setAmount(francs);
            setOpen("payment");
          }}
          onClose={close}
        />
      ) : null}
      {open === "payment" ? (
        <PayFlow
          amount={amount}
          gift={gift}
          reference={reference}
          providers={page.providers.filter(({ id }) => product.providers.includes(id))}
          made={null}
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

/** The number of an order that was begun here and that the server says is not paid yet. */
function useOrderUnderWay(reference: string): string | null {
  const [underWay, setUnderWay] = useState<string | null>(null);
  useEffect(() => {
    const orderId = readLaunch() ? rememberedOrder(reference) : null;
    if (orderId === null) return;
    let gone = false;
    call("GET /api/orders/:id", { params: { id: orderId } })
      .then(real)
      .then(
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
