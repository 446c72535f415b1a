import type { RefundLane } from "@sesame/contract/refunds";
import { Outage } from "@sesame/kernel";
import type { FetchedPayment, PaymentProvider } from "@sesame/providers";
import type { RefundsDeps } from "./needs.ts";
import { findPayingPayment, type MadePayment } from "./order.view.ts";

/** `partly`: the provider has returned a part by itself, and no lane gives the rest. */
export type ChosenLane = { readonly payment: MadePayment; readonly lane: RefundLane | "partly" };

/**
 * Who can give a payment back. Read before the transaction: a payment that was made stays as it is,
 * and its account may have to be opened. Whom no call can tell to give it back is asked whether it,
 * or a bank, has done so already: an outage refuses the act, for what is sent by hand is sent twice.
 */
export async function laneOf(
  deps: Pick<RefundsDeps, "providerFor">,
  payment: MadePayment,
): Promise<ChosenLane["lane"]> {
  const provider = await deps.providerFor(payment.provider, payment.key_id);
  if (provider?.refund) return "provider";
  const hand = handOf(payment);
  const told =
    provider &&
    (await askVerdict(provider, payment).catch((error: unknown) => {
      // A seller's own keys may be gone for good; he sends the money himself, and sees his account.
      if (hand === "seller" && error instanceof Outage) return null;
      throw error;
    }));
  if (told === "refunded") return "returned";
  return told === "partly-refunded" ? "partly" : hand;
}

/** What its provider says of a payment now; null: it knows none. */
export async function askVerdict(
  provider: PaymentProvider,
  payment: MadePayment,
): Promise<FetchedPayment["verdict"] | null> {
  const { transaction_id: transactionId, heard } = payment;
  const told = await provider.fetchPayment({
    providerPaymentId: payment.provider_payment_id,
    reference: payment.reference,
    amount: payment.amount,
    quote: payment.quote,
    heard: transactionId ? [...heard, transactionId] : [...heard],
  });
  return told?.verdict ?? null;
}

/** Whose hand gives it back where no call does. */
export function handOf(payment: Pick<MadePayment, "key_id">): "desk" | "seller" {
  return payment.key_id === null ? "desk" : "seller";
}

/** Null: nothing paid the order. */
export async function chooseLane(
  deps: Pick<RefundsDeps, "db" | "providerFor">,
  orderId: bigint,
): Promise<ChosenLane | null> {
  const payment = await findPayingPayment(deps.db, orderId);
  return payment && { payment, lane: await laneOf(deps, payment) };
}
