import type { Lane } from "@sesame/contract/desk";
import type { PayoutStatus } from "@sesame/contract/payouts";
import type { WithdrawalStatus } from "@sesame/contract/withdrawals";
import { assert, type Fcfa } from "@sesame/kernel";
import { sql } from "kysely";
import { type Db, many } from "../../postgres/database.ts";

export type SellerRow = {
  readonly since: Date;
  readonly telegram_id: bigint;
  readonly country: string | null;
  readonly posted: Fcfa;
  readonly held: Fcfa;
  readonly frozen_at: Date | null;
  readonly frozen_reason: string | null;
  readonly suspended_at: Date | null;
  readonly suspended_reason: string | null;
  readonly sales: number;
  readonly gross: Fcfa;
  readonly net: Fcfa;
  readonly last_30_days: Fcfa;
  readonly refunds: number;
  readonly paid: number;
  readonly paid_amount: Fcfa;
  readonly median: Fcfa | null;
  readonly failed: number;
  readonly rejected: number;
};

/** What the desk knows of a seller: his standing, his sales, how his withdrawals ended. */
export async function viewSeller(
  db: Db,
  who: { sellerId: bigint; since: Date },
): Promise<SellerRow> {
  const { sellerId, since } = who;
  const { rows } = await sql<SellerRow>`
    SELECT s.created_at AS since, p.telegram_id, s.country,
      (free.posted + premium.posted) AS posted, (free.held + premium.held) AS held,
      profile.frozen_at, profile.frozen_reason, s.suspended_at, s.suspended_reason,
      sold.*, sent.*
    FROM sellers s
    JOIN people p ON p.id = s.id
    JOIN ledger_accounts free ON free.id = s.free_account_id
    JOIN ledger_accounts premium ON premium.id = s.premium_account_id
    LEFT JOIN payout_profiles profile ON profile.seller_id = s.id
    CROSS JOIN LATERAL (
      SELECT count(*) FILTER (WHERE o.status = 'paid')::int AS sales,
        coalesce(sum(o.price) FILTER (WHERE o.status = 'paid'), 0)::bigint AS gross,
        coalesce(sum(o.price - o.fee) FILTER (WHERE o.status = 'paid'), 0)::bigint AS net,
        coalesce(sum(o.price) FILTER (WHERE o.status = 'paid' AND o.paid_at >= ${since}), 0)::bigint
          AS last_30_days,
        count(*) FILTER (WHERE o.status = 'refunded')::int AS refunds
      FROM orders o WHERE o.seller_id = s.id
    ) sold
    CROSS JOIN LATERAL (
      SELECT count(*) FILTER (WHERE w.paid_at IS NOT NULL)::int AS paid,
        coalesce(sum(w.amount) FILTER (WHERE w.paid_at IS NOT NULL), 0)::bigint AS paid_amount,
        percentile_disc(0.5) WITHIN GROUP (ORDER BY w.amount)
          FILTER (WHERE w.paid_at IS NOT NULL) AS median,
        count(*) FILTER (WHERE w.status = 'rejected' AND tried.at_all)::int AS failed,
        count(*) FILTER (WHERE w.status = 'rejected' AND NOT tried.at_all)::int AS rejected
      FROM withdrawals w
      CROSS JOIN LATERAL (
        SELECT w.status = 'rejected'
          AND EXISTS (SELECT FROM payouts po WHERE po.withdrawal_id = w.id) AS at_all
      ) tried
      WHERE w.seller_id = s.id
    ) sent
    WHERE s.id = ${sellerId}
  `.execute(db);
  assert(rows[0], "who asked for a withdrawal is a seller");
  return rows[0];
}

export type PastWithdrawal = {
  readonly id: bigint;
  readonly reference: string;
  readonly amount: Fcfa;
  readonly method: string;
  readonly phone: string;
  readonly status: WithdrawalStatus;
  readonly created_at: Date;
  readonly claimed: boolean;
  readonly awaits_second: boolean;
  readonly payout_lane: Lane | null;
  readonly payout_status: PayoutStatus | null;
};

