import { sql } from "kysely";
import type { Db } from "../../postgres/database.ts";
import type { Sealed } from "../../secrets/vault.ts";
import type { Secrets } from "./secrets.ts";

type SecretsToRotate = Secrets & { readonly id: bigint; readonly seller_id: bigint };

/** Rows of which something is under another key than this one, each held until the commit. */
export async function lockSecretsToRotate(
  tx: Db,
  of: { keyId: string; after: bigint; limit: number },
): Promise<SecretsToRotate[]> {
  const { rows } = await sql<SecretsToRotate>`
    SELECT id, seller_id, secret, secret_key_id, old_secret, old_secret_key_id, old_secret_until
    FROM webhook_endpoints
    WHERE (secret_key_id <> ${of.keyId} OR old_secret_key_id <> ${of.keyId}) AND id > ${of.after}
      AND deleted_at IS NULL
    ORDER BY id LIMIT ${of.limit} FOR UPDATE
  `.execute(tx);
  return rows;
}

/** The very same secrets under another key. */
export async function putSecretsUnderNewKey(
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
