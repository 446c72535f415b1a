import * as contract from "@sesame/contract/reports";
import { sayMethod } from "@sesame/contract/withdrawals";
import { type RawBuilder, sql } from "kysely";
import type { z } from "zod";
import type { App } from "../../app.ts";
import { type Db, many, one } from "../../postgres/database.ts";
import { answerRowsPart, type SellerPart } from "../../postgres/parts.ts";
import { addDays, addMonths, dayOf, startOfDay } from "@sesame/kernel";

/** B §9: for the home page. */
const RECENT_COUNT = 4;
const PAGE = 30;
/** The newest hundred subscriptions, for the seller's start (A §3). */
const SUBSCRIPTIONS_AT_START = 100;
const LAST_ID = 2n ** 63n - 1n;

/** A buyer's name for the seller: `p` is a row of people. */
export const BUYER_NAME = sql`
  coalesce(nullif(p.name, ''), ${contract.NAMELESS_BUYER}::text)`;

export const PAYOUT_STATUS = sql<contract.TransactionStatus>`CASE
  WHEN w.paid_at IS NOT NULL THEN 'success'
  WHEN w.status IN ('pending', 'approved') THEN 'pending'
  WHEN w.status = 'rejected' THEN 'failed' ELSE 'cancelled' END`;

/**
 * Older than an id, from the newest when null. One row more than the limit shows that more follow. A
 * null filter matches everything.
 */
type Page = {
  readonly before: bigint | null;
  readonly limit: number;
  readonly words: string | null;
  readonly since: Date | null;
  readonly status: contract.TransactionStatus | null;
};

/** Whether a row is of the page, and their order: `row` has the kind's id, `at` and `said` are its time and words. */
const onPage = (
  { before, limit, words, since }: Page,
  row: { id: RawBuilder<unknown>; at: RawBuilder<unknown>; said: RawBuilder<unknown> },
) => sql`AND ${row.id} < coalesce(${before}::bigint, ${LAST_ID})
  AND ${row.at} >= coalesce(${since}, '-infinity')::timestamptz AND ${holdsWords(row.said, words)}
  ORDER BY ${row.id} DESC LIMIT ${limit + 1}`;

/** A row's place in the history: in its kind by id, among all by time. */
type Place = { readonly place: bigint; readonly at: Date };

type Sale = z.output<typeof contract.transactionOnWire> & Place;
type Item = z.output<typeof contract.listTransactions.answer>["transactions"][number];
type Movement = Exclude<Item, { type: "income" }> & Place;

/** A seller's orders; one without an opened payment is no transaction. */
function selectSales(seller: RawBuilder<unknown>, page: Page) {
  const { status } = page;
  const [id, at] = [sql`o.id`, sql`coalesce(o.paid_at, o.created_at)`];
  const said = sql`concat_ws(' ', o.title, p.first_name, p.last_name, '@' || p.username, o.id)`;
  return sql<Sale>`
    SELECT o.id, o.price AS amount, o.price - o.fee AS net, o.fee AS frais, 'income' AS type,
      coalesce(o.paid_at, o.created_at) AS date,
      CASE o.status WHEN 'paid' THEN 'success' ELSE o.status END AS status,
      o.duration_minutes AS duration, o.product_id AS "idProduit", o.title AS "produitNom",
      o.buyer_id AS "idClient", ${BUYER_NAME} AS "nomClient",
      CASE WHEN o.is_renewal THEN 'Renouvellement' ELSE 'Nouveau' END AS renouvellement, o.direct,
      CASE WHEN o.status = 'paid' AND NOT o.direct THEN o.price - o.fee ELSE 0 END
        AS balance_change,
      o.id AS place, o.created_at AS at
    FROM orders o JOIN people p ON p.id = o.buyer_id
    WHERE o.seller_id = ${seller} AND EXISTS (SELECT FROM payments x WHERE x.order_id = o.id)
      AND o.status = coalesce(${status === "success" ? "paid" : status}, o.status)
      ${onPage(page, { id, at, said })}
  `;
}

/** The first page; one more than `limit`. */
const newest = (limit: number): Page => {
  return { before: null, limit, words: null, since: null, status: null };
};

/** The last sales, for the home page (B §9). */
export const transactionsAtStart: SellerPart<Sale[]> = (seller) =>
  answerRowsPart(selectSales(seller, newest(RECENT_COUNT - 1)));

