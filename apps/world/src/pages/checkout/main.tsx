import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "../base.css";
import { CheckoutPage } from "./checkout-page.tsx";

const root = document.getElementById("root");
if (root === null) throw new Error("the page has no #root");

const id = decodeURIComponent(location.pathname.split("/").filter(Boolean).at(-1) ?? "");
const dark = matchMedia("(prefers-color-scheme: dark)").matches;
document.documentElement.dataset.theme = dark ? "dark" : "light";

createRoot(root).render(
  <StrictMode>
    <CheckoutPage id={id} />
  </StrictMode>,
);
