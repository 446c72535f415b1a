import {
  type DeskAction,
  type DeskRefusal,
  type Lane,
  needsSecondAgent,
  type PayoutStatus,
  type RiskFacts,
} from "@sesame/contract/treasury";
import type { InstanceSettings } from "@sesame/contract/back-office";
import type { WithdrawalStatus } from "@sesame/contract/withdrawals";

/** All that says what may be done with a request: read again under its lock before each decision. */
export type DeskFacts = {
  readonly id: bigint;
  readonly sellerId: bigint;
  readonly status: WithdrawalStatus;
  readonly claim: { readonly by: bigint; readonly name: string; readonly until: Date } | null;
  readonly firstApproval: { readonly by: bigint; readonly lane: Lane } | null;
  readonly risk: Pick<RiskFacts, "amount" | "paidBefore" | "frozen" | "suspended" | "owed">;
  /** The last one tried. */
  readonly payout: {
    readonly lane: Lane;
    readonly status: PayoutStatus;
    readonly mayComeBack: boolean;
    readonly createdBy: bigint | null;
  } | null;
};

export type Judging = {
  readonly me: { readonly personId: bigint; readonly isOperator: boolean };
  readonly settings: InstanceSettings;
  readonly now: Date;
};

/** Why the caller may not do this now; null when he may. The same answer for the screen's buttons. */
export function judge(action: DeskAction, facts: DeskFacts, by: Judging): DeskRefusal | null {
  if (facts.sellerId === by.me.personId) return { kind: "desk.own-request" };
  switch (action) {
    case "claim":
      return judgeClaim(facts, by);
    case "release":
      return needsOwnClaim(facts, by);
    case "approve":
      return judgeApproval(facts, by);
    case "reject":
      return notPending(facts) ?? needsOwnClaim(facts, by);
    case "paid":
      return isToPayByHand(facts) ? needsClaimOnce(facts, by) : { kind: "desk.nothing-to-pay" };
    case "failed":
      return judgeFailure(facts, by);
    case "resolve":
      return judgeResolution(facts, by);
  }
}

/**
 * What is taken: a request to decide, or to pay by hand. Nobody takes one to pay whose seller says that
 * it is not his, or is suspended; who had it before may have sent the money.
 */
function judgeClaim(facts: DeskFacts, by: Judging): DeskRefusal | null {
  if (!isToPayByHand(facts)) return notPending(facts) ?? takenByOther(facts, by);
  return takenByOther(facts, by) ?? stopped(facts);
}

function stopped({ risk }: DeskFacts): DeskRefusal | null {
  if (risk.suspended) return { kind: "desk.seller-suspended" };
  return risk.frozen ? { kind: "desk.payouts-frozen" } : null;
}

/** A provider's that could not be sent is given up by whoever sees it: nobody was to take it. */
function judgeFailure(facts: DeskFacts, by: Judging): DeskRefusal | null {
  if (isToPayByHand(facts)) return needsClaimOnce(facts, by);
  return isUnsent(facts) ? null : { kind: "desk.nothing-to-pay" };
}

function judgeApproval(facts: DeskFacts, by: Judging): DeskRefusal | null {
  const decided = notPending(facts);
  if (decided) return decided;
  const first = needsSecondAgent(facts.risk, by.settings) ? facts.firstApproval : null;
  if (first?.by === by.me.personId) return { kind: "desk.second-agent-differs" };
  // The second agent confirms without taking the request, unless somebody else has.
  const held = first ? takenByOther(facts, by) : needsOwnClaim(facts, by);
  const owed = facts.risk.owed > 0n ? facts.risk.owed : null;
  return held ?? stopped(facts) ?? (owed && { kind: "desk.seller-owes", owed });
}

/**
 * The agent who took it may say how it ended even when his time is over, as long as nobody else has
 * taken it: the money may have left his phone already.
 */
function needsClaimOnce(facts: DeskFacts, by: Judging): DeskRefusal | null {
  if (facts.claim?.by === by.me.personId) return null;
  return takenByOther(facts, by) ?? { kind: "desk.not-claimed" };
}

function judgeResolution(facts: DeskFacts, { me }: Judging): DeskRefusal | null {
  const status = facts.payout?.status;
  if (me.isOperator && facts.payout?.mayComeBack) return null;
  // One that was taken and never ends may be known to have arrived.
  if (status !== "uncertain" && status !== "sent") return { kind: "desk.not-uncertain" };
  if (me.isOperator || facts.payout?.createdBy !== me.personId) return null;
  return { kind: "desk.resolve-by-other" };
}

/** Approved, and no money asked of anybody. */
function isUnsent({ status, payout }: DeskFacts): boolean {
  return status === "approved" && (payout?.status === "ready" || payout?.status === "prepared");
}

/** A provider's is never marked as paid by hand: it may be sending at this moment. */
function isToPayByHand(facts: DeskFacts): boolean {
  return isUnsent(facts) && facts.payout?.lane === "manual";
}

function notPending({ status }: DeskFacts): DeskRefusal | null {
  return status === "pending" ? null : { kind: "desk.already-decided", status };
}

function isLive(claim: NonNullable<DeskFacts["claim"]>, now: Date): boolean {
  return claim.until > now;
}

function takenByOther({ claim }: DeskFacts, { me, now }: Judging): DeskRefusal | null {
  if (!claim || claim.by === me.personId || !isLive(claim, now)) return null;
  return { kind: "desk.claimed-by-other", name: claim.name };
}

function needsOwnClaim(facts: DeskFacts, by: Judging): DeskRefusal | null {
  const taken = takenByOther(facts, by);
  if (taken) return taken;
  const { claim } = facts;
  if (claim?.by !== by.me.personId) return { kind: "desk.not-claimed" };
  return isLive(claim, by.now) ? null : { kind: "desk.claim-expired" };
}
