import type { AccessOnWire, AccessStatus, OrderAccessOnWire } from "@sesame/contract/access";
import { sql } from "kysely";
import type { App } from "../../app.ts";
import { type Db, many, maybe } from "../../postgres/database.ts";
import { imageUrlOf } from "../catalogue/index.ts";

/** A person's membership of a group, and who is who on Telegram. */
export type Membership = {
  readonly access_id: bigint;
  readonly status: AccessStatus;
  readonly ends_at: Date;
  /** Null: was never inside. */
  readonly joined_at: Date | null;
  readonly person_id: bigint;
  readonly telegram_id: bigint;
  readonly group_id: bigint;
  readonly chat_id: bigint;
  readonly kind: "supergroup" | "channel";
  readonly group_title: string;
  readonly seller_id: bigint;
  /** The order that last extended it, and its product; null: all its time was given. */
  readonly order_id: bigint | null;
  readonly reference: string | null;
  readonly refunded: boolean;
};

/** A paid order with the membership it opened or extended. */
export type PaidOrder = Membership & {
  readonly order_id: bigint;
  readonly reference: string;
  readonly title: string;
  readonly price: bigint;
  readonly paid_at: Date;
  readonly is_renewal: boolean;
};

const MEMBERSHIP_COLUMNS = sql`
  a.id AS access_id, a.status, a.ends_at, a.joined_at, a.person_id, pe.telegram_id,
  g.id AS group_id, g.chat_id, g.kind, g.title AS group_title,
  coalesce(o.seller_id, g.seller_id) AS seller_id, o.id AS order_id, p.reference,
  coalesce(o.status = 'refunded', false) AS refunded
`;

const MEMBERSHIP = sql`
  SELECT ${MEMBERSHIP_COLUMNS}
  FROM accesses a
  JOIN people pe ON pe.id = a.person_id
  JOIN groups g ON g.id = a.group_id
  LEFT JOIN orders o ON o.id = a.order_id
  LEFT JOIN products p ON p.id = o.product_id
`;

export async function paidOrder(db: Db, orderId: bigint): Promise<PaidOrder | null> {
  return maybe<PaidOrder>(db)`
    SELECT ${MEMBERSHIP_COLUMNS}, o.title, o.price, o.paid_at, o.is_renewal
    FROM orders o
    JOIN products p ON p.id = o.product_id
    JOIN accesses a ON a.person_id = o.buyer_id AND a.group_id = o.group_id
    JOIN people pe ON pe.id = o.buyer_id
    JOIN groups g ON g.id = o.group_id
    WHERE o.id = ${orderId} AND o.status = 'paid'
  `;
}

/** With the order that last extended it. */
export async function accessById(db: Db, accessId: bigint): Promise<Membership | null> {
  return maybe<Membership>(db)`${MEMBERSHIP} WHERE a.id = ${accessId}`;
}

/** A person's membership of a chat. */
export async function accessInChat(
  db: Db,
  who: { chatId: bigint; telegramId: bigint },
): Promise<Membership | null> {
  return maybe<Membership>(db)`
    ${MEMBERSHIP} WHERE pe.telegram_id = ${who.telegramId} AND g.chat_id = ${who.chatId}
  `;
}

export type LinkedProduct = { readonly title: string; readonly reference: string };

/** What an invite link of ours was sold with; null for a link that is not ours. */
export async function productOfLink(
  db: Db,
  link: { chatId: bigint; inviteLink: string },
): Promise<LinkedProduct | null> {
  return maybe<LinkedProduct>(db)`
    SELECT p.title, p.reference
    FROM access_links l
    JOIN groups g ON g.id = l.group_id AND g.chat_id = ${link.chatId}
    JOIN orders o ON o.id = l.order_id
    JOIN products p ON p.id = o.product_id
    WHERE l.invite_link = ${link.inviteLink}
  `;
}

