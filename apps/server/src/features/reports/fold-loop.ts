import { type Clock, MINUTE_MS } from "@sesame/kernel";
import type { FastifyBaseLogger } from "fastify";
import { createLoop, type Loop } from "../../jobs/loop.ts";
import type { Db } from "../../postgres/database.ts";
import { foldSales, sellersToFold } from "./rollups.store.ts";

const AT_ONCE = 200;

type FoldDeps = { readonly db: Db; readonly clock: Clock; readonly timeZone: string };

/** Keeps every seller's totals close to his sales, so that the one who looks waits for nothing. */
export function createFoldLoop(
  { db, clock, timeZone: zone }: FoldDeps,
  log: Pick<FastifyBaseLogger, "error" | "warn">,
): Loop {
  return createLoop({
    name: "reports fold",
    clock,
    log,
    everyMs: MINUTE_MS,
    async run() {
      const now = clock.now();
      const sellers = await sellersToFold(db, { zone, now, limit: AT_ONCE });
      for (const sellerId of sellers) await foldSales(db, { sellerId, zone, now });
      return sellers.length === AT_ONCE;
    },
  });
}
