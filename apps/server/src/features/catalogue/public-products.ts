import type { PublicProductOnWire } from "@sesame/contract/catalogue";
import { createShortMemory, type ShortMemory } from "./short-memory.ts";

export type KeptProduct = {
  readonly product: PublicProductOnWire;
  /** The answer, ready to be sent: as text, Node writes it in one go with the headers. */
  readonly body: string;
  /** Its length in bytes. */
};

export type PublicProducts = ShortMemory<KeptProduct>;

/** The product page is read far more often than it changes: its answer is kept as bytes. */
export function createPublicProducts(options: {
  load(key: string): Promise<PublicProductOnWire | null>;
  elapsedMs(): number;
}): PublicProducts {
  return createShortMemory({
    elapsedMs: options.elapsedMs,
    load: (key) => options.load(key).then((product) => product && keep(product)),
  });
}

function keep(product: PublicProductOnWire): KeptProduct {
  const body = JSON.stringify(product);
  return { product, body };
}
