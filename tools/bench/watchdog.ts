/** Real time, unless a test gives its own. */
export type Watch = {
  now(): number;
  /** Calls `look` every so many milliseconds. → stops it */
  every(ms: number, look: () => void): () => void;
};

const STANDSTILL_MS = 60_000;
const LOOK_EVERY_MS = 1_000;

const MACHINE: Watch = {
  now: () => performance.now(),
  every(ms, look) {
    const timer = setInterval(look, ms);
    return () => clearInterval(timer);
  },
};

export class Standstill extends Error {}

/** Ends when the work ends, or with an error when the work has not called `goesOn` for a minute. */
export async function endAtStandstill(
  work: (goesOn: () => void) => Promise<void>,
  watch = MACHINE,
): Promise<void> {
  let wentOnAt = watch.now();
  const still = Promise.withResolvers<never>();
  const end = watch.every(LOOK_EVERY_MS, () => {
    if (watch.now() - wentOnAt < STANDSTILL_MS) return;
    still.reject(new Standstill("no progress for a minute"));
  });
  try {
    await Promise.race([work(() => (wentOnAt = watch.now())), still.promise]);
  } finally {
    end();
  }
}
