/** The machine did not get far enough for a result: nothing is known to be broken. */
export class TooSlow extends Error {
  constructor(what: string, withinMs: number) {
    super(`too slow for a result: ${what} took more than ${withinMs / 1_000} s`);
  }
}
