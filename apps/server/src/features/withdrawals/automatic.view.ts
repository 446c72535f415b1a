import type { Fcfa } from "@sesame/kernel";
import { sql } from "kysely";
import { type Db, many, PREPARED } from "../../postgres/database.ts";
import type { LocalDate } from "./automatic-dates.ts";
import type { Frequency } from "./schedule.ts";

/** An automatic payout whose time has come. */
export type DueProfile = {
  readonly seller_id: bigint;
  readonly frequency: Frequency;
  readonly threshold: Fcfa | null;
  readonly number_changed_at: Date | null;
  readonly next_run_at: Date;
};

/**
 * The longest overdue first. Those of sellers frozen, suspended or closed rest: they run when that
 * ends. Two failures in a row have had theirs.
 */
export async function viewDueProfiles(
  db: Db,
  { now, limit }: { now: Date; limit: number },
): Promise<DueProfile[]> {
  return many<DueProfile>(db)`${PREPARED}
    SELECT p.seller_id, p.frequency, p.threshold, p.number_changed_at, p.next_run_at
    FROM payout_profiles p JOIN sellers s ON s.id = p.seller_id
    WHERE p.automatic AND p.next_run_at <= ${now} AND p.failures_in_row < 2
      AND p.frozen_at IS NULL AND s.suspended_at IS NULL AND s.closed_at IS NULL
    ORDER BY p.next_run_at LIMIT ${limit}
  `;
}

/** The newest date, this one or a later, a request was made for. */
export async function viewServedSince(
  db: Db,
  sellerId: bigint,
  date: LocalDate,
): Promise<LocalDate | null> {
  const { rows } = await sql<{ on: LocalDate | null }>`
    SELECT to_char(max(automatic_on), 'YYYY-MM-DD') AS on
    FROM withdrawals WHERE seller_id = ${sellerId} AND automatic_on >= ${date}::date
  `.execute(db);
  return rows[0]?.on ?? null;
}

/** Chosen under premium, and premium is over. */
export async function viewLapsedFrequencies(db: Db, limit: number): Promise<bigint[]> {
  const { rows } = await sql<{ seller_id: bigint }>`${PREPARED}
    SELECT p.seller_id FROM payout_profiles p JOIN sellers s ON s.id = p.seller_id
    WHERE p.frequency <> 'weekly' AND s.plan IS DISTINCT FROM 'premium'
    LIMIT ${limit}
  `.execute(db);
  return rows.map((row) => row.seller_id);
}

export async function viewFailedTwice(db: Db, limit: number): Promise<bigint[]> {
  const { rows } = await sql<{ seller_id: bigint }>`${PREPARED}
    SELECT seller_id FROM payout_profiles WHERE automatic AND failures_in_row >= 2 LIMIT ${limit}
  `.execute(db);
  return rows.map((row) => row.seller_id);
}

/** The seller behind a Telegram account; null: none. */
export async function viewSellerOfTelegram(db: Db, telegramId: bigint): Promise<bigint | null> {
  const { rows } = await sql<{ id: bigint }>`
    SELECT s.id FROM sellers s JOIN people p ON p.id = s.id WHERE p.telegram_id = ${telegramId}
  `.execute(db);
  return rows[0]?.id ?? null;
}
