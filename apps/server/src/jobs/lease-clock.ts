import { addMs, type Clock } from "@sesame/kernel";
import { type RawBuilder, sql } from "kysely";

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
