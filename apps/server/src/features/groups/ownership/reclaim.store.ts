import { sql } from "kysely";
import type { Db } from "../../../postgres/database.ts";

/** Who sells the group now; the row is locked. Null for an absent one. */
export async function lockGroupSeller(tx: Db, groupId: bigint): Promise<bigint | null> {
  const { rows } = await sql<{ seller_id: bigint }>`
    SELECT seller_id FROM groups WHERE id = ${groupId} FOR NO KEY UPDATE
  `.execute(tx);
  return rows[0]?.seller_id ?? null;
}

/**
 * The group changes hands, and its new seller is told so here: not once more that it is linked. Its
 * memberships hang on the group, its orders on their own seller.
 */
export async function handOver(
  tx: Db,
  change: { groupId: bigint; to: bigint; now: Date },
): Promise<void> {
  await sql`
    UPDATE groups SET seller_id = ${change.to}, linked_at = ${change.now}, quota_rank = NULL,
      seller_lost_rights_at = NULL, told_state = 'connected', last_event = 'reclaimed',
      last_event_at = ${change.now}
    WHERE id = ${change.groupId}
  `.execute(tx);
}
