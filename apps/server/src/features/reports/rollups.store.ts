import { sql } from "kysely";
import { type Db, PREPARED } from "../../postgres/database.ts";

export type Asked = {
  readonly sellerId: bigint;
  /** The instance's: what a day is. */
  readonly zone: string;
  readonly now: Date;
};

/** Brings a seller's totals up to what is committed now (decision 0020); nothing to do: one look. */
export async function foldSales(db: Db, { sellerId, zone, now }: Asked): Promise<void> {
  await sql`SELECT sales_fold(${sellerId}, ${zone}, ${now}::timestamptz)`.execute(db);
}

/** Sellers whose totals lack something: a change, the new month, or everything. */
export async function sellersToFold(
  db: Db,
  { zone, now, limit }: { readonly zone: string; readonly now: Date; readonly limit: number },
): Promise<bigint[]> {
  const { rows } = await sql<{ id: bigint }>`${PREPARED}
    SELECT DISTINCT d.seller_id AS id FROM sale_deltas d
    UNION
    SELECT s.id FROM sellers s LEFT JOIN sale_rollups r ON r.seller_id = s.id
    WHERE (r.zone, r.year_from)
      IS DISTINCT FROM (${zone}::text, sales_year_from(${zone}, ${now}::timestamptz))
    LIMIT ${limit}
  `.execute(db);
  return rows.map(({ id }) => id);
}
