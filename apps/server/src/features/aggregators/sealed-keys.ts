import type { Keys } from "../../providers.ts";
import { SecretUnreadable, type Vault } from "../../secrets/vault.ts";
import type { KeysRow } from "./keys.view.ts";

/** The one sealed field of a row. */
export const FIELD = "keys";

type Place = Pick<KeysRow, "id" | "seller_id" | "provider">;

export function bindingOf({ id, seller_id: ownerId, provider }: Place) {
  return { ownerId, provider, rowId: id, field: FIELD };
}

/** Or why they cannot be opened: it is never guessed what they were. */
export function openKeys(vault: Vault, row: KeysRow): Keys | SecretUnreadable {
  const sealed = { bytes: row.secrets, keyId: row.secrets_key_id };
  try {
    return JSON.parse(vault.open(sealed, bindingOf(row))) as Keys;
  } catch (error) {
    if (error instanceof SecretUnreadable) return error;
    throw error;
  }
}
