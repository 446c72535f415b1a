import type { Db } from "../../postgres/database.ts";
import { SecretUnreadable, type Sealed, type Vault } from "../../secrets/vault.ts";
import { lockSecretsToRotate, putSecretsUnderNewKey } from "./rotation.store.ts";
import { placeOf } from "./secrets.ts";

/** Endpoints are few: a handful for a seller of premium. */
const IN_A_BATCH = 200;

/** Puts every webhook secret under the newest key. → how many; and those that cannot be opened */
export async function rotateSecrets(
  db: Db,
  vault: Vault,
): Promise<{ rewritten: number; unreadable: bigint[] }> {
  let rewritten = 0;
  const unreadable: bigint[] = [];
  for (let after = 0n; ; ) {
    const seen = await db.transaction().execute(async (tx) => {
      const asked = { keyId: vault.keyId, after, limit: IN_A_BATCH };
      const rows = await lockSecretsToRotate(tx, asked);
      for (const row of rows) {
        const again = ({ bytes, keyId }: Sealed) =>
          vault.seal(vault.open({ bytes, keyId }, placeOf(row)), placeOf(row));
        try {
          const secret = again({ bytes: row.secret, keyId: row.secret_key_id });
          const { old_secret: bytes, old_secret_key_id: keyId } = row;
          const old = bytes && keyId ? again({ bytes, keyId }) : null;
          await putSecretsUnderNewKey(tx, row.id, { secret, old });
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
