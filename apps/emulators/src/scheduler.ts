import type { Clock } from "@sesame/kernel";

/** Does things at instants of the emulators' clock: a jump of the clock brings them forward. */
export type Scheduler = ReturnType<typeof startScheduler>;

type Entry = { dueMs: number; task: () => void };

/** The longest wait `setTimeout` can hold. */
const MAX_TIMER_MS = 2_147_483_647;

export function startScheduler(clock: Clock) {
  const entries = new Set<Entry>();
  let timer: NodeJS.Timeout | undefined;

  const run = () => {
    const nowMs = clock.now().getTime();
    const due = [...entries].filter((entry) => entry.dueMs <= nowMs);
    // Those due at the same instant stay in the order in which they came.
    for (const entry of due.sort((a, b) => a.dueMs - b.dueMs)) {
      if (entries.delete(entry)) entry.task();
    }
    arm();
  };
  const arm = () => {
    clearTimeout(timer);
    if (entries.size === 0) return;
    let next = Number.POSITIVE_INFINITY;
    for (const entry of entries) next = Math.min(next, entry.dueMs);
    // A stopped clock never gets there by waiting: at least 1 ms keeps the loop free.
    const waitMs = Math.max(1, Math.min(MAX_TIMER_MS, next - clock.now().getTime()));
    timer = setTimeout(run, waitMs).unref();
  };
  const stopListening = clock.onJump(run);

  return {
    /** Calls `task` once the clock has reached `dueMs`. → cancels it */
    at(dueMs: number, task: () => void) {
      const entry = { dueMs, task };
      entries.add(entry);
      arm();
      return () => entries.delete(entry);
    },
    close() {
      stopListening();
      clearTimeout(timer);
      entries.clear();
    },
  };
}
