import { textOf } from "@sesame/kernel";
import { ATTRIBUTES, readConfig, type WidgetConfig } from "./config.ts";
import { kkiapayCopy as copy } from "./copy.fr.ts";
import { type MessageName, readMessage } from "./messages.ts";

type Listener = (data?: unknown) => void;

/** One listener for each event: a second one takes the place of the first. */
const LISTENERS = {
  addSuccessListener: "PAYMENT_SUCCESS",
  addFailedListener: "PAYMENT_FAILED",
  addPendingListener: "PENDING_PAYMENT",
  addPaymentAbortedListener: "PAYMENT_ABORTED",
  addPaymentInitListener: "PAYMENT_INIT",
  addPaymentEndListener: "PAYMENT_END",
  addWidgetInitListener: "INIT_WIDGET",
  addWidgetDestroyedListener: "DESTROY_WIDGET",
  addFeedbackListener: "ON_USER_FEEDBACK",
  onNetworkStateChanged: "NETWORK_STATE_CHANGED",
} as const satisfies Record<string, MessageName>;

export type KkiapayGlobals = {
  openKkiapayWidget(config: WidgetConfig): void;
  closeKkiapayWidget(): void;
  addKkiapayCloseListener(listener: Listener): void;
  addKkiapayListener(event: string, listener: Listener): void;
  removeKkiapayListener(event: string): void;
} & { [K in keyof typeof LISTENERS]: (listener: Listener) => void };

/**
 * What KkiaPay's script gives a page. As there, whoever can send the page a message can say
 * "paid": the sender's origin is not looked at.
 */
export function kkiapayGlobals(page: Window, widgetUrl: string): KkiapayGlobals {
  const { document } = page;
  const listeners = new Map<string, Listener>();
  let callback = "";
  const frame = document.createElement("iframe");
  frame.src = widgetUrl;
  frame.title = copy.frame;
  frame.style.cssText =
    "display:block;position:fixed;inset:0;width:100%;height:100dvh;border:0;z-index:2147483000";
  let begin = () => {};
  frame.addEventListener("load", () => begin());
  const close = () => frame.remove();
  const set = (name: string) => (listener: Listener) => void listeners.set(name, listener);
  listeners.set("CLOSE_WIDGET", close);
  listeners.set("WAVE_LINK", (url) => {
    page.open(textOf(url), "_blank")?.focus();
  });
  page.addEventListener("message", (event: MessageEvent<unknown>) => {
    const message = readMessage(event.data);
    if (message === null) return;
    listeners.get(message.name)?.(message.data);
    if (message.name === "PAYMENT_SUCCESS" && callback !== "") follow(callback, message.data);
  });
  const follow = (address: string, data: unknown) => {
    const url = new URL(address, page.location.href);
    url.searchParams.set("transaction_id", transactionOf(data));
    page.location.assign(url.href);
  };
  const named = Object.entries(LISTENERS).map(([name, message]) => [name, set(message)] as const);
  return {
    ...(Object.fromEntries(named) as { [K in keyof typeof LISTENERS]: Listener }),
    openKkiapayWidget(given) {
      const config = readConfig(given);
      callback = typeof config.callback === "string" ? config.callback : "";
      begin = () => {
        const data = { ...config, host: page.location.href };
        frame.contentWindow?.postMessage({ name: "INIT_WIDGET", data }, new URL(widgetUrl).origin);
      };
      document.body.append(frame);
    },
    closeKkiapayWidget: close,
    addKkiapayCloseListener(listener) {
      listeners.set("CLOSE_WIDGET", (data) => {
        close();
        listener(data);
      });
    },
    addKkiapayListener: (event, listener) =>
      void listeners.set(`PAYMENT_${event.toUpperCase()}`, listener),
    removeKkiapayListener: (event) => void listeners.delete(`PAYMENT_${event.toUpperCase()}`),
  };
}

function transactionOf(data: unknown): string {
  const known = typeof data === "object" && data !== null && "transactionId" in data;
  return known ? textOf(data.transactionId) : "";
}

/** The element, and a page's own button with attributes on the script's tag. */
export function placeButtons(page: Window, open: KkiapayGlobals["openKkiapayWidget"]): void {
  const { document, customElements } = page;
  const script = document.currentScript;
  page.addEventListener("load", () => {
    const button = document.querySelector(".kkiapay-button");
    if (script === null || button === null) return;
    button.addEventListener("click", () => open(attributesOf(script)));
  });
  if (customElements.get("kkiapay-widget") !== undefined) return;
  customElements.define("kkiapay-widget", widgetElement(open));
}

function widgetElement(open: KkiapayGlobals["openKkiapayWidget"]): CustomElementConstructor {
  return class extends HTMLElement {
    connectedCallback(): void {
      if (this.shadowRoot !== null) return;
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = this.getAttribute("buttontext") ?? copy.payNow;
      button.addEventListener("click", () => open(attributesOf(this)));
      this.attachShadow({ mode: "open" }).append(button);
    }
  };
}

/** HTML knows attributes in small letters only. */
function attributesOf(element: Element): WidgetConfig {
  const set = ATTRIBUTES.flatMap((name) => {
    const value = element.getAttribute(name);
    return value === null ? [] : [[name, value] as const];
  });
  return Object.fromEntries(set);
}
