import type { Clock, AdjustableClock } from "@sesame/kernel";
import { hostname } from "node:os";
import { sql } from "kysely";
import { raiseAlert, resolveAlerts } from "./alerts/alerts.ts";
import { type Db, one } from "./postgres/database.ts";

/** Beyond the first an operator is alerted; beyond the second nobody is removed or signed in. */
export const SKEW_ALERT_MS = 2_000;
export const SKEW_SUSPEND_MS = 30_000;

export const SYNC_EVERY_MS = 10_000;
/** Until the first reading, while nobody can sign in yet. */
const FIRST_SYNC_EVERY_MS = 500;
/** A slower reading is too inexact. */
const READING_MS_MAX = 2_000;

export type ClockLog = {
  warn(facts: object, words?: string): void;
  error(facts: object, words?: string): void;
};

export type DatabaseClockOptions = {
  /** The database's `clock_timestamp()`. */
  readDatabase(): Promise<Date>;
  /** The machine's own clock, in milliseconds since 1970. */
  machineMs(): number;
  /** Milliseconds that only increase, whatever happens to the machine's clock. */
  monotonicMs(): number;
  readonly log: ClockLog;
  /** Called after each reading with the machine's offset from the database, in milliseconds. */
  onReading?(skewMs: number): Promise<void>;
};

/**
 * The clock of a process outside demo and tests: the database's, continued between two readings by
 * the machine's monotonic counter. A jump of the machine's clock changes nothing. A jump of the
 * database's clock is accepted only when the machine's clock agrees with it; until then the time
 * continues as before, and the clock is not trusted.
 */
export function createDatabaseClock(options: DatabaseClockOptions) {
  let anchor: { databaseMs: number; monotonicMs: number } | null = null;
  let skew: number | null = null;
  let timer: NodeJS.Timeout | null = null;
  const listeners = new Set<() => void>();

  const carriedOn = (): number =>
    anchor ? anchor.databaseMs + options.monotonicMs() - anchor.monotonicMs : options.machineMs();

  async function sync(): Promise<void> {
    const before = options.monotonicMs();
    const read = await options.readDatabase();
    const after = options.monotonicMs();
    if (after - before > READING_MS_MAX) return;
    const monotonicMs = (before + after) / 2;
    const databaseMs = read.getTime();
    skew = options.machineMs() - databaseMs - (after - monotonicMs);
    const moved = Math.abs(carriedOn() - databaseMs - (after - monotonicMs));
    if (anchor === null || moved <= SKEW_SUSPEND_MS || Math.abs(skew) <= SKEW_SUSPEND_MS) {
      anchor = { databaseMs, monotonicMs };
      if (moved > SKEW_ALERT_MS) for (const listener of listeners) listener();
    }
    report(options.log, skew);
    await options.onReading?.(skew);
  }

  return {
    now: () => new Date(carriedOn()),
    onJump(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    injected: false,
    isTrusted: () => skew !== null && Math.abs(skew) <= SKEW_SUSPEND_MS,
    /** The machine's offset from the database at the last reading; null before the first. */
    skewMs: () => skew,
    /** Reads the database's clock now. */
    sync,
    start() {
      const later = () => {
        timer = setTimeout(look, skew === null ? FIRST_SYNC_EVERY_MS : SYNC_EVERY_MS);
        timer.unref();
      };
      const look = () => {
        sync()
          .catch(() => options.log.warn({}, "the database's clock could not be read"))
          .finally(() => {
            if (timer) later();
          });
      };
      later();
    },
    stop() {
      if (timer) clearTimeout(timer);
      timer = null;
    },
  };
}

function report(log: DatabaseClockOptions["log"], skewMs: number): void {
  if (Math.abs(skewMs) <= SKEW_ALERT_MS) return;
  const suspended = Math.abs(skewMs) > SKEW_SUSPEND_MS;
  const seconds = (skewMs / 1_000).toFixed(1);
  const words = `the machine's clock is ${seconds} s away from the database's`;
  if (suspended) log.error({ skewMs }, `${words}: removals and sign-in are suspended`);
  else log.warn({ skewMs }, words);
}

/** The injected clock of demo and tests, or the database's, read before its first use. */
export async function openClock(db: Db, injected: Clock | undefined) {
  // An injected clock is not compared with the database's.
  if (injected) return { clock: injected, skewMs: () => null, start() {}, stop() {} };
  const host = hostname();
  // Before the server's log exists, these lines are dropped.
  let log: ClockLog = { warn() {}, error() {} };
  let alerted = false;
  const clock = createDatabaseClock({
    async readDatabase() {
      const { now } = await one<{ now: Date }>(db)`SELECT clock_timestamp() AS now`;
      return now;
    },
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
        const status = distance > SKEW_SUSPEND_MS ? "suspended" : "running";
        const details = { what: host, difference_seconds: Math.round(skewMs / 1_000), status };
        const alert = { kind: "clock.skew", subject: `process:${host}`, details } as const;
        await raiseAlert(db, { ...alert, whenOpen: "updated", now: CLOCK_TIMESTAMP });
      } else if (alerted) {
        await resolveClockSkew(db, host);
        alerted = false;
      }
    },
  });
  try {
    await clock.sync();
    // Resolves the alert of the previous process, which ended before the clocks agreed again.
    if (Math.abs(clock.skewMs() ?? 0) <= SKEW_ALERT_MS) await resolveClockSkew(db, host);
  } catch {
    // In an outage of the database the next reading follows after the start.
  }
  return {
    clock,
    skewMs: clock.skewMs,
    start(given: ClockLog) {
      log = given;
      clock.start();
    },
    stop: clock.stop,
  };
}

/** By the database's clock: the process's own is in doubt. */
const CLOCK_TIMESTAMP = sql<Date>`clock_timestamp()`;

/** Resolves the alert: the clocks agree again. */
async function resolveClockSkew(db: Db, host: string): Promise<void> {
  const subjects = [`process:${host}`];
  await resolveAlerts(db, { kinds: ["clock.skew"], subjects, now: CLOCK_TIMESTAMP });
}

const RETRY_MS = 500;

/**
 * Follows a clock from server-sent events: `data: {"offset_ms": 60000}`, the offset from the
 * machine's clock in milliseconds. Resolves once the first offset is known. Demo and tests only.
 */
export async function followClock(url: string, clock: AdjustableClock) {
  const abort = new AbortController();
  await new Promise<void>((resolve, reject) => {
    const follow = async (): Promise<void> => {
      const response = await fetch(url, { signal: abort.signal });
      if (!response.ok || !response.body) throw new Error(`the clock answered ${response.status}`);
      const decoder = new TextDecoder();
      let text = "";
      for await (const chunk of response.body) {
        text += decoder.decode(chunk, { stream: true });
        const lines = text.split("\n");
        text = lines.pop() ?? "";
        for (const line of lines) {
          const offset = /^data:\s*\{.*"offset_ms"\s*:\s*(-?\d+)/.exec(line)?.[1];
          if (!offset) continue;
          clock.setOffset(Number(offset));
          resolve();
        }
      }
    };
    const again = (error: unknown): void => {
      if (abort.signal.aborted) return;
      reject(error);
      setTimeout(() => void follow().then(() => again(null), again), RETRY_MS).unref();
    };
    follow().then(() => again(new Error("the clock fell silent")), again);
  });
  return { close: () => abort.abort() };
}
