import { type Db, many } from "../../postgres/database.ts";
import { SecretUnreadable, type Sealed, type Vault } from "../../secrets/vault.ts";
import { placeOf, type Secrets } from "./secrets.ts";
import { sql } from "kysely";

type SecretsToRotate = Secrets & { readonly id: bigint; readonly seller_id: bigint };

/** Rows of which something is under another key than this one, each held until the commit. */
async function lockSecretsToRotate(
  tx: Db,
  of: { keyId: string; after: bigint; limit: number },
): Promise<SecretsToRotate[]> {
  return many<SecretsToRotate>(tx)`
    SELECT id, seller_id, secret, secret_key_id, old_secret, old_secret_key_id, old_secret_until
    FROM webhook_endpoints
    WHERE (secret_key_id <> ${of.keyId} OR old_secret_key_id <> ${of.keyId}) AND id > ${of.after}
      AND deleted_at IS NULL
    ORDER BY id LIMIT ${of.limit} FOR UPDATE
  `;
}

/** The very same secrets under another key. */
async function putSecretsUnderNewKey(
  tx: Db,
  id: bigint,
  { secret, old }: { secret: Sealed; old: Sealed | null },
): Promise<void> {
  await sql`
    UPDATE webhook_endpoints SET secret = ${secret.bytes}, secret_key_id = ${secret.keyId},
      old_secret = ${old?.bytes ?? null}, old_secret_key_id = ${old?.keyId ?? null}
    WHERE id = ${id}
  `.execute(tx);
}

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
