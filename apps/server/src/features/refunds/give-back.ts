import type { RefundRail } from "@sesame/contract/refunds";
import { ASSIGNMENT_MS } from "@sesame/contract/treasury";
import { addMs, fcfa, HOUR_MS, MINUTE_MS, Outage, type Fcfa } from "@sesame/kernel";
import type { FetchedPayment, PaymentName, PaymentProvider, ProviderId } from "@sesame/providers";
import { postBetween } from "@sesame/ledger";
import { sql, type RawBuilder } from "kysely";
import { raiseAlert } from "../../alerts/alerts.ts";
import type { App } from "../../app.ts";
import { notify } from "../../bot/message.ts";
import { datesAhead } from "../../jobs/leases.ts";
import { createLoop, type Loop, WHOLE_ROUND_MS } from "../../jobs/loop.ts";
import { enqueue, type Job } from "../../jobs/outbox.store.ts";
import { backOffMs, DONE, type JobHandler, type JobOutcome } from "../../jobs/outbox.ts";
import { many, maybe, PREPARED, type Db } from "../../postgres/database.ts";
import { publish } from "../../realtime/events.store.ts";
import { IS_GIVEN_BACK, PAYMENT_NAME, type PaymentDecision } from "../checkout/index.ts";
import { providerFor } from "../payment-accounts/index.ts";
import * as texts from "./messages.fr.ts";
import * as refunds from "./refunds.ts";

export const GIVE_BACK = "refunds.give-back";

/** An unavailable provider is retried for days: the back office decides, the job never gives up. */
const FOR_DAYS = 1_000;

export function refundsJobs(app: App): JobHandler[] {
  const shared = { batch: 10, maxAttempts: FOR_DAYS };
  return [
    { ...shared, topic: GIVE_BACK, concurrency: 4, run: (job) => giveBack(app, job) },
    {
      ...shared,
      topic: "refunds.return-overpayment",
      concurrency: 1,
      run: (job) => giveOverpaymentBack(app, job),
    },
  ];
}

const BATCH = 50;

/** Sellers with a debt and a balance. */
const RECOVERABLE = sql`
  FROM seller_advances d
  JOIN sellers s ON s.id = d.seller_id
  JOIN ledger_accounts a ON a.id = s.account_id
  WHERE d.owed > 0 AND a.posted - a.held > 0`;

/**
 * Recovers advances to sellers from their later sales (decision 83). Until it runs, a withdrawal is
 * checked against the balance less the debt (`requestIn` of withdrawals).
 */
export function refundsLoops(app: App): Loop[] {
  const { db, clock, log } = app;
  const run = async () => {
    const sellers = await many<{ id: bigint }>(db)`${PREPARED}
      SELECT d.seller_id AS id ${RECOVERABLE}
      ORDER BY d.seller_id LIMIT ${BATCH}
    `;
    for (const { id } of sellers) await recoverFrom(app, id);
    return sellers.length === BATCH;
  };
  const name = "refunds recover advances";
  const due = () => sql<boolean>`EXISTS (SELECT ${RECOVERABLE})`;
  return [createLoop({ name, clock, log, everyMs: WHOLE_ROUND_MS, due, run })];
}

/** The seller's screens reload; he is notified once, when nothing is owed any more. */
async function recoverFrom(app: App, sellerId: bigint): Promise<void> {
  const now = app.clock.now();
  await app.db.transaction().execute(async (tx) => {
    const { amount, rest } = await refunds.recover(tx, sellerId, now);
    if (amount === 0n) return;
    if (rest === 0n)
      await notify(tx, [refunds.toSeller(app, sellerId, texts.advanceRecovered(amount))], now);
    const body = { id: String(sellerId) };
    await publish(tx, [{ room: `person:${sellerId}`, name: "seller:standing", body }]);
  });
}

/** The time of five slow calls of a provider. */
const ASKING_MS = 2 * MINUTE_MS;

/** After this long without a refund by the provider the back office is alerted. */
const DELAYED_MS = HOUR_MS;

