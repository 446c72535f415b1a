import { Outage } from "@sesame/kernel";
import { afterEach, describe, expect, test, vi } from "vitest";
import {
  createFaultHandler,
  endInTime,
  type FaultKind,
  isStateKnownGood,
  REJECTIONS_SURVIVED_A_MINUTE,
} from "./process-faults.ts";
import type { Listener } from "../postgres/listener.ts";
import { createGuard, guardListener } from "./guard.ts";

const broken = (code: string) => Object.assign(new Error(code), { code, syscall: "read" });

const silent = new Outage("x", { party: "telegram", retryable: true });
const named = Object.assign(new Error("x"), { code: "ECONNRESET" });

test.each<[string, FaultKind, unknown, boolean]>([
  ["a promise that nobody awaited", "unhandledRejection", new TypeError("x"), true],
  ["an outage that nobody awaited", "unhandledRejection", silent, true],
  ["a text thrown into a promise", "unhandledRejection", "x", true],
  ["a connection reset", "uncaughtException", broken("ECONNRESET"), true],
  ["a pipe that broke", "uncaughtException", broken("EPIPE"), true],
  ["a bug in a callback", "uncaughtException", new TypeError("x"), false],
  ["an error that only names such a code", "uncaughtException", named, false],
  ["a full disk", "uncaughtException", broken("ENOSPC"), false],
  [
    "an object in place of an error",
    "uncaughtException",
    { code: "EPIPE", syscall: "read" },
    false,
  ],
  ["nothing at all", "uncaughtException", undefined, false],
])("the state of the process after %s is known good, or not", (_what, kind, error, good) =>
  expect(isStateKnownGood(kind, error)).toBe(good),
);

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
    const reject = (times: number) => {
      for (let count = 0; count < times; count++) handle("unhandledRejection", new Error("x"));
    };
    reject(REJECTIONS_SURVIVED_A_MINUTE);
    seen.now = 60_000;
    reject(1);
    expect(seen.restarts).toBe(0);
    reject(REJECTIONS_SURVIVED_A_MINUTE);
    expect(seen.restarts).toBe(1);
  });
});

describe("the end of the process", () => {
  afterEach(() => void vi.useRealTimers());

  test("waits for running work as long as allowed, not a millisecond longer", async () => {
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

function openGuard() {
  const guard = createGuard();
  const lines: unknown[] = [];
  guard.logTo({ error: (...line: unknown[]) => void lines.push(line) });
  return { guard, lines };
}

describe("a guarded callback", () => {
  test("runs with its arguments", () => {
    const { guard, lines } = openGuard();
    const received: number[] = [];
    guard.wrap("place", (a: number, b: number) => received.push(a, b))(1, 2);
    expect(received).toEqual([1, 2]);
    expect(lines).toEqual([]);
  });

  test("that throws, or whose promise is rejected, is logged and counted by its place", async () => {
    const { guard, lines } = openGuard();
    const hostile: unknown = JSON.parse('{"toString":0,"then":0}');
    guard.wrap("thrown", () => {
      throw hostile;
    })();
    guard.wrap("rejected", async () => {
      throw new Error("x");
    })();
    await Promise.resolve();
    await Promise.resolve();
    expect(Object.fromEntries(guard.counts())).toEqual({ thrown: 1, rejected: 1 });
    expect(lines).toHaveLength(2);
  });

  test("does not throw when its fault cannot be logged", () => {
    const guard = createGuard();
    guard.logTo({
      error() {
        throw new Error("a full disk");
      },
    });
    guard.report("place", new Error("x"));
    expect(guard.counts().get("place")).toBe(1);
  });
});

test("a notification whose callback throws reaches the others", () => {
  const { guard } = openGuard();
  const callbacks: ((payload: string) => void)[] = [];
  const listener: Listener = {
    on: (_channel, callback) => void callbacks.push(callback),
    onResume: () => undefined,
    connected: true,
    start: async () => {},
    close: async () => {},
  };
  const guarded = guardListener(listener, guard);
  const received: string[] = [];
  guarded.on("sesame_x", (payload) => void JSON.parse(payload));
  guarded.on("sesame_x", (payload) => void received.push(payload));
  for (const callback of callbacks) callback("{");
  expect(received).toEqual(["{"]);
  expect(guard.counts().get("notification sesame_x")).toBe(1);
});
