import type { Clock } from "@sesame/kernel";

/** Beyond the first an operator is alerted; beyond the second nobody is removed or signed in. */
export const SKEW_ALERT_MS = 2_000;
export const SKEW_SUSPEND_MS = 30_000;

export const SYNC_EVERY_MS = 10_000;
/** Until the first reading, while nobody can sign in yet. */
const FIRST_SYNC_EVERY_MS = 500;
/** A reading that took longer says too little about the instant. */
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
  /** Milliseconds that only go forward, whatever is done to the machine's clock. */
  monotonicMs(): number;
  readonly log: ClockLog;
  /** Called after each reading with the machine's distance to the database, in milliseconds. */
  onReading?(skewMs: number): Promise<void>;
};

export type DatabaseClock = Clock & {
  /** The machine's distance to the database at the last reading; null before the first. */
  skewMs(): number | null;
  /** Reads the database's clock now. */
  sync(): Promise<void>;
  start(): void;
  stop(): void;
};

/**
 * The clock of a process outside of demo and tests: the database's, carried on between two readings
 * by the machine's monotonic counter. A machine whose clock jumps changes nothing here. A database
 * whose clock jumps is believed only when the machine's clock agrees with it; until then the time
 * goes on as it was, and the clock is not trusted.
 */
export function createDatabaseClock(options: DatabaseClockOptions): DatabaseClock {
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
    onJump(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    injected: false,
    isTrusted: () => skew !== null && Math.abs(skew) <= SKEW_SUSPEND_MS,
    skewMs: () => skew,
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
