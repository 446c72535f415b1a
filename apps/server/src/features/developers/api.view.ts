import type { AccessStatus } from "@sesame/contract/access";
import type { OrderStatus } from "@sesame/contract/checkout";
import type { Fcfa } from "@sesame/kernel";
import { type RawBuilder, sql } from "kysely";
import { type Db, many, maybe } from "../../postgres/database.ts";

export type Page = {
  /** Older than this id; null from the newest. */
  readonly before: bigint | null;
  readonly limit: number;
};

export type OrderRow = {
  readonly id: bigint;
  readonly status: OrderStatus;
  readonly title: string;
  readonly product_id: bigint;
  /** Null for a donation. */
  readonly group_id: bigint | null;
  readonly price: Fcfa;
  readonly fee: Fcfa;
  readonly provider: string;
  readonly direct: boolean;
  readonly is_renewal: boolean;
  readonly buyer_id: bigint;
  readonly telegram_id: bigint;
  readonly buyer_name: string;
  readonly created_at: Date;
  readonly paid_at: Date | null;
  readonly access_until: Date | null;
};

const nothing = sql``;

async function selectOrders(db: Db, rest: RawBuilder<unknown>): Promise<OrderRow[]> {
  return many<OrderRow>(db)`
    SELECT o.id, o.status, o.title, o.product_id, o.group_id, o.price, o.fee, o.provider, o.direct,
      o.is_renewal, o.buyer_id, p.telegram_id,
      concat_ws(' ', p.first_name, p.last_name) AS buyer_name, o.created_at, o.paid_at,
      o.access_until
    FROM orders o JOIN people p ON p.id = o.buyer_id WHERE ${rest}
  `;
}

export type OrdersFilter = {
  readonly status: OrderStatus | null;
  readonly productId: bigint | null;
};

/** A seller's orders whose payment was begun, newest first. */
export function viewOrders(
  db: Db,
  sellerId: bigint,
  { before, limit, filter }: Page & { readonly filter: OrdersFilter },
): Promise<OrderRow[]> {
  const { status, productId } = filter;
  return selectOrders(
    db,
    sql`o.seller_id = ${sellerId}
      ${before === null ? nothing : sql`AND o.id < ${before}`}
      ${status === null ? nothing : sql`AND o.status = ${status}`}
      ${productId === null ? nothing : sql`AND o.product_id = ${productId}`}
      AND EXISTS (SELECT FROM payments x WHERE x.order_id = o.id)
      ORDER BY o.id DESC LIMIT ${limit}`,
  );
}

/** Null for an absent or foreign one alike. */
export async function viewOrder(db: Db, sellerId: bigint, id: bigint): Promise<OrderRow | null> {
  const [row] = await selectOrders(db, sql`o.id = ${id} AND o.seller_id = ${sellerId}`);
  return row ?? null;
}

export type AccessRow = {
  readonly id: bigint;
  readonly status: AccessStatus;
  readonly group_id: bigint;
  readonly order_id: bigint | null;
  readonly person_id: bigint;
  readonly telegram_id: bigint;
  readonly name: string;
  readonly started_at: Date;
  readonly ends_at: Date;
  readonly joined_at: Date | null;
};

/** `chosen`: rows of accesses. */
async function selectAccesses(db: Db, chosen: RawBuilder<unknown>): Promise<AccessRow[]> {
  return many<AccessRow>(db)`
    SELECT a.id, a.status, a.group_id, a.order_id, a.person_id, p.telegram_id,
      concat_ws(' ', p.first_name, p.last_name) AS name, a.started_at, a.ends_at, a.joined_at
    FROM (${chosen}) AS a JOIN people p ON p.id = a.person_id
    ORDER BY a.id DESC
  `;
}

export type AccessesFilter = {
  readonly status: AccessStatus | null;
  readonly groupId: bigint | null;
};

/**
 * Who has or had access to a seller's groups, newest first. His are found first: in the order of
 * their ids everybody's would be walked through.
 */
export function viewAccesses(
  db: Db,
  sellerId: bigint,
  { before, limit, filter }: Page & { readonly filter: AccessesFilter },
): Promise<AccessRow[]> {
  const { status, groupId } = filter;
  return selectAccesses(
    db,
    sql`WITH his AS MATERIALIZED (
        SELECT a.* FROM groups g JOIN accesses a ON a.group_id = g.id
        WHERE g.seller_id = ${sellerId}
          ${groupId === null ? nothing : sql`AND g.id = ${groupId}`}
          ${before === null ? nothing : sql`AND a.id < ${before}`}
          ${status === null ? nothing : sql`AND a.status = ${status}`}
      )
      SELECT * FROM his ORDER BY id DESC LIMIT ${limit}`,
  );
}

export async function viewAccess(db: Db, sellerId: bigint, id: bigint): Promise<AccessRow | null> {
  const [row] = await selectAccesses(
    db,
    sql`SELECT a.* FROM accesses a JOIN groups g ON g.id = a.group_id
      WHERE a.id = ${id} AND g.seller_id = ${sellerId}`,
  );
  return row ?? null;
}

export type WithdrawalRow = {
  readonly id: bigint;
  readonly reference: string;
  readonly amount: Fcfa;
  readonly method: string;
  readonly created_at: Date;
  readonly paid_at: Date | null;
};

export async function viewWithdrawal(
  db: Db,
  sellerId: bigint,
  id: bigint,
): Promise<WithdrawalRow | null> {
  return maybe<WithdrawalRow>(db)`
    SELECT id, reference, amount, method, created_at, paid_at FROM withdrawals
    WHERE id = ${id} AND seller_id = ${sellerId}
  `;
}