export async function lastSales(db: Db, sellerId: bigint, count: number): Promise<Sale[]> {
  return (await selectSales(sql`${sellerId}`, newest(count - 1)).execute(db)).rows;
}

/**
 * A page of money in and out, newest first. Each kind is read by its own ids, so a page omits and
 * repeats nothing whatever is written meanwhile, and costs the same after a million rows. Sales
 * alone unless other types are requested. Null: an invalid cursor.
 */
export async function transactionsOf(
  { db, clock, config }: App,
  sellerId: bigint,
  query: z.output<typeof contract.listTransactions.query>,
) {
  const { type: wanted = "income", q, periode, statut, limit = PAGE } = query;
  const start = readHistoryCursor(query.cursor);
  if (!start) return null;
  const filter = {
    words: q ?? null,
    since: periode ? startOfPeriod(periode, clock.now(), config.timeZone) : null,
    status: statut ?? null,
  };
  const types = wanted === "all" ? contract.HISTORY_TYPES : [wanted];
  const streams: (readonly (Sale | Movement)[])[] = await Promise.all(
    types.map((type) => READERS[type](db, sellerId, { before: start[type], limit, ...filter })),
  );
  const transactions = merge(streams, limit);
  const more = streams.reduce((count, stream) => count + stream.length, 0) > transactions.length;
  const position = { ...start };
  for (const { type, place } of transactions) position[type] = place;
  return { transactions, next_cursor: more ? writeCursor(position) : null };
}

/** Merges the streams by taking the newest head each time; each stream keeps its order. */
function merge<Row extends Place>(streams: readonly (readonly Row[])[], limit: number): Row[] {
  const left = streams.map((stream) => [...stream]);
  const headOf = ([head]: readonly Row[]) => head?.at.getTime() ?? Number.NEGATIVE_INFINITY;
  const shown: Row[] = [];
  while (shown.length < limit) {
    const [newest] = left.toSorted((one, other) => headOf(other) - headOf(one));
    const row = newest?.shift();
    if (!row) break;
    shown.push(row);
  }
  return shown;
}

type Reader = (db: Db, sellerId: bigint, page: Page) => Promise<(Sale | Movement)[]>;

/** Of movements that are never anything but done. */
const done =
  (read: Reader): Reader =>
  async (db, sellerId, page) =>
    [null, "success"].includes(page.status) ? read(db, sellerId, page) : [];

const READERS: Readonly<Record<contract.HistoryType, Reader>> = {
  income: async (db, sellerId, page) =>
    (await selectSales(sql`${sellerId}`, page).execute(db)).rows,
  payout: viewPayouts,
  return: done(viewReturns),
  transfer: done(viewPlanMoves),
  "write-off": done(viewWriteOffs),
};

const WITHDRAWAL_COLUMNS = sql`
  w.amount, w.amount AS net, 0 AS frais, w.id::text AS demande,
  w.reference AS reference_transaction, w.method AS methode_paiement, w.operator AS operateur,
  w.phone AS numero_transfert, w.reject_reason AS motif, w.id AS place`;

const WITHDRAWAL_SAID = sql`concat_ws(' ', w.reference, w.method, w.phone, w.whatsapp)`;

type WithdrawalRow = Omit<Movement, "methode_nom">;

function named(row: WithdrawalRow): Movement {
  return { ...row, methode_nom: sayMethod(row.methode_paiement) };
}

/** Withdrawals of the seller. */
async function viewPayouts(db: Db, sellerId: bigint, page: Page): Promise<Movement[]> {
  const { status } = page;
  const rows = await many<WithdrawalRow>(db)`
    SELECT 'w' || w.id AS id, 'payout' AS type, ${WITHDRAWAL_COLUMNS}, ${PAYOUT_STATUS} AS status,
      -- One that left and came back is listed beside its return.
      CASE WHEN w.status = 'approved' OR EXISTS (SELECT FROM payouts p WHERE p.withdrawal_id = w.id)
        THEN -w.amount ELSE 0 END AS balance_change,
      w.created_at AS date, w.created_at AS at
    FROM withdrawals w
    WHERE w.seller_id = ${sellerId} AND (${status}::text IS NULL OR ${PAYOUT_STATUS} = ${status})
      ${onPage(page, { id: sql`w.id`, at: sql`w.created_at`, said: WITHDRAWAL_SAID })}
  `;
  return rows.map(named);
}

