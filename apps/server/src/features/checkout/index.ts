import {
  type CheckoutRefusal,
  type OrderAnswer,
  type OrderBySecretAnswer,
  PAYMENT_PROVIDERS,
  type PaymentProviderOnWire,
} from "@sesame/contract/checkout";
import { fcfaToJson, type Result } from "@sesame/kernel";
import type { StoredWidget } from "./opening.store.ts";
import { type ChangeRequest, changePayment } from "./change-payment.ts";
import {
  createOrder,
  createTrial,
  type OrderRequest,
  type OrderToOpen,
  type TrialRequest,
} from "./create-order.ts";
import { noteHeard, viewWidget } from "./heard.store.ts";
import type { CheckoutDeps } from "./needs.ts";
import { offersFor, type OffersQuery } from "./offers.ts";
import { createPaymentStarter } from "./open-payment.ts";
import { answerOrder, answerOrderBySecret } from "./order-on-wire.ts";
import { mayFollowOrder, viewOrder, viewOrderByPayment, viewOrderBySecret } from "./order.view.ts";

export type { OrderToOpen, TrialRequest } from "./create-order.ts";
export type { CheckoutDeps } from "./needs.ts";
export { countUnsettledOrders } from "./check.store.ts";
export { decideMismatchIn } from "./decide-mismatch.ts";
export { reportedReceived } from "./mismatch.store.ts";
export { calmRefundThere } from "./order.store.ts";
export { IS_GIVEN_BACK, type PaymentDecision } from "./order.view.ts";
export { createProviderHealth } from "./health.ts";
export { createStarCharges } from "./stars.store.ts";
export { starUpdates } from "./bot.ts";

/** What the page with a provider's widget on it is made of. */
export type WidgetPage = StoredWidget & {
  readonly amount: number;
  /** Ours, as the provider must know it. */
  readonly reference: string;
  /** Theirs, where the payment was made by the server: the amount is not the browser's to say. */
  readonly transactionId: string | null;
  /** Their own page of the same payment. */
  readonly hostedUrl: string | null;
  readonly title: string;
  /** Still to be paid. */
  readonly open: boolean;
};

/** The door of checkout. */
export type Checkout = {
  createOrder(request: OrderRequest): Promise<Result<OrderToOpen, CheckoutRefusal>>;
  /** Another provider, or another try, for an order that waits. */
  openPayment(request: ChangeRequest): Promise<Result<OrderToOpen, CheckoutRefusal>>;
  /** 100 francs of a seller's to himself by his own keys (decision 95). */
  createTrial(request: TrialRequest): Promise<Result<OrderToOpen, CheckoutRefusal>>;
  /** To its buyer and its seller; null to anybody else, as when it does not exist. */
  orderFor(personId: bigint, orderId: bigint): Promise<OrderAnswer | null>;
  /** The order a provider's payment was tried for, to the same two. */
  orderOfPayment(personId: bigint, providerPaymentId: string): Promise<OrderAnswer | null>;
  /** By the secret of the return address: status only, never the link. */
  orderBySecret(secret: string): Promise<OrderBySecretAnswer | null>;
  /** By the same secret; null where the payment has no widget. */
  widgetBySecret(secret: string): Promise<WidgetPage | null>;
  /** A browser told a provider's name for the payment of this secret; false when nobody has it. */
  hear(secret: string, transactionId: string): Promise<boolean>;
  mayFollowOrder(personId: bigint, orderId: bigint): Promise<boolean>;
  /** By what it may be paid now; null for an unknown product. */
  offersFor(query: OffersQuery): Promise<PaymentProviderOnWire[] | null>;
  /** The instance's, as they stand: none is marked "perturbé". */
  openProviders(): PaymentProviderOnWire[];
  /** Providers that are "perturbé" by our last 30 minutes. */
  disturbedProviders(): Promise<ReadonlySet<string>>;
};

export function createCheckout(deps: CheckoutDeps): Checkout {
  const starter = createPaymentStarter(deps);
  const { db, clock } = deps;
  return {
    createOrder: (request) => createOrder(deps, starter, request),
    openPayment: (request) => changePayment(deps, starter, request),
    createTrial: (request) => createTrial(deps, starter, request),
    async orderFor(personId, orderId) {
      const order = await viewOrder(db, orderId, personId);
      return order && answerOrder(deps, order, personId);
    },
    async orderOfPayment(personId, providerPaymentId) {
      const order = await viewOrderByPayment(db, providerPaymentId, personId);
      return order && answerOrder(deps, order, personId);
    },
    async orderBySecret(secret) {
      const order = await viewOrderBySecret(db, secret);
      return order && answerOrderBySecret(deps, order);
    },
    widgetBySecret: (secret) => readWidget(deps, secret),
    hear: (secret, transactionId) => noteHeard(db, { secret, transactionId, now: clock.now() }),
    mayFollowOrder: (personId, orderId) => mayFollowOrder(db, personId, orderId),
    offersFor: (query) => offersFor(deps, query),
    openProviders: () => deps.providers.map((id) => PAYMENT_PROVIDERS[id]),
    disturbedProviders: deps.health.disturbed,
  };
}

async function readWidget({ db }: CheckoutDeps, secret: string): Promise<WidgetPage | null> {
  const row = await viewWidget(db, secret);
  if (!row) return null;
  const { widget, reference, title, open, hosted_url: hostedUrl } = row;
  // KkiaPay names a payment once it is made.
  const transactionId = row.provider_payment_id === reference ? null : row.provider_payment_id;
  return {
    ...widget,
    amount: fcfaToJson(row.amount),
    reference,
    transactionId,
    hostedUrl,
    title,
    open,
  };
}
