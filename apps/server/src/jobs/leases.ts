import { addMs, type Clock, HOUR_MS, MINUTE_MS, Outage } from "@sesame/kernel";
import { type RawBuilder, sql } from "kysely";
import type { App } from "../app.ts";
import { SKEW_SUSPEND_MS } from "../clock.ts";
import { createLoop, type Loop } from "./loop.ts";
import { type Db, PREPARED } from "../postgres/database.ts";

/**
 * The clock of leases and sweeps, as an SQL expression: the database's own in production, so that
 * no machine's wrong clock decides what is late; the injected one in the demo and in tests, where
 * it is the time and is never compared.
 */
export type LeaseClock = {
  /** Now, or `afterMs` milliseconds from now: an expression of type timestamptz. */
  at(afterMs?: number): RawBuilder<Date>;
  /**
   * How far a machine's clock may run ahead of this one, in milliseconds, without delaying what the
   * machine wrote as due at once. 0 for an injected clock.
   */
  readonly toleranceMs: number;
};

/** A larger difference between clocks raises an alert, so nothing is guaranteed beyond it. */
const TOLERANCE_MS = 2_000;

export const databaseLeaseClock: LeaseClock = {
  at: (afterMs = 0) =>
    sql<Date>`(statement_timestamp() + ${afterMs}::double precision * interval '1 millisecond')`,
  toleranceMs: TOLERANCE_MS,
};

export function injectedLeaseClock(clock: Clock): LeaseClock {
  return {
    at: (afterMs = 0) => sql<Date>`${addMs(clock.now(), afterMs)}::timestamptz`,
    toleranceMs: 0,
  };
}

/** Statements read the database's clock themselves unless a clock was injected. */
export function leaseClockOf(clock: Clock): LeaseClock {
  return clock.injected ? injectedLeaseClock(clock) : databaseLeaseClock;
}

/** A column of instants in the future, and the furthest instant ever written. */
export type DateAhead = {
  readonly table: string;
  readonly column: string;
  readonly longestMs: number;
  /** The condition on its rows, as in their index. */
  readonly where: string;
  /** Ending it early is harmless: a token identifies its worker, or the work may be repeated. */
  readonly isFenced: boolean;
};

/** Columns of a table, each with the furthest instant and, for some rows only, a condition. */
export const datesAhead = (
  table: string,
  columns: readonly (readonly [column: string, longestMs: number, where?: string])[],
  { isFenced = false }: { readonly isFenced?: boolean } = {},
): DateAhead[] =>
  columns.map(([column, longestMs, where = "true"]) => {
    return { table, column, longestMs, where, isFenced };
  });

/** The longest pause between two calls, and the longest that a provider may require. */
export const LONGEST_PAUSE_MS = 6 * HOUR_MS;

/** Each minute, and as soon as the clock is set: what a wrong clock has postponed is due again. */
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
        // Of two clocks that disagree, it is unknown which is wrong; fenced columns need not wait for that.
        if (!date.isFenced && !clock.isTrusted()) continue;
        mended += await endDatesAhead(db, date, leaseClock).catch((err: unknown) => {
          // An outage for one table is one for all: the next turn begins again, and a stop waits for one at most.
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
 * Ends now what is further in the future than ever written: by a clock that was set back since; its
 * work would wait, or its row be locked, until that day. → how many, at most a batch.
 */
export async function endDatesAhead(db: Db, date: DateAhead, clock: LeaseClock): Promise<number> {
  const { table, column, longestMs, where } = date;
  const { numAffectedRows } = await sql`${PREPARED}
    UPDATE ${sql.table(table)} SET ${sql.ref(column)} = ${clock.at()}
    WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM ${sql.table(table)}
      WHERE ${sql.ref(column)} > ${clock.at(longestMs + SKEW_SUSPEND_MS)} AND ${sql.raw(where)}
      ORDER BY ${sql.ref(column)} DESC LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))
  `.execute(db);
  return Number(numAffectedRows ?? 0n);
}
