import { widgetCopy } from "../widgets.fr.ts";

type Data = Record<string, unknown>;

export type FrameMessage = {
  about: "opened" | "complete";
  transaction: Data;
};

const KIND = "fedapay:frame";

/** The page around is the merchant's, of any origin; the messages hold no secret. */
export function notifyOpener(message: FrameMessage): void {
  window.parent.postMessage({ kind: KIND, ...message }, "*");
}

function readFrameMessage(data: unknown): FrameMessage | null {
  const message = data as (Partial<FrameMessage> & { kind?: unknown }) | null;
  if (message?.kind !== KIND) return null;
  const { about, transaction } = message;
  return about && transaction ? { about, transaction } : null;
}

/** What `FedaPay.init` takes of a page whose server made the transaction. */
export type CheckoutOptions = {
  public_key: string;
  transaction: { id: number | string };
  onComplete?: (response: { reason: string; transaction: Data }) => void;
};

const CHECKOUT_COMPLETED = "CHECKOUT COMPLETE";
const DIALOG_DISMISSED = "DIALOG DISMISSED";

/** FedaPay's checkout, over frames of this origin. */
export const fedapay = (origin: string) => ({
  CHECKOUT_COMPLETED,
  DIALOG_DISMISSED,
  /** Opens at most once at a time. */
  init({ public_key: publicKey, transaction: { id }, onComplete }: CheckoutOptions) {
    let isOpen = false;
    const open = () => {
      if (isOpen) return;
      isOpen = true;
      let transaction: Data = { id };
      const frame = document.createElement("iframe");
      const query = new URLSearchParams({ key: publicKey, id: String(id) });
      frame.src = `${origin}/fedapay/frame?${query}`;
      frame.title = widgetCopy.frame;
      const end = (reason: string) => {
        window.removeEventListener("message", listen);
        dialog.remove();
        isOpen = false;
        onComplete?.({ reason, transaction });
      };
      const listen = (event: MessageEvent<unknown>) => {
        // The frame's window is the proof; its origin is the emulators', known by the script's address.
        if (event.source !== frame.contentWindow || event.origin !== origin) return;
        const message = readFrameMessage(event.data);
        if (message === null) return;
        ({ transaction } = message);
        if (message.about === "complete") end(CHECKOUT_COMPLETED);
      };
      window.addEventListener("message", listen);
      const dialog = over(frame, () => end(DIALOG_DISMISSED));
    };
    return { open };
  },
});

/** A dialog over the page; closing it does not cancel the payment. */
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
