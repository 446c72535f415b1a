import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/app.tsx";
import { buyerAddress } from "./app/buyer-address.ts";
import { DeskDoor, isDeskAddress } from "./app/desk-door.tsx";
import { reloadOnce } from "./lib/reload-once.ts";
import { readLaunch } from "./telegram/launch.ts";
import "./ui/base.css";

// After a release the files of the page that is open are gone: it is loaded anew, once.
window.addEventListener("vite:preloadError", reloadOnce);

// Who comes by a share link is a buyer: the server renders the product's page for him.
const buyer = buyerAddress(location, readLaunch()?.initData ?? null);
const root = document.getElementById("root");
if (buyer) location.replace(buyer);
else if (root) {
  createRoot(root).render(
    <StrictMode>{isDeskAddress(location.pathname) ? <DeskDoor /> : <App />}</StrictMode>,
  );
}
