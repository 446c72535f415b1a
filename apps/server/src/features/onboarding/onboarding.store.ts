import { sql } from "kysely";
import type { Db } from "../../postgres/database.ts";

/** Onboarding seen: it is not shown again (decision 13). */
export async function finishOnboarding(tx: Db, sellerId: bigint, now: Date): Promise<void> {
  await sql`
    UPDATE sellers SET onboarded = true, updated_at = ${now} WHERE id = ${sellerId}
  `.execute(tx);
}