/** What is sold for a chat, the newest first; null for a chat with nothing to sell. */
export async function productOfChat(db: Db, chatId: bigint): Promise<LinkedProduct | null> {
  return maybe<LinkedProduct>(db)`
    SELECT p.title, p.reference FROM products p
    JOIN groups g ON g.id = p.group_id AND g.seller_id = p.seller_id
    WHERE g.chat_id = ${chatId} AND p.archived_at IS NULL
    ORDER BY p.id DESC LIMIT 1
  `;
}

/** Running accesses of a group whose person is not inside. */
export async function waitingIn(db: Db, groupId: bigint, now: Date): Promise<Membership[]> {
  return many<Membership>(db)`
    ${MEMBERSHIP}
    WHERE a.group_id = ${groupId} AND a.status IN ('waiting', 'left') AND a.ends_at > ${now}
  `;
}

type OrderAccessRow = {
  readonly status: AccessStatus;
  readonly ends_at: Date;
  readonly group_title: string;
  readonly invite_link: string | null;
};

/** `access` of GET /api/orders/{id}; null until the sale is settled. */
export async function accessOfOrder(db: Db, orderId: bigint): Promise<OrderAccessOnWire | null> {
  const { rows } = await sql<OrderAccessRow>`
    SELECT a.status, a.ends_at, g.title AS group_title, ${openLink} AS invite_link
    FROM orders o
    JOIN accesses a ON a.person_id = o.buyer_id AND a.group_id = o.group_id
    JOIN groups g ON g.id = a.group_id
    WHERE o.id = ${orderId} AND o.status = 'paid'
  `.execute(db);
  const [row] = rows;
  if (!row) return null;
  return {
    status: row.status,
    expires_at: row.ends_at.toISOString(),
    invite_link: row.invite_link,
    links: [{ group: row.group_title, invite_link: row.invite_link }],
  };
}

/** The newest link that still serves, while the person is not inside. */
const openLink = sql`(
  SELECT l.invite_link FROM orders lo
  JOIN access_links l ON l.order_id = lo.id AND l.group_id = a.group_id
  WHERE lo.buyer_id = a.person_id AND l.revoked_at IS NULL AND a.status IN ('waiting', 'left')
  ORDER BY l.created_at DESC LIMIT 1
)`;

type MyAccessRow = OrderAccessRow & {
  readonly id: bigint;
  readonly joined_at: Date | null;
  readonly kind: "supergroup" | "channel";
  readonly order_id: bigint | null;
  readonly product_id: bigint | null;
  readonly product_title: string | null;
  readonly reference: string | null;
  readonly image_id: string | null;
  readonly on_sale: boolean | null;
};

/** A person's accesses: those that run first, the nearest end first. */
export async function accessesOf(app: App, personId: bigint): Promise<AccessOnWire[]> {
  const { rows } = await sql<MyAccessRow>`
    SELECT a.id, a.status, a.ends_at, a.joined_at, g.title AS group_title, g.kind, a.order_id,
      p.id AS product_id, p.title AS product_title, p.reference, p.image_id,
      p.archived_at IS NULL AND p.switched_on AND p.seller_id = g.seller_id AS on_sale, ${openLink} AS invite_link
    FROM accesses a
    JOIN groups g ON g.id = a.group_id
    LEFT JOIN orders o ON o.id = a.order_id
    LEFT JOIN products p ON p.id = o.product_id
    WHERE a.person_id = ${personId}
    ORDER BY a.status IN ('ended', 'removed', 'banned'), a.ends_at, a.id
    LIMIT 200
  `.execute(app.db);
  return rows.map((row) => ({
    id: String(row.id),
    status: row.status,
    expires_at: row.ends_at.toISOString(),
    joined_at: row.joined_at?.toISOString() ?? null,
    group: { name: row.group_title, type: row.kind === "channel" ? "canal" : "groupe" },
    product:
      row.product_id === null
        ? null
        : {
            id: String(row.product_id),
            title: row.product_title ?? "",
            image_url: row.image_id === null ? null : imageUrlOf(row.image_id),
          },
    order_id: row.order_id === null ? null : String(row.order_id),
    invite_link: row.invite_link,
    renew_reference: row.on_sale && row.status !== "banned" ? row.reference : null,
  }));
}
