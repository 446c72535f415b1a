import { sql } from "kysely";
import { SKEW_SUSPEND_MS } from "../database-clock.ts";
import type { LeaseClock } from "../jobs/lease-clock.ts";
import { type Db, PREPARED } from "../postgres/database.ts";

/** A column that holds an instant ahead of now, and how far ahead it is ever written. */
export type DateAhead = {
  readonly table: string;
  readonly column: string;
  readonly longestMs: number;
  /** The rows that matter, as an index of theirs says it. */
  readonly where?: string;
};

const BATCH = 500;

/**
 * Ends now what lies further ahead than it is ever written: a clock wrote it that has been set back
 * since, and its work would wait, or its row be held, until that day. → how many, at most a batch.
 */
export async function endDatesAhead(db: Db, date: DateAhead, clock: LeaseClock): Promise<number> {
  const { table, column, longestMs, where = "true" } = date;
  const { numAffectedRows } = await sql`${PREPARED}
    UPDATE ${sql.table(table)} SET ${sql.ref(column)} = ${clock.at()}
    WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM ${sql.table(table)}
      WHERE ${sql.ref(column)} > ${clock.at(longestMs + SKEW_SUSPEND_MS)} AND ${sql.raw(where)}
      ORDER BY ${sql.ref(column)} DESC LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))
  `.execute(db);
  return Number(numAffectedRows ?? 0n);
}
