import type { TransactionStatus } from "@sesame/contract/reports";
import type { Fcfa } from "@sesame/kernel";
import { sql } from "kysely";
import type { Db } from "../../postgres/database.ts";
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

const STATUS = sql<TransactionStatus>`CASE
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
  const { rows } = await sql<MovementRow>`
    SELECT ${COLUMNS}, w.created_at AS at, ${STATUS} AS status
    FROM withdrawals w
    WHERE w.seller_id = ${sellerId} AND w.id < coalesce(${before}::bigint, ${LAST_ID})
      AND w.created_at >= coalesce(${since}, '-infinity')::timestamptz
      AND (${status}::text IS NULL OR ${STATUS} = ${status})
      AND ${holdsWords(SAID, words)}
    ORDER BY w.id DESC LIMIT ${limit + 1}
  `.execute(db);
  return rows;
}

/** Of those that had left and came back (decision 86): the transfers `return:…`. */
export async function viewReturns(
  db: Db,
  sellerId: bigint,
  { before, limit, filter }: Page & { readonly filter: HistoryFilter },
): Promise<MovementRow[]> {
  const { words, since, status } = filter;
  if (status !== null && status !== "success") return [];
  const { rows } = await sql<MovementRow>`
    SELECT ${COLUMNS}, t.recorded_at AS at, 'success' AS status
    FROM withdrawals w JOIN ledger_transfers t ON t.id = 'return:' || w.id
    WHERE w.seller_id = ${sellerId} AND w.id < coalesce(${before}::bigint, ${LAST_ID})
      AND w.status = 'rejected' AND t.recorded_at >= coalesce(${since}, '-infinity')::timestamptz
      AND ${holdsWords(SAID, words)}
    ORDER BY w.id DESC LIMIT ${limit + 1}
  `.execute(db);
  return rows;
}
