import { sql } from "kysely";
import type { Db } from "../../postgres/database.ts";

/** The name over a seller's shop; null when he is absent, suspended or gone. */
export async function findShopkeeper(db: Db, sellerId: bigint): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`
    SELECT coalesce(s.display_name, concat_ws(' ', pe.first_name, pe.last_name)) AS name
    FROM sellers s JOIN people pe ON pe.id = s.id
    WHERE s.id = ${sellerId} AND s.suspended_at IS NULL AND s.closed_at IS NULL
  `.execute(db);
  return rows[0]?.name ?? null;
}
