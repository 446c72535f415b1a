import { chanceOf } from "../../../../tools/testing/seeded.ts";

/** What a deed draws: always the same for one seed, whatever runs beside it. */
export type Draw = ReturnType<typeof drawOf>;

export function drawOf(seed: number) {
  const chance = chanceOf(seed);
  const upTo = (count: number) => Math.floor(chance() * count);
  return {
    upTo,
    oneIn: (count: number) => upTo(count) === 0,
    pick: <T>(items: readonly T[]): T | undefined => items[upTo(items.length)],
    /** Another's draws. */
    next: () => upTo(2 ** 31),
  };
}
