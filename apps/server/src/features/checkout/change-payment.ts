import {
  ASKED_FOR_MS,
  type CheckoutRefusal,
  isKnownProvider,
  type OpenPaymentBody,
} from "@sesame/contract/checkout";
import { addMs, ok, type Result, refuse } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { offersOf } from "../aggregators/index.ts";
import { type OrderToOpen, openedOrder } from "./create-order.ts";
import { type Caller, judgeChoice, judgeSale, payerOf } from "./judge-sale.ts";
import { chooseOffer } from "./offers.ts";
import { startPayment } from "./open-payment.ts";
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
  app: App,
  request: ChangeRequest,
): Promise<Result<OrderToOpen, CheckoutRefusal>> {
  const { buyer, orderId, body } = request;
  const chosen = judgeChoice(body);
  if (!chosen.ok) return chosen;
  const order = await viewOrder(app.db, orderId, buyer.personId);
  if (order?.buyer_id !== buyer.personId) return refuse({ kind: "checkout.order-not-found" });
  if (order.status === "paid" || order.status === "refunded") {
    return refuse({ kind: "checkout.already-paid" });
  }
  if (addMs(order.created_at, ASKED_FOR_MS) <= app.clock.now()) {
    return refuse({ kind: "checkout.order-too-old" });
  }
  const account = await judgeAccount(app, { order, buyer, providerId: chosen.value });
  if (!account.ok) return account;
  const payer = payerOf(buyer.personId, body.customer);
  const known = await findOrderToPay(app.db, orderId);
  const wish = { order: known, account: account.value, payer, repeats: false };
  const started = await startPayment(app, wish);
  if (!started.ok) return started;
  // It may have failed before, and waits again.
  return ok(openedOrder(await findOrderToPay(app.db, orderId), started.value));
}

type Wanted = { readonly order: OrderRow; readonly buyer: Caller; readonly providerId: string };

async function judgeAccount(
  app: App,
  { order, buyer, providerId }: Wanted,
): Promise<Result<Account, CheckoutRefusal>> {
  switch (order.kind) {
    case "donation":
    case "product": {
      if (order.reference === null) return refuse({ kind: "checkout.product-not-found" });
      const sale = await judgeSale(app, order.reference, buyer);
      if (!sale.ok) return sale;
      return chooseOffer(await offersOf(app, order.seller_id), providerId);
    }
    case "plan": {
      const seller = await viewSellerForPlan(app.db, buyer.personId);
      if (!seller) return refuse({ kind: "checkout.seller-unknown" });
      if (seller.closed) return refuse({ kind: "checkout.account-closed" });
      return chooseOffer(await offersOf(app, null), providerId);
    }
    case "trial": {
      const account = await viewTrialAccount(app.db, order.id);
      if (!account || !isKnownProvider(account.provider)) {
        return refuse({ kind: "checkout.method-closed" });
      }
      return chooseOffer([{ provider: account.provider, keyId: account.key_id }], providerId);
    }
  }
}
