import type { PublicProductOnWire } from "@sesame/contract/catalogue";

/** How old a kept answer may be (QUALITY P4: an edit shows within a second). */
const FRESH_MS = 900;
const MAX_KEPT = 5_000;

export type KeptProduct = { readonly product: PublicProductOnWire; readonly body: Buffer };

export type PublicProducts = {
  /** Null when there is no such product. */
  get(key: string): Promise<KeptProduct | null>;
  forgetAll(): void;
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
  const kept = new Map<string, { at: number; answer: Promise<KeptProduct | null> }>();
  return {
    get(key) {
      const now = options.elapsedMs();
      const known = kept.get(key);
      if (known && now - known.at < FRESH_MS) return known.answer;
      const answer = options.load(key).then((product) => product && keep(product));
      if (kept.size >= MAX_KEPT) kept.clear();
      kept.set(key, { at: now, answer });
      answer.catch(() => kept.delete(key));
      return answer;
    },
    forgetAll: () => kept.clear(),
  };
}

function keep(product: PublicProductOnWire): KeptProduct {
  return { product, body: Buffer.from(JSON.stringify(product)) };
}
