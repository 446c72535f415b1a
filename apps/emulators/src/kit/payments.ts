import { NotPossible } from "../telegram/state.ts";
import type {
  AlteredPayment,
  CheckoutAction,
  CheckoutView,
  CollectorName,
  PaymentCall,
  PaymentFault,
  PaymentOutcome,
  PaymentRule,
  PaymentStatus,
  PaymentView,
} from "../wire.ts";
import { MAIN } from "./accounts.ts";
import type { Faults } from "./faults.ts";
import type { ProviderDeps } from "./provider.ts";
import type { WebhookBook, EmulatedWebhooks } from "./webhooks.ts";

/** A provider's payments, for tests and the control panel. */
export type EmulatedPayments = ReturnType<typeof emulatedPayments>;

/** `personId`: who pays, where a provider knows people. */
export type SettleOptions = { silent?: boolean; personId?: number };

type PaymentParts<P> = {
  name: CollectorName;
  payments(): Iterable<P>;
  view(payment: P): PaymentView;
  settle(payment: P, outcome: PaymentOutcome, options: SettleOptions): void;
  /** Sends the webhook of a change after the end, if the provider sends one. */
  announceChange?(payment: P): void;
  faults: Faults<PaymentRule>;
  webhooks: EmulatedWebhooks;
  changed(): void;
};

export function emulatedPayments<P extends { reported?: AlteredPayment }>(parts: PaymentParts<P>) {
  const { view, changed, faults } = parts;
  const find = (name: string): P | undefined => {
    let named: P | undefined;
    for (const payment of parts.payments()) {
      const { id, reference, transactionId } = view(payment);
      if (id === name) return payment;
      // A reference may be given twice: the later payment is meant.
      if (reference === name || transactionId === name) named = payment;
    }
    return named;
  };
  const known = (name: string): P => {
    const payment = find(name);
    if (payment === undefined) throw new NotPossible(`no payment ${name} at ${parts.name}`);
    return payment;
  };
  return {
    /** Oldest first. */
    list: () => [...parts.payments()].map(view),
    /** The last so many, oldest first. */
    latest: (count: number) => [...parts.payments()].slice(-count).map(view),
    /** By our reference, or by the provider's id. */
    find(name: string) {
      const payment = find(name);
      return payment === undefined ? undefined : view(payment);
    },
    /** Pays as the customer on the provider's page; a webhook follows unless silent. */
    settle(name: string, outcome: PaymentOutcome, options: SettleOptions = {}) {
      const payment = known(name);
      parts.settle(payment, outcome, options);
      changed();
      return view(payment);
    },
    /**
     * Alters the provider's answers. `announced`: a webhook follows, where the provider sends one
     * after the end.
     */
    alter(
      name: string,
      change: AlteredPayment,
      { announced = false }: { announced?: boolean } = {},
    ) {
      const payment = known(name);
      payment.reported = { ...payment.reported, ...change };
      if (announced) parts.announceChange?.(payment);
      changed();
      return view(payment);
    },
    /** Once by default; `down` and `keys` last until `null` removes them. */
    fault(call: PaymentCall, kind: PaymentFault | null, times?: number) {
      if (kind === null) faults.clear(call);
      else faults.add({ call, kind, ...(times === undefined ? {} : { times }) });
    },
    faults: () => faults.rules,
    clearFaults: () => faults.clear(),
    /** Calls a minute, off by default. */
    limit: faults.limit,
    ...parts.webhooks,
  };
}

/** A payment in a provider's records, stored in the emulators' file. */
export type Payment = ReturnType<typeof blankPayment> &
  Pick<PaymentView, "id" | "reference" | "amount"> & {
    /** What stands in the address of its page. */
    token: string;
    description: string;
    reported?: AlteredPayment;
  };

const blankPayment = (nowMs: number) => ({
  account: MAIN as string,
  currency: "XOF",
  returnUrl: null as string | null,
  status: "initiated" as PaymentStatus | "expired" | "refunded",
  method: null as string | null,
  phone: null as string | null,
  attempts: 0,
  /** The provider's id, where a refund or a webhook names the payment by another one. */
  transactionId: null as string | null,
  createdAtMs: nowMs,
  updatedAtMs: nowMs,
  paidAtMs: null as number | null,
  /** When it can no longer be paid; null: never. */
  expiresAtMs: null as number | null,
});

export type PaymentBook<P extends Payment> = WebhookBook & {
  payments: Map<string, P>;
  nextNumber: number;
};

/** The fields of a new payment that have no common default. */
export type NewPayment<P extends Payment> = Omit<P, keyof Payment> &
  Pick<P, "id" | "reference" | "amount" | "description"> &
  Partial<P>;

export type How = { method?: string; phone?: string; silent?: boolean };

type Words = Pick<CheckoutView, "phone" | "methods"> & Partial<CheckoutView>;

export type PaymentSpec<P extends Payment> = {
  name: CollectorName;
  book: PaymentBook<P>;
  faults: Faults<PaymentRule>;
  webhooks: EmulatedWebhooks;
  /** Before the token in the address of its page; null: it has none. */
  pagePath: string | null;
  page(payment: P): Words;
  /** Further effects of an attempt. → the outcome, which may differ from the customer's choice */
  attempt?(payment: P, outcome: PaymentOutcome, how: How): PaymentOutcome;
  /** The webhook of an end. */
  announce(payment: P, outcome: "success" | "failed" | "cancelled"): void;
  announceChange?(payment: P): void;
};

