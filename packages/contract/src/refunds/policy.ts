import { fcfa, ok, type Result, refuse } from "@sesame/kernel";
import type { RefundsRefusal } from "./refusals.fr.ts";

/**
 * Who sends a refund: `provider` by an API call; `staff` an agent, to the buyer's number; `seller`
 * for a sale on the seller's own account that no call can refund; `returned` nobody: the provider
 * or a bank has returned the money already.
 */
export const REFUND_RAILS = ["provider", "staff", "seller", "returned"] as const;
export type RefundRail = (typeof REFUND_RAILS)[number];

/**
 * `sending` requested from the provider · `needs-number` the buyer must enter a number · `to-pay`
 * an agent, or the seller, must pay · `done` given back.
 */
export type RefundStatus = "sending" | "needs-number" | "to-pay" | "done";

/** `sale` the order's own payment; `overpayment` one that bought nothing: a second payment, or a wrong amount. */
export const REFUND_KINDS = ["sale", "overpayment"] as const;
export type RefundKind = (typeof REFUND_KINDS)[number];

/**
 * The decision about a payment of a wrong amount: it pays the order, it is given back, or the provider
 * has returned it already.
 */
export const MISMATCH_OUTCOMES = ["honour", "give-back", "returned"] as const;
export type MismatchOutcome = (typeof MISMATCH_OUTCOMES)[number];

/** An operator may state a received amount up to this many times the price. */
export const MISMATCH_RECEIVED_TIMES = 2n;

/** What a provider may keep for a payment that was taken back, in francs. */
const PROVIDER_FEE_MAX = 1_000_000;

export function readProviderFee(raw: unknown) {
  const isFee = Number.isInteger(raw) && Number(raw) > 0 && Number(raw) <= PROVIDER_FEE_MAX;
  return isFee ? ok(fcfa(Number(raw))) : refuse({ kind: "refunds.fee-missing" });
}

export const REFUND_REASON_CHARACTERS_MAX = 500;
const REFUND_REASON_CHARACTERS_MIN = 3;

/** Why money is given back, in the author's own words: the buyer reads it. */
export function readRefundReason(raw: unknown): Result<string, RefundsRefusal> {
  const text = typeof raw === "string" ? raw.trim() : "";
  if (text.length < REFUND_REASON_CHARACTERS_MIN) return refuse({ kind: "refunds.reason-missing" });
  return text.length > REFUND_REASON_CHARACTERS_MAX
    ? refuse({ kind: "refunds.reason-too-long" })
    : ok(text);
}
