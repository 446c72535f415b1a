import type { OrderBySecretAnswer, OrderAnswer } from "@sesame/contract/checkout";

/** Where an order is, for its buyer: one union, no booleans. */
export type OrderState =
  /** Not yet read. */
  | { readonly at: "loading" }
  | { readonly at: "pending" }
  /** Paid, seen from outside Telegram: the link is shown inside only. */
  | { readonly at: "paid" }
  | { readonly at: "opening" }
  | { readonly at: "waiting"; readonly until: string; readonly inviteLink: string }
  | { readonly at: "inside"; readonly until: string; readonly renewed: boolean }
  | { readonly at: "ended"; readonly until: string }
  | { readonly at: "banned"; readonly until: string }
  | { readonly at: "failed" }
  | { readonly at: "refunded" };

export function stateOfOrder(order: OrderAnswer): OrderState {
  switch (order.status) {
    case "pending":
      return { at: "pending" };
    case "failed":
      return { at: "failed" };
    case "refunded":
      return { at: "refunded" };
    case "paid":
      return stateOfAccess(order);
  }
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

export function stateOfReturn(order: OrderBySecretAnswer): OrderState {
  switch (order.status) {
    case "pending":
      return { at: "pending" };
    case "failed":
      return { at: "failed" };
    case "refunded":
      return { at: "refunded" };
    case "paid":
      return { at: "paid" };
  }
}

/**
 * Nothing more will happen by itself: the page may stop asking often. A failed payment is not
 * settled: the provider's page lets the buyer try again, and a late yes still counts.
 */
export function isSettled(state: OrderState): boolean {
  return !["loading", "pending", "opening", "waiting", "failed"].includes(state.at);
}
