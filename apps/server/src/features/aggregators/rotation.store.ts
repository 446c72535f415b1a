import { sql } from "kysely";
import type { Db } from "../../postgres/database.ts";
import type { Sealed } from "../../secrets/vault.ts";
import type { KeysRow } from "./keys.view.ts";

export type KeysToRotate = Pick<
  KeysRow,
  "id" | "seller_id" | "provider" | "secrets" | "secrets_key_id"
>;

/** Rows under another key than this one, from a number on, each held until the commit. */
export async function lockKeysToRotate(
  tx: Db,
  of: { keyId: string; after: bigint; limit: number },
): Promise<KeysToRotate[]> {
  const { rows } = await sql<KeysToRotate>`
    SELECT id, seller_id, provider, secrets, secrets_key_id FROM seller_keys
    WHERE secrets_key_id <> ${of.keyId} AND id > ${of.after}
    ORDER BY id LIMIT ${of.limit} FOR UPDATE
  `.execute(tx);
  return rows;
}

/** The very same keys under another one: no change that anybody sees. */
export async function putUnderNewKey(tx: Db, id: bigint, sealed: Sealed): Promise<void> {
  await sql`
    UPDATE seller_keys SET secrets = ${sealed.bytes}, secrets_key_id = ${sealed.keyId}
    WHERE id = ${id}
  `.execute(tx);
}
