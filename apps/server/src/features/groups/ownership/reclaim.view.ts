import { sql } from "kysely";
import type { Db } from "../../../postgres/database.ts";
import { type GroupRow, listGroupsWhere } from "../group.view.ts";

/** The creator of a linked group as last heard, if the bot has met them. */
export async function findCreator(db: Db, groupId: bigint): Promise<bigint | null> {
  const { rows } = await sql<{ id: bigint }>`
    SELECT p.id FROM group_admins a JOIN people p ON p.telegram_id = a.telegram_id
    WHERE a.group_id = ${groupId} AND a.is_creator
  `.execute(db);
  return rows[0]?.id ?? null;
}

const LISTED = 20;

/** Groups of other sellers of which a person was the creator when Telegram was last asked. */
export function listCreatedGroups(
  db: Db,
  creator: { personId: bigint; telegramId: bigint },
): Promise<GroupRow[]> {
  return listGroupsWhere(
    db,
    sql`g.seller_id <> ${creator.personId} AND g.id IN (
      SELECT group_id FROM group_admins
      WHERE telegram_id = ${creator.telegramId} AND is_creator LIMIT ${LISTED}
    )`,
  );
}

/** Products of a seller in a group that are not archived. */
export async function countProducts(
  db: Db,
  of: { groupId: bigint; sellerId: bigint },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM products
    WHERE group_id = ${of.groupId} AND seller_id = ${of.sellerId} AND archived_at IS NULL
  `.execute(db);
  return rows[0]?.count ?? 0;
}
