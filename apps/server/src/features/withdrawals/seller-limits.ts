import type { InstanceSettings } from "@sesame/contract/settings";
import {
  type StandingRefusal,
  weeklyReopening,
  type WithdrawalLimits,
} from "@sesame/contract/withdrawals";
import { type Fcfa, fcfa, ZERO_FCFA } from "@sesame/kernel";
import type { SellerFacts } from "./withdrawals.view.ts";

/** What a request of this seller's is held against now. */
export function limitsFor(
  facts: SellerFacts,
  settings: InstanceSettings,
  at: { now: Date; zone: string },
): WithdrawalLimits {
  const { withdrawals, methods, firstPayoutMax } = settings;
  return {
    min: withdrawals.min,
    max: facts.plan === "premium" ? withdrawals.maxPremium : withdrawals.maxFree,
    available: facts.available,
    methods,
    standing: standingOf(facts, at.zone),
    reopensAt: facts.plan === "premium" ? null : weeklyReopening(facts.last_at, at.now),
    firstMax: facts.unpaid === null ? null : leftOf(firstPayoutMax - facts.unpaid, withdrawals),
    zone: at.zone,
  };
}

/** Less than may be asked for is nothing. */
export const leftOf = (left: bigint, { min }: { readonly min: Fcfa }): Fcfa =>
  left < min ? ZERO_FCFA : fcfa(left);

/** The order is the database's own (request_withdrawals). */
export function standingOf(facts: SellerFacts, zone: string): StandingRefusal | null {
  if (facts.closed_at !== null) return { kind: "withdrawals.seller-closed" };
  if (facts.suspended_at !== null) {
    return {
      kind: "withdrawals.seller-suspended",
      reason: facts.suspended_reason,
      reviewAt: facts.suspended_review_at,
      zone,
    };
  }
  if (facts.frozen_at === null) return null;
  return {
    kind: "withdrawals.payouts-frozen",
    by: facts.frozen_by ?? "operator",
    reason: facts.frozen_reason,
    reviewAt: facts.frozen_review_at,
    zone,
  };
}
