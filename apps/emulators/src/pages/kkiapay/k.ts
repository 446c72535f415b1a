import { kkiapayGlobals } from "./loader.ts";

const script = document.currentScript;
const origin = script instanceof HTMLScriptElement ? new URL(script.src).origin : location.origin;
Object.assign(window, kkiapayGlobals(window, `${origin}/kkiapay/widget`));
