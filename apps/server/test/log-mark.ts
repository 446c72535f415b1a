import { sql } from "kysely";
import type { Db } from "../src/postgres/database.ts";

/** The audit log's length: what a test wrote itself comes after it. */
export async function lastLogged(db: Db): Promise<bigint> {
  const { rows } = await sql<{ last: bigint }>`
    SELECT coalesce(max(seq), 0)::bigint AS last FROM audit_log
  `.execute(db);
  return rows[0]?.last ?? 0n;
}
