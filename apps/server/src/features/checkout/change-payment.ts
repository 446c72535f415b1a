import {
  ASKED_FOR_MS,
  type CheckoutRefusal,
  isKnownProvider,
  type OpenPaymentBody,
} from "@sesame/contract/checkout";
import { addMs, ok, type Result, refuse } from "@sesame/kernel";
import { type OrderToOpen, openedOrder } from "./create-order.ts";
import { type Caller, judgeChoice, judgeSale, payerOf } from "./judge-sale.ts";
import type { CheckoutDeps } from "./needs.ts";
import { chooseOffer } from "./offers.ts";
import type { PaymentStarter } from "./open-payment.ts";
import type { Account } from "./opening.store.ts";
import { findOrderToPay } from "./order.store.ts";
import { type OrderRow, viewOrder, viewSellerForPlan, viewTrialAccount } from "./order.view.ts";

export type ChangeRequest = {
  readonly buyer: Caller;
  readonly orderId: bigint;
  readonly body: OpenPaymentBody;
};

/**
 * Another provider, or another try, for an order that waits or has failed: at the price it was made
 * at, as long as it could be made now. Both payments may then be made: whichever is confirmed first
 * pays the order, the other one is given back.
 */
export async function changePayment(
  deps: CheckoutDeps,
  starter: PaymentStarter,
  request: ChangeRequest,
): Promise<Result<OrderToOpen, CheckoutRefusal>> {
  const { buyer, orderId, body } = request;
  const chosen = judgeChoice(body);
  if (!chosen.ok) return chosen;
  const order = await viewOrder(deps.db, orderId, buyer.personId);
  if (order?.buyer_id !== buyer.personId) return refuse({ kind: "checkout.order-not-found" });
  if (order.status === "paid" || order.status === "refunded") {
    return refuse({ kind: "checkout.already-paid" });
  }
  if (addMs(order.created_at, ASKED_FOR_MS) <= deps.clock.now()) {
    return refuse({ kind: "checkout.order-too-old" });
  }
  const account = await judgeAccount(deps, { order, buyer, providerId: chosen.value });
  if (!account.ok) return account;
  const payer = payerOf(buyer.personId, body.customer);
  const known = await findOrderToPay(deps.db, orderId);
  const wish = { order: known, account: account.value, payer, repeats: false };
  const started = await starter.start(wish);
  if (!started.ok) return started;
  // It may have failed before, and waits again.
  return ok(openedOrder(await findOrderToPay(deps.db, orderId), started.value));
}

type Wanted = { readonly order: OrderRow; readonly buyer: Caller; readonly providerId: string };

async function judgeAccount(
  deps: CheckoutDeps,
  { order, buyer, providerId }: Wanted,
): Promise<Result<Account, CheckoutRefusal>> {
  switch (order.kind) {
    case "donation":
    case "product": {
      if (order.reference === null) return refuse({ kind: "checkout.product-not-found" });
      const sale = await judgeSale(deps, order.reference, buyer);
      if (!sale.ok) return sale;
      return chooseOffer(await deps.aggregators.offersOf(order.seller_id), providerId);
    }
    case "plan": {
      const seller = await viewSellerForPlan(deps.db, buyer.personId);
      if (!seller) return refuse({ kind: "checkout.seller-unknown" });
      if (seller.closed) return refuse({ kind: "checkout.account-closed" });
      return chooseOffer(await deps.aggregators.offersOf(null), providerId);
    }
    case "trial": {
      const account = await viewTrialAccount(deps.db, order.id);
      if (!account || !isKnownProvider(account.provider)) {
        return refuse({ kind: "checkout.method-closed" });
      }
      return chooseOffer([{ provider: account.provider, keyId: account.key_id }], providerId);
    }
  }
}
