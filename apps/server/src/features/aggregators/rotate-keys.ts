import { type Db, many } from "../../postgres/database.ts";
import { type Sealed, SecretUnreadable, type Vault } from "../../secrets/vault.ts";
import { bindingOf } from "./sealed-keys.ts";
import { sql } from "kysely";
import type { KeysRow } from "./keys.view.ts";

type KeysToRotate = Pick<KeysRow, "id" | "seller_id" | "provider" | "secrets" | "secrets_key_id">;

/** Rows under another key than this one, from a number on, each held until the commit. */
async function lockKeysToRotate(
  tx: Db,
  of: { keyId: string; after: bigint; limit: number },
): Promise<KeysToRotate[]> {
  return many<KeysToRotate>(tx)`
    SELECT id, seller_id, provider, secrets, secrets_key_id FROM seller_keys
    WHERE secrets_key_id <> ${of.keyId} AND id > ${of.after}
    ORDER BY id LIMIT ${of.limit} FOR UPDATE
  `;
}

/** The very same keys under another one: no change that anybody sees. */
async function putUnderNewKey(tx: Db, id: bigint, sealed: Sealed): Promise<void> {
  await sql`
    UPDATE seller_keys SET secrets = ${sealed.bytes}, secrets_key_id = ${sealed.keyId}
    WHERE id = ${id}
  `.execute(tx);
}

/** Few at a time: a sale that reads one of them waits for so many, no longer. */
const IN_A_BATCH = 50;

export type Rotation = {
  readonly rewritten: number;
  /** Under a key that is not given, or damaged: left as they are. */
  readonly unreadable: readonly bigint[];
};

/**
 * Puts every set of sellers' keys under the newest key, while everything goes on; to be run again
 * after an end before the end. Walks through until nothing is left that can be rewritten.
 */
export async function rotateKeys(db: Db, vault: Vault): Promise<Rotation> {
  let rewritten = 0;
  for (;;) {
    const pass = await walk(db, vault);
    rewritten += pass.rewritten;
    // A process that still sealed under the old key may have written behind the walk.
    if (pass.rewritten === 0) return { rewritten, unreadable: pass.unreadable };
  }
}

async function walk(db: Db, vault: Vault): Promise<Rotation> {
  let rewritten = 0;
  const unreadable: bigint[] = [];
  let after = 0n;
  for (;;) {
    const seen = await db.transaction().execute(async (tx) => {
      const rows = await lockKeysToRotate(tx, { keyId: vault.keyId, after, limit: IN_A_BATCH });
      for (const row of rows) {
        const place = bindingOf(row);
        try {
          const plain = vault.open({ bytes: row.secrets, keyId: row.secrets_key_id }, place);
          await putUnderNewKey(tx, row.id, vault.seal(plain, place));
          rewritten += 1;
        } catch (error) {
          if (!(error instanceof SecretUnreadable)) throw error;
          unreadable.push(row.id);
        }
      }
      return rows;
    });
    const last = seen.at(-1);
    if (!last) return { rewritten, unreadable };
    after = last.id;
  }
}
