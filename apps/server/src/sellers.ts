import { sql } from "kysely";
import type { Db } from "./postgres/database.ts";

/**
 * What is changed of one seller (requests, settings, keys, payment methods) takes turns until the
 * transaction ends, and the seller's plan stands still meanwhile.
 */
export async function lockSeller(tx: Db, sellerId: bigint): Promise<void> {
  await sql`SELECT FROM sellers WHERE id = ${sellerId} FOR NO KEY UPDATE`.execute(tx);
}
