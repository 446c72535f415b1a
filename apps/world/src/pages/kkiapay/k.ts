import { kkiapayGlobals, placeButtons } from "./loader.ts";

const script = document.currentScript;
const origin = script instanceof HTMLScriptElement ? new URL(script.src).origin : location.origin;
const globals = kkiapayGlobals(window, `${origin}/kkiapay/widget`);
Object.assign(window, globals);
placeButtons(window, globals.openKkiapayWidget);
