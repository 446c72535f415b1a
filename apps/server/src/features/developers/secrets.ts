import { createHmac } from "node:crypto";
import { SECRET_PREFIX } from "@sesame/contract/developers";
import type { Random } from "@sesame/kernel";
import { sql } from "kysely";
import { type Db, many } from "../../postgres/database.ts";
import { reseal, SecretUnreadable, type Sealed, type Vault } from "../../secrets/vault.ts";

const SECRET_BYTES = 32;

/** A secret of Standard Webhooks: whsec_ and 32 random bytes in base64. */
export function drawSecret(random: Random): string {
  return SECRET_PREFIX + Buffer.from(random.bytes(SECRET_BYTES)).toString("base64");
}

/** The three headers: each secret signs, so that a change of secret loses nothing. */
export function signatureHeaders(
  { id, at, body }: { readonly id: string; readonly at: Date; readonly body: string },
  secrets: readonly string[],
): Record<string, string> {
  const seconds = String(Math.floor(at.getTime() / 1_000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(SECRET_PREFIX.length), "base64");
    const hmac = createHmac("sha256", key).update(`${id}.${seconds}.${body}`);
    return `v1,${hmac.digest("base64")}`;
  });
  return {
    "webhook-id": id,
    "webhook-timestamp": seconds,
    "webhook-signature": signatures.join(" "),
  };
}

type Place = { readonly id: bigint; readonly seller_id: bigint };

/** The binding of a secret; the former one has the same, since a replaced secret moves to that column. */
export function placeOf({ id, seller_id: ownerId }: Place) {
  return { ownerId, provider: "webhooks", rowId: id, field: "secret" };
}

/** The stored secrets of an endpoint. */
export type SecretsRow = Place & {
  readonly secret: Buffer;
  readonly secret_key_id: string;
  readonly old_secret: Buffer | null;
  readonly old_secret_key_id: string | null;
  readonly old_secret_until: Date | null;
};

/** The secrets that sign now; null when one cannot be decrypted: then nothing is signed. */
export function openSecrets(vault: Vault, { row, now }: { row: SecretsRow; now: Date }) {
  const place = placeOf(row);
  try {
    const secrets = [vault.open({ bytes: row.secret, keyId: row.secret_key_id }, place)];
    const { old_secret: bytes, old_secret_key_id: keyId, old_secret_until: until } = row;
    if (bytes && keyId && until && until > now) secrets.push(vault.open({ bytes, keyId }, place));
    return secrets;
  } catch (error) {
    if (error instanceof SecretUnreadable) return null;
    throw error;
  }
}

/** Re-encrypts every webhook secret with the newest key. */
export function rotateSecrets(db: Db, vault: Vault) {
  return reseal(db, {
    list: (tx, without, limit) => many<SecretsRow>(tx)`
      SELECT id, seller_id, secret, secret_key_id, old_secret, old_secret_key_id, old_secret_until
      FROM webhook_endpoints
      WHERE (secret_key_id <> ${vault.keyId} OR old_secret_key_id <> ${vault.keyId})
        AND id <> ALL(${without}::bigint[]) AND deleted_at IS NULL
      ORDER BY id LIMIT ${limit} FOR UPDATE
    `,
    rewrite: (tx, row) => {
      const again = (sealed: Sealed) => vault.seal(vault.open(sealed, placeOf(row)), placeOf(row));
      const secret = again({ bytes: row.secret, keyId: row.secret_key_id });
      const { old_secret: bytes, old_secret_key_id: keyId } = row;
      const old = bytes && keyId ? again({ bytes, keyId }) : null;
      return sql`
        UPDATE webhook_endpoints SET secret = ${secret.bytes}, secret_key_id = ${secret.keyId},
          old_secret = ${old?.bytes ?? null}, old_secret_key_id = ${old?.keyId ?? null}
        WHERE id = ${row.id}
      `.execute(tx);
    },
  });
}
