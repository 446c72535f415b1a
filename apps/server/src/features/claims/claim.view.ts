import type { ClaimableOrder, ClaimKind, ClaimStatus, ClaimStep } from "@sesame/contract/claims";
import type { OrderKind, OrderStatus } from "@sesame/contract/checkout";
import type { Fcfa } from "@sesame/kernel";
import { type RawBuilder, sql } from "kysely";
import { type Db, many, maybe } from "../../postgres/database.ts";
import { mapPart, rowsPart, type SellerPart } from "../../postgres/parts.ts";
import { IS_GIVEN_BACK } from "../checkout/index.ts";
import type { ClaimAuthor } from "./claim.store.ts";

export type EntryRow = {
  readonly author: ClaimAuthor;
  readonly step: ClaimStep;
  readonly words: string | null;
  readonly at: string;
};

export type ClaimRow = {
  readonly id: bigint;
  readonly order_id: bigint;
  readonly title: string;
  readonly order_kind: OrderKind;
  readonly order_status: OrderStatus;
  readonly price: Fcfa;
  readonly kind: ClaimKind;
  readonly status: ClaimStatus;
  readonly opened_at: Date;
  readonly seller_due_at: Date;
  readonly closed_at: Date | null;
  readonly buyer_id: bigint;
  readonly buyer_name: string;
  readonly seller_id: bigint | null;
  readonly seller_name: string;
  /** Oldest first. */
  readonly entries: readonly EntryRow[];
};

async function select(db: Db, rest: RawBuilder<unknown>): Promise<ClaimRow[]> {
  return many<ClaimRow>(db)`
    SELECT c.id, c.order_id, o.title, o.kind AS order_kind, o.status AS order_status, o.price,
      c.kind, c.status, c.opened_at, c.seller_due_at, c.closed_at, c.buyer_id,
      concat_ws(' ', buyer.first_name, buyer.last_name) AS buyer_name, c.seller_id,
      coalesce(s.display_name, concat_ws(' ', owner.first_name, owner.last_name)) AS seller_name,
      (SELECT coalesce(jsonb_agg(jsonb_build_object('author', e.author, 'step', e.step,
          'words', e.words, 'at', e.at) ORDER BY e.id), '[]')
        FROM claim_entries e WHERE e.claim_id = c.id) AS entries
    FROM claims c
    JOIN orders o ON o.id = c.order_id
    JOIN people buyer ON buyer.id = c.buyer_id
    LEFT JOIN sellers s ON s.id = c.seller_id
    LEFT JOIN people owner ON owner.id = s.id
    ${rest}
  `;
}

export async function findClaim(db: Db, id: bigint): Promise<ClaimRow | null> {
  const [row] = await select(db, sql`WHERE c.id = ${id}`);
  return row ?? null;
}

/** Newest first. */
export function findClaimsOf(db: Db, orderId: bigint): Promise<ClaimRow[]> {
  return select(db, sql`WHERE c.order_id = ${orderId} ORDER BY c.id DESC`);
}

export type ClaimsPage = {
  /** The last one shown. */
  readonly after: bigint | null;
  readonly limit: number;
};

/** A seller's: those that wait for him first, then the newest. */
export function findClaimsOfSeller(
  db: Db,
  sellerId: bigint,
  { after, limit }: ClaimsPage,
): Promise<ClaimRow[]> {
  const seen = sql`(SELECT last.status = 'seller' FROM claims last WHERE last.id = ${after})`;
  return select(
    db,
    sql`WHERE c.seller_id = ${sellerId} AND (${after}::bigint IS NULL
        OR ((c.status = 'seller'), c.id) < (coalesce(${seen}, false), ${after}))
      ORDER BY c.status = 'seller' DESC, c.id DESC LIMIT ${limit}`,
  );
}

/** The desk's: open ones, the operator's first, from the oldest; closed ones from the newest. */
export function findClaims(
  db: Db,
  { view, after, limit }: ClaimsPage & { readonly view: "open" | "done" },
): Promise<ClaimRow[]> {
  if (view === "done") {
    return select(
      db,
      sql`WHERE c.closed_at IS NOT NULL AND (${after}::bigint IS NULL OR c.id < ${after})
        ORDER BY c.id DESC LIMIT ${limit}`,
    );
  }
  const seen = sql`(SELECT last.status <> 'operator' FROM claims last WHERE last.id = ${after})`;
  return select(
    db,
    sql`WHERE c.closed_at IS NULL AND (${after}::bigint IS NULL
        OR ((c.status <> 'operator'), c.id) > (coalesce(${seen}, true), ${after}))
      ORDER BY c.status <> 'operator', c.id LIMIT ${limit}`,
  );
}

export async function countWaiting(db: Db, sellerId: bigint): Promise<number> {
  return (await waitingSelect(sql`${sellerId}`).execute(db)).rows[0]?.count ?? 0;
}

/** As `countWaiting`, among the rows of the seller's start. */
export const claimsWaitingPart: SellerPart<number> = (seller) =>
  mapPart(rowsPart(waitingSelect(seller), {}), ([row]) => row?.count ?? 0);

function waitingSelect(seller: RawBuilder<unknown>) {
  return sql<{ count: number }>`
    SELECT count(*)::int AS count FROM claims WHERE seller_id = ${seller} AND status = 'seller'
  `;
}

export async function countOpen(db: Db): Promise<{ operator: number; open: number }> {
  const { rows } = await sql<{ operator: number; open: number }>`
    SELECT count(*) FILTER (WHERE status = 'operator')::int AS operator, count(*)::int AS open
    FROM claims WHERE closed_at IS NULL
  `.execute(db);
  return rows[0] ?? { operator: 0, open: 0 };
}

export type ClaimableRow = ClaimableOrder & {
  readonly orderId: bigint;
  readonly buyerId: bigint;
  readonly sellerId: bigint | null;
  readonly kind: OrderKind;
  /** More than one payment of it was made. */
  readonly paidTwice: boolean;
};

/** What a claim about an order is judged by. */
export async function findClaimable(db: Db, orderId: bigint): Promise<ClaimableRow | null> {
  return maybe<ClaimableRow>(db)`
    SELECT o.id AS "orderId", o.buyer_id AS "buyerId", o.seller_id AS "sellerId", o.kind, o.status,
      o.created_at AS "createdAt", o.access_until AS "accessUntil",
      made.all_of_them > 0 AS "hasPayment", made.paid > 1 AS "paidTwice",
      CASE WHEN o.kind = 'product' THEN coalesce(a.status = 'inside', false) END AS "isInside",
      said.open > 0 AS "claimOpen", said.claims::int AS claims, said.rejections::int AS rejections
    FROM orders o
    LEFT JOIN accesses a ON a.person_id = o.buyer_id AND a.group_id = o.group_id
    CROSS JOIN LATERAL (
      SELECT count(*) AS all_of_them, count(*) FILTER (WHERE p.status = 'paid'
          AND NOT ${IS_GIVEN_BACK}) AS paid
      FROM payments p WHERE p.order_id = o.id
    ) AS made
    CROSS JOIN LATERAL (
      SELECT count(*) AS claims, count(*) FILTER (WHERE c.closed_at IS NULL) AS open,
        count(*) FILTER (WHERE c.status = 'rejected') AS rejections
      FROM claims c WHERE c.order_id = o.id
    ) AS said
    WHERE o.id = ${orderId}
  `;
}
