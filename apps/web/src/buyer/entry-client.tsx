import { startTransition } from "react";
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
  // The shop's own chunk is fetched first: until then the page shows what the server drew.
  const shop = page.view.at === "shop" ? import("./shop-view.tsx") : Promise.resolve(null);
  void shop.then((part) => {
    // In a transition React hydrates in short steps: on a slow phone a tap or a scroll is handled
    // between them, and a tap on a part that is not hydrated yet hydrates that part at once.
    startTransition(() => {
      const { sesameTapped: tapped } = window;
      hydrateRoot(root, <BuyerApp page={page} tapped={tapped} Shop={part?.ShopView} />);
    });
  });
}
