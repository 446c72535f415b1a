import { useEffect, useRef, useState } from "react";
import { AccessesView } from "./accesses-view.tsx";
import { OrderView } from "./order-view.tsx";
import type { ShopView } from "../features/checkout/shop-page.tsx";
import type { ReturnView } from "./return-view.tsx";
import { type BuyerPage, type BuyerView, productPath } from "./page.ts";
import { checkoutCopy } from "../features/checkout/messages.fr.ts";
import { NoticePage, ProductView } from "../features/checkout/product-page.tsx";

export type BuyerAppProps = {
  readonly page: BuyerPage;
  /** A tap that came before React: on « Acheter », or on a product of a shop. */
  readonly tapped?: true | string | undefined;
  /** The views that no other view leads to: only their own page has them. */
  readonly own: { readonly ShopView?: typeof ShopView; readonly ReturnView?: typeof ReturnView };
};

/** The buyer's side: product, payment, status, accesses. Moves without a router. */
export function BuyerApp({ page, tapped, own }: BuyerAppProps) {
  const [views, setViews] = useState<readonly BuyerView[]>([
    tapped === true ? withPaying(page.view, true) : page.view,
  ]);
  const [early, setEarly] = useState(tapped);
  const view = views.at(-1) ?? page.view;
  // A buyer who comes back to a product has decided already: the payment sheet does not open by itself.
  const go = (next: BuyerView) => {
    setEarly(undefined);
    setViews((past) => [...past.map((left) => withPaying(left, false)), next]);
  };
  const inner = views.length > 1;
  const back = inner ? () => setViews((past) => past.slice(0, -1)) : null;
  const place = { page, go, back };
  const opened = useRef<string>(null);
  useEffect(() => {
    opened.current ??= location.pathname + location.search;
    // A page that is loaded anew shows the view it showed: an order that waits is not lost with it.
    const path = (inner && pathOf(view)) || opened.current;
    history.replaceState(null, "", path + location.hash);
  }, [view, inner]);
  const notice = (title: string, text: string) => (
    <NoticePage title={title} text={text} page={page} />
  );
  switch (view.at) {
    case "product":
      return <ProductView key={view.product.reference} {...place} {...view} />;
    case "missing":
      return notice(checkoutCopy.missing, checkoutCopy.missingText);
    case "shop":
      return own.ShopView ? <own.ShopView {...place} shop={view.shop} tapped={early} /> : null;
    case "missing-shop":
      return notice(checkoutCopy.missingShopTitle, checkoutCopy.missingShopText);
    case "order":
      return <OrderView key={view.orderId} {...place} name={view.orderId} ours />;
    case "named":
      return view.name === null ? (
        notice(checkoutCopy.idMissingTitle, checkoutCopy.idMissingText)
      ) : (
        <OrderView {...place} name={view.name} ours={false} />
      );
    case "return":
      return own.ReturnView ? <own.ReturnView {...view} /> : null;
    case "accesses":
      return <AccessesView {...place} />;
  }
}

/** Of a view that another view opened. */
function pathOf(view: BuyerView): string | null {
  switch (view.at) {
    case "product":
      return productPath(view.product.reference);
    case "order":
      return `/commande/${view.orderId}`;
    case "accesses":
      return "/mes-acces";
    default:
      return null;
  }
}

function withPaying(view: BuyerView, paying: boolean): BuyerView {
  return view.at === "product" ? { ...view, paying } : view;
}
