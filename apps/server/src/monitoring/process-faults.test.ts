import { Outage } from "@sesame/kernel";
import { afterEach, describe, expect, test, vi } from "vitest";
import {
  createFaultHandler,
  endInTime,
  type FaultKind,
  isStateKnownGood,
  REJECTIONS_SURVIVED_A_MINUTE,
} from "./process-faults.ts";

const broken = (code: string) => Object.assign(new Error(code), { code, syscall: "read" });

type Row = { readonly kind: FaultKind; readonly error: unknown; readonly good: boolean };

const rejected = (error: unknown, good: boolean): Row => ({
  kind: "unhandledRejection",
  error,
  good,
});
const thrown = (error: unknown, good: boolean): Row => ({ kind: "uncaughtException", error, good });
const silent = new Outage("x", { party: "telegram", retryable: true });

const FAULTS: Record<string, Row> = {
  "a promise that nobody awaited": rejected(new TypeError("x"), true),
  "an outage that nobody awaited": rejected(silent, true),
  "a text thrown into a promise": rejected("x", true),
  "a connection reset": thrown(broken("ECONNRESET"), true),
  "a pipe that broke": thrown(broken("EPIPE"), true),
  "a bug in a callback": thrown(new TypeError("x"), false),
  "an error that only names such a code": thrown(
    Object.assign(new Error("x"), { code: "ECONNRESET" }),
    false,
  ),
  "a full disk": thrown(broken("ENOSPC"), false),
  "an object in place of an error": thrown({ code: "EPIPE", syscall: "read" }, false),
  "nothing at all": thrown(undefined, false),
};

describe("the state of the process", () => {
  test.each(Object.entries(FAULTS))("after %s is judged", (_what, { kind, error, good }) => {
    expect(isStateKnownGood(kind, error)).toBe(good);
  });
});

describe("a fault that reached the process", () => {
  const open = () => {
    const seen = { reports: 0, restarts: 0, now: 0 };
    const handle = createFaultHandler({
      guard: { report: () => void seen.reports++ },
      nowMs: () => seen.now,
      restart: () => void seen.restarts++,
    });
    return { seen, handle };
  };

  test("is reported, and restarts the process only where its state is not known good", () => {
    const { seen, handle } = open();
    handle("unhandledRejection", new Error("x"));
    expect(seen).toMatchObject({ reports: 1, restarts: 0 });
    handle("uncaughtException", new Error("x"));
    expect(seen).toMatchObject({ reports: 2, restarts: 1 });
  });

  test("restarts the process when there are too many within a minute", () => {
    const { seen, handle } = open();
    for (let count = 0; count < REJECTIONS_SURVIVED_A_MINUTE; count++) {
      handle("unhandledRejection", new Error("x"));
    }
    seen.now = 60_000;
    handle("unhandledRejection", new Error("x"));
    expect(seen.restarts).toBe(0);
    for (let count = 0; count < REJECTIONS_SURVIVED_A_MINUTE; count++) {
      handle("unhandledRejection", new Error("x"));
    }
    expect(seen.restarts).toBe(1);
  });
});

describe("the end of the process", () => {
  afterEach(() => void vi.useRealTimers());

  test("waits for what runs as long as it may, not a millisecond longer", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    const ends: unknown[] = [];
    const end = endInTime(() => new Promise(() => {}), 8_000).then((why) => ends.push(why));
    await vi.advanceTimersByTimeAsync(7_999);
    expect(ends).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    await end;
    expect(ends).toEqual([new Error("the drain took too long")]);
  });

  test("comes as soon as all has ended, well or not", async () => {
    const failure = new Error("x");
    expect(await endInTime(() => Promise.resolve(), 8_000)).toBeNull();
    expect(await endInTime(() => Promise.reject(failure), 8_000)).toBe(failure);
  });
});
