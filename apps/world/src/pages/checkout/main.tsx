import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "../base.css";
import { CheckoutPage } from "./checkout-page.tsx";
import { FedapayFrame } from "./fedapay-frame.tsx";

const root = document.getElementById("root");
if (root === null) throw new Error("the page has no #root");

const dark = matchMedia("(prefers-color-scheme: dark)").matches;
document.documentElement.dataset.theme = dark ? "dark" : "light";

/** The address names the provider first and the payment last. */
function Page() {
  const [provider = "", ...rest] = location.pathname.split("/").filter(Boolean);
  if (rest.join("/") === "frame") return <FedapayFrame />;
  return <CheckoutPage payment={{ provider, token: decodeURIComponent(rest.at(-1) ?? "") }} />;
}

createRoot(root).render(
  <StrictMode>
    <Page />
  </StrictMode>,
);
