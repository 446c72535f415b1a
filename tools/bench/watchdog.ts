const STANDSTILL_MS = 60_000;

export class Standstill extends Error {}

/** Ends when the work ends, or with an error when the work has not called `goesOn` for a minute. */
export async function endAtStandstill(work: (goesOn: () => void) => Promise<void>): Promise<void> {
  const still = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => still.reject(new Standstill("no progress for a minute")),
    STANDSTILL_MS,
  );
  try {
    await Promise.race([work(() => timer.refresh()), still.promise]);
  } finally {
    clearTimeout(timer);
  }
}
