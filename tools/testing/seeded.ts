/** The same SESAME_SEED draws the same instants and repetitions. */
export const SEED = Number(process.env["SESAME_SEED"] ?? 1);

/**
 * Whether the n-th of several tests runs. In the gate every third test of a long proof runs, other
 * ones with another seed; by hand and with LONG all run.
 */
export const isDrawn = (nth: number): boolean =>
  process.env["SESAME_SEED"] === undefined || process.env["LONG"] === "1" || nth % 3 === SEED % 3;

/** → numbers from 0 to 1, the same for the same seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
