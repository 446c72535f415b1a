import { renderToString } from "react-dom/server";
import { BuyerApp } from "./app.tsx";
import beforePaint from "../telegram/before-paint.js?raw";
import boot from "./boot.inline.js?raw";
import type { BuyerPage } from "./page.ts";
import { ReturnView } from "./return-view.tsx";
import { ShopView } from "../features/checkout/shop-page.tsx";

/** Theme and liveness: inlined in the head, allowed by its hash. */
export const bootScript = `${beforePaint}\n${boot}`;

/** HTML of the buyer's page, for the element with id `root`. */
export function renderBuyerPage(page: BuyerPage): string {
  return renderToString(<BuyerApp page={page} own={{ ShopView, ReturnView }} />);
}
