import { KNOWN_PROVIDERS } from "@sesame/contract/checkout";
import { PAYOUT_RAILS } from "@sesame/contract/treasury";
import { type SearchType, type searchBackOffice } from "@sesame/contract/back-office";
import { type Plan, planToWire } from "@sesame/contract/plans";
import { REFUND_STATUS_WORDS, type RefundStatus } from "@sesame/contract/refunds";
import { type RawBuilder, sql } from "kysely";
import type { z } from "zod";
import type { App } from "../../app.ts";
import { type Db, many, nextCursor } from "../../postgres/database.ts";

/** The possible meanings of a text typed in the search. */
type SearchKey = {
  /** As typed, trimmed. */
  readonly text: string;
  /** An id of ours, or Telegram's. */
  readonly id: bigint | null;
  /** The last eight digits of a phone number. */
  readonly phone: string | null;
  /** A reference or a provider's id: without blanks. */
  readonly reference: string | null;
  /** Beginnings of words of a name: a tsquery. */
  readonly words: string | null;
};

/** Fewer digits match too many numbers. */
const PHONE_FIGURES = 8;
const WORDS_MAX = 5;

function readSearch(question: string): SearchKey {
  const text = question.trim();
  const figures = text.replace(/[\s.\-()]/g, "");
  const isNumber = /^\+?\d+$/.test(figures);
  const hashed = /^#?(\d{1,18})$/.exec(figures)?.[1];
  return {
    text,
    id: hashed === undefined ? null : BigInt(hashed),
    phone: isNumber && figures.length >= PHONE_FIGURES ? figures.slice(-PHONE_FIGURES) : null,
    reference: /^[\x21-\x7e]{2,100}$/.test(text) ? text.replace(/^#/, "") : null,
    words: isNumber ? null : wordsOf(text),
  };
}

function wordsOf(text: string): string | null {
  const plain = text
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "")
    .toLowerCase();
  const words = plain.split(/[^\p{L}\p{N}_]+/u).filter((word) => word.length >= 2);
  const begun = words.slice(0, WORDS_MAX).map((word) => `'${word}':*`);
  return begun.join(" & ") || null;
}

const PAGE = 20;
/** The cursor, for the next page of one list. */
type Before = bigint | null;

type Found = z.output<typeof searchBackOffice.answer>;
type Item<K extends SearchType> = Found[K]["items"][number] & { readonly id: bigint };

/** Null: an invalid cursor. */
export async function search(
  { db, clock }: App,
  { q, type, cursor }: z.output<typeof searchBackOffice.query>,
) {
  const before = type === undefined ? null : cursor;
  const key = readSearch(q);
  // A text of one character would match everything, so it finds nothing, unless it is an id.
  const asked = key.text.length >= 2 || key.id !== null;
  const list = async <K extends SearchType>(
    name: K,
    find: (db: Db, key: SearchKey, before: Before) => Promise<Item<K>[]>,
  ) => {
    const wanted = asked && (type === undefined || type === name);
    const items = wanted ? await find(db, key, before) : [];
    return { items, next_cursor: nextCursor(items, PAGE) };
  };
  const [sellers, orders, payments, withdrawals, products, refunds] = await Promise.all([
    list("sellers", findSellers),
    list("orders", findOrders),
    list("payments", findPayments),
    list("withdrawals", findWithdrawals),
    list("products", findProducts),
    list("refunds", findRefunds),
  ]);
  return { now: clock.now(), sellers, orders, payments, withdrawals, products, refunds };
}

/** Every id that matches, then one page of them, newest first. */
function pageOf(ids: readonly RawBuilder<unknown>[], before: Before): RawBuilder<unknown> {
  return sql`
    SELECT DISTINCT found.id FROM (${sql.join(ids, sql` UNION ALL `)}) AS found(id)
    WHERE found.id IS NOT NULL AND (${before}::bigint IS NULL OR found.id < ${before})
    ORDER BY found.id DESC LIMIT ${PAGE}
  `;
}

const seller = sql`json_build_object('id', s.id, 'name', seller_name(s, pe))`;
const buyer = sql`json_build_object('id', buyer.id, 'name', buyer.name)`;

/** A number belongs to few sellers, however many requests they made. */
const REQUESTS_READ = 500;
/** Of buyers with the same name; another word of it says who is meant. */
const PEOPLE_READ = 500;

