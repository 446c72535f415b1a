import { startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { BuyerApp, type BuyerAppProps } from "./app.tsx";
import "./theme.css";
import type { BuyerPage, BuyerView } from "./page.ts";
import { AGAIN_MS } from "./use-part.ts";

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
  // A view's own chunk is fetched first: until then the page shows what the server drew.
  const begin = (own: BuyerAppProps["own"]) =>
    // In a transition React hydrates in short steps: on a slow phone a tap or a scroll is handled
    // between them, and a tap on a part that is not hydrated yet hydrates that part at once.
    startTransition(() => {
      const { sesameTapped: tapped } = window;
      hydrateRoot(root, <BuyerApp page={page} tapped={tapped} own={own} />);
    });
  const load = (): void => {
    // After a short failure of the network the chunk is fetched again, as every part is.
    loadOwn(page.view.at).then(begin, () => setTimeout(load, AGAIN_MS));
  };
  load();
}

async function loadOwn(at: BuyerView["at"]): Promise<BuyerAppProps["own"]> {
  if (at === "shop") return import("../features/checkout/shop-page.tsx");
  return at === "return" ? import("./return-view.tsx") : {};
}
