import type { KeyScope } from "@sesame/contract/developers";
import { assert } from "@sesame/kernel";
import { sql } from "kysely";
import { type Db, maybe } from "../../postgres/database.ts";

/** Changes of one seller's keys and endpoints take turns, and his plan stands still meanwhile. */
export async function lockSeller(tx: Db, sellerId: bigint): Promise<void> {
  await sql`SELECT FROM sellers WHERE id = ${sellerId} FOR NO KEY UPDATE`.execute(tx);
}

export type NewKey = {
  readonly sellerId: bigint;
  readonly name: string;
  readonly hash: Buffer;
  readonly lastFour: string;
  readonly scopes: readonly KeyScope[];
  readonly now: Date;
};

export async function insertKey(tx: Db, key: NewKey): Promise<bigint> {
  const { rows } = await sql<{ id: bigint }>`
    INSERT INTO developer_keys (seller_id, name, hash, last_four, scopes, created_at)
    VALUES (${key.sellerId}, ${key.name}, ${key.hash}, ${key.lastFour},
      ${[...key.scopes]}::text[], ${key.now})
    RETURNING id
  `.execute(tx);
  assert(rows[0], "an insert answers its row");
  return rows[0].id;
}

/** Null when it is not his, or was revoked before. */
export async function revoke(
  tx: Db,
  key: { sellerId: bigint; id: bigint; now: Date },
): Promise<{ last_four: string } | null> {
  return maybe<{ last_four: string }>(tx)`
    UPDATE developer_keys SET revoked_at = ${key.now}
    WHERE id = ${key.id} AND seller_id = ${key.sellerId} AND revoked_at IS NULL
    RETURNING last_four
  `;
}

/** The day it was last used. */
export async function touchKey(db: Db, id: bigint, day: string): Promise<void> {
  await sql`
    UPDATE developer_keys SET last_used_on = ${day}::date
    WHERE id = ${id} AND last_used_on IS DISTINCT FROM ${day}::date
  `.execute(db);
}
