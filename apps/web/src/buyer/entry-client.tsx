import { hydrateRoot } from "react-dom/client";
import { BuyerApp } from "./app.tsx";
import "./theme.css";
import type { BuyerPage } from "./page.ts";

declare global {
  interface Window {
    /** Set by the boot script when the page was tapped before it was alive: « Acheter », or a shop's product. */
    sesameTapped?: true | string;
  }
}

const root = document.getElementById("root");
const state = document.getElementById("sesame-page");
if (root && state?.textContent) {
  const page = JSON.parse(state.textContent) as BuyerPage;
  // A shop's own part is fetched first: what was drawn by the server stays meanwhile.
  const shop = page.view.at === "shop" ? import("./shop-view.tsx") : Promise.resolve(null);
  void shop.then((part) => {
    hydrateRoot(root, <BuyerApp page={page} tapped={window.sesameTapped} Shop={part?.ShopView} />);
  });
}