export type Payments<P extends Payment> = ReturnType<typeof startPayments<P>>;

const VIEWED: Record<Payment["status"], PaymentView["status"]> = {
  initiated: "pending",
  pending: "pending",
  success: "paid",
  failed: "failed",
  cancelled: "cancelled",
  expired: "failed",
  refunded: "refunded",
};
const ENDS = { success: "success", failure: "failed", cancel: "cancelled" } as const;

/** A provider's payments: the interface of tests, the hosted page, and the states of a payment. */
export function startPayments<P extends Payment>(deps: ProviderDeps, spec: PaymentSpec<P>) {
  const { clock, scheduler, changed } = deps;
  const { name, book, pagePath } = spec;
  const nowMs = () => clock.now().getTime();
  const payUrl = ({ token }: Payment) => `${deps.emulatorUrl()}${pagePath}${token}`;
  const isOver = ({ expiresAtMs }: P) => expiresAtMs !== null && nowMs() >= expiresAtMs;

  const expireLater = (payment: P) => {
    const waits = () => payment.status === "initiated" || payment.status === "pending";
    if (payment.expiresAtMs === null || !waits()) return;
    scheduler.at(payment.expiresAtMs, () => {
      // A failed or cancelled payment keeps its state, although nobody can pay it any more.
      if (!waits()) return;
      payment.status = "expired";
      payment.updatedAtMs = nowMs();
      changed();
    });
  };
  for (const payment of book.payments.values()) expireLater(payment);

  const end = (payment: P, wanted: PaymentOutcome, how: How = {}) => {
    if (payment.paidAtMs !== null) throw new NotPossible("this payment is already paid");
    if (isOver(payment)) throw new NotPossible("this payment has expired");
    const outcome = spec.attempt?.(payment, wanted, how) ?? wanted;
    payment.updatedAtMs = nowMs();
    payment.phone = how.phone ?? payment.phone;
    if (outcome !== "cancel") payment.method = how.method ?? payment.method;
    payment.status = outcome === "pending" ? "pending" : ENDS[outcome];
    if (outcome === "success") payment.paidAtMs = nowMs();
    if (outcome === "success" || outcome === "failure") payment.attempts += 1;
    if (outcome !== "pending" && how.silent !== true) spec.announce(payment, ENDS[outcome]);
    changed();
  };

  const checkout = (payment: P): CheckoutView => {
    const { token, status, description, currency, returnUrl } = payment;
    const shown = status === "expired" ? "failed" : status === "refunded" ? "success" : status;
    return {
      provider: name,
      id: token,
      status: shown,
      amount: Number(payment.amount),
      currency,
      description,
      merchant: "Sésame",
      failureMessage: null,
      over: payment.paidAtMs !== null || status === "expired",
      returnUrl,
      ...spec.page(payment),
    };
  };
  const byToken = (token: string) =>
    [...book.payments.values()].find((payment) => payment.token === token);

  return {
    ...emulatedPayments<P>({
      name,
      payments: () => book.payments.values(),
      view: (payment) => ({
        id: payment.id,
        reference: payment.reference,
        amount: payment.amount,
        currency: payment.currency,
        status: payment.reported?.status === "refunded" ? "refunded" : VIEWED[payment.status],
        payUrl: pagePath === null ? null : payUrl(payment),
        transactionId: payment.transactionId,
      }),
      settle: (payment, outcome, { silent = false }) => end(payment, outcome, { silent }),
      announceChange(payment) {
        payment.updatedAtMs = nowMs();
        spec.announceChange?.(payment);
      },
      faults: spec.faults,
      webhooks: spec.webhooks,
      changed,
    }),
    get(id: string, account: string): P | undefined {
      const payment = book.payments.get(id);
      return payment?.account === account ? payment : undefined;
    },
    /** Of that account, oldest first. */
    of: (account: string) => [...book.payments.values()].filter((each) => each.account === account),
    open(given: NewPayment<P>): P {
      const payment = {
        ...blankPayment(nowMs()),
        token: given.id,
        ...given,
      } as unknown as P;
      book.payments.set(payment.id, payment);
      expireLater(payment);
      changed();
      return payment;
    },
    payUrl,
    end,
    checkout,
    /** The hosted page as the customer's browser reads it; null when the token is unknown. */
    page(token: string) {
      const payment = byToken(token);
      return payment === undefined ? null : checkout(payment);
    },
    /** The customer's action there; null when the payment is paid. */
    act(token: string, { action, ...how }: CheckoutAction) {
      const payment = byToken(token);
      if (payment === undefined || payment.paidAtMs !== null) return null;
      end(payment, action === "fail" ? "failure" : action, how);
      return checkout(payment);
    },
  };
}

/** Where in its data an app puts its own name for the payment. */
export function referenceKey(data: Record<string, unknown>): string {
  const names = ["reference", "order_id", ...Object.keys(data)];
  return names.find((name) => data[name] !== undefined) ?? "reference";
}

/** Appends a query as providers do, whatever the address already contains. */
export function withQuery(url: string, query: Record<string, string>): string {
  const address = new URL(url);
  for (const [name, value] of Object.entries(query)) address.searchParams.append(name, value);
  return address.href;
}
