import { describe, expect, test } from "vitest";
import { createBodyMeter } from "./bodies.ts";

/** Bodies that say how they were cut. */
function open(limits: { perKeyBytes: number; allBytes: number }) {
  const meter = createBodyMeter(limits);
  const cut: string[] = [];
  const begin = (name: string, key: string) =>
    meter.open(key, (reason) => cut.push(`${name}: ${reason}`));
  return { meter, cut, begin };
}

describe("a meter of bodies under way", () => {
  test("cuts the oldest body of a sender that holds too much, and nobody else's", () => {
    const { cut, begin, meter } = open({ perKeyBytes: 3_000, allBytes: 100_000 });
    const slow = begin("slow", "a");
    const neighbour = begin("neighbour", "b");
    neighbour.add(2_000);
    slow.add(1_500);
    begin("next", "a").add(1_500);
    expect(cut).toEqual(["slow: key"]);
    expect(meter.heldBytes).toBe(2_000 + 1_500 + 2 * 256);
  });

  test("cuts the oldest body of all when everybody together holds too much", () => {
    const { cut, begin, meter } = open({ perKeyBytes: 3_000, allBytes: 5_500 });
    for (const name of ["a", "b", "c", "d", "e"]) begin(name, name).add(1_500);
    expect(cut).toEqual(["a: all", "b: all"]);
    expect(meter.heldBytes).toBeLessThanOrEqual(5_500);
  });

  test("never cuts a whole body: the one that still comes gives way", () => {
    const { cut, begin } = open({ perKeyBytes: 3_000, allBytes: 3_000 });
    const whole = begin("whole", "a");
    whole.add(2_500);
    whole.received();
    begin("coming", "b").add(1_000);
    expect(cut).toEqual(["coming: all"]);
  });

  test("counts a piece of one byte as more than its byte", () => {
    const { cut, begin } = open({ perKeyBytes: 10_000, allBytes: 10_000 });
    const trickle = begin("trickle", "a");
    for (let piece = 0; piece < 100; piece++) trickle.add(1);
    expect(cut).toEqual(["trickle: key"]);
  });

  test("forgets what is released, however often it is said", () => {
    const { meter, begin } = open({ perKeyBytes: 10_000, allBytes: 10_000 });
    const body = begin("body", "a");
    body.add(500);
    body.release();
    body.release();
    body.add(500);
    expect(meter.heldBytes).toBe(0);
  });
});
