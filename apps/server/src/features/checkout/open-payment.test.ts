import { expect, test } from "vitest";
import { whileBusy } from "./open-payment.ts";

/** Time that passes only in pauses. */
function stopwatch() {
  let ms = 0;
  return { now: () => ms, pause: async (more: number) => void (ms += more) };
}

test("somebody else's opening is waited for as long as a call to a provider may take, and no longer", async () => {
  const watch = stopwatch();
  expect(await whileBusy(async () => ({ kind: "busy" }), watch)).toEqual({ kind: "busy" });
  expect(watch.now()).toBeGreaterThan(13_000);
  expect(watch.now()).toBeLessThanOrEqual(13_000 + 150);
});

test("what is free is taken at the next look", async () => {
  const watch = stopwatch();
  const look = async () => ({ kind: watch.now() < 1_000 ? "busy" : "open" });
  expect(await whileBusy(look, watch)).toEqual({ kind: "open" });
  expect(watch.now()).toBe(1_050);
});