const LAST_SHOWN = 10;

/** The seller's last requests beside this one. */
export async function viewPastWithdrawals(
  db: Db,
  about: { id: bigint; sellerId: bigint; now: Date },
): Promise<PastWithdrawal[]> {
  return many<PastWithdrawal>(db)`
    SELECT w.id, w.reference, w.amount, w.method, w.phone, w.status, w.created_at,
      coalesce(w.claimed_until > ${about.now}, false) AS claimed,
      w.first_approved_by IS NOT NULL AS awaits_second,
      payout.lane AS payout_lane, payout.status AS payout_status
    FROM withdrawals w
    LEFT JOIN LATERAL (
      SELECT lane, status FROM payouts WHERE withdrawal_id = w.id ORDER BY id DESC LIMIT 1
    ) payout ON true
    WHERE w.seller_id = ${about.sellerId} AND w.id <> ${about.id}
    ORDER BY w.id DESC LIMIT ${LAST_SHOWN}
  `;
}

export type PayoutRow = {
  readonly id: bigint;
  readonly lane: Lane;
  readonly status: PayoutStatus;
  readonly reference: string;
  readonly provider_payout_id: string | null;
  readonly operator_reference: string | null;
  readonly word: string | null;
  readonly failure: string | null;
  readonly cost: Fcfa;
  readonly created_by: bigint | null;
  readonly by_name: string;
  readonly created_at: Date;
  readonly submitted_at: Date | null;
  readonly settled_at: Date | null;
  readonly late_at: Date | null;
  readonly returned_at: Date | null;
  readonly check_at: Date | null;
  readonly checks: number;
};

export async function viewPayouts(db: Db, withdrawalId: bigint): Promise<PayoutRow[]> {
  return many<PayoutRow>(db)`
    SELECT p.id, p.lane, p.status, p.reference, p.provider_payout_id, p.operator_reference, p.word,
      p.failure, p.cost, p.created_by, concat_ws(' ', who.first_name, who.last_name) AS by_name,
      p.created_at, p.submitted_at, p.settled_at, p.check_at, p.checks, p.late_at,
      p.returned_at
    FROM payouts p LEFT JOIN people who ON who.id = p.created_by
    WHERE p.withdrawal_id = ${withdrawalId} ORDER BY p.id DESC
  `;
}

export type TraceRow = {
  readonly at: Date;
  /** A deed of the audit log, or a step of the payout. */
  readonly kind: "deed" | "step";
  readonly word: string;
  readonly by_name: string | null;
  readonly reason: string | null;
};

const TRACE_SHOWN = 60;

/** Who did what with the request, and what became of its money; the last first. */
export async function viewTrace(db: Db, withdrawalId: bigint): Promise<TraceRow[]> {
  return many<TraceRow>(db)`
    SELECT at, kind, word, by_name, reason FROM (
      SELECT a.at, 'deed' AS kind, a.action AS word,
        CASE WHEN who.id IS NOT NULL THEN concat_ws(' ', who.first_name, who.last_name) END
          AS by_name,
        a.reason, a.seq AS n
      FROM audit_log a LEFT JOIN people who ON who.id = a.actor_id
      WHERE a.subject = 'withdrawal:' || ${withdrawalId}::bigint
      UNION ALL
      SELECT s.at, 'step', s.step, NULL, s.details, s.id
      FROM payouts p JOIN payout_steps s ON s.payout_id = p.id
      WHERE p.withdrawal_id = ${withdrawalId}
    ) trace ORDER BY at DESC, kind, n DESC LIMIT ${TRACE_SHOWN}
  `;
}

/** What Telegram calls a person. */
export async function viewPersonName(db: Db, personId: bigint): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    SELECT concat_ws(' ', first_name, last_name) AS name FROM people WHERE id = ${personId}
  `.execute(db);
  return rows[0]?.name ?? "";
}
