import type { Plan } from "@sesame/contract/plans";
import { PLAN_MOVE_WAYS, type TransactionStatus } from "@sesame/contract/reports";
import type { Fcfa } from "@sesame/kernel";
import { sql } from "kysely";
import { type Db, many } from "../../postgres/database.ts";
import { type HistoryFilter, holdsWords } from "./history-filter.ts";
import type { Page } from "./sales.view.ts";

/** Money that left to the seller, or francs that came back to his balance. */
export type MovementRow = {
  /** The withdrawal's. */
  readonly id: bigint;
  readonly at: Date;
  readonly status: TransactionStatus;
  readonly amount: Fcfa;
  readonly method: string;
  readonly operator: string;
  readonly phone: string;
  readonly reference: string;
  readonly reject_reason: string | null;
};

const COLUMNS = sql`w.id, w.amount, w.method, w.operator, w.phone, w.reference, w.reject_reason`;

export const PAYOUT_STATUS = sql<TransactionStatus>`CASE
  WHEN w.paid_at IS NOT NULL THEN 'success'
  WHEN w.status IN ('pending', 'approved') THEN 'pending'
  WHEN w.status = 'rejected' THEN 'failed' ELSE 'cancelled' END`;

const SAID = sql`concat_ws(' ', w.reference, w.method, w.phone, w.whatsapp)`;

const LAST_ID = 2n ** 63n - 1n;

/** A seller's withdrawals, newest first; one row more than `limit` says that more follow. */
export async function viewPayouts(
  db: Db,
  sellerId: bigint,
  { before, limit, filter }: Page & { readonly filter: HistoryFilter },
): Promise<MovementRow[]> {
  const { words, since, status } = filter;
  return many<MovementRow>(db)`
    SELECT ${COLUMNS}, w.created_at AS at, ${PAYOUT_STATUS} AS status
    FROM withdrawals w
    WHERE w.seller_id = ${sellerId} AND w.id < coalesce(${before}::bigint, ${LAST_ID})
      AND w.created_at >= coalesce(${since}, '-infinity')::timestamptz
      AND (${status}::text IS NULL OR ${PAYOUT_STATUS} = ${status})
      AND ${holdsWords(SAID, words)}
    ORDER BY w.id DESC LIMIT ${limit + 1}
  `;
}

/** Of those that had left and came back (decision 86): the transfers `return:…`, and `reversed:…`. */
export async function viewReturns(
  db: Db,
  sellerId: bigint,
  { before, limit, filter }: Page & { readonly filter: HistoryFilter },
): Promise<MovementRow[]> {
  const { words, since, status } = filter;
  if (status !== null && status !== "success") return [];
  return many<MovementRow>(db)`
    SELECT ${COLUMNS}, t.recorded_at AS at, 'success' AS status
    FROM withdrawals w JOIN ledger_transfers t ON t.id = coalesce(
      (SELECT 'reversed:' || p.id FROM payouts p
        WHERE p.withdrawal_id = w.id AND p.returned_at IS NOT NULL), 'return:' || w.id)
    WHERE w.seller_id = ${sellerId} AND w.id < coalesce(${before}::bigint, ${LAST_ID})
      AND w.status = 'rejected' AND t.recorded_at >= coalesce(${since}, '-infinity')::timestamptz
      AND ${holdsWords(SAID, words)}
    ORDER BY w.id DESC LIMIT ${limit + 1}
  `;
}

/** A balance that followed its seller's plan (decision 7). */
export type PlanMoveRow = {
  /** Counts his changes of plan. */
  readonly id: bigint;
  readonly at: Date;
  readonly amount: Fcfa;
  readonly to_plan: Plan;
  /** "CP-10-1": the first change of plan of seller 10. */
  readonly reference: string;
};

/** Those of a seller, newest first; a change that moved nothing is none. */
export async function viewPlanMoves(
  db: Db,
  sellerId: bigint,
  { before, limit, filter }: Page & { readonly filter: HistoryFilter },
): Promise<PlanMoveRow[]> {
  const { words, since, status } = filter;
  if (status !== null && status !== "success") return [];
  const reference = sql`'CP-' || s.id || '-' || n.id`;
  const said = sql`concat_ws(' ', ${reference}, CASE moved.to_plan WHEN 'premium'
    THEN ${PLAN_MOVE_WAYS.premium}::text ELSE ${PLAN_MOVE_WAYS.free}::text END)`;
  return many<PlanMoveRow>(db)`
    SELECT n.id, t.recorded_at AS at, moved.amount, ${reference} AS reference, moved.to_plan
    FROM sellers s
    CROSS JOIN LATERAL generate_series(1, s.plan_changes::bigint) AS n(id)
    JOIN ledger_transfers t ON t.id = 'plan-move:' || s.id || ':' || n.id
    -- "12:-4000,13:4000": the second leg is where it went; entries are found by account alone.
    CROSS JOIN LATERAL (
      SELECT split_part(leg.text, ':', 2)::bigint AS amount,
        CASE split_part(leg.text, ':', 1)::bigint WHEN s.premium_account_id THEN 'premium'
          ELSE 'free' END AS to_plan
      FROM (SELECT split_part(t.legs, ',', 2)) AS leg(text)
    ) AS moved
    WHERE s.id = ${sellerId} AND n.id < coalesce(${before}::bigint, ${LAST_ID})
      AND t.recorded_at >= coalesce(${since}, '-infinity')::timestamptz
      AND ${holdsWords(said, words)}
    ORDER BY n.id DESC LIMIT ${limit + 1}
  `;
}