async function findSellers(db: Db, key: SearchKey, before: Before) {
  const { id, phone, words } = key;
  const ids = [
    sql`SELECT s.id FROM sellers s JOIN people pe ON pe.id = s.id
      WHERE search_words(concat_ws(' ', pe.name, pe.username, s.display_name)) @@ ${words}::tsquery`,
    sql`SELECT s.id FROM sellers s WHERE s.id = ${id}`,
    sql`SELECT s.id FROM people p JOIN sellers s ON s.id = p.id WHERE p.telegram_id = ${id}`,
    sql`SELECT s.id FROM sellers s WHERE phone_search_key(s.whatsapp_number) = ${phone}
      AND s.whatsapp_number IS NOT NULL`,
    sql`(SELECT w.seller_id FROM withdrawals w WHERE phone_search_key(w.phone) = ${phone}
      ORDER BY w.id DESC LIMIT ${REQUESTS_READ})`,
    sql`SELECT f.seller_id FROM payout_profiles f WHERE phone_search_key(f.phone) = ${phone}
      AND f.phone IS NOT NULL`,
  ];
  const rows = await many<Omit<Item<"sellers">, "type_plan"> & { plan: Plan | null }>(db)`
    SELECT s.id, seller_name(s, pe) AS name, pe.username, pe.telegram_id::float8 AS telegram_id, s.plan,
      s.suspended_at IS NOT NULL AS suspended, s.closed_at IS NOT NULL AS closed,
      coalesce(f.frozen_at IS NOT NULL, false) AS frozen
    FROM (${pageOf(ids, before)}) AS named
    JOIN sellers s ON s.id = named.id
    JOIN people pe ON pe.id = s.id
    LEFT JOIN payout_profiles f ON f.seller_id = s.id
    ORDER BY s.id DESC
  `;
  return rows.map((row) => ({ ...row, type_plan: row.plan && planToWire(row.plan) }));
}

const orderColumns = sql`
  o.id, o.title, o.price AS amount, o.status, o.provider, o.created_at, ${buyer} AS buyer,
  CASE WHEN o.seller_id IS NOT NULL THEN ${seller} END AS seller
`;
const orderTables = sql`
  JOIN people buyer ON buyer.id = o.buyer_id
  LEFT JOIN sellers s ON s.id = o.seller_id
  LEFT JOIN people pe ON pe.id = s.id
`;

/** By its id, a payment's id, or the buyer's Telegram id; the last one of each buyer of a name. */
function findOrders(db: Db, { id, reference, words }: SearchKey, before: Before) {
  const ids = [
    sql`SELECT o.id FROM orders o WHERE o.id = ${id}`,
    sql`SELECT p.order_id FROM payments p WHERE p.provider = ANY(${[...KNOWN_PROVIDERS]}::text[])
      AND p.provider_payment_id = ${reference}`,
    sql`(SELECT o.id FROM people b JOIN orders o ON o.buyer_id = b.id
      WHERE b.telegram_id = ${id} AND (${before}::bigint IS NULL OR o.id < ${before})
      ORDER BY o.id DESC LIMIT ${PAGE})`,
    sql`(WITH named AS MATERIALIZED (SELECT pe.id FROM people pe
        WHERE search_words(pe.name || ' ' || coalesce(pe.username, '')) @@ ${words}::tsquery)
      SELECT o.id FROM (SELECT id FROM named
        WHERE EXISTS (SELECT FROM orders WHERE buyer_id = named.id)
        ORDER BY id DESC LIMIT ${PEOPLE_READ}) AS b
      CROSS JOIN LATERAL
        (SELECT id FROM orders WHERE buyer_id = b.id ORDER BY id DESC LIMIT 1) AS o)`,
  ];
  return many<Item<"orders">>(db)`
    SELECT ${orderColumns} FROM (${pageOf(ids, before)}) AS named
    JOIN orders o ON o.id = named.id ${orderTables} ORDER BY o.id DESC
  `;
}

export const listOrdersOfSeller = (db: Db, sellerId: bigint, limit: number) =>
  many<Item<"orders">>(db)`
    SELECT ${orderColumns}
    FROM (SELECT * FROM orders o WHERE o.seller_id = ${sellerId} ORDER BY o.id DESC
      LIMIT ${limit}) AS o ${orderTables} ORDER BY o.id DESC
  `;

/** By its id, its order's, or the provider's. */
function findPayments(db: Db, key: SearchKey, before: Before) {
  const { id, reference } = key;
  const ids = [
    sql`SELECT p.id FROM payments p WHERE p.id = ${id}`,
    sql`SELECT p.id FROM payments p WHERE p.order_id = ${id}`,
    sql`SELECT p.id FROM payments p WHERE p.provider = ANY(${[...KNOWN_PROVIDERS]}::text[])
      AND p.provider_payment_id = ${reference}`,
  ];
  return many<Item<"payments">>(db)`
    SELECT p.id, p.order_id, p.provider, p.provider_payment_id, p.amount, p.status, p.created_at
    FROM (${pageOf(ids, before)}) AS named JOIN payments p ON p.id = named.id ORDER BY p.id DESC
  `;
}

