const { setTimeout: schedule } = globalThis;

/**
 * Waits for what must come true: looks again while `look` throws or answers false. Ends as soon as
 * it is true, so a long limit costs nothing. → what `look` answered; the error is the last look's.
 */
export async function eventually<T>(
  look: () => Promise<T> | T,
  withinMs = 60_000,
): Promise<Exclude<T, false>> {
  const began = performance.now();
  for (;;) {
    let failure: unknown;
    try {
      const found = await look();
      if (found !== false) return found as Exclude<T, false>;
      failure = new Error(`not true within ${withinMs} ms: ${look}`);
    } catch (error) {
      failure = error;
    }
    const passed = performance.now() - began;
    if (passed > withinMs) throw failure;
    // Ever more seldom: a look may call a route that has a limit a minute.
    await new Promise((resolve) => schedule(resolve, Math.min(500, 20 + passed / 10)));
  }
}
