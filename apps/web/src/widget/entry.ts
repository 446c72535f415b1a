import { widgetCopy as copy } from "./messages.fr.ts";
import "./widget.css";

/** What the server writes into a payment's own page: all a provider's widget needs. */
export type WidgetPayment = {
  readonly kind: "fedapay" | "kkiapay";
  readonly scriptUrl: string;
  readonly publicKey: string;
  readonly sandbox: boolean;
  /** Francs. */
  readonly amount: number;
  /** Our payment's reference. */
  readonly reference: string;
  /** The provider's id, where our server made the payment. */
  readonly transactionId: string | null;
  readonly customer: {
    readonly email: string;
    readonly firstName: string;
    readonly lastName: string;
    readonly phone: string | null;
  };
  readonly title: string;
};

/**
 * Reports of a widget. Any script on the page could send them: an id is only passed on to be checked,
 * and `ended` means that the person has left the widget.
 */
type WidgetCallbacks = {
  received(transactionId: string): void;
  ended(): void;
};

/** The transaction's id in a widget's answer, if there is one. */
function nameIn(value: unknown): string | null {
  if (typeof value !== "string" && typeof value !== "number") return null;
  const name = String(value);
  return /^[\w-]{1,64}$/.test(name) ? name : null;
}

type Listen = (run: (answer?: { readonly transactionId?: unknown }) => void) => void;

/** What the provider's script adds to the page. */
type Globals = {
  FedaPay?: { init(options: Record<string, unknown>): { open(): void } };
  openKkiapayWidget?(options: Record<string, unknown>): void;
  addSuccessListener?: Listen;
  addFailedListener?: Listen;
  addPendingListener?: Listen;
  addKkiapayCloseListener?: Listen;
  addWidgetDestroyedListener?: Listen;
};

const globals = window as unknown as Globals;

/** The transaction is the one our server made: its amount cannot be changed here. */
function openFedapay(payment: WidgetPayment, callbacks: WidgetCallbacks): boolean {
  const { FedaPay: widget } = globals;
  if (!widget) return false;
  const { customer, transactionId: id } = payment;
  widget
    .init({
      public_key: payment.publicKey,
      environment: payment.sandbox ? "sandbox" : "live",
      locale: "fr",
      transaction: { id: id !== null && /^\d{1,15}$/.test(id) ? Number(id) : id },
      customer: {
        email: customer.email,
        firstname: customer.firstName,
        lastname: customer.lastName,
      },
      // Completed or dismissed: our server asks FedaPay what happened.
      onComplete: (answer?: { readonly transaction?: { readonly id?: unknown } }) => {
        const name = nameIn(answer?.transaction?.id) ?? nameIn(id);
        if (name) callbacks.received(name);
        callbacks.ended();
      },
    })
    .open();
  return true;
}

/** KkiaPay makes the payment in its widget: our server finds it by the id that the widget reports. */
function openKkiapay(payment: WidgetPayment, callbacks: WidgetCallbacks): boolean {
  if (!globals.openKkiapayWidget) return false;
  const receive: Parameters<Listen>[0] = (answer) => {
    const name = nameIn(answer?.transactionId);
    if (name) callbacks.received(name);
  };
  globals.addSuccessListener?.((answer) => {
    receive(answer);
    callbacks.ended();
  });
  // The widget offers another attempt itself, and reports when it is closed.
  globals.addFailedListener?.(receive);
  globals.addPendingListener?.(receive);
  globals.addKkiapayCloseListener?.(() => callbacks.ended());
  globals.addWidgetDestroyedListener?.(() => callbacks.ended());
  const { customer } = payment;
  globals.openKkiapayWidget({
    amount: payment.amount,
    key: payment.publicKey,
    sandbox: payment.sandbox,
    // Comes back in KkiaPay's answer, and is compared there.
    data: payment.reference,
    partnerId: payment.reference,
    position: "center",
    theme: "#0a6b58",
    reason: payment.title,
    name: `${customer.firstName} ${customer.lastName}`.trim(),
    email: customer.email,
    ...(customer.phone ? { phone: customer.phone } : {}),
  });
  return true;
}

// A payment's own page. Somebody else's script runs here, and reads the address (KkiaPay's posts it
// to its frame): the secret leaves the address before that script is asked for.

const PAGE = "/paiement/page";
const KEY = "sesame.paying";
/** The longest wait for the reports to be sent before the page is left. */
const REPORT_MS = 3_000;

function begin(): void {
  const written = document.getElementById("sesame-payment")?.textContent;
  const secret = /^\/paiement\/page\/([\w-]+)$/.exec(location.pathname)?.[1];
  if (written && secret) {
    keep(secret);
    history.replaceState(null, "", PAGE);
    offer(JSON.parse(written) as WidgetPayment, secret);
  } else if (!secret) {
    // Reloaded: the payment is at the address that has its secret.
    const kept = read();
    if (kept) location.replace(`${PAGE}/${kept}`);
  }
}

// Not lib/storage.ts: the buyer's first load would get it as a file of its own.
function keep(secret: string): void {
  try {
    sessionStorage.setItem(KEY, secret);
  } catch {
    // Without storage a reload shows the page that says where to go.
  }
}

function read(): string | null {
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function offer(payment: WidgetPayment, secret: string): void {
  const button = document.querySelector<HTMLButtonElement>("[data-pay]");
  const said = document.querySelector<HTMLElement>("[data-said]");
  if (!button || !said) return;
  const pay = button.textContent;
  const callbacks = listen(secret, () => {
    button.disabled = true;
    said.textContent = copy.leaving;
  });
  const ready = (label: string | null, sentence: string) => {
    button.textContent = label;
    button.disabled = false;
    said.textContent = sentence;
  };
  const load = () => {
    button.disabled = true;
    said.textContent = copy.loading;
    const script = document.createElement("script");
    script.src = payment.scriptUrl;
    script.referrerPolicy = "no-referrer";
    script.onload = () => ready(pay, "");
    script.onerror = () => {
      script.remove();
      loaded = false;
      ready(copy.retry, copy.missing);
    };
    loaded = true;
    document.head.append(script);
  };
  let loaded = false;
  button.addEventListener("click", () => {
    const open = payment.kind === "fedapay" ? openFedapay : openKkiapay;
    if (!loaded) load();
    else if (!open(payment, callbacks)) {
      loaded = false;
      ready(copy.retry, copy.missing);
    }
  });
  load();
}

/** Whatever a widget reports, the next page is the order's status. */
function listen(secret: string, leaving: () => void): WidgetCallbacks {
  const reports: Promise<unknown>[] = [];
  let left = false;
  return {
    received(transactionId) {
      reports.push(
        fetch(`/api/payments/${secret}/reported-transactions`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ transaction_id: transactionId }),
          keepalive: true,
        }).catch(() => {}),
      );
    },
    ended() {
      if (left) return;
      left = true;
      leaving();
      const patience = new Promise((resolve) => setTimeout(resolve, REPORT_MS));
      void Promise.race([Promise.all(reports), patience]).then(() =>
        location.replace(`/paiement/retour/${secret}`),
      );
    },
  };
}

begin();
