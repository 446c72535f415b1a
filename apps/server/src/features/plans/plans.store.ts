import type { Plan } from "@sesame/contract/plans";
import { sql } from "kysely";
import type { Db } from "../../postgres/database.ts";

/** The seller's plan, locked until the transaction ends; null before he has chosen. */
export async function lockPlan(tx: Db, sellerId: bigint): Promise<Plan | null> {
  const { rows } = await sql<{ plan: Plan | null }>`
    SELECT plan FROM sellers WHERE id = ${sellerId} FOR NO KEY UPDATE
  `.execute(tx);
  return rows[0]?.plan ?? null;
}

export async function setFreePlan(tx: Db, sellerId: bigint, now: Date): Promise<void> {
  await sql`
    UPDATE sellers SET plan = 'free', updated_at = ${now} WHERE id = ${sellerId}
  `.execute(tx);
}
