import { type Clock, Outage, MINUTE_MS } from "@sesame/kernel";
import type { FastifyBaseLogger } from "fastify";
import { type RawBuilder, sql } from "kysely";
import type { App } from "../app.ts";
import { one, PREPARED } from "../postgres/database.ts";

export type LoopOptions = {
  readonly name: string;
  readonly clock: Clock;
  readonly log: Pick<FastifyBaseLogger, "error" | "warn">;
  /** The interval; `wake` and a jump of the clock start a run at once. */
  readonly everyMs: number;
  /**
   * Whether a run would find work, as SQL: the condition of the lease, and no more. The rounds
   * evaluate it for all loops at once, so `everyMs` may be long.
   */
  readonly due?: () => RawBuilder<boolean>;
  /** One run. True when there may be more at once. When stopping, it begins nothing more. */
  run(isStopping: () => boolean): Promise<boolean>;
  /** Work that runs began without waiting for it: `drain` and `stop` wait. */
  underWay?(): Iterable<Promise<unknown>>;
};

export type Loop = {
  readonly name: string;
  /** The interval, in milliseconds; null for a loop that waits for an answer from outside. */
  readonly everyMs: number | null;
  readonly due?: () => RawBuilder<boolean>;
  start(): void;
  /** Runs now, or right after the run in progress. */
  wake(): void;
  /** Runs until nothing is left: for tests, instead of waiting. */
  drain(): Promise<void>;
  /** Ends after the run in progress, and the work it began. */
  stop(): Promise<void>;
};

const PRUNE_EVERY_MS = 10 * MINUTE_MS;
const PRUNED_AT_ONCE = 1_000;

/** Deletes rows that are too old, at most `limit` of them at a time. */
export function createPruningLoop(
  { db, clock, log }: App,
  name: string,
  prune: (now: Date, limit: number) => RawBuilder<unknown>,
): Loop {
  const run = async () => {
    const { numAffectedRows = 0n } = await prune(clock.now(), PRUNED_AT_ONCE).execute(db);
    return numAffectedRows >= BigInt(PRUNED_AT_ONCE);
  };
  return createLoop({ name, clock, log, everyMs: PRUNE_EVERY_MS, run });
}

/** A repeated run: at its interval, when woken, and when the clock jumps. Never two at once. */
export function createLoop(options: LoopOptions): Loop {
  let running: Promise<void> | null = null;
  let again = false;
  let stopped = false;
  let timer: NodeJS.Timeout | null = null;
  let unlisten: (() => void) | null = null;

  async function look(): Promise<void> {
    do {
      again = false;
      try {
        if (await options.run(() => stopped)) again = true;
      } catch (error) {
        if (stopped) return;
        if (error instanceof Outage) reportOutage(options.log, error, `loop ${options.name}`);
        else options.log.error({ err: error }, `loop ${options.name}`);
      }
    } while (again && !stopped);
  }

  function wake(): void {
    if (stopped) return;
    again = true;
    if (running) return;
    running = look().finally(() => {
      running = null;
      if (again && !stopped) wake();
    });
  }

  /** → whether there was any. */
  async function endWhatIsUnderWay(): Promise<boolean> {
    let tasks = [...(options.underWay?.() ?? [])];
    const was = tasks.length > 0;
    for (; tasks.length > 0; tasks = [...(options.underWay?.() ?? [])]) {
      await Promise.allSettled(tasks);
    }
    return was;
  }

  return {
    name: options.name,
    everyMs: options.everyMs,
    ...(options.due ? { due: options.due } : {}),
    start() {
      unlisten = options.clock.onJump(wake);
      timer = setInterval(wake, options.everyMs);
      timer.unref();
      wake();
    },
    wake,
    async drain() {
      do {
        wake();
        while (running) await running;
      } while (await endWhatIsUnderWay());
    },
    async stop() {
      stopped = true;
      unlisten?.();
      if (timer) clearInterval(timer);
      await running;
      await endWhatIsUnderWay();
    },
  };
}

type Log = { warn(fields: object, message: string): void };

/** Repeats within this time are counted in one line. */
const EVERY_MS = 10_000;

type Counted = { saidAt: number; readonly since: Map<string, number> };

/** By log and service: thirty loops that meet one silent database are one line in ten seconds. */
const counted = new WeakMap<Log, Map<string, Counted>>();

/**
 * Logs that `party` did not answer `place` (a loop, a route). The first time at once; then one line
 * in ten seconds, with the count for each place since the line before.
 */
export function reportOutage(
  log: Log,
  { party, message }: Pick<Outage, "party" | "message">,
  place: string | { readonly name: string; readonly nowMs: number },
): void {
  const { name, nowMs } =
    typeof place === "string" ? { name: place, nowMs: performance.now() } : place;
  const parties = counted.get(log) ?? new Map<string, Counted>();
  counted.set(log, parties);
  const known = parties.get(party) ?? { saidAt: Number.NEGATIVE_INFINITY, since: new Map() };
  known.since.set(name, (known.since.get(name) ?? 0) + 1);
  parties.set(party, known);
  if (nowMs - known.saidAt < EVERY_MS) return;
  const places = Object.fromEntries(known.since);
  known.since.clear();
  known.saidAt = nowMs;
  log.warn({ party, message, places }, "outage");
}

/** The maximum delay before due work is found. */
const ASKED_EVERY_MS = 1_000;
/** A loop with a `due` condition runs this often in any case. */
export const WHOLE_ROUND_MS = MINUTE_MS;

/** Evaluates in one statement which loops have due work, and wakes those. */
export function createRounds(
  { db, clock, log }: Pick<App, "db" | "clock" | "log">,
  all: readonly Loop[],
): Loop {
  const loops = all.filter(({ due }) => due !== undefined);
  return createLoop({
    name: "rounds",
    clock,
    log,
    everyMs: ASKED_EVERY_MS,
    async run() {
      if (loops.length === 0) return false;
      const conditions = loops.map(({ due }) => sql`(${due?.()})`);
      const { due } = await one<{ due: boolean[] }>(db)`${PREPARED}
        SELECT ARRAY[${sql.join(conditions)}]::boolean[] AS due
      `;
      loops.forEach((loop, index) => {
        if (due[index]) loop.wake();
      });
      return false;
    },
  });
}
