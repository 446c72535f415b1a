import {
  type OrderAnswer,
  type OrderBySecretAnswer,
  PAYMENT_PROVIDERS,
  type PaymentProviderOnWire,
} from "@sesame/contract/checkout";
import type { Result } from "@sesame/kernel";
import type { CheckoutRefusal } from "@sesame/contract/checkout";
import { createOrder, type OrderRequest, type OrderToOpen } from "./create-order.ts";
import type { CheckoutDeps } from "./needs.ts";
import { answerOrder, answerOrderBySecret } from "./order-on-wire.ts";
import { mayFollowOrder, viewOrder, viewOrderByPayment, viewOrderBySecret } from "./order.view.ts";
import { createPaymentStarter } from "./start-payment.ts";

export type { CheckoutDeps } from "./needs.ts";

/** The door of checkout. */
export type Checkout = {
  createOrder(request: OrderRequest): Promise<Result<OrderToOpen, CheckoutRefusal>>;
  /** To its buyer and its seller; null to anybody else, as when it does not exist. */
  orderFor(personId: bigint, orderId: bigint): Promise<OrderAnswer | null>;
  /** The order a provider's payment was tried for, to the same two. */
  orderOfPayment(personId: bigint, providerPaymentId: string): Promise<OrderAnswer | null>;
  /** By the secret of the return address: status only, never the link. */
  orderBySecret(secret: string): Promise<OrderBySecretAnswer | null>;
  mayFollowOrder(personId: bigint, orderId: bigint): Promise<boolean>;
  openProviders(): PaymentProviderOnWire[];
  openProviderIds(): string[];
};

export function createCheckout(deps: CheckoutDeps): Checkout {
  const starter = createPaymentStarter(deps);
  const { db } = deps;
  return {
    createOrder: (request) => createOrder(deps, starter, request),
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
    mayFollowOrder: (personId, orderId) => mayFollowOrder(db, personId, orderId),
    openProviders: () => deps.providers.map(({ id }) => PAYMENT_PROVIDERS[id]),
    openProviderIds: () => deps.providers.map(({ id }) => id),
  };
}
