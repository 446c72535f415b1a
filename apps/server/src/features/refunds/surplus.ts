import { fcfa, HOUR_MS } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { DONE, type JobOutcome } from "../../jobs/outbox.ts";
import { enqueue, type Job } from "../../jobs/outbox.store.ts";
import { GIVE_BACK } from "./ask-refund.ts";
import {
  MISMATCH_REASON,
  paidOtherwise,
  paidTwice,
  SURPLUS_REASON,
  sellerMustSend,
} from "./messages.fr.ts";
import { laneOf } from "./choose-lane.ts";
import { finishReturned } from "./finish-refund.ts";
import { findOrder, findPayment } from "./order.view.ts";
import { postFrom } from "./refund-money.store.ts";
import { insertRefund, lockOrders } from "./refund.store.ts";
import { announce, toBuyer, toSeller, wayOf } from "./tell.ts";

/**
 * A second payment of an order that was paid already goes back, by itself, and so does what an operator
 * would not take for an order: the buyer is told plainly. `ref` is the payment.
 */
export async function giveSurplusBack(app: App, job: Job): Promise<JobOutcome> {
  const payment = await findPayment(app.db, job.ref);
  if (!payment) return { kind: "failed", reason: "no such payment was made" };
  const isDecided = payment.decided_as === "given-back";
  const isReturned = job.payload["returned"] === true;
  const lane = isReturned ? "returned" : await laneOf(app, payment);
  if (lane === "partly" || lane === "unclear") {
    return { kind: "later", afterMs: 6 * HOUR_MS, reason: `what its provider says is ${lane}` };
  }
  const now = app.clock.now();
  await app.db.transaction().execute(async (tx) => {
    const order = await findOrder(tx, payment.order_id);
    if (!order) return;
    await lockOrders(tx, order);
    const direct = payment.key_id !== null;
    const amount = fcfa(payment.suspended_amount ?? payment.received ?? payment.amount);
    const reason = isDecided ? MISMATCH_REASON : SURPLUS_REASON;
    const surplus = { orderId: order.id, paymentId: payment.id, buyerId: order.buyer_id };
    const id = await insertRefund(
      tx,
      {
        ...surplus,
        kind: "surplus",
        sellerId: order.seller_id,
        amount,
        direct,
        advanced: fcfa(0),
        askedBy: null,
        askedAs: "system",
        reason,
        claimId: null,
        lane,
      },
      now,
    );
    // Begun by this job before.
    if (id === null) return;
    if (!direct) await postFrom(tx, { id, from: "suspense", amount, now });
    if (lane === "provider") await enqueue(tx, [{ topic: GIVE_BACK, ref: id, dueAt: now }]);
    if (lane === "returned") await finishReturned(app, tx, id);
    const said = { order_id: order.id, title: order.title, amount, reason };
    const text = (isDecided ? paidOtherwise : paidTwice)(said, wayOf(lane, payment.provider));
    const isPlan = order.seller_id === null;
    const buyer = { orderId: order.id, personId: order.buyer_id, isPlan, lane, text };
    const tellings = [toBuyer(app, buyer)];
    if (lane === "seller" && order.seller_id !== null) {
      tellings.push(toSeller(app, order.seller_id, sellerMustSend(said)));
    }
    const { status } = order;
    const changed = { refundId: id, orderId: order.id, status, persons: [order.buyer_id] } as const;
    await announce(tx, changed, { tellings, now });
  });
  return DONE;
}
