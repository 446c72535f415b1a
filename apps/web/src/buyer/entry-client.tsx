import { hydrateRoot } from "react-dom/client";
import { BuyerApp } from "./app.tsx";
import "./theme.css";
import type { BuyerPage } from "./page.ts";

declare global {
  interface Window {
    /** Set by the boot script when « Acheter » was tapped before the page was alive. */
    sesameTapped?: boolean;
  }
}

const root = document.getElementById("root");
const state = document.getElementById("sesame-page");
if (root && state?.textContent) {
  const page = JSON.parse(state.textContent) as BuyerPage;
  hydrateRoot(root, <BuyerApp page={page} tappedEarly={window.sesameTapped === true} />);
}
