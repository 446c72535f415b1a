import { describeError } from "@sesame/kernel";

/**
 * Marks a check of money, access or data in a test file of another subject: its failure is red at
 * once, and no second run makes it green.
 */
export async function invariant<T>(what: string, check: () => T | Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (error) {
    throw new Error(`invariant broken: ${what}: ${describeError(error)}`, { cause: error });
  }
}

/** The machine was too slow for a result: nothing is known to be broken. */
export class TooSlow extends Error {
  constructor(what: string, withinMs: number) {
    super(`too slow for a result: ${what} took more than ${withinMs / 1_000} s`);
  }
}
