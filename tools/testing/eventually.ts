const { setTimeout: schedule } = globalThis;

const LOOK_AGAIN_MS = 20;

/**
 * Waits for what must come true: looks again while `look` throws or answers false. Ends as soon as
 * it is true, so a long limit costs nothing. → what `look` answered; the error is the last look's.
 */
export async function eventually<T>(
  look: () => Promise<T> | T,
  withinMs = 60_000,
): Promise<Exclude<T, false>> {
  const endsAt = performance.now() + withinMs;
  for (;;) {
    let failure: unknown;
    try {
      const found = await look();
      if (found !== false) return found as Exclude<T, false>;
      failure = new Error(`not true within ${withinMs} ms: ${look}`);
    } catch (error) {
      failure = error;
    }
    if (performance.now() > endsAt) throw failure;
    await new Promise((resolve) => schedule(resolve, LOOK_AGAIN_MS));
  }
}