/** Francs that left and came back (decision 86): the transfers `return:…`, and `reversed:…`. */
async function viewReturns(db: Db, sellerId: bigint, page: Page): Promise<Movement[]> {
  const rows = await many<WithdrawalRow>(db)`
    SELECT 'r' || w.id AS id, 'return' AS type, ${WITHDRAWAL_COLUMNS}, 'success' AS status,
      -- A payout that arrived after it had come back is owed: the seller has it once.
      CASE WHEN EXISTS (SELECT FROM payouts p WHERE p.withdrawal_id = w.id
          AND p.late_at > coalesce(p.returned_at, '-infinity'))
        THEN 0 ELSE w.amount END AS balance_change,
      t.recorded_at AS date, t.recorded_at AS at
    FROM withdrawals w JOIN ledger_transfers t ON t.id = coalesce(
      (SELECT 'reversed:' || p.id FROM payouts p
        WHERE p.withdrawal_id = w.id AND p.returned_at IS NOT NULL), 'return:' || w.id)
    WHERE w.seller_id = ${sellerId} AND w.status = 'rejected'
      ${onPage(page, { id: sql`w.id`, at: sql`t.recorded_at`, said: WITHDRAWAL_SAID })}
  `;
  return rows.map(named);
}

const NO_WITHDRAWAL = sql`
  0 AS frais, 'success' AS status, '' AS demande, '' AS methode_paiement, '' AS operateur,
  '' AS numero_transfert, NULL AS motif`;

/**
 * The balance moved by a change of plan (decision 7): ids count the seller's changes, "CP-10-1" is
 * the first of seller 10. A change that moved nothing is no item.
 */
async function viewPlanMoves(db: Db, sellerId: bigint, page: Page): Promise<Movement[]> {
  const reference = sql`'CP-' || s.id || '-' || n.id`;
  const way = sql`CASE moved.to_plan WHEN 'premium'
    THEN ${contract.PLAN_MOVE_WAYS.premium}::text ELSE ${contract.PLAN_MOVE_WAYS.free}::text END`;
  const said = sql`concat_ws(' ', ${reference}, ${way})`;
  return many<Movement>(db)`
    SELECT 't' || n.id AS id, 'transfer' AS type, moved.amount, moved.amount AS net,
      0 AS balance_change, ${reference} AS reference_transaction, ${way} AS methode_nom,
      ${NO_WITHDRAWAL}, t.recorded_at AS date, n.id AS place, t.recorded_at AS at
    FROM sellers s
    CROSS JOIN LATERAL generate_series(1, s.plan_changes::bigint) AS n(id)
    JOIN ledger_transfers t ON t.id = 'plan-move:' || s.id || ':' || n.id
    -- "12:-4000,13:4000": the second leg is the target; entries are indexed by account only.
    CROSS JOIN LATERAL (
      SELECT split_part(leg.text, ':', 2)::bigint AS amount,
        CASE split_part(leg.text, ':', 1)::bigint WHEN s.premium_account_id THEN 'premium'
          ELSE 'free' END AS to_plan
      FROM (SELECT split_part(t.legs, ',', 2)) AS leg(text)
    ) AS moved
    WHERE s.id = ${sellerId} ${onPage(page, { id: sql`n.id`, at: sql`t.recorded_at`, said })}
  `;
}

/** Advances for refunds that are no longer owed: the debt is removed from the balance. */
async function viewWriteOffs(db: Db, sellerId: bigint, page: Page): Promise<Movement[]> {
  const said = sql`${contract.WRITE_OFF_WAY}::text`;
  return many<Movement>(db)`
    SELECT 'd' || o.id AS id, 'write-off' AS type, o.amount, o.amount AS net,
      o.amount AS balance_change, '' AS reference_transaction,
      ${contract.WRITE_OFF_WAY}::text AS methode_nom,
      ${NO_WITHDRAWAL}, o.decided_at AS date, o.id AS place, o.decided_at AS at
    FROM write_offs o
    WHERE o.seller_id = ${sellerId} ${onPage(page, { id: sql`o.id`, at: sql`o.decided_at`, said })}
  `;
}

