import type { RefundLane } from "@sesame/contract/refunds";
import { Outage } from "@sesame/kernel";
import type { FetchedPayment, PaymentProvider } from "@sesame/providers";
import type { App } from "../../app.ts";
import { providerFor } from "../aggregators/index.ts";
import { findPayingPayment, type MadePayment } from "./order.view.ts";

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
