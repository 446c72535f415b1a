import type { RefundLane } from "@sesame/contract/refunds";
import type { RefundsDeps } from "./needs.ts";
import { findPayingPayment, type MadePayment } from "./order.view.ts";

export type ChosenLane = { readonly payment: MadePayment; readonly lane: RefundLane };

/**
 * Who can give a payment back. Read before the transaction: a payment that was made stays as it is,
 * and its account may have to be opened.
 */
export async function laneOf(
  deps: Pick<RefundsDeps, "providerFor">,
  payment: MadePayment,
): Promise<RefundLane> {
  const provider = await deps.providerFor(payment.provider, payment.key_id);
  return provider?.refund ? "provider" : handOf(payment);
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
