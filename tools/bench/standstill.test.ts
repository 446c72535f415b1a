import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { endAtStandstill } from "../../bench/run.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test("A bench without progress for a minute ends with an error, and not a second before", async () => {
  let goesOn = () => {};
  let end = "none";
  const bench = endAtStandstill((say) => {
    goesOn = say;
    return new Promise(() => {});
  }).catch((error: unknown) => (end = String(error)));
  await vi.advanceTimersByTimeAsync(59_000);
  goesOn();
  await vi.advanceTimersByTimeAsync(59_000);
  expect(end).toBe("none");
  await vi.advanceTimersByTimeAsync(1_000);
  await bench;
  expect(end).toBe("Error: no progress for a minute");
  expect(vi.getTimerCount()).toBe(0);
});

test("A bench that has ended, with or without an error, is watched no longer", async () => {
  await endAtStandstill(async () => {});
  expect(vi.getTimerCount()).toBe(0);
  const broken = () => Promise.reject(new Error("broken"));
  await expect(endAtStandstill(broken)).rejects.toThrow("broken");
  expect(vi.getTimerCount()).toBe(0);
});
