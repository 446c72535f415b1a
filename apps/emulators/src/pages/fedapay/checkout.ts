import { fedapay } from "./widget.ts";

/** Served under one fixed address, as the provider's own script. */
const script = document.currentScript;
const origin = script instanceof HTMLScriptElement ? new URL(script.src).origin : location.origin;
Object.assign(window, { FedaPay: fedapay(origin) });
