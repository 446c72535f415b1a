import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "../base.css";
import { pageAround } from "./page-around.ts";
import { WidgetPage } from "./widget-page.tsx";

const root = document.getElementById("root");
if (root === null) throw new Error("the page has no #root");

// Before anything is drawn: the page around it speaks as soon as this one is loaded.
const around = pageAround();
const dark = matchMedia("(prefers-color-scheme: dark)").matches;
document.documentElement.dataset.theme = dark ? "dark" : "light";

createRoot(root).render(
  <StrictMode>
    <WidgetPage around={around} />
  </StrictMode>,
);
