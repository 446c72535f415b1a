import { SecretUnreadable, type Vault } from "../../secrets/vault.ts";
import type { EndpointRow } from "./endpoints.view.ts";

type Place = { readonly id: bigint; readonly seller_id: bigint };

/** A secret and the one before it are one field: it changes places when it is replaced. */
export function placeOf({ id, seller_id: ownerId }: Place) {
  return { ownerId, provider: "webhooks", rowId: id, field: "secret" };
}

export type Secrets = Pick<
  EndpointRow,
  "secret" | "secret_key_id" | "old_secret" | "old_secret_key_id" | "old_secret_until"
>;

/** What signs now; null when it cannot be opened: nothing is signed by a guess. */
export function openSecrets(
  vault: Vault,
  { row, now }: { row: Secrets & Place; now: Date },
): string[] | null {
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
