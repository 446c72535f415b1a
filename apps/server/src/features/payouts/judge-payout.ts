import type { Fcfa } from "@sesame/kernel";
import type { FetchedPayout } from "@sesame/providers";

export type ExpectedPayout = {
  readonly reference: string;
  readonly amount: Fcfa;
  readonly providerPayoutId: string | null;
};

export type PayoutMismatch = "id" | "reference" | "amount" | "currency" | "environment";

export type PayoutJudgement =
  /** The provider does not know it. */
  | { readonly kind: "unknown" }
  | { readonly kind: "succeeded" | "failed" | "not-started" | "sent" }
  | { readonly kind: "mismatch"; readonly reason: PayoutMismatch };

/**
 * What a provider's answer means for the payout we asked about. Of another payout, or of other
 * francs, neither a yes nor a no is ours: a no would give the seller francs that may have left.
 */
export function judgePayout(
  expected: ExpectedPayout,
  answer: FetchedPayout | null,
  mode: { readonly production: boolean },
): PayoutJudgement {
  if (answer === null) return { kind: "unknown" };
  const reason = findMismatch(expected, answer, mode);
  return reason === null ? { kind: answer.verdict } : { kind: "mismatch", reason };
}

function findMismatch(
  expected: ExpectedPayout,
  answer: FetchedPayout,
  mode: { readonly production: boolean },
): PayoutMismatch | null {
  if (mode.production && answer.environment === "sandbox") return "environment";
  const { providerPayoutId: known } = expected;
  if (known !== null && answer.providerPayoutId !== null && answer.providerPayoutId !== known) {
    return "id";
  }
  if (answer.reference !== null && answer.reference !== expected.reference) return "reference";
  if (answer.currency !== null && answer.currency !== "XOF") return "currency";
  if (answer.amount !== null && answer.amount !== expected.amount) return "amount";
  return null;
}