type SubscriptionsPage = Pick<Page, "before" | "limit"> & { readonly productId: bigint | null };
type Subscription = z.output<typeof contract.vendorSubscriptionOnWire>;

/** A seller's paid orders (decision 89), of one product or of all, newest first. */
function selectSubscriptions(seller: RawBuilder<unknown>, page: SubscriptionsPage) {
  return sql<Subscription>`
    SELECT o.id, coalesce(o.group_id::text, '') AS "groupId",
      coalesce(o.group_id::text, '') AS group_id, o.product_id AS "idProduit",
      o.title AS "typeAbonnement", o.price AS prix, o.price - o.fee AS net,
      coalesce(o.paid_at, o.created_at) AS "dateCreation", o.access_until AS "dateRenouvellement",
      o.buyer_id AS "userId", ${BUYER_NAME} AS "nomClient", o.is_renewal AS "estRenouvellement",
      o.direct, o.status = 'paid' AS valide
    FROM orders o JOIN people p ON p.id = o.buyer_id
    WHERE o.seller_id = ${seller} AND o.id < coalesce(${page.before}::bigint, ${LAST_ID})
      AND o.status IN ('paid', 'refunded') ${ofProduct(page.productId)}
    ORDER BY o.id DESC LIMIT ${page.limit + 1}
  `;
}

function ofProduct(productId: bigint | null) {
  return productId === null ? sql`` : sql`AND o.product_id = ${productId}`;
}

export const subscriptionsAtStart: SellerPart<Subscription[]> = (seller) => {
  const page = { before: null, limit: SUBSCRIPTIONS_AT_START - 1, productId: null };
  return answerRowsPart(selectSubscriptions(seller, page));
};

export async function subscriptionsOf(db: Db, sellerId: bigint, page: SubscriptionsPage) {
  const { rows } = await selectSubscriptions(sql`${sellerId}`, page).execute(db);
  const { total } = await one<{ total: number }>(db)`
    SELECT count(*)::int AS total FROM orders o
    WHERE o.seller_id = ${sellerId} AND o.status IN ('paid', 'refunded')
      ${ofProduct(page.productId)}
  `;
  const subscriptions = rows.slice(0, page.limit);
  const more = rows.length > subscriptions.length;
  return { subscriptions, total, next_cursor: more ? String(subscriptions.at(-1)?.id) : null };
}

/** The start of a period of B §9, in the instance's time zone; weeks begin on Sunday. */
export function startOfPeriod(period: contract.HistoryPeriod, now: Date, zone: string): Date {
  const today = dayOf(now, zone);
  const week = addDays(today, -new Date(today).getUTCDay());
  return startOfDay({ today, week, month: addMonths(today, 0) }[period], zone);
}

/** Whether a text contains every searched word, whatever case and accents. */
function holdsWords(text: RawBuilder<unknown>, words: string | null): RawBuilder<boolean> {
  // PostgreSQL rejects NUL and half a surrogate pair.
  const sought = (words ?? "")
    .toWellFormed()
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .split(/[\s\0]+/)
    .filter(Boolean);
  if (sought.length === 0) return sql<boolean>`true`;
  // Accents are removed first: a database's `lower` may know ASCII letters only.
  const bare = sql`lower(regexp_replace(normalize(${text}, NFD), ${"[\\u0300-\\u036f]"}, '', 'g'))`;
  return sql<boolean>`(SELECT bool_and(strpos(${bare}, u.word) > 0)
    FROM unnest(${sought}::text[]) AS u(word))`;
}

/** The position in each kind: the id of its last row shown; null: none yet. */
type HistoryPosition = Readonly<Record<contract.HistoryType, bigint | null>>;

/** The position in each kind, empty before its first row: "45----". */
export function writeCursor(position: HistoryPosition): string {
  return contract.HISTORY_TYPES.map((type) => position[type] ?? "").join("-");
}

const CURSOR = /^(\d{0,18}-){4}\d{0,18}$/;

/** Null: an invalid cursor. */
export function readHistoryCursor(cursor?: string): HistoryPosition | null {
  if (cursor && !CURSOR.test(cursor)) return null;
  const ids = cursor?.split("-") ?? [];
  const places = contract.HISTORY_TYPES.map((type, at) => [type, ids[at] ? BigInt(ids[at]) : null]);
  return Object.fromEntries(places) as HistoryPosition;
}
