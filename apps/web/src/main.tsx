import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/app.tsx";
import { buyerAddress } from "./app/navigation.ts";
import { StaffEntrance, isBackOfficeAddress } from "./app/staff-entrance.tsx";
import { keep, readKept } from "./lib/storage.ts";
import { isOffline } from "./lib/api.ts";
import { readLaunch } from "./telegram/launch.ts";
import "./kit/base.css";

// After a release the files of the page that is open are gone: it is loaded anew, once.
window.addEventListener("vite:preloadError", reloadOnce);

// Who comes by a share link is a buyer: the server renders the product's page for him.
const buyer = buyerAddress(location, readLaunch()?.initData ?? null);
const root = document.getElementById("root");
if (buyer) location.replace(buyer);
else if (root) {
  createRoot(root).render(
    <StrictMode>{isBackOfficeAddress(location.pathname) ? <StaffEntrance /> : <App />}</StrictMode>,
  );
}

const RELOADED = "sesame.reloaded";
/** Again so soon, it is not a new release that is in the way. */
const AGAIN_MS = 60_000;

/** Loads the page anew when one of its files is not there any more; never in a loop. */
function reloadOnce(): void {
  if (isOffline()) return;
  const now = Date.now();
  if (now - Number(readKept("session", RELOADED) ?? 0) < AGAIN_MS) return;
  // Nothing to remember this time by: better a page that says it failed than a loop.
  if (keep("session", RELOADED, now)) location.reload();
}