/** A refund that its provider must still send. */
type SendingRefund = Pick<
  refunds.LockedRefund,
  "id" | "order_id" | "payment_id" | "provider" | "amount"
> & {
  readonly checks: number;
  readonly created_at: Date;
};

/**
 * Requests the refund from the provider, one process at a time. If a process dies between the provider's
 * success and our record, the next one asks again: the provider reports it as done, and it is recorded once.
 */
export async function giveBack(app: App, job: Job): Promise<JobOutcome> {
  const refund = await maybe<SendingRefund>(app.db)`
    SELECT r.id, r.order_id, r.payment_id, p.provider, r.amount, r.checks, r.created_at
    FROM refunds r JOIN payments p ON p.id = r.payment_id
    WHERE r.id = ${job.ref} AND r.status = 'sending'
  `;
  if (!refund) return DONE;
  const payment = await findPayment(app.db, refund.payment_id);
  const provider = payment && (await providerFor(app, payment.provider, payment.key_id));
  if (!payment || !provider?.refund) return byHand(app, refund, payment);
  const now = app.clock.now();
  const lease = addMs(now, ASKING_MS);
  const next = addMs(now, backOffMs(job.attempts));
  // Before each call: a process that dies in it has recorded the attempt, and no other calls until the lease ends.
  const turn = await maybe(app.db)`
    UPDATE refunds SET checks = checks + 1, check_at = ${next}, asking_until = ${lease}
    WHERE id = ${refund.id} AND status = 'sending' AND (asking_until <= ${now}) IS NOT false
    RETURNING id
  `;
  if (!turn) {
    return { kind: "later", afterMs: ASKING_MS, reason: "its provider is being asked" };
  }
  try {
    // Requested before, and the answer was lost: it may be done.
    const known = refund.checks > 0 && (await askStatus(provider, payment)) === "refunded";
    if (known) return await end(app, refund.id);
    const answer = await provider.refund({
      providerPaymentId: payment.providerPaymentId,
      transactionId: payment.paidAs,
      amount: refund.amount,
      telegramId: payment.payer_telegram_id,
    });
    if (answer.kind === "done") return await end(app, refund.id);
    const status = await askStatus(provider, payment);
    if (status === "refunded") return await end(app, refund.id);
    const isPart = status === "partly-refunded" && payment.decided_as === "given-back";
    if (status === "paid" || status === null || isPart) return await byHand(app, refund, payment);
    const words = `${provider.id} refuses to give back what is ${status} there`;
    throw new Outage(words, { party: provider.id, retryable: true });
  } catch (error) {
    if (error instanceof Outage) await noteDelay(app, refund, error);
    throw error;
  } finally {
    // The next process may ask.
    await sql`
      UPDATE refunds SET asking_until = NULL WHERE id = ${refund.id} AND asking_until = ${lease}
    `.execute(app.db);
  }
}

async function end(app: App, id: bigint): Promise<JobOutcome> {
  await app.db.transaction().execute(async (tx) => {
    const refund = await refunds.lockRefund(tx, id);
    // Ended by another process, or moved to another rail meanwhile.
    if (refund?.status !== "sending") return;
    await refunds.finishRefund(app, tx, refund, { reference: null, by: null });
  });
  return DONE;
}

/** The provider refuses: an agent sends it, or the seller who owns the account. */
async function byHand(app: App, { id }: SendingRefund, payment: MadePayment | null) {
  const now = app.clock.now();
  await app.db.transaction().execute(async (tx) => {
    const refund = await refunds.lockRefund(tx, id);
    if (refund?.status !== "sending") return;
    const rail = handOf({ key_id: payment?.key_id ?? null });
    await refunds.changeRail(tx, id, rail);
    const said = { rail, text: texts.comesByHand(refund, { rail, provider: refund.provider }) };
    await refunds.announce(app, tx, refund, { said, now });
  });
  return DONE;
}

async function noteDelay(app: App, refund: SendingRefund, outage: Outage): Promise<void> {
  const now = app.clock.now();
  if (now.getTime() - refund.created_at.getTime() < DELAYED_MS) return;
  const { id, order_id: orderId, provider, amount } = refund;
  const word = outage.message;
  const details = { order_id: String(orderId), provider, amount: String(amount), word };
  await raiseAlert(app.db, { kind: "refund.delayed", subject: `refund:${id}`, details, now });
}

