import type { KeyScope } from "@sesame/contract/developers";
import { type Db, many, maybe } from "../../postgres/database.ts";

export type KeyRow = {
  readonly id: bigint;
  readonly name: string;
  readonly last_four: string;
  readonly scopes: KeyScope[];
  readonly created_at: Date;
  /** 2026-11-16 */
  readonly last_used_on: string | null;
};

/** Those that open something, newest first. */
export async function viewKeys(db: Db, sellerId: bigint): Promise<KeyRow[]> {
  return many<KeyRow>(db)`
    SELECT id, name, last_four, scopes, created_at, last_used_on::text AS last_used_on
    FROM developer_keys WHERE seller_id = ${sellerId} AND revoked_at IS NULL ORDER BY id DESC
  `;
}

export async function viewKey(db: Db, sellerId: bigint, id: bigint): Promise<KeyRow | null> {
  return maybe<KeyRow>(db)`
    SELECT id, name, last_four, scopes, created_at, last_used_on::text AS last_used_on
    FROM developer_keys WHERE seller_id = ${sellerId} AND id = ${id}
  `;
}

export type AdmittedKey = {
  readonly id: bigint;
  readonly seller_id: bigint;
  readonly telegram_id: bigint;
  readonly scopes: KeyScope[];
  readonly last_used_on: string | null;
};

/** A key by what it hashes to; null for an unknown or revoked one, or of a closed account. */
export async function findKey(db: Db, hash: Buffer): Promise<AdmittedKey | null> {
  return maybe<AdmittedKey>(db)`
    SELECT k.id, k.seller_id, p.telegram_id, k.scopes, k.last_used_on::text AS last_used_on
    FROM developer_keys k
    JOIN sellers s ON s.id = k.seller_id AND s.closed_at IS NULL
    JOIN people p ON p.id = s.id
    WHERE k.hash = ${hash} AND k.revoked_at IS NULL
  `;
}
