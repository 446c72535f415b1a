import { type Clock, Outage } from "@sesame/kernel";
import type { FastifyBaseLogger } from "fastify";
import type { RawBuilder } from "kysely";
import { reportOutage } from "./report-outage.ts";

export type LoopOptions = {
  readonly name: string;
  readonly clock: Clock;
  readonly log: Pick<FastifyBaseLogger, "error" | "warn">;
  /** How often it looks by itself; `wake` and a jump of the clock make it look at once. */
  readonly everyMs: number;
  /**
   * Whether a look would find work, in SQL: what the claim looks for, and no more. The rounds ask it
   * for all loops at once, so `everyMs` may be long.
   */
  readonly due?: () => RawBuilder<boolean>;
  /** One look. True when there may be more at once. Once it is to stop, it begins nothing more. */
  run(isStopping: () => boolean): Promise<boolean>;
  /** What looks have begun and do not wait for: `drain` and `stop` do. */
  underWay?(): Iterable<Promise<unknown>>;
};

export type Loop = {
  readonly name: string;
  /** How often it looks by itself, in milliseconds; null when it waits for somebody's answer. */
  readonly everyMs: number | null;
  readonly due?: () => RawBuilder<boolean>;
  start(): void;
  /** Looks now, or right after the look under way. */
  wake(): void;
  /** One full look, until nothing is left: for tests, in place of waiting. */
  drain(): Promise<void>;
  /** Ends after the look under way, and what it began. */
  stop(): Promise<void>;
};

/** A look that repeats: by time, when woken, and when the clock jumps. Never two at once. */
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

  /** → whether anything was. */
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
