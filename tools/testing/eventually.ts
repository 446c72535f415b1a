const { setTimeout: schedule } = globalThis;

/**
 * Waits until `look` answers without an error and not false. Ends as soon as it does, so a long
 * limit costs nothing. → the answer of `look`, or the error of its last call
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
    // Less and less often: `look` may call a route with a limit a minute.
    await new Promise((resolve) => schedule(resolve, Math.min(500, 20 + passed / 10)));
  }
}
