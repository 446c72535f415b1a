import { textOf } from "@sesame/kernel";
import { kkiapayCopy as copy } from "../widgets.fr.ts";
/** Messages between the page in the frame and the page around it (payment-providers.md §6.2). */
export const MESSAGE_NAMES = [
  "NETWORK_STATE_CHANGED",
  "INIT_WIDGET",
  "WIDGET_SUCCESSFULLY_INIT",
  "CLOSE_WIDGET",
  "DESTROY_WIDGET",
  "WIDGET_SUCCESSFULLY_DESTROYED",
  "PAYMENT_INIT",
  "PAYMENT_ABORTED",
  "PENDING_PAYMENT",
  "ON_USER_FEEDBACK",
  "PAYMENT_FAILED",
  "PAYMENT_SUCCESS",
  "PAYMENT_END",
  "RETRY_PAYMENT",
  "WAVE_LINK",
] as const;

export type MessageName = (typeof MESSAGE_NAMES)[number];

export type WidgetMessage = { name: MessageName; data?: unknown };

export function readMessage(value: unknown): WidgetMessage | null {
  if (typeof value !== "object" || value === null || !("name" in value)) return null;
  const name = MESSAGE_NAMES.find((known) => known === value.name);
  return name === undefined ? null : { name, data: "data" in value ? value.data : undefined };
}

type Listener = (data?: unknown) => void;

/** One listener for each event: a second one replaces the first. */
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
 * The functions of KkiaPay's script. As there, any sender can report a payment: the sender's origin
 * is not checked.
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

/** The values that a page gives, by any of the names that KkiaPay accepts. */
type WidgetConfig = Record<string, unknown>;

const ALIASES: Record<string, string> = {
  phone: "phoneNumber",
  name: "fullname",
  paymentmethod: "paymentMethods",
  apikey: "key",
  api_key: "key",
  publicAPIKey: "key",
  successCallback: "callback",
  partnerid: "partnerId",
};

const METHODS = ["momo", "card", "direct_debit"];
const POSITIONS = ["left", "right", "center"];

/** The same values, each under one name and in the type that the frame expects. */
function readConfig(given: WidgetConfig): WidgetConfig {
  const config: WidgetConfig = {};
  for (const [name, value] of Object.entries(given)) {
    const alias = ALIASES[name];
    // An alias without a value is ignored; one with a value replaces the name itself.
    if (alias === undefined || !value) config[name] ??= value;
    else config[alias] = value;
  }
  if ("amount" in config) config.amount = Number(config.amount);
  if ("phoneNumber" in config) config.phoneNumber = textOf(config.phoneNumber);
  if ("sandbox" in config) config.sandbox = config.sandbox === true || config.sandbox === "true";
  if ("position" in config && !POSITIONS.includes(textOf(config.position))) {
    config.position = "center";
  }
  if ("countries" in config) config.countries = listOf(config.countries);
  if ("paymentMethods" in config) {
    const methods = listOf(config.paymentMethods);
    // An unknown method stands for all methods.
    config.paymentMethods = methods.every((one) => METHODS.includes(textOf(one)))
      ? methods
      : METHODS;
  }
  return config;
}

function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value !== "string") return [value];
  return value.includes(",") ? value.replaceAll(" ", "").split(",") : [value];
}
