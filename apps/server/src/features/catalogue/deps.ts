import type { Chance, Clock } from "@sesame/kernel";
import type { Db } from "../../postgres/database.ts";
import type { CheckDeps } from "./check-product.ts";
import type { ImageFiles } from "./image-files.ts";
import type { Pictures } from "./picture-lane.ts";
import type { ShelfFacts } from "./product-on-wire.ts";

/** What the use cases share. */
export type CatalogueDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly files: ImageFiles;
  readonly pictures: Pictures;
  factsOf(sellerId: bigint): Promise<ShelfFacts>;
  /** What a form of this seller's is checked against. */
  checksFor(sellerId: bigint): CheckDeps;
  /** A product was added, edited or archived: nothing kept of it may be shown. */
  onProductChanged(): void;
};
