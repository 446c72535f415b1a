import type { InstanceSettings } from "@sesame/contract/back-office";
import type { Plan } from "@sesame/contract/plans";
import {
  type Lane,
  type PayoutStatus,
  type RiskFacts,
  type Stage,
  type DeskAction,
  type DeskRefusal,
  needsSecondAgent,
} from "@sesame/contract/treasury";
import type { WithdrawalStatus } from "@sesame/contract/withdrawals";
import type { Fcfa } from "@sesame/kernel";
import { sql } from "kysely";
import { type Db, maybe } from "../../../postgres/database.ts";
import { mayComeBack } from "../payouts.ts";

export type DeskRow = {
  readonly id: bigint;
  readonly reference: string;
  readonly amount: Fcfa;
  readonly method: string;
  readonly operator: string;
  readonly country: string;
  readonly phone: string;
  readonly whatsapp: string;
  readonly status: WithdrawalStatus;
  readonly plan: Plan;
  readonly origin: "manual" | "automatic";
  readonly created_at: Date;
  readonly due_at: Date;
  readonly decided_at: Date | null;
  readonly paid_at: Date | null;
  readonly reject_reason: string | null;
  readonly seller_id: bigint;
  readonly seller_name: string;
  readonly seller_username: string | null;
  readonly seller_photo: string | null;
  readonly claimed_by: bigint | null;
  readonly claimed_until: Date | null;
  readonly claimant_name: string | null;
  readonly first_approved_by: bigint | null;
  readonly first_approved_at: Date | null;
  readonly first_approved_lane: Lane | null;
  readonly first_name: string | null;
  readonly suspended_at: Date | null;
  readonly frozen_at: Date | null;
  readonly number_changed_at: Date | null;
  readonly owed: Fcfa;
  readonly payout_lane: Lane | null;
  readonly payout_status: PayoutStatus | null;
  readonly payout_late_at: Date | null;
  readonly payout_returned_at: Date | null;
  readonly payout_by: bigint | null;
  readonly payout_reference: string | null;
  readonly paid_before: number;
  readonly median_before: Fcfa | null;
  readonly number_paid_before: boolean;
  readonly other_sellers: number;
  readonly refunds: number;
  readonly mismatches: number;
};

export const COLUMNS = sql`
  w.id, w.reference, w.amount, w.method, w.operator, w.country, w.phone, w.whatsapp, w.status,
  w.plan, w.origin, w.created_at, w.due_at, w.decided_at, w.paid_at, w.reject_reason, w.seller_id,
  seller_name(s, person) AS seller_name,
  person.username AS seller_username, person.photo_url AS seller_photo,
  w.claimed_by, w.claimed_until,
  person_name(claimant.first_name, claimant.last_name) AS claimant_name,
  w.first_approved_by, w.first_approved_at, w.first_approved_lane,
  person_name(first.first_name, first.last_name) AS first_name,
  s.suspended_at, profile.frozen_at, profile.number_changed_at,
  coalesce(advance.owed, 0)::bigint AS owed,
  payout.lane AS payout_lane, payout.status AS payout_status,
  payout.late_at AS payout_late_at, payout.returned_at AS payout_returned_at,
  payout.created_by AS payout_by,
  payout.operator_reference AS payout_reference,
  past.paid AS paid_before, past.median AS median_before, past.number_paid AS number_paid_before,
  shared.sellers AS other_sellers, recent.refunds, wrong.mismatches`;

/** Refunds are looked for among as many of the seller's last orders. */
const ORDERS_LOOKED_AT = 200;

export const LAST_PAYOUT = sql`
  LEFT JOIN LATERAL (
    SELECT lane, status, created_by, operator_reference, late_at, returned_at FROM payouts
    WHERE withdrawal_id = w.id ORDER BY id DESC LIMIT 1
  ) payout ON true`;

