import type { InstanceSettings } from "@sesame/contract/back-office";
import type { Plan } from "@sesame/contract/plans";
import {
  type PayoutRail,
  type PayoutStatus,
  type RiskFacts,
  type Stage,
  type StaffAction,
  type StaffRefusal,
  needsSecondAgent,
} from "@sesame/contract/treasury";
import type { WithdrawalStatus } from "@sesame/contract/withdrawals";
import { sql } from "kysely";
import { type Db, maybe } from "../../../postgres/database.ts";
import { restsUntil } from "../../withdrawals/index.ts";
import { mayComeBack } from "../payouts.ts";

export type StaffRow = RiskFacts & {
  readonly id: bigint;
  readonly reference: string;
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
  readonly assigned_to: bigint | null;
  readonly assigned_until: Date | null;
  readonly assignee_name: string | null;
  readonly first_approved_by: bigint | null;
  readonly first_approved_at: Date | null;
  readonly first_approved_rail: PayoutRail | null;
  readonly first_name: string | null;
  readonly payout_rail: PayoutRail | null;
  readonly payout_status: PayoutStatus | null;
  readonly payout_late_at: Date | null;
  readonly payout_returned_at: Date | null;
  readonly payout_by: bigint | null;
  readonly payout_reference: string | null;
};

export const COLUMNS = sql`
  w.id, w.reference, w.amount, w.method, w.operator, w.country, w.phone, w.whatsapp, w.status,
  w.plan, w.origin, w.created_at, w.due_at, w.decided_at, w.paid_at, w.reject_reason, w.seller_id,
  seller_name(s, person) AS seller_name,
  person.username AS seller_username, person.photo_url AS seller_photo,
  w.assigned_to, w.assigned_until,
  assignee.name AS assignee_name,
  w.first_approved_by, w.first_approved_at, w.first_approved_rail,
  first.name AS first_name,
  s.suspended_at, profile.frozen_at, profile.number_changed_at,
  coalesce(advance.owed, 0)::bigint AS owed,
  payout.rail AS payout_rail, payout.status AS payout_status,
  payout.late_at AS payout_late_at, payout.returned_at AS payout_returned_at,
  payout.created_by AS payout_by,
  payout.operator_reference AS payout_reference,
  past.paid AS paid_before, past.median AS median_before, past.number_paid_since,
  shared.sellers AS other_sellers, recent.refunds, wrong.mismatches,
  complained.complaints`;

/** Counts refunds only among this many of the seller's last orders. */
const ORDERS_LOOKED_AT = 200;

export const LAST_PAYOUT = sql`
  LEFT JOIN LATERAL (
    SELECT rail, status, created_by, operator_reference, late_at, returned_at FROM payouts
    WHERE withdrawal_id = w.id ORDER BY id DESC LIMIT 1
  ) payout ON true`;

/** Tables joined to each row of `w`. */
export const JOINS = sql`
  JOIN sellers s ON s.id = w.seller_id
  JOIN people person ON person.id = w.seller_id
  LEFT JOIN payout_profiles profile ON profile.seller_id = w.seller_id
  LEFT JOIN seller_advances advance ON advance.seller_id = w.seller_id
  LEFT JOIN people assignee ON assignee.id = w.assigned_to
  LEFT JOIN people first ON first.id = w.first_approved_by
  ${LAST_PAYOUT}
  CROSS JOIN LATERAL (
    SELECT count(*)::int AS paid,
      percentile_disc(0.5) WITHIN GROUP (ORDER BY other.amount) AS median,
      min(other.paid_at) FILTER (WHERE other.phone = w.phone) AS number_paid_since
    FROM withdrawals other
    WHERE other.seller_id = w.seller_id AND other.id <> w.id AND other.paid_at IS NOT NULL
  ) past
  CROSS JOIN LATERAL (
    SELECT count(DISTINCT other.seller_id)::int AS sellers FROM withdrawals other
    WHERE phone_search_key(other.phone) = phone_search_key(w.phone) AND other.phone = w.phone
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
    SELECT count(*)::int AS mismatches FROM alerts a
    JOIN orders o ON o.id = (a.details->>'order_id')::bigint
    WHERE a.kind = 'payment.mismatch' AND a.resolved_at IS NULL AND o.seller_id = w.seller_id
  ) wrong
  CROSS JOIN LATERAL (
    SELECT count(*)::int AS complaints FROM complaints
    WHERE seller_id = w.seller_id AND closed_at IS NULL
  ) complained`;

export const findStaffRow = (db: Db, id: bigint) => maybe<StaffRow>(db)`
  SELECT ${COLUMNS} FROM withdrawals w ${JOINS} WHERE w.id = ${id}
`;

export type Standing = Pick<StaffRow, "status" | "payout_rail" | "payout_status"> & {
  readonly assigned: boolean;
  readonly awaits_second: boolean;
};

/** The stage of a request, for the back office. */
export function stageOf(row: Standing): Stage {
  switch (row.status) {
    case "cancelled":
      return "cancelled";
    case "rejected":
      return row.payout_status === null ? "rejected" : "failed";
    case "pending":
      if (row.assigned) return "assigned";
      return row.awaits_second ? "second-agent" : "pending";
    case "approved":
      if (row.payout_status === "succeeded") return "paid";
      if (row.payout_status === "uncertain") return "uncertain";
      return row.payout_rail === "manual" ? "to-pay" : "sending";
  }
}

