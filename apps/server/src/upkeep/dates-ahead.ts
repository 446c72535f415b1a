import { HOUR_MS, MINUTE_MS, Outage } from "@sesame/kernel";
import { sql } from "kysely";
import type { App } from "../app.ts";
import { SKEW_SUSPEND_MS } from "../database-clock.ts";
import { type LeaseClock, leaseClockOf } from "../jobs/lease-clock.ts";
import { createLoop, type Loop } from "../jobs/loop.ts";
import { type Db, PREPARED } from "../postgres/database.ts";

/** A column that holds an instant ahead of now, and how far ahead it is ever written. */
export type DateAhead = {
  readonly table: string;
  readonly column: string;
  readonly longestMs: number;
  /** The rows that matter, as an index of theirs says it. */
  readonly where?: string;
  /** Whose worker is known by a token: ended too early, the work is done once all the same. */
  readonly isFenced?: true;
};

/** The longest pause between two questions, and the longest a provider may ask for. */
export const LONGEST_PAUSE_MS = 6 * HOUR_MS;

/** Each minute, and as soon as the clock is set: what a wrong clock has put off is due again. */
export function createDatesAheadLoop({ db, clock, log }: App, dates: readonly DateAhead[]): Loop {
  const leaseClock = leaseClockOf(clock);
  return createLoop({
    name: "dates ahead",
    clock,
    log,
    everyMs: MINUTE_MS,
    async run() {
      let mended = 0;
      for (const date of dates) {
        // Of two clocks that disagree nobody knows which ran ahead; what is fenced need not wait for them.
        if (!date.isFenced && !clock.isTrusted()) continue;
        mended += await endDatesAhead(db, date, leaseClock).catch((err: unknown) => {
          // Away for one table, away for all: the next look begins anew, and a stop waits for one at most.
          if (err instanceof Outage) throw err;
          log.error({ err, table: date.table }, "dates ahead were not looked at");
          return 0;
        });
      }
      if (mended > 0) log.warn({ mended }, "dates were written by a wrong clock: due again");
      return mended > 0;
    },
  });
}

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