/** What stands around the rows of `w`. */
export const AROUND = sql`
  JOIN sellers s ON s.id = w.seller_id
  JOIN people person ON person.id = w.seller_id
  LEFT JOIN payout_profiles profile ON profile.seller_id = w.seller_id
  LEFT JOIN seller_advances advance ON advance.seller_id = w.seller_id
  LEFT JOIN people claimant ON claimant.id = w.claimed_by
  LEFT JOIN people first ON first.id = w.first_approved_by
  ${LAST_PAYOUT}
  CROSS JOIN LATERAL (
    SELECT count(*)::int AS paid,
      percentile_disc(0.5) WITHIN GROUP (ORDER BY other.amount) AS median,
      coalesce(bool_or(other.phone = w.phone), false) AS number_paid
    FROM withdrawals other
    WHERE other.seller_id = w.seller_id AND other.id <> w.id AND other.paid_at IS NOT NULL
  ) past
  CROSS JOIN LATERAL (
    SELECT count(DISTINCT other.seller_id)::int AS sellers FROM withdrawals other
    WHERE desk_phone_key(other.phone) = desk_phone_key(w.phone) AND other.phone = w.phone
      AND other.seller_id <> w.seller_id
      AND other.status IN ('pending', 'approved')
  ) shared
  CROSS JOIN LATERAL (
    SELECT count(*)::int AS refunds FROM (
      SELECT status FROM orders WHERE seller_id = w.seller_id ORDER BY id DESC
      LIMIT ${sql.lit(ORDERS_LOOKED_AT)}
    ) last WHERE last.status = 'refunded'
  ) recent
  CROSS JOIN LATERAL (
    SELECT count(*)::int AS mismatches FROM desk_alerts a
    JOIN orders o ON o.id = (a.details->>'order_id')::bigint
    WHERE a.kind = 'payment.mismatch' AND a.resolved_at IS NULL AND o.seller_id = w.seller_id
  ) wrong`;

export async function findDeskRow(db: Db, id: bigint): Promise<DeskRow | null> {
  return maybe<DeskRow>(db)`
    SELECT ${COLUMNS} FROM withdrawals w ${AROUND} WHERE w.id = ${id}
  `;
}

export function factsOf(row: DeskRow): DeskFacts {
  return {
    id: row.id,
    sellerId: row.seller_id,
    status: row.status,
    claim:
      row.claimed_by === null || row.claimed_until === null
        ? null
        : { by: row.claimed_by, name: row.claimant_name ?? "", until: row.claimed_until },
    firstApproval:
      row.first_approved_by === null || row.first_approved_lane === null
        ? null
        : { by: row.first_approved_by, lane: row.first_approved_lane },
    risk: {
      amount: row.amount,
      paidBefore: row.paid_before,
      frozen: row.frozen_at !== null,
      suspended: row.suspended_at !== null,
      owed: row.owed,
    },
    payout:
      row.payout_lane === null || row.payout_status === null
        ? null
        : {
            lane: row.payout_lane,
            status: row.payout_status,
            mayComeBack: mayComeBack({
              status: row.payout_status,
              late_at: row.payout_late_at,
              returned_at: row.payout_returned_at,
            }),
            createdBy: row.payout_by,
          },
  };
}

export function riskFactsOf(row: DeskRow, now: Date): RiskFacts {
  const changedAt = row.number_changed_at;
  return {
    ...factsOf(row).risk,
    medianBefore: row.median_before,
    numberPaidBefore: row.number_paid_before,
    otherSellers: row.other_sellers,
    numberChangedMsAgo: changedAt === null ? null : now.getTime() - changedAt.getTime(),
    refunds: row.refunds,
    mismatches: row.mismatches,
  };
}

type LastPayout = Pick<NonNullable<DeskFacts["payout"]>, "lane" | "status"> | null;

type Standing = Pick<DeskFacts, "status"> & {
  readonly payout: LastPayout;
  readonly claimed: boolean;
  readonly awaitsSecond: boolean;
};

/** Where a request stands, in the desk's one word. */
export function stageOf({ status, payout, claimed, awaitsSecond }: Standing): Stage {
  switch (status) {
    case "cancelled":
      return "cancelled";
    case "rejected":
      return payout === null ? "rejected" : "failed";
    case "pending":
      if (claimed) return "claimed";
      return awaitsSecond ? "second-agent" : "pending";
    case "approved":
      return stageOfPayout(payout);
  }
}

function stageOfPayout(payout: LastPayout): Stage {
  if (payout?.status === "succeeded") return "paid";
  if (payout?.status === "uncertain") return "uncertain";
  return payout?.lane === "manual" ? "to-pay" : "sending";
}

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
