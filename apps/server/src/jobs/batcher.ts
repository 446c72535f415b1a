export type BatcherOptions<T> = {
  /** Writes all of them or none, durably. */
  write(items: readonly T[]): Promise<void>;
  readonly maxBatch: number;
  /** The maximum of bytes in one write, counted by `sizeOf`; a larger item is written alone. */
  readonly maxBytes?: number;
  sizeOf?(item: T): number;
  /** The owner of an item. Owners with waiting items take turns; default: one owner. */
  ownerOf?(item: T): string;
};

export type Batcher<T> = ReturnType<typeof createBatcher<T>>;

type Waiting<T> = {
  readonly item: T;
  readonly owner: string;
  resolve(): void;
  reject(error: unknown): void;
};

/**
 * Natural batching: items that arrive during a write form the next batch. No timer, so a single
 * item does not wait; under load hundreds share a commit (QUALITY §1). Owners take turns, so an
 * item waits behind one item of each other owner, however many they have. A batch that fails is
 * written by owner, then by halves: the item at fault fails alone.
 */
export function createBatcher<T>(options: BatcherOptions<T>) {
  const queues = new Map<string, Waiting<T>[]>();
  let running: Promise<void> | null = null;

  async function writeAll(): Promise<void> {
    try {
      while (queues.size > 0) await writeBatch(options, takeBatch(options, queues));
    } finally {
      // In the same step as the last check: a later item starts a new run, and none waits for ever.
      running = null;
    }
  }

  return {
    /** Resolves after the commit of the item's write. */
    submit(item: T) {
      return new Promise<void>((resolve, reject) => {
        const owner = options.ownerOf?.(item) ?? "";
        const queue = queues.get(owner);
        const waiting = { item, owner, resolve, reject };
        if (queue) queue.push(waiting);
        else queues.set(owner, [waiting]);
        running ??= writeAll();
      });
    },
    async close() {
      while (running) await running;
    },
  };
}

/** One item of each owner in turn, until the batch is full. An owner served goes to the end. */
function takeBatch<T>(
  { maxBatch, maxBytes = Infinity, sizeOf = () => 0 }: BatcherOptions<T>,
  queues: Map<string, Waiting<T>[]>,
): Waiting<T>[] {
  const batch: Waiting<T>[] = [];
  const taken = new Map<string, number>();
  let bytes = 0;
  for (const [owner, queue] of queues) {
    const count = taken.get(owner) ?? 0;
    const next = queue[count];
    if (!next) continue;
    bytes += sizeOf(next.item);
    if (batch.length > 0 && bytes > maxBytes) break;
    batch.push(next);
    taken.set(owner, count + 1);
    // Inserted again at the end, this same loop reaches it once more.
    queues.delete(owner);
    if (queue.length > count + 1) queues.set(owner, queue);
    if (batch.length === maxBatch) break;
  }
  for (const [owner, count] of taken) queues.get(owner)?.splice(0, count);
  return batch;
}

async function writeBatch<T>(options: BatcherOptions<T>, batch: readonly Waiting<T>[]) {
  try {
    await options.write(batch.map(({ item }) => item));
    for (const { resolve } of batch) resolve();
  } catch (error) {
    if (batch.length === 1) {
      for (const { reject } of batch) reject(error);
      return;
    }
    for (const part of split(batch)) await writeBatch(options, part);
  }
}

/** By owner; one owner's items by halves. */
function split<T>(batch: readonly Waiting<T>[]): (readonly Waiting<T>[])[] {
  const byOwner = [...Map.groupBy(batch, ({ owner }) => owner).values()];
  if (byOwner.length > 1) return byOwner;
  const half = Math.floor(batch.length / 2);
  return [batch.slice(0, half), batch.slice(half)];
}
