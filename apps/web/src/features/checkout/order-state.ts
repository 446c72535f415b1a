import type { OrderAnswer, OrderKind } from "@sesame/contract/checkout";
import type { RefundStatusOnWire } from "@sesame/contract/refunds";
import type { AnswerOf } from "@sesame/contract/routes";

/** The state of an order, as its buyer sees it. */
export type OrderState =
  /** Not yet read. */
  | { readonly at: "loading" }
  /** Never read: no answer, or an error. */
  | { readonly at: "error" }
  /** The order exists and no payment could be opened. */
  | { readonly at: "unpaid" }
  /** `provider`: the name of the provider that is asked, if known. `notified`: the bot may write. */
  | { readonly at: "pending"; readonly provider: string | null; readonly notified: boolean }
  /** The amount received is not the amount ordered: the staff checks it. */
  | { readonly at: "review" }
  /** Paid, seen outside Telegram: the invite link is shown inside only. */
  | { readonly at: "paid"; readonly kind: OrderKind }
  | { readonly at: "opening" }
  | { readonly at: "waiting"; readonly until: string; readonly inviteLink: string }
  /** The group can let nobody in until its seller puts the bot back. */
  | { readonly at: "paused"; readonly until: string; readonly inviteLink: string | null }
  | { readonly at: "inside"; readonly until: string; readonly renewed: boolean }
  | { readonly at: "ended"; readonly until: string }
  | { readonly at: "banned"; readonly until: string }
  /** A plan, or the trial of a seller's keys: there is nothing to join. */
  | { readonly at: "bought"; readonly kind: OrderKind; readonly notified: boolean }
  /** Where who was charged may say so; null: nowhere any more. */
  | { readonly at: "failed"; readonly complain: "here" | "in Telegram" | null }
  | { readonly at: "refunding"; readonly refund: RefundStatusOnWire; readonly bySeller: boolean }
  | { readonly at: "refunded" };

export function stateOfOrder(order: OrderAnswer): OrderState {
  switch (order.status) {
    case "pending":
      return stateOfTries(order);
    case "failed":
      // The amount received was not the amount ordered.
      return order.refund ? stateOfRefund(order.refund) : stateOfTries(order);
    case "refunded":
      return stateOfRefund(order.refund);
    case "paid":
      return order.kind === "product"
        ? stateOfAccess(order)
        : { at: "bought", kind: order.kind, notified: order.bot_can_write };
  }
}

function stateOfTries(order: OrderAnswer): OrderState {
  const { status, payments, bot_can_write: notified, may_complain: complaints } = order;
  if (payments.some((payment) => payment.status === "mismatched")) return { at: "review" };
  const last = payments.at(-1);
  if (!last) return { at: "unpaid" };
  return status === "failed"
    ? { at: "failed", complain: complaints.length > 0 ? "here" : null }
    : { at: "pending", provider: last.provider_name, notified };
}

function stateOfRefund(refund: OrderAnswer["refund"]): OrderState {
  if (!refund || refund.status === "rembourse") return { at: "refunded" };
  return { at: "refunding", refund: refund.status, bySeller: refund.rail === "seller" };
}

function stateOfAccess(order: OrderAnswer): OrderState {
  const { access } = order;
  if (!access) return { at: "opening" };
  const until = access.expires_at;
  switch (access.status) {
    case "inside":
      return { at: "inside", until, renewed: order.is_renewal };
    case "waiting":
    case "left": {
      const { invite_link: inviteLink, entry_paused: paused } = access;
      if (paused) return { at: "paused", until, inviteLink };
      return inviteLink ? { at: "waiting", until, inviteLink } : { at: "opening" };
    }
    case "banned":
      return { at: "banned", until };
    case "ended":
    case "removed":
      return { at: "ended", until };
  }
}

export function stateOfReturn(order: AnswerOf<"GET /api/orders/by-secret/:secret">): OrderState {
  switch (order.status) {
    case "pending":
      return { at: "pending", provider: order.provider_name, notified: false };
    case "failed":
      return { at: "failed", complain: "in Telegram" };
    case "refunded":
      return { at: "refunded" };
    case "paid":
      return { at: "paid", kind: order.kind };
  }
}

const MOVING: readonly string[] = [
  "pending",
  "review",
  "opening",
  "waiting",
  "paused",
  "failed",
  "refunding",
];

/**
 * The state changes no more by itself: the page asks less often. A failed payment is not
 * settled: the buyer may try again on the provider's page, and a late confirmation counts.
 */
export function isSettled({ at }: OrderState): boolean {
  return !MOVING.includes(at);
}
