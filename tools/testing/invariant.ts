import { describeError } from "@sesame/kernel";

/**
 * Marks what must never be false of money, access or data, in a file that is not of these as a
 * whole: its failure is red at once, and no second run makes it good.
 */
export async function invariant<T>(what: string, check: () => T | Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (error) {
    throw new Error(`invariant broken: ${what}: ${describeError(error)}`, { cause: error });
  }
}
