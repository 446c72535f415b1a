import { describe, expect, test } from "vitest";
import type { Listener } from "../postgres/listener.ts";
import { createGuard, guardListener } from "./guard.ts";

function openGuard() {
  const guard = createGuard();
  const lines: object[] = [];
  guard.logTo({ error: (line: object) => void lines.push(line) } as Parameters<
    typeof guard.logTo
  >[0]);
  return { guard, lines };
}

describe("a guarded callback", () => {
  test("runs with what it is given", () => {
    const { guard, lines } = openGuard();
    const heard: number[] = [];
    guard.wrap("place", (a: number, b: number) => heard.push(a, b))(1, 2);
    expect(heard).toEqual([1, 2]);
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

test("a notification whose callback throws is heard by the others", () => {
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
  const heard: string[] = [];
  guarded.on("sesame_x", (payload) => void JSON.parse(payload));
  guarded.on("sesame_x", (payload) => void heard.push(payload));
  for (const callback of callbacks) callback("{");
  expect(heard).toEqual(["{"]);
  expect(guard.counts().get("notification sesame_x")).toBe(1);
});