export type Decider = {
  readonly me: { readonly personId: bigint; readonly isOperator: boolean };
  readonly settings: InstanceSettings;
  readonly now: Date;
  /** The decision only records money that was sent before. */
  readonly isSent?: boolean;
};

/**
 * Why the caller may not act now; null when allowed. Used for the screen's buttons, and under the
 * request's lock before each decision.
 */
export function check(action: StaffAction, row: StaffRow, by: Decider): StaffRefusal | null {
  if (row.seller_id === by.me.personId) return { kind: "desk.own-request" };
  switch (action) {
    case "assign":
      // An agent takes a request to decide, or to pay by hand. Nobody takes one to pay while its seller is
      // suspended or frozen; the agent who had it before may have sent the money.
      return isToPayByHand(row)
        ? (takenByOther(row, by) ?? stopped(row))
        : (notPending(row) ?? takenByOther(row, by));
    case "release":
      return needsOwnAssignment(row, by);
    case "approve":
      return checkApproval(row, by);
    case "reject":
      return notPending(row) ?? needsOwnAssignment(row, by);
    case "paid":
      return isToPayByHand(row) ? needsAssignmentOnce(row, by) : { kind: "desk.nothing-to-pay" };
    case "failed":
      if (isToPayByHand(row)) return needsAssignmentOnce(row, by);
      // Any agent may fail a payout that its provider could not send, without an assignment.
      return isUnsent(row) ? null : { kind: "desk.nothing-to-pay" };
    case "resolve":
      return checkResolution(row, by);
  }
}

function stopped({ suspended_at, frozen_at }: StaffRow): StaffRefusal | null {
  if (suspended_at !== null) return { kind: "desk.seller-suspended" };
  return frozen_at !== null ? { kind: "desk.payouts-frozen" } : null;
}

function checkApproval(row: StaffRow, by: Decider): StaffRefusal | null {
  const decided = notPending(row);
  if (decided) return decided;
  const first = needsSecondAgent(row, by.settings) ? row.first_approved_by : null;
  if (first === by.me.personId) return { kind: "desk.second-agent-differs" };
  // The second agent confirms without an assignment, unless the request is assigned to another.
  const held = first === null ? needsOwnAssignment(row, by) : takenByOther(row, by);
  if (held) return held;
  // If refused, it would remain unpaid, and its seller could cancel it.
  if (by.isSent) return null;
  const refused = stopped(row);
  if (refused) return refused;
  // Whatever its number: one that was saved and replaced again was changed too. A payment that was recorded
  // within the wait does not end it.
  const { number_changed_at, number_paid_since: paidSince } = row;
  const rests = (since: Date | null) => restsUntil(since, by.now) !== null;
  if (rests(number_changed_at) && (paidSince === null || rests(paidSince))) {
    return { kind: "desk.number-rests" };
  }
  return row.owed > 0n ? { kind: "desk.seller-owes", owed: row.owed } : null;
}

/**
 * The agent who took it may enter its end even after the assignment expired, unless it is assigned
 * to another: the money may have left the agent's phone already.
 */
function needsAssignmentOnce(row: StaffRow, by: Decider): StaffRefusal | null {
  if (row.assigned_to === by.me.personId) return null;
  return takenByOther(row, by) ?? { kind: "desk.not-assigned" };
}

function checkResolution(row: StaffRow, { me }: Decider): StaffRefusal | null {
  const { payout_status: status, payout_late_at, payout_returned_at } = row;
  const ends = { late_at: payout_late_at, returned_at: payout_returned_at };
  if (me.isOperator && status !== null && mayComeBack({ status, ...ends })) return null;
  // An accepted one that never ends may be known to have arrived.
  if (status !== "uncertain" && status !== "sent") return { kind: "desk.not-uncertain" };
  if (me.isOperator || row.payout_by !== me.personId) return null;
  return { kind: "desk.resolve-by-other" };
}

/** Approved, and not submitted. */
const isUnsent = ({ status, payout_status: payout }: StaffRow): boolean =>
  status === "approved" && (payout === "ready" || payout === "prepared");

/** A provider's payout is never marked as paid by hand: it may be sending at this moment. */
const isToPayByHand = (row: StaffRow): boolean => isUnsent(row) && row.payout_rail === "manual";

const notPending = ({ status }: StaffRow): StaffRefusal | null =>
  status === "pending" ? null : { kind: "desk.already-decided", status };

/** A current assignment. */
export const isAssigned = ({ assigned_until }: StaffRow, now: Date): boolean =>
  assigned_until !== null && assigned_until > now;

function takenByOther(row: StaffRow, { me, now }: Decider): StaffRefusal | null {
  if (row.assigned_to === me.personId || !isAssigned(row, now)) return null;
  return { kind: "desk.assigned-to-other", name: row.assignee_name ?? "" };
}

function needsOwnAssignment(row: StaffRow, by: Decider): StaffRefusal | null {
  const taken = takenByOther(row, by);
  if (taken) return taken;
  if (row.assigned_to !== by.me.personId) return { kind: "desk.not-assigned" };
  return isAssigned(row, by.now) ? null : { kind: "desk.assignment-expired" };
}
