import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createPacer, MESSAGE_SPACING_MS, type SendPriority } from "./gateway.ts";

describe("the pacer of messages", () => {
  test("lets the urgent ones go before those that came earlier", async () => {
    const pacer = createPacer(1);
    const gone: string[] = [];
    const send = (name: string, priority: SendPriority) =>
      pacer.turn(priority).then(() => gone.push(name));
    await Promise.all([
      send("first", 3),
      send("reminder", 2),
      send("broadcast", 3),
      send("access", 0),
      send("receipt", 1),
      send("second access", 0),
    ]);
    expect(gone).toEqual(["first", "access", "second access", "receipt", "reminder", "broadcast"]);
  });

  test("never lets two go closer than its spacing, which is within Telegram's thirty a second", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const pacer = createPacer(MESSAGE_SPACING_MS);
    const at: number[] = [];
    const turns = Array.from({ length: 5 }, () =>
      pacer.turn(1).then(() => at.push(performance.now())),
    );
    await vi.advanceTimersByTimeAsync(1_000);
    await Promise.all(turns);
    const gaps = at.slice(1).map((instant, index) => instant - (at[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1_000 / 30);
  });
});
