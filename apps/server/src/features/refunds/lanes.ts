import type { RefundLane } from "@sesame/contract/refunds";
import { type Fcfa, Outage } from "@sesame/kernel";
import type { FetchedPayment, PaymentProvider, ProviderId, Quote } from "@sesame/providers";
import { type RawBuilder, sql } from "kysely";
import type { App } from "../../app.ts";
import { type Db, maybe } from "../../postgres/database.ts";
import { providerFor } from "../payment-accounts/index.ts";
import { IS_GIVEN_BACK, type PaymentDecision } from "../checkout/index.ts";

/** A payment that was made, as its provider is asked about it. */
export type MadePayment = {
  readonly id: bigint;
  readonly order_id: bigint;
  readonly provider: ProviderId;
  readonly key_id: bigint | null;
  readonly provider_payment_id: string;
  readonly transaction_id: string | null;
  readonly reference: string;
  readonly amount: Fcfa;
  readonly quote: Quote | null;
  readonly heard: readonly string[];
  readonly payer_telegram_id: bigint;
  /** Francs that stand in suspense for it. */
  readonly suspended_amount: Fcfa | null;
  /** What came in, of what was not what was ordered. */
  readonly received: Fcfa | null;
  readonly decided_as: PaymentDecision;
  /** An operator counted what came in. */
  readonly counted: boolean;
  /** The desk was told that its provider took it back, and has not ended the matter. */
  readonly is_taken_back: boolean;
};

function findMade(db: Db, rest: RawBuilder<unknown>): Promise<MadePayment | null> {
  return maybe<MadePayment>(db)`
    SELECT p.id, p.order_id, p.provider, p.key_id, p.provider_payment_id, p.transaction_id,
      coalesce(p.reference, p.order_id::text) AS reference, p.amount, p.quote, p.suspended_amount,
      p.received, p.decided_as, p.counted,
      pe.telegram_id AS payer_telegram_id,
      EXISTS (SELECT FROM desk_alerts d WHERE d.kind = 'payment.refunded-there'
        AND d.subject = 'payment:' || p.id AND d.resolved_at IS NULL) AS is_taken_back,
      ARRAY(SELECT r.transaction_id FROM payment_rumours r WHERE r.payment_id = p.id
        ORDER BY r.heard_at) AS heard
    FROM payments p JOIN orders o ON o.id = p.order_id JOIN people pe ON pe.id = o.buyer_id
    WHERE p.status = 'paid' AND ${rest}
  `;
}

/** The payment that paid an order, and was not given back with it: another one of it is a surplus, given back or about to be. */
export function findPayingPayment(db: Db, orderId: bigint): Promise<MadePayment | null> {
  return findMade(
    db,
    sql`p.order_id = ${orderId} AND NOT ${IS_GIVEN_BACK} AND o.status = 'paid'
        AND NOT EXISTS (SELECT FROM refunds r WHERE r.payment_id = p.id AND r.kind = 'surplus')
        AND NOT EXISTS (SELECT FROM outbox j WHERE j.topic = 'refunds.surplus' AND j.ref = p.id)
      ORDER BY p.decided_at, p.id LIMIT 1`,
  );
}

export function findPayment(db: Db, paymentId: bigint): Promise<MadePayment | null> {
  return findMade(db, sql`p.id = ${paymentId}`);
}

/**
 * `partly`: the provider has returned a part by itself, and no lane gives the rest. `unclear`: it does
 * not say that it still has the money.
 */
export type ChosenLane = {
  readonly payment: { readonly id: bigint; readonly provider: string };
  readonly lane: RefundLane | "partly" | "unclear";
};

/**
 * Who can give a payment back. Read before the transaction: a payment that was made stays as it is,
 * and its account may have to be opened. Whom no call can tell to give it back is asked whether it,
 * or a bank, has done so already: an outage refuses the act, for what is sent by hand is sent twice.
 */
export async function laneOf(app: App, payment: MadePayment): Promise<ChosenLane["lane"]> {
  const provider = await providerFor(app, payment.provider, payment.key_id);
  const { received, amount, decided_as: decidedAs } = payment;
  // A call gives back what came in, whole.
  const isWhole = !payment.counted && (decidedAs !== "honoured" || received === amount);
  if (provider?.refund && isWhole && decidedAs !== "given-back") return "provider";
  try {
    const lane = laneBy(provider && (await askVerdict(provider, payment)), payment);
    if (decidedAs !== "given-back") return lane;
    // Shown to the desk, whose hand waits until its provider is clear, or has returned the rest.
    if (lane === "unclear" || lane === "partly") return handOf(payment);
    return lane === handOf(payment) && provider?.refund && isWhole ? "provider" : lane;
  } catch (error) {
    // A seller's own keys may be gone for good; he sends the money himself, and sees his account.
    const isHis = payment.key_id !== null && !payment.is_taken_back;
    if (isHis && error instanceof Outage) return "seller";
    throw error;
  }
}

/** What a refund that waits for a hand becomes, by what its provider says now. */
export async function handLaneOf(app: App, payment: MadePayment): Promise<ChosenLane["lane"]> {
  const provider = await providerFor(app, payment.provider, payment.key_id);
  return laneBy(provider && (await askVerdict(provider, payment)), payment);
}

function laneBy(
  verdict: FetchedPayment["verdict"] | null,
  payment: MadePayment,
): ChosenLane["lane"] {
  switch (verdict) {
    case "refunded":
      return "returned";
    case "partly-refunded":
      return payment.decided_as === "given-back" && payment.counted ? handOf(payment) : "partly";
    // Null: a sandbox forgets after a while.
    case "paid":
    case null:
      return handOf(payment);
    default:
      return "unclear";
  }
}

/** What its provider says of a payment now; null: it knows none. */
export async function askVerdict(
  provider: PaymentProvider,
  payment: MadePayment,
): Promise<FetchedPayment["verdict"] | null> {
  const { transaction_id: transactionId, heard } = payment;
  const fetched = await provider.fetchPayment({
    providerPaymentId: payment.provider_payment_id,
    reference: payment.reference,
    amount: payment.amount,
    quote: payment.quote,
    heard,
    paidAs: transactionId,
  });
  const isAboutIt =
    transactionId === null || (fetched?.transactionId ?? transactionId) === transactionId;
  return (isAboutIt && fetched?.verdict) || null;
}

/** Whose hand gives it back where no call does. */
export function handOf(payment: Pick<MadePayment, "key_id">): "desk" | "seller" {
  return payment.key_id === null ? "desk" : "seller";
}

/** Null: nothing paid the order. */
export async function chooseLane(app: App, orderId: bigint): Promise<ChosenLane | null> {
  const payment = await findPayingPayment(app.db, orderId);
  return payment && { payment, lane: await laneOf(app, payment) };
}
