import { hostname } from "node:os";
import type { Clock } from "@sesame/kernel";
import { sql } from "kysely";
import {
  type ClockLog,
  createDatabaseClock,
  type DatabaseClock,
  SKEW_ALERT_MS,
  SKEW_SUSPEND_MS,
} from "./database-clock.ts";
import { type Db, one } from "./postgres/database.ts";

export type Timekeeper = {
  readonly clock: Clock;
  /** Null: an injected clock, which is compared with nothing. */
  skewMs(): number | null;
  start(log: ClockLog): void;
  stop(): void;
};

/** The injected clock of demo and tests, or the database's, read before anything uses it. */
export async function openClock(db: Db, injected: Clock | undefined): Promise<Timekeeper> {
  if (injected) return { clock: injected, skewMs: () => null, start() {}, stop() {} };
  const host = hostname();
  // Lines of the time before the server's own log exists have nobody to read them.
  let log: ClockLog = { warn() {}, error() {} };
  let alerted = false;
  const clock = createDatabaseClock({
    readDatabase: () => readDatabaseClock(db),
    machineMs: Date.now,
    monotonicMs: () => performance.now(),
    log: {
      warn: (facts: object, words?: string) => log.warn(facts, words),
      error: (facts: object, words?: string) => log.error(facts, words),
    },
    async onReading(skewMs) {
      const distance = Math.abs(skewMs);
      if (distance > SKEW_ALERT_MS) {
        alerted = true;
        await raiseClockSkew(db, { host, skewMs, suspended: distance > SKEW_SUSPEND_MS });
      } else if (alerted) {
        await resolveClockSkew(db, host);
        alerted = false;
      }
    },
  });
  // A database that is away just now is asked again once the process has started.
  await readFirst(db, clock, host).catch(() => undefined);
  return {
    clock,
    skewMs: clock.skewMs,
    start(given) {
      log = given;
      clock.start();
    },
    stop: clock.stop,
  };
}

/** Resolves the alert of the process before this one, which ended before the clocks agreed again. */
async function readFirst(db: Db, clock: DatabaseClock, host: string): Promise<void> {
  await clock.sync();
  if (Math.abs(clock.skewMs() ?? 0) <= SKEW_ALERT_MS) await resolveClockSkew(db, host);
}

async function readDatabaseClock(db: Db): Promise<Date> {
  const { now } = await one<{ now: Date }>(db)`SELECT clock_timestamp() AS now`;
  return now;
}

type ClockSkew = {
  /** The process: one alert each. */
  readonly host: string;
  readonly skewMs: number;
  readonly suspended: boolean;
};

/** Puts a wrong clock on the back office, or brings the alert back. */
async function raiseClockSkew(db: Db, skew: ClockSkew): Promise<void> {
  const details = {
    what: skew.host,
    difference_seconds: Math.round(skew.skewMs / 1_000),
    status: skew.suspended ? "suspended" : "running",
  };
  await sql`
    INSERT INTO desk_alerts AS a (kind, subject, details, created_at)
    SELECT 'clock.skew', ${`process:${skew.host}`}, ${JSON.stringify(details)}::jsonb, clock_timestamp()
    ON CONFLICT (kind, subject) DO UPDATE
      SET details = excluded.details, created_at = excluded.created_at, resolved_at = NULL
      WHERE a.resolved_at IS NOT NULL OR a.details ->> 'status' <> excluded.details ->> 'status'
  `.execute(db);
}

/** The clocks agree again. */
async function resolveClockSkew(db: Db, host: string): Promise<void> {
  await sql`
    UPDATE desk_alerts SET resolved_at = clock_timestamp()
    WHERE kind = 'clock.skew' AND subject = ${`process:${host}`} AND resolved_at IS NULL
  `.execute(db);
}