/** By its id or its reference, in a share link too. */
function findProducts(db: Db, key: SearchKey, before: Before) {
  const linked = /[?&]startapp=([A-Za-z0-9_-]{6,32})/.exec(key.text)?.[1];
  const ids = [
    sql`SELECT p.id FROM products p WHERE p.id = ${key.id}`,
    sql`SELECT p.id FROM products p WHERE p.reference = ${linked ?? key.reference}`,
  ];
  return many<Item<"products">>(db)`
    SELECT p.id, p.reference, p.title, p.price, ${seller} AS seller,
      p.suspended_at IS NOT NULL AS suspended, p.archived_at IS NOT NULL AS archived
    FROM (${pageOf(ids, before)}) AS named JOIN products p ON p.id = named.id
    JOIN sellers s ON s.id = p.seller_id JOIN people pe ON pe.id = s.id
    ORDER BY p.id DESC
  `;
}

const listWithdrawals = (db: Db, chosen: RawBuilder<unknown>) => many<Item<"withdrawals">>(db)`
  SELECT w.id, w.reference, w.amount, w.status, w.method, w.phone, ${seller} AS seller,
    w.created_at, w.paid_at
  FROM (${chosen}) AS named JOIN withdrawals w ON w.id = named.id
  JOIN sellers s ON s.id = w.seller_id JOIN people pe ON pe.id = s.id
  ORDER BY w.id DESC
`;

export const listWithdrawalsOfSeller = (db: Db, sellerId: bigint, limit: number) =>
  listWithdrawals(
    db,
    sql`SELECT w.id FROM withdrawals w WHERE w.seller_id = ${sellerId}
      ORDER BY w.id DESC LIMIT ${limit}`,
  );

/**
 * By its id, its reference, its number, its payout's reference or handle, the provider's id, or the
 * operator's reference from an agent.
 */
function findWithdrawals(db: Db, key: SearchKey, before: Before) {
  const { id, phone, reference } = key;
  const earlier = sql`(${before}::bigint IS NULL OR w.id < ${before})`;
  const ofRail = sql`SELECT p.withdrawal_id FROM payouts p WHERE p.rail = ANY(${[...PAYOUT_RAILS]}::text[])`;
  const ids = [
    sql`SELECT w.id FROM withdrawals w WHERE w.id = ${id}`,
    sql`SELECT w.id FROM withdrawals w WHERE w.reference = upper(${reference}::text)`,
    sql`SELECT w.id FROM withdrawals w WHERE w.reference = ${reference}`,
    sql`(SELECT w.id FROM withdrawals w WHERE phone_search_key(w.phone) = ${phone} AND ${earlier}
      ORDER BY w.id DESC LIMIT ${PAGE})`,
    sql`SELECT p.withdrawal_id FROM payouts p WHERE p.reference = ${reference}`,
    sql`${ofRail} AND p.provider_payout_id = ${reference} AND p.provider_payout_id IS NOT NULL`,
    sql`${ofRail} AND p.handle = ${reference} AND p.handle IS NOT NULL`,
    sql`SELECT p.withdrawal_id FROM payouts p WHERE p.return_reference IS NOT NULL
      AND upper(p.return_reference) = upper(${reference}::text)`,
    sql`SELECT p.withdrawal_id FROM payouts p WHERE p.rail = 'manual'
      AND p.operator_reference IS NOT NULL
      AND upper(p.operator_reference) = upper(${reference}::text)`,
  ];
  return listWithdrawals(db, pageOf(ids, before));
}

/** By its id, its order's, its number, or the operator's reference from an agent. */
async function findRefunds(db: Db, { id, phone, reference }: SearchKey, before: Before) {
  const rows = await many<Omit<Item<"refunds">, "status"> & { status: RefundStatus }>(db)`
    SELECT r.id, r.order_id, o.title, r.amount, r.status, ${buyer} AS buyer, r.created_at
    FROM (
      SELECT r.id FROM refunds r WHERE r.id = ${id}
      UNION SELECT r.id FROM refunds r WHERE r.order_id = ${id}
      UNION SELECT r.id FROM refunds r WHERE phone_search_key(r.phone) = ${phone}
        AND r.phone IS NOT NULL
      UNION SELECT r.id FROM refunds r WHERE r.operator_reference IS NOT NULL
        AND upper(r.operator_reference) = upper(${reference}::text)
    ) AS named
    JOIN refunds r ON r.id = named.id
    JOIN orders o ON o.id = r.order_id
    JOIN people buyer ON buyer.id = r.buyer_id
    WHERE ${before}::bigint IS NULL OR r.id < ${before}
    ORDER BY r.id DESC LIMIT ${PAGE}
  `;
  return rows.map((row) => ({ ...row, status: REFUND_STATUS_WORDS[row.status] }));
}
