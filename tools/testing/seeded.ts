/** SESAME_SEED draws the same instants and repetitions again. */
export const SEED = Number(process.env["SESAME_SEED"] ?? 1);

/**
 * Whether the n-th of several tests runs. Of a proof too long for the gate, every third runs there,
 * others with another seed; by hand and with LONG, all.
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
