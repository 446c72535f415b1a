const { setTimeout: schedule, clearTimeout: unschedule } = globalThis;

/** Nothing is known to be broken: the machine did not get far enough for a test to tell. */
export class TooSlowToJudge extends Error {
  constructor(what: string, withinMs: number) {
    super(`too slow to judge: ${what} took more than ${withinMs / 1_000} s`);
  }
}

/** A watchdog, never a promise of the product: five times what is usual, or more. */
export async function withinOrTooSlow<T>(
  what: string,
  withinMs: number,
  work: Promise<T>,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = schedule(() => reject(new TooSlowToJudge(what, withinMs)), withinMs);
  });
  return Promise.race([work, late]).finally(() => unschedule(timer));
}
