import { MINUTE_MS } from "@sesame/kernel";
import { sql } from "kysely";
import type { App } from "../../app.ts";
import { createLoop, type Loop } from "../../jobs/loop.ts";
import { type Db, many, PREPARED } from "../../postgres/database.ts";

export type Asked = {
  readonly sellerId: bigint;
  /** The instance's: what a day is. */
  readonly zone: string;
  readonly now: Date;
};

export function askedBy({ config, clock }: App, sellerId: bigint): Asked {
  return { sellerId, zone: config.timeZone, now: clock.now() };
}

/** Brings a seller's totals up to what is committed now (decision 0020); nothing to do: one look. */
export async function foldSales(db: Db, { sellerId, zone, now }: Asked): Promise<void> {
  await sql`SELECT sales_fold(${sellerId}, ${zone}, ${now}::timestamptz)`.execute(db);
}

const AT_ONCE = 200;

/** Keeps every seller's totals close to his sales, so that the one who looks waits for nothing. */
export function reportsLoops({ config, db, clock, log }: App): Loop[] {
  const zone = config.timeZone;
  const run = async () => {
    const now = clock.now();
    // Whose totals lack something: a change, the new month, or everything.
    const sellers = await many<{ id: bigint }>(db)`${PREPARED}
      SELECT DISTINCT d.seller_id AS id FROM sale_deltas d
      UNION
      SELECT s.id FROM sellers s LEFT JOIN sale_rollups r ON r.seller_id = s.id
      WHERE (r.zone, r.year_from)
        IS DISTINCT FROM (${zone}::text, sales_year_from(${zone}, ${now}::timestamptz))
      LIMIT ${AT_ONCE}
    `;
    for (const { id: sellerId } of sellers) await foldSales(db, { sellerId, zone, now });
    return sellers.length === AT_ONCE;
  };
  return [createLoop({ name: "reports fold", clock, log, everyMs: MINUTE_MS, run })];
}
