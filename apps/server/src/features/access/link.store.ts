import { sql } from "kysely";
import { type Db, many } from "../../postgres/database.ts";

export type AccessLink = { readonly order_id: bigint; readonly invite_link: string };

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

/** A person's links to a group have served: none is shown any more. → those that were live */
export async function retireLinks(
  tx: Db,
  access: { person_id: bigint; group_id: bigint },
  now: Date,
): Promise<AccessLink[]> {
  return many<AccessLink>(tx)`
    UPDATE access_links l SET revoked_at = ${now} FROM orders o
    WHERE o.id = l.order_id AND o.buyer_id = ${access.person_id}
      AND l.group_id = ${access.group_id} AND l.revoked_at IS NULL
    RETURNING l.order_id, l.invite_link
  `;
}

/** The links of one order serve no more. → those that were live */
export async function retireOrderLinks(tx: Db, orderId: bigint, now: Date): Promise<AccessLink[]> {
  return many<AccessLink>(tx)`
    UPDATE access_links SET revoked_at = ${now}
    WHERE order_id = ${orderId} AND revoked_at IS NULL
    RETURNING order_id, invite_link
  `;
}

export async function hasLiveLink(db: Db, orderId: bigint): Promise<boolean> {
  const { rows } = await sql<{ yes: boolean }>`
    SELECT EXISTS (
      SELECT FROM access_links WHERE order_id = ${orderId} AND revoked_at IS NULL
    ) AS yes
  `.execute(db);
  return rows[0]?.yes ?? false;
}

/** The chat an order's link leads to. */
export async function chatOfOrder(db: Db, orderId: bigint): Promise<bigint | null> {
  const { rows } = await sql<{ chat_id: bigint }>`
    SELECT g.chat_id FROM orders o JOIN groups g ON g.id = o.group_id WHERE o.id = ${orderId}
  `.execute(db);
  return rows[0]?.chat_id ?? null;
}

/** The chat has another id: its links are dead. */
export async function markGroupLinksRevoked(tx: Db, groupId: bigint, now: Date): Promise<void> {
  await sql`
    UPDATE access_links SET revoked_at = ${now}
    WHERE group_id = ${groupId} AND revoked_at IS NULL
  `.execute(tx);
}
