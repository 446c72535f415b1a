import { addMs, type Clock, HOUR_MS, MINUTE_MS, Outage } from "@sesame/kernel";
import { type RawBuilder, sql } from "kysely";
import type { App } from "../app.ts";
import { SKEW_SUSPEND_MS } from "../clock.ts";
import { createLoop, type Loop } from "./loop.ts";
import { type Db, PREPARED } from "../postgres/database.ts";

/**
 * The clock that leases and sweeps follow, as an SQL expression: the database's own in production,
 * so that no machine's wrong clock decides who is late; the injected one in the demo and in tests,
 * where it is the time and is never compared.
 */
export type LeaseClock = {
  /** "injected": each instant is a parameter. "database": each instant is read by the statement. */
  readonly source: "database" | "injected";
  /** Now, or `afterMs` milliseconds from now: an expression of type timestamptz. */
  at(afterMs?: number): RawBuilder<Date>;
  /**
   * How far a machine's clock may run ahead of this one without delaying what the machine wrote to
   * be done at once, in milliseconds. 0 for an injected clock.
   */
  readonly toleranceMs: number;
};

/** Beyond two seconds a difference between clocks is alerted, so nothing is promised past it. */
const TOLERANCE_MS = 2_000;

export const databaseLeaseClock: LeaseClock = {
  source: "database",
  at: (afterMs = 0) =>
    sql<Date>`(statement_timestamp() + ${afterMs}::double precision * interval '1 millisecond')`,
  toleranceMs: TOLERANCE_MS,
};

export function injectedLeaseClock(clock: Clock): LeaseClock {
  return {
    source: "injected",
    at: (afterMs = 0) => sql<Date>`${addMs(clock.now(), afterMs)}::timestamptz`,
    toleranceMs: 0,
  };
}

/** Statements read the database's clock themselves unless a clock was injected. */
export function leaseClockOf(clock: Clock): LeaseClock {
  return clock.injected ? injectedLeaseClock(clock) : databaseLeaseClock;
}

/** A column that holds an instant ahead of now, and how far ahead it is ever written. */
export type DateAhead = {
  readonly table: string;
  readonly column: string;
  readonly longestMs: number;
  /** The rows that matter, as an index of theirs says it. */
  readonly where: string;
  /** Ended too early it harms nobody: its worker is known by a token, or the work may come twice. */
  readonly isFenced: boolean;
};

/** Columns of a table, each with how far ahead it is written and, of some rows alone, which. */
export const datesAhead = (
  table: string,
  columns: readonly (readonly [column: string, longestMs: number, where?: string])[],
  isFenced = false,
): DateAhead[] =>
  columns.map(([column, longestMs, where = "true"]) => {
    return { table, column, longestMs, where, isFenced };
  });

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
