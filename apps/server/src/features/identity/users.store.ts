import { sql } from "kysely";
import type { Db } from "../../postgres/database.ts";

/** Undefined: unchanged. Null: cleared. */
export type ProfileChange = {
  readonly displayName?: string | null;
  readonly country?: string | null;
  readonly whatsappNumber?: string | null;
};

export async function updateProfile(
  tx: Db,
  sellerId: bigint,
  change: ProfileChange & { readonly now: Date },
): Promise<void> {
  await sql`
    UPDATE sellers SET
      display_name = CASE WHEN ${change.displayName !== undefined}
        THEN ${change.displayName ?? null} ELSE display_name END,
      country = CASE WHEN ${change.country !== undefined}
        THEN ${change.country ?? null} ELSE country END,
      whatsapp_number = CASE WHEN ${change.whatsappNumber !== undefined}
        THEN ${change.whatsappNumber ?? null} ELSE whatsapp_number END,
      updated_at = ${change.now}
    WHERE id = ${sellerId}
  `.execute(tx);
}
