import { sql } from "kysely";
import type { Db } from "../../postgres/database.ts";

export type AccessLink = {
  readonly order_id: bigint;
  readonly group_id: bigint;
  readonly invite_link: string;
  readonly chat_id: bigint;
};

/** One link per order and group: a new one takes the place of one that is dead. */
export async function saveLink(
  tx: Db,
  link: { orderId: bigint; groupId: bigint; inviteLink: string; now: Date },
): Promise<void> {
  await sql`
    INSERT INTO access_links (order_id, group_id, invite_link, created_at)
    VALUES (${link.orderId}, ${link.groupId}, ${link.inviteLink}, ${link.now})
    ON CONFLICT (order_id, group_id) DO UPDATE
      SET invite_link = excluded.invite_link, created_at = excluded.created_at, revoked_at = NULL
  `.execute(tx);
}

export async function liveLinksOf(
  db: Db,
  access: { person_id: bigint; group_id: bigint },
): Promise<AccessLink[]> {
  const { rows } = await sql<AccessLink>`
    SELECT l.order_id, l.group_id, l.invite_link, g.chat_id
    FROM orders o
    JOIN access_links l ON l.order_id = o.id AND l.group_id = ${access.group_id}
    JOIN groups g ON g.id = l.group_id
    WHERE o.buyer_id = ${access.person_id} AND l.revoked_at IS NULL
    ORDER BY l.created_at DESC
  `.execute(db);
  return rows;
}

export async function liveLinksOfOrder(db: Db, orderId: bigint): Promise<AccessLink[]> {
  const { rows } = await sql<AccessLink>`
    SELECT l.order_id, l.group_id, l.invite_link, g.chat_id
    FROM access_links l JOIN groups g ON g.id = l.group_id
    WHERE l.order_id = ${orderId} AND l.revoked_at IS NULL
  `.execute(db);
  return rows;
}

export async function markRevoked(db: Db, inviteLink: string, now: Date): Promise<void> {
  await sql`
    UPDATE access_links SET revoked_at = ${now}
    WHERE invite_link = ${inviteLink} AND revoked_at IS NULL
  `.execute(db);
}

/** The chat has another id: its links are dead. */
export async function markGroupLinksRevoked(tx: Db, groupId: bigint, now: Date): Promise<void> {
  await sql`
    UPDATE access_links SET revoked_at = ${now}
    WHERE group_id = ${groupId} AND revoked_at IS NULL
  `.execute(tx);
}
