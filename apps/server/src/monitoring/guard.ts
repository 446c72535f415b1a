import { describeError } from "@sesame/kernel";
import type { FastifyBaseLogger } from "fastify";
import type { Listener } from "../postgres/listener.ts";

type FaultLog = Pick<FastifyBaseLogger, "error">;

export type Guard = ReturnType<typeof createGuard>;

/**
 * Wraps every event callback that nobody awaits. An exception or rejected promise in one would end
 * the process: here it is logged and counted, and the process continues with the next event.
 */
export function createGuard() {
  const counts = new Map<string, number>();
  let log: FaultLog | null = null;
  const report = (where: string, error: unknown): void => {
    counts.set(where, (counts.get(where) ?? 0) + 1);
    try {
      if (log) log.error({ err: error, where }, "fault");
      else process.stderr.write(`fault in ${where}: ${describeError(error)}\n`);
    } catch {
      // A fault that cannot be logged is counted all the same.
    }
  };
  return {
    /** Where faults are logged; standard error before that. */
    logTo(next: FaultLog) {
      log = next;
    },
    /** The same callback, which neither throws nor rejects. */
    wrap<A extends unknown[]>(where: string, act: (...args: A) => unknown) {
      return (...args: A): void => {
        try {
          const result = act(...args);
          if (result instanceof Promise) result.catch((error: unknown) => report(where, error));
        } catch (error) {
          report(where, error);
        }
      };
    },
    report,
    /** Faults since the start, by place. Places are named in the code: their number is limited. */
    counts: (): ReadonlyMap<string, number> => counts,
  };
}

/** A listener to the database whose callbacks are guarded: one that throws does not stop the others. */
export function guardListener(listener: Listener, guard: Guard): Listener {
  return {
    ...listener,
    on: (channel, callback) =>
      listener.on(channel, guard.wrap(`notification ${channel}`, callback)),
    onResume: (callback) => listener.onResume(guard.wrap("notifications resumed", callback)),
    get connected() {
      return listener.connected;
    },
  };
}
