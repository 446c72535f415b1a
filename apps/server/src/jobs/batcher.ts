export type BatcherOptions<T> = {
  /** Writes all of them or none, durably. */
  write(items: readonly T[]): Promise<void>;
  /** Items in one write at most. */
  readonly maxBatch: number;
};

export type Batcher<T> = {
  /** Resolves after the commit of the write the item was part of. */
  submit(item: T): Promise<void>;
  /** Ends after what is under way. */
  close(): Promise<void>;
};

type Waiting<T> = {
  readonly item: T;
  resolve(): void;
  reject(error: unknown): void;
};

/**
 * Natural batching: what arrives while a batch is being written forms the next one. No timer, so a
 * lone item waits for nobody; under load a commit is shared by hundreds (QUALITY §1). An item that
 * spoils its batch falls back to being written alone, and fails alone.
 */
export function createBatcher<T>(options: BatcherOptions<T>): Batcher<T> {
  let waiting: Waiting<T>[] = [];
  let running: Promise<void> | null = null;

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, options.maxBatch);
      waiting = waiting.slice(options.maxBatch);
      await writeBatch(options, batch);
    }
  }

  return {
    submit(item) {
      return new Promise<void>((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        running ??= writeAll().finally(() => {
          running = null;
        });
      });
    },
    async close() {
      while (running) await running;
    },
  };
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
    for (const one of batch) await writeBatch(options, [one]);
  }
}
