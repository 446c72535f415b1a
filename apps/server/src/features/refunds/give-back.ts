import { addMs, HOUR_MS, MINUTE_MS, Outage } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { backOffMs, DONE, type JobOutcome } from "../../jobs/outbox.ts";
import type { Job } from "../../jobs/outbox.store.ts";
import { providerFor } from "../aggregators/index.ts";
import { comesByHand } from "./messages.fr.ts";
import { askVerdict, handOf } from "./choose-lane.ts";
import { finishRefund } from "./finish-refund.ts";
import { findPayment, type MadePayment } from "./order.view.ts";
import { beginAsking, changeLane, endAsking, lockRefund, raiseDelayed } from "./refund.store.ts";
import { findSending, type SendingRefund } from "./refund.view.ts";
import { announce, toBuyer, wayOf } from "./tell.ts";

/** Five calls of a provider that is slow to answer each. */
export const ASKING_MS = 2 * MINUTE_MS;

/** A provider that gives nothing back for this long: the desk looks. */
const DELAYED_MS = HOUR_MS;

/**
 * Tells the provider to give a payment back, one process at a time. Whoever dies between its yes and our note is followed by
 * one who asks again: the provider says that it is done, and it is noted once.
 */
export async function giveBack(app: App, job: Job): Promise<JobOutcome> {
  const refund = await findSending(app.db, job.ref);
  if (!refund) return DONE;
  const payment = await findPayment(app.db, refund.payment_id);
  const provider = payment && (await providerFor(app, payment.provider, payment.key_id));
  if (!payment || !provider?.refund) return byHand(app, refund, payment);
  const now = app.clock.now();
  const lease = addMs(now, ASKING_MS);
  const asking = { now, lease, next: addMs(now, backOffMs(job.attempts)) };
  if (!(await beginAsking(app.db, refund.id, asking))) {
    return { kind: "later", afterMs: ASKING_MS, reason: "its provider is being asked" };
  }
  try {
    // Asked before, and the answer was lost: it may be done.
    const known = refund.checks > 0 && (await askVerdict(provider, payment)) === "refunded";
    if (known) return await end(app, refund.id);
    const answer = await provider.refund({
      providerPaymentId: payment.provider_payment_id,
      transactionId: payment.transaction_id,
      amount: refund.amount,
      telegramId: payment.payer_telegram_id,
    });
    if (answer.kind === "done") return await end(app, refund.id);
    const verdict = await askVerdict(provider, payment);
    if (verdict === "refunded") return await end(app, refund.id);
    const isPart = verdict === "partly-refunded" && payment.decided_as === "given-back";
    if (verdict === "paid" || verdict === null || isPart) return await byHand(app, refund, payment);
    const words = `${provider.id} refuses to give back what is ${verdict} there`;
    throw new Outage(words, { party: provider.id, retryable: true });
  } catch (error) {
    if (error instanceof Outage) await noteDelay(app, refund, error);
    throw error;
  } finally {
    await endAsking(app.db, refund.id, lease);
  }
}

async function end(app: App, id: bigint): Promise<JobOutcome> {
  await app.db.transaction().execute(async (tx) => {
    const refund = await lockRefund(tx, id);
    // Written by who asked before, or taken to another lane since.
    if (refund?.status !== "sending") return;
    await finishRefund(app, tx, { refund, done: { reference: null, by: null } });
  });
  return DONE;
}

/** The provider says no: an agent sends it, or the seller whose account it is. */
async function byHand(
  app: App,
  { id }: SendingRefund,
  payment: MadePayment | null,
): Promise<JobOutcome> {
  const now = app.clock.now();
  await app.db.transaction().execute(async (tx) => {
    const refund = await lockRefund(tx, id);
    if (refund?.status !== "sending") return;
    const lane = handOf({ key_id: payment?.key_id ?? null });
    await changeLane(tx, id, lane);
    const text = comesByHand(refund, wayOf(lane, refund.provider));
    const { order_id: orderId, buyer_id: personId, seller_id: sellerId } = refund;
    const isPlan = refund.order_kind === "plan";
    const tellings = [toBuyer(app, { orderId, personId, isPlan, lane, text })];
    const { order_status: status } = refund;
    const changed = { refundId: id, orderId, status, persons: [personId, sellerId] };
    await announce(tx, changed, { tellings, now });
  });
  return DONE;
}

async function noteDelay(app: App, refund: SendingRefund, outage: Outage): Promise<void> {
  const now = app.clock.now();
  if (now.getTime() - refund.created_at.getTime() < DELAYED_MS) return;
  const { id, order_id: orderId, provider, amount } = refund;
  await raiseDelayed(app.db, { id, orderId, provider, amount, said: outage.message }, now);
}
