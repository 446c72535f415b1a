/**
 * The front page of the demonstration. Journeys drive it by roles and French names (`e2e/steps.ts`):
 * a phone is a region, and what lies behind its mini app or its browser has no role meanwhile.
 */
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "./base.css";
import { FrontPage } from "./front/front-page.tsx";

const root = document.getElementById("root");
if (root === null) throw new Error("the page has no #root");

createRoot(root).render(
  <StrictMode>
    <FrontPage />
  </StrictMode>,
);
