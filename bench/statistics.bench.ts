import { dayOf } from "@sesame/kernel";
import { Kysely, PostgresDialect, sql } from "kysely";
import pg from "pg";
import { readCalendar } from "../apps/server/src/features/reports/calendar.ts";
import { lastSales } from "../apps/server/src/features/reports/history.ts";
import {
  countMembers,
  foldSales,
  type PeriodSpans,
  spansOf,
  viewBars,
  viewBestCustomers,
  viewBestProducts,
  viewCohorts,
  viewRuns,
} from "../apps/server/src/features/reports/statistics.ts";
import { type Db, openDatabase } from "../apps/server/src/postgres/database.ts";
import { sellMany } from "../apps/server/test/bulk-sales.ts";
import { milliseconds, type Place, quantile, type Row, rowOf, say } from "./figures.ts";

const NOW = new Date("2026-11-16T09:00:00.000Z");
const ZONE = "Africa/Abidjan";
const SELLERS = 1_000;
const BUYERS = 100_000;
const DAYS = 730;
/** The biggest seller has one of this many sales. */
const BIGGEST = 100;
const READINGS = 60;
const PARTS = 10;

/**
 * Every query of the statistics screen and of the calendar for the biggest seller, over payments of
 * two years (QUALITY P7), and the same revenue summed from the orders.
 */
export async function run({ behind }: Place): Promise<void> {
  const { db, close } = openDatabase({ url: await behind(), poolSize: 4 });
  const { rows } = await sql<{ id: bigint }>`SELECT min(id) AS id FROM sellers`.execute(db);
  const sellerId = rows[0]?.id ?? 0n;
  const asked = { sellerId, zone: ZONE, now: NOW };
  const folded = await timed(() => foldSales(db, asked));
  say(milliseconds(`the biggest seller's totals made anew`, folded));
  await sql`VACUUM ANALYZE sale_totals`.execute(db);
  for (const [what, read] of screens(db, sellerId)) say(...(await readings(what, read)));
  await compare(db, sellerId);
  await close();
}

type Reading = readonly [what: string, read: () => Promise<unknown>];

function screens(db: Db, sellerId: bigint): Reading[] {
  const asked = { sellerId, zone: ZONE, now: NOW };
  const ofPeriod = (period: "week" | "month" | "year"): Reading[] => {
    const spans = spansOf(period, dayOf(NOW, ZONE));
    return [
      [`${period}: bars`, () => viewBars(db, sellerId, spans)],
      [`${period}: products`, () => viewBestProducts(db, sellerId, spans)],
      [`${period}: customers`, () => viewBestCustomers(db, sellerId, spans)],
      [`${period}: running and ended`, () => runs(db, sellerId, spans)],
    ];
  };
  return [
    ...ofPeriod("week"),
    ["week: members", () => countMembers(db, sellerId)],
    ["week: last transactions", () => lastSales(db, sellerId, 5)],
    ["week: cohorts", () => viewCohorts(db, sellerId, { from: "2025-12-01", to: "2026-10-01" })],
    ...ofPeriod("month"),
    ...ofPeriod("year"),
    ["the calendar of a month, all of it", () => readCalendar(db, asked, "2026-11")],
    [
      "the sparkline of the card at home",
      () => sql`SELECT seller_sparkline(${sellerId}, ${ZONE}, ${NOW}, 7)`.execute(db),
    ],
  ];
}

async function runs(db: Db, sellerId: bigint, { now }: PeriodSpans): Promise<void> {
  await viewRuns(db, sellerId, { from: null, to: now.to });
  await viewRuns(db, sellerId, { from: now.from, to: now.to });
}

async function timed(read: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await read();
  return performance.now() - startedAt;
}

async function readings(what: string, read: Reading[1]): Promise<Row[]> {
  const times: number[] = [];
  await read();
  for (let turn = 0; turn < READINGS; turn += 1) times.push(await timed(read));
  return [
    milliseconds(`P7 ${what}, p50`, quantile(times, 0.5), { atMost: 5 }),
    milliseconds(`   ${what}, p99`, quantile(times, 0.99)),
    // The cost on a machine whose cores are not shared.
    milliseconds(`   ${what}, best`, Math.min(...times)),
  ];
}

/** The cost of summing the seller's orders themselves, and whether the totals are equal to that sum. */
async function compare(db: Db, sellerId: bigint): Promise<void> {
  const startedAt = performance.now();
  const { rows: raw } = await sql<{ net: bigint; sales: bigint }>`
    SELECT coalesce(sum(price - fee), 0)::bigint AS net, count(*) AS sales FROM orders
    WHERE status = 'paid' AND seller_id = ${sellerId}`.execute(db);
  const rawMs = performance.now() - startedAt;
  const { rows } = await sql<{ net: bigint; sales: bigint }>`
    SELECT sum(gross - fees)::bigint AS net, sum(sales) AS sales FROM sale_totals
    WHERE seller_id = ${sellerId} AND grain = 'month'`.execute(db);
  const difference = Number((rows[0]?.net ?? 0n) - (raw[0]?.net ?? 0n));
  say(
    milliseconds("the raw sum over the seller's orders", rawMs),
    rowOf("orders")("   sales of the seller", Number(raw[0]?.sales ?? 0n)),
    rowOf("francs")("P7 totals less raw sum", Math.abs(difference), { atMost: 0 }),
  );
}

