import { expect, test } from "vitest";
import { endAtStandstill } from "./watchdog.ts";

/** A watch that the test moves on, second by second. */
function createWatch() {
  let now = 0;
  let look: (() => void) | null = null;
  return {
    now: () => now,
    every(_ms: number, next: () => void) {
      look = next;
      return () => void (look = null);
    },
    isLookedAt: () => look !== null,
    pass(seconds: number) {
      for (let second = 0; second < seconds; second += 1) {
        now += 1_000;
        look?.();
      }
    },
  };
}

test("A bench without progress for a minute ends with an error, and not a second before", async () => {
  const watch = createWatch();
  let goesOn = () => {};
  let end = "none";
  const bench = endAtStandstill((say) => {
    goesOn = say;
    return new Promise(() => {});
  }, watch).catch((error: unknown) => (end = String(error)));
  watch.pass(59);
  goesOn();
  watch.pass(59);
  await new Promise((resolve) => setImmediate(resolve));
  expect(end).toBe("none");
  watch.pass(1);
  await bench;
  expect(end).toBe("Error: no progress for a minute");
  expect(watch.isLookedAt()).toBe(false);
});

test("A bench that has ended, with or without an error, is watched no longer", async () => {
  const watch = createWatch();
  await endAtStandstill(async () => {}, watch);
  expect(watch.isLookedAt()).toBe(false);
  const broken = () => Promise.reject(new Error("broken"));
  await expect(endAtStandstill(broken, watch)).rejects.toThrow("broken");
  expect(watch.isLookedAt()).toBe(false);
});