/**
 * Refunds the second payment of a paid order, and a mismatched one that an operator refused for an
 * order. The buyer gets a plain message. `ref` is the payment.
 */
async function giveOverpaymentBack(app: App, job: Job): Promise<JobOutcome> {
  const payment = await findPayment(app.db, job.ref);
  if (!payment) return { kind: "failed", reason: "no such payment was made" };
  const isDecided = payment.decided_as === "given-back";
  const isReturned = job.payload["returned"] === true;
  const rail = isReturned ? "returned" : await railOf(app, payment);
  if (rail === "partly" || rail === "unclear") {
    return { kind: "later", afterMs: 6 * HOUR_MS, reason: `what its provider says is ${rail}` };
  }
  const now = app.clock.now();
  await app.db.transaction().execute(async (tx) => {
    const order = await refunds.findOrder(tx, payment.order_id);
    if (!order) return;
    await refunds.lockOrders(tx, order);
    const direct = payment.key_id !== null;
    const amount = fcfa(payment.suspended_amount ?? payment.received ?? payment.amount);
    const reason = isDecided ? texts.MISMATCH_REASON : texts.OVERPAYMENT_REASON;
    const refund = await refunds.insertRefund(tx, order, {
      kind: "overpayment",
      payment_id: payment.id,
      amount,
      direct,
      advanced: fcfa(0),
      asked_by: null,
      asked_as: "system",
      reason,
      complaint_id: null,
      rail,
      now,
    });
    // This job had begun it before.
    if (refund === null) return;
    const { id } = refund;
    const move = { from: "suspense", to: refunds.IN_TRANSIT, amount, now };
    if (!direct) await postBetween(tx, `refund:${id}`, move);
    if (rail === "provider") await enqueue(tx, [{ topic: GIVE_BACK, ref: id, dueAt: now }]);
    if (rail === "returned") await refunds.finishRefund(app, tx, refund, refunds.RETURNED);
    const say = isDecided ? texts.paidOtherwise : texts.paidTwice;
    const said = { rail, text: say(refund, { rail, provider: payment.provider }) };
    const seller = rail === "seller" ? texts.sellerMustSend(refund) : null;
    await refunds.announce(app, tx, refund, { said, seller, now });
  });
  return DONE;
}

/** Columns of future instants, and the furthest that a correct clock can write. */
export const REFUNDS_DATES = datesAhead("refunds", [
  ["asking_until", ASKING_MS, "status <> 'done'"],
  ["taken_until", ASSIGNMENT_MS, "status <> 'done'"],
]);

/** A payment made, with what its provider's lookup needs. */
type MadePayment = Required<PaymentName> & {
  readonly id: bigint;
  readonly order_id: bigint;
  readonly provider: ProviderId;
  readonly key_id: bigint | null;
  readonly payer_telegram_id: bigint;
  /** Francs of it on the suspense account. */
  readonly suspended_amount: Fcfa | null;
  /** The received amount of a mismatched payment. */
  readonly received: Fcfa | null;
  readonly decided_as: PaymentDecision;
  /** An operator counted the received amount. */
  readonly counted: boolean;
  /** The back office has an open alert that its provider took it back. */
  readonly is_taken_back: boolean;
};

const findMade = (db: Db, rest: RawBuilder<unknown>) => maybe<MadePayment>(db)`
  SELECT ${PAYMENT_NAME}, p.id, p.order_id, p.provider, p.key_id, p.suspended_amount, p.received,
    p.decided_as, p.counted, pe.telegram_id AS payer_telegram_id,
    EXISTS (SELECT FROM alerts d WHERE d.kind = 'payment.refunded-there'
      AND d.subject = 'payment:' || p.id AND d.resolved_at IS NULL) AS is_taken_back
  FROM payments p JOIN orders o ON o.id = p.order_id JOIN people pe ON pe.id = o.buyer_id
  WHERE p.status = 'paid' AND ${rest}
`;

