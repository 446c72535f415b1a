import { describe, expect, test } from "vitest";
import { createBatcher } from "./batcher.ts";
import { reportOutage } from "./loop.ts";

/** A write that ends when the test ends it. */
function heldWrites() {
  const batches: number[][] = [];
  const releases: Array<() => void> = [];
  const write = (items: readonly number[]) =>
    new Promise<void>((resolve, reject) => {
      batches.push([...items]);
      releases.push(() => (items.includes(13) ? reject(new Error("poison")) : resolve()));
    });
  const release = async (times = 1) => {
    for (let time = 0; time < times; time += 1) {
      releases.shift()?.();
      await aTurn();
    }
  };
  return { batches, write, release };
}

const aTurn = () => new Promise((resolve) => setImmediate(resolve));

/** Items below 20 are the spoiler's. */
const ownerOf = (item: number) => (item < 20 ? "spoiler" : String(Math.floor(item / 1_000)));
const sizeOf = (item: number) => item;

describe("natural batching", () => {
  test.each([
    [
      "one is written at once, what arrives meanwhile together",
      { maxBatch: 3 },
      [1, 2, 3, 4, 5],
      [[1], [2, 3, 4], [5]],
    ],
    // By halves: one of five hundred costs some eighteen writes instead of five hundred.
    [
      "an item that makes its batch fail fails alone",
      { maxBatch: 10 },
      [1, 12, 13, 14],
      [[1], [12, 13, 14], [12], [13, 14], [13], [14]],
    ],
    [
      "an item that makes a batch of several owners fail delays only its own owner's items",
      { maxBatch: 10, ownerOf },
      [1, 12, 13, 20, 21],
      [[1], [12, 20, 13, 21], [12, 13], [12], [13], [20, 21]],
    ],
    [
      "a write has no more bytes than its limit, and a larger item is written alone",
      { maxBatch: 10, maxBytes: 10, sizeOf },
      [1, 4, 5, 3, 50, 2],
      [[1], [4, 5], [3], [50], [2]],
    ],
  ])("%s", async (_what, options, items, written) => {
    const { batches, write, release } = heldWrites();
    const batcher = createBatcher({ write, ...options });
    const outcomes = items.map((item) =>
      batcher.submit(item).then(
        () => item,
        () => "failed",
      ),
    );
    expect(batches).toEqual([[items[0]]]);
    await release(written.length);
    expect(await Promise.all(outcomes)).toEqual(
      items.map((item) => (item === 13 ? "failed" : item)),
    );
    expect(batches).toEqual(written);
  });

  test("an item is answered after its own write, not before", async () => {
    const { write, release } = heldWrites();
    const batcher = createBatcher({ write, maxBatch: 10 });
    const answered: number[] = [];
    for (const item of [1, 2]) void batcher.submit(item).then(() => answered.push(item));
    await aTurn();
    expect(answered).toEqual([]);
    await release();
    expect(answered).toEqual([1]);
    await release();
    expect(answered).toEqual([1, 2]);
  });

  test("an item that comes in any step after a write ends is written", async () => {
    for (let steps = 0; steps < 20; steps += 1) {
      const { batches, write, release } = heldWrites();
      const batcher = createBatcher({ write, maxBatch: 3 });
      const late = batcher.submit(1).then(async () => {
        for (let step = 0; step < steps; step += 1) await Promise.resolve();
        void batcher.submit(2);
      });
      await release();
      await late;
      expect(batches, `${steps} steps after`).toEqual([[1], [2]]);
    }
  });

  test("owners take turns: one owner's hundred items delay no other's", async () => {
    const { batches, write, release } = heldWrites();
    const batcher = createBatcher({ write, maxBatch: 3, ownerOf });
    const many = Array.from({ length: 100 }, (_, index) => batcher.submit(1000 + index));
    const others = [2000, 3000].map((item) => batcher.submit(item));
    await release(2);
    await Promise.all(others);
    expect(batches.slice(0, 3)).toEqual([[1000], [1001, 2000, 3000], [1002, 1003, 1004]]);
    while (batches.flat().length < 102) await release();
    await release();
    await Promise.all(many);
    expect(batches.flat().length).toBe(102);
  });

  test("closing waits for writes in progress", async () => {
    const { write, release } = heldWrites();
    const batcher = createBatcher({ write, maxBatch: 10 });
    const submitted = batcher.submit(1);
    let closed = false;
    const closing = batcher.close().then(() => (closed = true));
    await aTurn();
    expect(closed).toBe(false);
    await release();
    await Promise.all([submitted, closing]);
  });
});

type Line = { readonly party: string; readonly places: Readonly<Record<string, number>> };

function createLog() {
  const lines: Line[] = [];
  return { lines, warn: (fields: object) => void lines.push(fields as Line) };
}

const SILENT = { party: "postgres", message: "postgres: unreachable" };

test("thirty loops that meet a silent database each second are one line in ten seconds", () => {
  const log = createLog();
  for (let second = 0; second < 30; second += 1) {
    for (let loop = 0; loop < 30; loop += 1) {
      reportOutage(log, SILENT, { name: `loop ${loop}`, nowMs: second * 1_000 + loop });
    }
  }
  expect(log.lines).toHaveLength(3);
  expect(log.lines[0]?.places).toEqual({ "loop 0": 1 });
  // Nothing is lost: outages between two lines are counted in the second.
  expect(log.lines[1]?.places).toMatchObject({ "loop 0": 10, "loop 29": 10 });
});

test("two silent services, and two logs, are counted separately", () => {
  const [log, other] = [createLog(), createLog()];
  reportOutage(log, SILENT, "loop a");
  reportOutage(log, { party: "telegram", message: "telegram: 502" }, "loop a");
  reportOutage(other, SILENT, "loop a");
  expect(log.lines.map(({ party }) => party)).toEqual(["postgres", "telegram"]);
  expect(other.lines).toHaveLength(1);
});
