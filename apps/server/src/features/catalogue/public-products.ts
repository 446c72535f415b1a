import type { PublicProductOnWire } from "@sesame/contract/catalogue";

/** How old a kept answer may be (QUALITY P4: an edit shows within a second). */
const FRESH_MS = 900;
const MAX_KEPT = 5_000;

export type KeptProduct = {
  readonly product: PublicProductOnWire;
  /** The answer, ready to be sent: as text, Node writes it in one go with the headers. */
  readonly body: string;
  /** Its length in bytes. */
  readonly bodyBytes: string;
};

export type PublicProducts = {
  /** Null when there is no such product. */
  get(key: string): Promise<KeptProduct | null>;
  /** What is at hand and fresh, without waiting; null otherwise. */
  peek(key: string): KeptProduct | null;
  forgetAll(): void;
};

type Entry = {
  readonly at: number;
  readonly answer: Promise<KeptProduct | null>;
  arrived: KeptProduct | null;
};

/**
 * The product page is read far more often than it changes: its answer is kept as bytes, and the
 * readers of one instant share one look at the database. `elapsedMs` is the machine's own
 * stopwatch, not business time.
 */
export function createPublicProducts(options: {
  load(key: string): Promise<PublicProductOnWire | null>;
  elapsedMs(): number;
}): PublicProducts {
  const kept = new Map<string, Entry>();
  return {
    get(key) {
      const now = options.elapsedMs();
      const known = kept.get(key);
      if (known && now - known.at < FRESH_MS) return known.answer;
      const answer = options.load(key).then((product) => product && keep(product));
      if (kept.size >= MAX_KEPT) kept.clear();
      const entry: Entry = { at: now, answer, arrived: null };
      kept.set(key, entry);
      answer.then(
        (arrived) => {
          entry.arrived = arrived;
        },
        () => kept.delete(key),
      );
      return answer;
    },
    peek(key) {
      const known = kept.get(key);
      return known && options.elapsedMs() - known.at < FRESH_MS ? known.arrived : null;
    },
    forgetAll: () => kept.clear(),
  };
}

function keep(product: PublicProductOnWire): KeptProduct {
  const body = JSON.stringify(product);
  return { product, body, bodyBytes: String(Buffer.byteLength(body)) };
}
