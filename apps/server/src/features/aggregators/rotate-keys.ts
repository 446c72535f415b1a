import type { Db } from "../../postgres/database.ts";
import { SecretUnreadable, type Vault } from "../../secrets/vault.ts";
import { lockKeysToRotate, putUnderNewKey } from "./rotation.store.ts";
import { bindingOf } from "./sealed-keys.ts";

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
