import type { OrderAnswer, OrderKind } from "@sesame/contract/checkout";
import type { RefundStatusOnWire } from "@sesame/contract/refunds";
import type { AnswerOf } from "@sesame/contract/routes";

/** Where an order is, for its buyer: one union, no booleans. */
export type OrderState =
  /** Not yet read. */
  | { readonly at: "loading" }
  /** Never read so far: nobody answered, or with an error. */
  | { readonly at: "error" }
  /** Made, and no payment could be begun. */
  | { readonly at: "unpaid" }
  /** `provider`: the name of who is being asked, when it is known. */
  | { readonly at: "pending"; readonly provider: string | null }
  /** Money came that is not what was asked: people look at it. */
  | { readonly at: "review" }
  /** Paid, seen from outside Telegram: the link is shown inside only. */
  | { readonly at: "paid"; readonly kind: OrderKind }
  | { readonly at: "opening" }
  | { readonly at: "waiting"; readonly until: string; readonly inviteLink: string }
  | { readonly at: "inside"; readonly until: string; readonly renewed: boolean }
  | { readonly at: "ended"; readonly until: string }
  | { readonly at: "banned"; readonly until: string }
  /** A plan, or the trial of a seller's keys: there is nothing to join. */
  | { readonly at: "bought"; readonly kind: OrderKind }
  | { readonly at: "failed" }
  | { readonly at: "refunding"; readonly refund: RefundStatusOnWire; readonly bySeller: boolean }
  | { readonly at: "refunded" };

export function stateOfOrder(order: OrderAnswer): OrderState {
  switch (order.status) {
    case "pending":
      return stateOfTries(order);
    case "failed":
      // What came in was not what was ordered.
      return order.refund ? stateOfRefund(order.refund) : stateOfTries(order);
    case "refunded":
      return stateOfRefund(order.refund);
    case "paid":
      return order.kind === "product" ? stateOfAccess(order) : { at: "bought", kind: order.kind };
  }
}

function stateOfTries({ status, payments }: OrderAnswer): OrderState {
  if (payments.some((payment) => payment.status === "mismatched")) return { at: "review" };
  const last = payments.at(-1);
  if (!last) return { at: "unpaid" };
  return status === "failed" ? { at: "failed" } : { at: "pending", provider: last.provider_name };
}

type Refund = { readonly status: RefundStatusOnWire; readonly rail: string };

function stateOfRefund(refund: Refund | null): OrderState {
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
    case "left":
      return access.invite_link
        ? { at: "waiting", until, inviteLink: access.invite_link }
        : { at: "opening" };
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
      return { at: "pending", provider: order.provider_name };
    case "failed":
      return { at: "failed" };
    case "refunded":
      return { at: "refunded" };
    case "paid":
      return { at: "paid", kind: order.kind };
  }
}

/**
 * Nothing more will happen by itself: the page may stop asking often. A failed payment is not
 * settled: the provider's page lets the buyer try again, and a late yes still counts.
 */
export function isSettled(state: OrderState): boolean {
  switch (state.at) {
    case "loading":
    case "error":
    case "pending":
    case "review":
    case "opening":
    case "waiting":
    case "failed":
    case "refunding":
      return false;
    default:
      return true;
  }
}
