import { DAY_MS, MINUTE_MS } from "@sesame/kernel";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createDatabaseClock, SYNC_EVERY_MS } from "./clock.ts";

const START = Date.parse("2026-03-01T12:00:00Z");

/** A machine and a database with clocks that the test sets. */
function createMachine() {
  const at = { machine: START, database: START, monotonic: 5_000 };
  const lines: string[] = [];
  const note = (_facts: unknown, line?: string) => void lines.push(String(line));
  const readings = { answered: 0, failing: false };
  const clock = createDatabaseClock({
    async readDatabase() {
      if (readings.failing) throw new Error("away");
      readings.answered += 1;
      return new Date(at.database);
    },
    machineMs: () => at.machine,
    monotonicMs: () => at.monotonic,
    log: { warn: note, error: note },
  });
  /** Advances both clocks. */
  const pass = (ms: number) => {
    at.machine += ms;
    at.database += ms;
    at.monotonic += ms;
  };
  return { at, clock, readings, pass, lines, now: () => clock.now().getTime() - START };
}

describe("the clock of a process", () => {
  test("is not trusted before the database's clock was read", async () => {
    const { clock } = createMachine();
    expect(clock.isTrusted()).toBe(false);
    await clock.sync();
    expect([clock.isTrusted(), clock.skewMs()]).toEqual([true, 0]);
  });

  test.each([40 * DAY_MS, -40 * DAY_MS, 31_000])(
    "continues while the machine's clock is %i ms off, and suspends what needs a sure clock",
    async (jump) => {
      const { at, clock, pass, lines, now } = createMachine();
      await clock.sync();
      at.machine += jump;
      pass(3_000);
      // Between two readings too, the machine's clock is not read.
      expect(now()).toBe(3_000);
      await clock.sync();
      expect([now(), clock.isTrusted(), clock.skewMs()]).toEqual([3_000, false, jump]);
      expect(lines).toEqual([expect.stringContaining("removals and sign-in are suspended")]);
      at.machine -= jump;
      pass(3_000);
      await clock.sync();
      expect([now(), clock.isTrusted(), clock.skewMs()]).toEqual([6_000, true, 0]);
    },
  );

  test.each([40 * DAY_MS, -40 * DAY_MS])(
    "rejects a database's clock that is %i ms off the machine's",
    async (jump) => {
      const { at, clock, pass, now } = createMachine();
      await clock.sync();
      at.database += jump;
      pass(6_000);
      await clock.sync();
      expect([now(), clock.isTrusted()]).toEqual([6_000, false]);
      at.database -= jump;
      await clock.sync();
      expect([now(), clock.isTrusted()]).toEqual([6_000, true]);
    },
  );

  test("follows both clocks when they agree: a machine that slept, a corrected time", async () => {
    const { at, clock, now } = createMachine();
    await clock.sync();
    const jumps: number[] = [];
    clock.onJump(() => jumps.push(now()));
    at.machine += 60 * MINUTE_MS;
    at.database += 60 * MINUTE_MS;
    await clock.sync();
    expect([now(), clock.isTrusted(), jumps]).toEqual([60 * MINUTE_MS, true, [60 * MINUTE_MS]]);
  });

  test("is the database's: a machine that is a few seconds off raises an alert and is not followed", async () => {
    const { at, clock, lines, now } = createMachine();
    at.machine += 9_000;
    await clock.sync();
    expect([now(), clock.isTrusted(), clock.skewMs()]).toEqual([0, true, 9_000]);
    expect(lines).toEqual(["the machine's clock is 9.0 s away from the database's"]);
  });

  describe("with a monotonic counter", () => {
    afterEach(() => void vi.useRealTimers());

    test("is read twice a second until it answers, then every ten seconds, until the stop", async () => {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      const { clock, readings } = createMachine();
      const answeredAfter = async (ms: number) => {
        await vi.advanceTimersByTimeAsync(ms);
        return readings.answered;
      };
      readings.failing = true;
      clock.start();
      expect(await answeredAfter(60_000)).toBe(0);
      readings.failing = false;
      expect(await answeredAfter(500)).toBe(1);
      expect(await answeredAfter(SYNC_EVERY_MS - 1)).toBe(1);
      expect(await answeredAfter(1)).toBe(2);
      expect(await answeredAfter(10 * SYNC_EVERY_MS)).toBe(12);
      clock.stop();
      expect(await answeredAfter(10 * SYNC_EVERY_MS)).toBe(12);
      expect(SYNC_EVERY_MS).toBe(10_000);
    });
  });
});
