import { sql } from "kysely";
import { type Db, maybe } from "../../postgres/database.ts";

/** What became of the last run, and then of what it asked for. */
export type LastOutcome = "asked" | "nothing" | "refused" | "rejected" | "paid";

/** A run, as it was seen due: another process may have run it, or the seller changed his mind. */
export type SeenRun = { readonly sellerId: bigint; readonly seenAt: Date };

/** Not run: looked at again then. False when somebody else has been here. */
export async function postponeRun(db: Db, run: SeenRun, until: Date): Promise<boolean> {
  const { rows } = await sql`
    UPDATE payout_profiles SET next_run_at = ${until}
    WHERE seller_id = ${run.sellerId} AND automatic AND next_run_at = ${run.seenAt}
    RETURNING 1
  `.execute(db);
  return rows.length > 0;
}

/** Run, and a request was made; when it runs next is the engine's to say. */
export async function recordAsked(tx: Db, sellerIds: readonly bigint[], now: Date): Promise<void> {
  await sql`
    UPDATE payout_profiles p SET last_run_at = ${now}, last_outcome = 'asked'
    FROM (
      SELECT seller_id FROM payout_profiles WHERE seller_id = ANY(${sellerIds}::bigint[])
      ORDER BY seller_id FOR UPDATE
    ) AS locked
    WHERE p.seller_id = locked.seller_id
  `.execute(tx);
}

/** Run without a request: counted once, whoever else ran it. False when he has written it. */
export async function recordRun(
  tx: Db,
  run: SeenRun,
  ran: { outcome: "nothing" | "refused"; at: Date; nextRunAt: Date },
): Promise<boolean> {
  const failed = ran.outcome === "refused" ? 1 : 0;
  const { rows } = await sql`
    UPDATE payout_profiles SET last_run_at = ${ran.at}, last_outcome = ${ran.outcome},
      next_run_at = ${ran.nextRunAt}, failures_in_row = failures_in_row + ${failed}
    WHERE seller_id = ${run.sellerId} AND automatic AND next_run_at = ${run.seenAt}
    RETURNING 1
  `.execute(tx);
  return rows.length > 0;
}

/** What an automatic request became: paid ends a row of failures, rejected is one more. */
export async function recordEnd(
  tx: Db,
  end: { sellerId: bigint; outcome: "paid" | "rejected" },
): Promise<void> {
  const { sellerId, outcome } = end;
  await sql`
    UPDATE payout_profiles SET last_outcome = ${outcome},
      failures_in_row = CASE ${outcome}::text WHEN 'paid' THEN 0 ELSE failures_in_row + 1 END
    WHERE seller_id = ${sellerId}
  `.execute(tx);
}

/** Money came in: thresholds are looked at now, unless this date had its run or the number rests. */
export async function bringForward(
  db: Db,
  look: { sellerIds: readonly bigint[]; now: Date; today: Date; changedBefore: Date },
): Promise<void> {
  if (look.sellerIds.length === 0) return;
  await sql`
    UPDATE payout_profiles p SET next_run_at = ${look.now}
    FROM (
      SELECT seller_id FROM payout_profiles
      WHERE seller_id = ANY(${look.sellerIds}::bigint[]) AND automatic AND frequency = 'threshold'
        AND next_run_at > ${look.now} AND (last_run_at < ${look.today}) IS NOT FALSE
        AND (number_changed_at <= ${look.changedBefore}) IS NOT FALSE
      ORDER BY seller_id FOR UPDATE
    ) AS locked
    WHERE p.seller_id = locked.seller_id
  `.execute(db);
}

/** → whether it was on until now. */
export async function switchOff(tx: Db, sellerId: bigint, now: Date): Promise<boolean> {
  const { rows } = await sql`
    UPDATE payout_profiles SET automatic = false, next_run_at = NULL, updated_at = ${now}
    WHERE seller_id = ${sellerId} AND automatic AND failures_in_row >= 2
    RETURNING 1
  `.execute(tx);
  return rows.length > 0;
}

/** → the frequency it was, and whether payouts run; null: it was weekly, or is premium again. */
export async function setWeekly(
  tx: Db,
  sellerId: bigint,
  at: { nextRunAt: Date; now: Date },
): Promise<{ frequency: string; automatic: boolean } | null> {
  return maybe<{ frequency: string; automatic: boolean }>(tx)`
    WITH lapsed AS (
      SELECT p.seller_id, p.frequency FROM payout_profiles p JOIN sellers s ON s.id = p.seller_id
      WHERE p.seller_id = ${sellerId} AND p.frequency <> 'weekly' AND s.plan IS DISTINCT FROM 'premium'
      FOR UPDATE OF p
    )
    UPDATE payout_profiles p SET frequency = 'weekly', updated_at = ${at.now},
      next_run_at = CASE WHEN p.automatic THEN ${at.nextRunAt}::timestamptz END
    FROM lapsed l WHERE l.seller_id = p.seller_id
    RETURNING l.frequency, p.automatic
  `;
}