/**
 * The payment that paid an order. Refunded payments, and overpayments refunded or about to be, are
 * left out.
 */
export function findPayingPayment(db: Db, orderId: bigint): Promise<MadePayment | null> {
  return findMade(
    db,
    sql`p.order_id = ${orderId} AND NOT ${IS_GIVEN_BACK} AND o.status = 'paid'
        AND NOT EXISTS (SELECT FROM refunds r WHERE r.payment_id = p.id AND r.kind = 'overpayment')
        AND NOT EXISTS (SELECT FROM outbox j WHERE j.topic = 'refunds.return-overpayment' AND j.ref = p.id)
      ORDER BY p.decided_at, p.id LIMIT 1`,
  );
}

export function findPayment(db: Db, paymentId: bigint): Promise<MadePayment | null> {
  return findMade(db, sql`p.id = ${paymentId}`);
}

/**
 * `partly`: the provider has returned a part, and no rail can refund the rest. `unclear`: its answer
 * does not show that it still has the money.
 */
export type ChosenRail = {
  readonly payment: { readonly id: bigint; readonly provider: string };
  readonly rail: RefundRail | "partly" | "unclear";
};

/**
 * The rail that can refund a payment. Read before the transaction: a payment made does not change, and
 * its account may have to be opened. A provider without a call for refunds is asked whether it, or a
 * bank, has returned the money already. Its outage refuses the action, since money sent by hand might
 * then be sent twice.
 */
async function railOf(app: App, payment: MadePayment): Promise<ChosenRail["rail"]> {
  const provider = await providerFor(app, payment.provider, payment.key_id);
  const { received, amount, decided_as: decidedAs } = payment;
  // A call refunds the received amount, whole.
  const isWhole = !payment.counted && (decidedAs !== "honoured" || received === amount);
  if (provider?.refund && isWhole && decidedAs !== "given-back") return "provider";
  try {
    const rail = railBy(provider && (await askStatus(provider, payment)), payment);
    if (decidedAs !== "given-back") return rail;
    // The back office sees it, and may act once the provider is clear, or has returned the rest.
    if (rail === "unclear" || rail === "partly") return handOf(payment);
    return rail === handOf(payment) && provider?.refund && isWhole ? "provider" : rail;
  } catch (error) {
    // A seller's own keys may be lost; he sends the money himself, and sees his account.
    const isHis = payment.key_id !== null && !payment.is_taken_back;
    if (isHis && error instanceof Outage) return "seller";
    throw error;
  }
}

/** The rail of a refund by hand, by the provider's current answer. */
export async function handRailOf(app: App, payment: MadePayment): Promise<ChosenRail["rail"]> {
  const provider = await providerFor(app, payment.provider, payment.key_id);
  return railBy(provider && (await askStatus(provider, payment)), payment);
}

function railBy(status: FetchedPayment["status"] | null, payment: MadePayment): ChosenRail["rail"] {
  switch (status) {
    case "refunded":
      return "returned";
    case "partly-refunded":
      return payment.decided_as === "given-back" && payment.counted ? handOf(payment) : "partly";
    // Null: a sandbox deletes payments after a while.
    case "paid":
    case null:
      return handOf(payment);
    default:
      return "unclear";
  }
}

/** The provider's current status of a payment; null: unknown to it. */
async function askStatus(provider: PaymentProvider, payment: MadePayment) {
  const fetched = await provider.fetchPayment(payment);
  const { paidAs } = payment;
  const isAboutIt = paidAs === null || (fetched?.transactionId ?? paidAs) === paidAs;
  return (isAboutIt && fetched?.status) || null;
}

/** Who refunds by hand where no call can. */
const handOf = (payment: Pick<MadePayment, "key_id">): "staff" | "seller" =>
  payment.key_id === null ? "staff" : "seller";

/** Null: no payment paid the order. */
export async function chooseRail(app: App, orderId: bigint): Promise<ChosenRail | null> {
  const payment = await findPayingPayment(app.db, orderId);
  return payment && { payment, rail: await railOf(app, payment) };
}
