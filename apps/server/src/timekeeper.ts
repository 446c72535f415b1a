import { hostname } from "node:os";
import type { Clock } from "@sesame/kernel";
import { sql } from "kysely";
import { raiseAlert, resolveAlerts } from "./alerts/alerts.ts";
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

/** By the database's clock: the process's own is in doubt. */
const CLOCK_TIMESTAMP = sql<Date>`clock_timestamp()`;

type ClockSkew = { readonly host: string; readonly skewMs: number; readonly suspended: boolean };

async function raiseClockSkew(db: Db, { host, skewMs, suspended }: ClockSkew): Promise<void> {
  const status = suspended ? "suspended" : "running";
  const details = { what: host, difference_seconds: Math.round(skewMs / 1_000), status };
  const alert = { kind: "clock.skew", subject: `process:${host}`, details } as const;
  await raiseAlert(db, { ...alert, whenOpen: "updated", now: CLOCK_TIMESTAMP });
}

/** The clocks agree again. */
async function resolveClockSkew(db: Db, host: string): Promise<void> {
  const subjects = [`process:${host}`];
  await resolveAlerts(db, { kinds: ["clock.skew"], subjects, now: CLOCK_TIMESTAMP });
}
