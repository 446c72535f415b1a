import { describe, expect, test } from "vitest";
import { createBatcher } from "./batcher.ts";

/** A write that ends when the test says so. */
function heldWrites() {
  const batches: number[][] = [];
  const releases: Array<() => void> = [];
  const write = (items: readonly number[]) =>
    new Promise<void>((resolve, reject) => {
      batches.push([...items]);
      releases.push(() => (items.includes(13) ? reject(new Error("poison")) : resolve()));
    });
  const release = async () => {
    releases.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { batches, write, release };
}

describe("natural batching", () => {
  test("a lone item is written at once, what arrives meanwhile is written together", async () => {
    const { batches, write, release } = heldWrites();
    const batcher = createBatcher({ write, maxBatch: 3 });
    const all = [1, 2, 3, 4, 5].map((item) => batcher.submit(item));
    expect(batches).toEqual([[1]]);
    await release();
    await release();
    await release();
    await Promise.all(all);
    expect(batches).toEqual([[1], [2, 3, 4], [5]]);
  });

  test("an item is answered after its own write, not before", async () => {
    const { write, release } = heldWrites();
    const batcher = createBatcher({ write, maxBatch: 10 });
    const answered: number[] = [];
    for (const item of [1, 2]) void batcher.submit(item).then(() => answered.push(item));
    await new Promise((resolve) => setImmediate(resolve));
    expect(answered).toEqual([]);
    await release();
    expect(answered).toEqual([1]);
    await release();
    expect(answered).toEqual([1, 2]);
  });

  test("an item that spoils its batch fails alone", async () => {
    const { batches, write, release } = heldWrites();
    const batcher = createBatcher({ write, maxBatch: 10 });
    const outcomes = [1, 12, 13, 14].map((item) =>
      batcher.submit(item).then(
        () => item,
        () => "failed",
      ),
    );
    for (let turn = 0; turn < 5; turn += 1) await release();
    expect(await Promise.all(outcomes)).toEqual([1, 12, "failed", 14]);
    expect(batches).toEqual([[1], [12, 13, 14], [12], [13], [14]]);
  });

  test("closing waits for what is under way", async () => {
    const { write, release } = heldWrites();
    const batcher = createBatcher({ write, maxBatch: 10 });
    const submitted = batcher.submit(1);
    let closed = false;
    const closing = batcher.close().then(() => {
      closed = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(closed).toBe(false);
    await release();
    await Promise.all([submitted, closing]);
  });
});
