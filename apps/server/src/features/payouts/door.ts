import type { Lane, ResolveOutcome } from "@sesame/contract/desk";
import type { DifferenceKind, PayoutStatus } from "@sesame/contract/payouts";
import type { Fcfa } from "@sesame/kernel";

export type LaneView = { readonly lane: Lane; readonly open: boolean };

/** Why a lane cannot serve, known without any call; `max` is null when it is not known. */
export type LaneRefusal =
  | { readonly kind: "closed" }
  | { readonly kind: "method" }
  | { readonly kind: "amount"; readonly min: Fcfa; readonly max: Fcfa | null };

export type Approval = {
  readonly withdrawalId: bigint;
  readonly lane: Lane;
  readonly by: bigint;
  /** The operator's: paid by hand already, settled at once. */
  readonly reference?: string;
};

export type ApproveRefusal =
  | { readonly kind: "not-pending"; readonly status: string | null }
  | { readonly kind: "lane"; readonly refusal: LaneRefusal }
  | { readonly kind: "reference-used" };

export type Approved = { readonly payoutId: bigint; readonly status: PayoutStatus };

export type HandPayment = {
  readonly withdrawalId: bigint;
  readonly reference: string;
  readonly by: bigint;
};

export type HandRefusal =
  | { readonly kind: "nothing-to-pay" }
  | { readonly kind: "reference-missing" }
  | { readonly kind: "reference-used" };

export type HandFailure = {
  readonly withdrawalId: bigint;
  /** The seller reads it. */
  readonly reason: string;
  readonly by: bigint;
};

export type Resolution = {
  readonly withdrawalId: bigint;
  readonly outcome: ResolveOutcome;
  readonly providerPayoutId?: string;
  /** The operator's, of a `sent` or `returned`. */
  readonly reference?: string;
  readonly reason: string;
  readonly by: bigint;
};

export type ResolveRefusal =
  | { readonly kind: "not-uncertain" }
  | { readonly kind: "reference-used" }
  | { readonly kind: "payout-id-used" }
  | { readonly kind: "payout-differs" };

export type InspectRefusal =
  | { readonly kind: "not-uncertain" }
  | { readonly kind: "payout-unknown" }
  | { readonly kind: "payout-differs" };

export type PayoutStep = {
  readonly at: Date;
  /** A status, or: asked-again, refused-again, mismatch, late-success, doubted, returned, linked,
   * taken-over. */
  readonly step: string;
  readonly details: string | null;
};

export type PayoutState = {
  readonly id: bigint;
  readonly lane: Lane;
  readonly status: PayoutStatus;
  /** Ours, as the provider knows it. */
  readonly reference: string;
  readonly amount: Fcfa;
  readonly handle: string | null;
  readonly providerPayoutId: string | null;
  readonly operatorReference: string | null;
  /** The provider's last word. */
  readonly word: string | null;
  readonly failure: string | null;
  readonly cost: Fcfa;
  readonly createdAt: Date;
  readonly submittedAt: Date | null;
  readonly settledAt: Date | null;
  /** It succeeded after its francs had gone back to the seller. */
  readonly lateAt: Date | null;
  readonly nextCheckAt: Date | null;
  readonly checks: number;
  readonly steps: readonly PayoutStep[];
};

export type ReconciliationRun = {
  readonly id: bigint;
  readonly provider: string;
  readonly what: "payouts" | "payments";
  readonly since: Date;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
  /** Against their list; false: one by one, what they have and we have not stays unseen. */
  readonly byList: boolean;
  readonly compared: number;
  readonly differences: number;
  readonly stopped: string | null;
};

export type ReconciliationDifference = {
  readonly id: bigint;
  readonly provider: string;
  readonly what: "payouts" | "payments";
  readonly kind: DifferenceKind;
  /** payout:12, payment:7, or theirs: fedapay:55 */
  readonly subject: string;
  readonly ours: Record<string, unknown> | null;
  readonly theirs: Record<string, unknown> | null;
  readonly firstSeenAt: Date;
  readonly lastSeenAt: Date;
};

export type Reconciliations = {
  /** The last of each provider. */
  readonly runs: readonly ReconciliationRun[];
  /** Still there when last compared. */
  readonly differences: readonly ReconciliationDifference[];
};
