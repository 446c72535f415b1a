import { widgetCopy } from "./copy.fr.ts";
import { frameAddress, type FrameOptions, readFrameMessage } from "./frame.ts";

type Data = Record<string, unknown>;

/** What `FedaPay.init` takes; much of it only changes how the real one looks. */
export type CheckoutOptions = {
  public_key?: string;
  environment?: string;
  transaction?: {
    id?: number | string;
    amount?: number;
    description?: string;
    custom_metadata?: Data;
  };
  customer?: Data;
  currency?: { iso?: string };
  /** A selector: the page stands in that element instead of over everything. */
  container?: string;
  trigger?: string;
  onComplete?: (response: { reason: string; transaction: Data }) => void;
};

export type FedaPayGlobal = {
  readonly CHECKOUT_COMPLETED: string;
  readonly DIALOG_DISMISSED: string;
  init(first: string | Element | CheckoutOptions, second?: CheckoutOptions): { open(): void };
};

const CHECKOUT_COMPLETED = "CHECKOUT COMPLETE";
const DIALOG_DISMISSED = "DIALOG DISMISSED";
const AMOUNT = 100;

/** FedaPay's checkout, over frames of this origin. */
export function fedapay(origin: string): FedaPayGlobal {
  return {
    CHECKOUT_COMPLETED,
    DIALOG_DISMISSED,
    init(first, second) {
      if (typeof first !== "string" && !(first instanceof Element)) {
        return checkout(origin, () => first);
      }
      const options = () => second ?? {};
      const elements = typeof first === "string" ? [...document.querySelectorAll(first)] : [first];
      for (const element of elements) {
        const own = () => ({ ...attributesOf(element), ...options() });
        const event = second?.trigger ?? "click";
        element.addEventListener(event, () => checkout(origin, own).open());
      }
      return checkout(origin, options);
    },
  };
}

/** Opens at most once at a time. */
function checkout(origin: string, optionsNow: () => CheckoutOptions): { open(): void } {
  let isOpen = false;
  const open = () => {
    if (isOpen) return;
    isOpen = true;
    const options = optionsNow();
    let transaction: Data = { ...options.transaction };
    const frame = document.createElement("iframe");
    frame.src = frameAddress(origin, frameOptions(options));
    frame.title = widgetCopy.frame;
    const end = (reason: string) => {
      window.removeEventListener("message", listen);
      place.remove();
      isOpen = false;
      options.onComplete?.({ reason, transaction });
    };
    const listen = (event: MessageEvent<unknown>) => {
      // The frame's window is the proof; its origin is the world's, known by the script's address.
      if (event.source !== frame.contentWindow || event.origin !== origin) return;
      const message = readFrameMessage(event.data);
      if (message === null) return;
      ({ transaction } = message);
      if (message.about === "complete") end(CHECKOUT_COMPLETED);
    };
    window.addEventListener("message", listen);
    const container = options.container ? document.querySelector(options.container) : null;
    const place = container ? inside(container, frame) : over(frame, () => end(DIALOG_DISMISSED));
  };
  return { open };
}

function frameOptions({ public_key: publicKey, transaction, customer }: CheckoutOptions) {
  const { id, amount, description, custom_metadata: metadata } = transaction ?? {};
  const options: FrameOptions = {
    publicKey: publicKey ?? "",
    ...(id === undefined ? { amount: amount ?? AMOUNT } : { id: String(id) }),
    ...(description === undefined ? {} : { description }),
    ...(customer === undefined ? {} : { customer }),
    ...(metadata === undefined ? {} : { metadata }),
  };
  return options;
}

function inside(container: Element, frame: HTMLIFrameElement): Element {
  frame.style.cssText = "border:0;width:100%;min-height:560px";
  container.append(frame);
  return frame;
}

/** A dialog over the page; closing it is not cancelling the payment. */
function over(frame: HTMLIFrameElement, onDismiss: () => void): Element {
  const dialog = document.createElement("div");
  dialog.setAttribute("role", "dialog");
  dialog.setAttribute("aria-modal", "true");
  dialog.setAttribute("aria-label", widgetCopy.frame);
  dialog.style.cssText =
    "position:fixed;inset:0;z-index:2147483000;display:flex;flex-direction:column;" +
    "align-items:center;padding:12px;background:rgb(0 0 0 / 0.6)";
  const close = document.createElement("button");
  close.type = "button";
  close.textContent = "×";
  close.setAttribute("aria-label", widgetCopy.close);
  close.style.cssText =
    "align-self:flex-end;width:44px;height:44px;border:0;border-radius:22px;" +
    "font-size:26px;line-height:1;background:#fff;color:#111;cursor:pointer";
  close.addEventListener("click", onDismiss);
  frame.style.cssText =
    "border:0;border-radius:18px;width:100%;max-width:480px;flex:1;margin-top:8px;background:#fff";
  dialog.append(close, frame);
  document.body.append(dialog);
  close.focus();
  return dialog;
}

/** `data-transaction-amount="5000"` is `transaction.amount`, and so on for every option. */
function attributesOf(element: Element): CheckoutOptions {
  const options: Data = {};
  for (const { name, value } of element.attributes) {
    if (!name.startsWith("data-")) continue;
    const path = name.slice("data-".length).replaceAll("public-key", "public_key").split("-");
    let at = options;
    for (const step of path.slice(0, -1)) at = (at[step] ??= {}) as Data;
    const last = path.at(-1) ?? "";
    at[last] = last === "amount" ? Number(value) : value;
  }
  return options as CheckoutOptions;
}