/** Fills in paid orders of two years and their memberships. */
export async function fillPayments(url: string, payments: number): Promise<void> {
  // One connection without the server's time limits: a statement here may take long.
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  await sellMany(db, { sellers: SELLERS, buyers: BUYERS, orders: 0, now: NOW });
  // Ten more products for the biggest seller: the screens have something to sort.
  await sql`INSERT INTO products (seller_id, group_id, reference, title, price, duration_minutes,
      created_at, updated_at)
    SELECT p.seller_id, p.group_id, 'more-' || n, 'Produit ' || n, 1000 * n, 43200, ${NOW}, ${NOW}
    FROM (SELECT * FROM products ORDER BY seller_id LIMIT 1) AS p, generate_series(1, 10) AS n`.execute(
    db,
  );
  // Indexes are made after the rows: updated row by row they would cost twice as much.
  const { rows: indexes } = await sql<{ name: string; definition: string }>`
    SELECT indexname AS name, indexdef AS definition FROM pg_indexes
    WHERE tablename IN ('orders', 'accesses') AND indexdef NOT LIKE 'CREATE UNIQUE%'`.execute(db);
  for (const { name } of indexes) await sql`DROP INDEX ${sql.table(name)}`.execute(db);
  // Triggers and foreign keys are off: the totals are made from the orders afterwards.
  await sql`SET session_replication_role = replica`.execute(db);
  const parts = Array.from({ length: PARTS }, (_, part) => part);
  for (const part of parts) await sellSome(db, payments, part);
  for (const part of parts) {
    await sql`
      INSERT INTO accesses (person_id, group_id, status, ends_at, started_at, order_id, updated_at)
      SELECT DISTINCT ON (buyer_id, group_id) buyer_id, group_id,
        CASE WHEN access_until > ${NOW} THEN 'inside' ELSE 'ended' END, access_until, paid_at, id,
        paid_at
      FROM orders WHERE buyer_id % ${PARTS} = ${part} ORDER BY buyer_id, group_id, id DESC
    `.execute(db);
  }
  for (const { definition } of indexes) await sql.raw(definition).execute(db);
  for (const table of ["orders", "accesses", "people", "groups", "products", "sellers"]) {
    await sql`VACUUM ANALYZE ${sql.table(table)}`.execute(db);
  }
  await db.destroy();
}

/** Fills in one part: the orders of its days. */
async function sellSome(db: Db, payments: number, part: number): Promise<void> {
  const [first, last] = [part, part + 1].map((one) => Math.floor((payments * one) / PARTS));
  await sql`
    WITH offer AS MATERIALIZED (
      SELECT array_agg(s.id ORDER BY s.id) AS sellers, array_agg(p.id ORDER BY s.id) AS products,
        array_agg(p.group_id ORDER BY s.id) AS groups
      FROM sellers s CROSS JOIN LATERAL (
        SELECT * FROM products p WHERE p.seller_id = s.id ORDER BY p.id LIMIT 1) AS p
    ), own AS MATERIALIZED (
      SELECT array_agg(id ORDER BY id) AS products FROM products
      WHERE seller_id = (SELECT min(id) FROM sellers)
    ), buyers AS MATERIALIZED (
      SELECT array_agg(id) AS ids FROM (SELECT id FROM people ORDER BY id DESC LIMIT ${BUYERS}) AS b
    )
    INSERT INTO orders (kind, buyer_id, seller_id, product_id, group_id, status, price, fee,
      duration_minutes, title, provider, created_at, paid_at, settled_at, access_until, is_renewal)
    SELECT 'product',
      -- Of the biggest, five thousand people come back again and again.
      buyers.ids[CASE WHEN s.nth = 1 THEN 1 + (n::bigint / ${BIGGEST} * 7919) % 5000
        ELSE 1 + (n::bigint * 104729) % ${BUYERS} END],
      offer.sellers[s.nth],
      CASE WHEN s.nth = 1 THEN own.products[1 + n % 11] ELSE offer.products[s.nth] END,
      offer.groups[s.nth], 'paid', 5000, 900, 43200, 'Produit', 'moneroo', t.at, t.at, t.at,
      t.at + interval '30 days', n % 3 > 0
    FROM offer, own, buyers, generate_series(${first}::int + 1, ${last}::int) AS n
    CROSS JOIN LATERAL (SELECT CASE WHEN n % ${BIGGEST} = 0 THEN 1
      ELSE 2 + (n::bigint * 7907) % (${SELLERS} - 1) END::int AS nth) AS s
    CROSS JOIN LATERAL (SELECT ${NOW}::timestamptz
      - make_interval(secs => ${DAYS * 86_400}::float8 * (1 - n::float8 / ${payments})) AS at) AS t
  `.execute(db);
}
