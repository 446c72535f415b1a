/** Nothing is known to be broken: the machine did not get far enough for a test to tell. */
export class TooSlowToDecide extends Error {
  constructor(what: string, withinMs: number) {
    super(`too slow to decide: ${what} took more than ${withinMs / 1_000} s`);
  }
}
