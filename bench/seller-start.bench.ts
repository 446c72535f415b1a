import assert from "node:assert/strict";
import { get, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { sql } from "kysely";
import { createGroupFixtures } from "../apps/server/test/groups.ts";
import { type SignedInSeller, openTestApp, type TestApp } from "../apps/server/test/harness.ts";
import { buyProduct } from "../apps/server/test/sales.ts";
import { answerRate, perSecond, rowOf, say } from "./figures.ts";

const PRODUCTS = 12;
const SALES = 200;
const BUYERS = 500;

/**
 * A seller's start over HTTP (QUALITY P5): starts per second, without an aim, and the size of the
 * answer.
 */
export async function run(): Promise<void> {
  const app = await openTestApp();
  const { person } = await enrich(app, SALES);
  const url = `${app.url}/api/auth/vendeur`;
  const proof = app.initData(person);
  const header = `x-telegram-init-data: ${proof}\r\n`;
  const bytes = await sizeOf(url, { "x-telegram-init-data": proof, "accept-encoding": "br" });
  // Each connection plans the statement at its first calls.
  await answerRate(url, 16, header);
  say(
    perSecond(`P5 start, ${PRODUCTS} products, ${SALES} sales`, await answerRate(url, 16, header)),
    rowOf("kB")("P5 its answer as it travels (brotli)", bytes / 1024, { atMost: 15 }),
  );
  await app.close();
}

/** A seller with twelve products and many sales, copied from a few real ones. */
async function enrich(app: TestApp, sales: number): Promise<SignedInSeller> {
  const fixture = createGroupFixtures(app);
  const { seller, reference } = await fixture.openShop();
  for (let count = 0; count < 3; count += 1) {
    await buyProduct(app, await fixture.buyerInTouch(), reference);
  }
  const { db } = app;
  await sql`
    INSERT INTO products (seller_id, group_id, reference, title, price, description,
      duration_minutes, created_at, updated_at)
    SELECT seller_id, group_id, 'c' || n || reference, title || ' ' || n, price + n * 100,
      repeat('Analyses du matin, salon d''entraide. ', 8), duration_minutes, created_at, updated_at
    FROM products, generate_series(2, ${PRODUCTS}::int) AS n WHERE reference = ${reference}
  `.execute(db);
  await sql`
    INSERT INTO people (telegram_id, first_name, last_name, created_at, seen_at)
    SELECT 9000000000 + n, (ARRAY['Koffi','Awa','Moussa','Fatou','Yao'])[1 + n % 5],
      (ARRAY['Mensah','Koné','Traoré','Diop','Adjovi','Ouattara','Zinsou'])[1 + n % 7], now(), now()
    FROM generate_series(1, ${BUYERS}::int) AS n
    ON CONFLICT (telegram_id) DO NOTHING
  `.execute(db);
  await sql`
    WITH buyer AS (SELECT array_agg(id ORDER BY id) AS ids FROM people WHERE telegram_id > 9000000000),
    offer AS (
      SELECT *, row_number() OVER (ORDER BY id) AS nth FROM products WHERE seller_id = ${seller.id}
    )
    INSERT INTO orders (kind, buyer_id, seller_id, product_id, group_id, status, price, fee,
      duration_minutes, title, provider, created_at, paid_at, settled_at, access_until, is_renewal)
    SELECT 'product', buyer.ids[1 + n % ${BUYERS}], p.seller_id, p.id, p.group_id, 'paid', p.price,
      p.price / 10, p.duration_minutes, p.title, 'moneroo', at, at, at, at + interval '30 days',
      n % 3 = 0
    FROM buyer, generate_series(1, ${sales}::int) AS n
    JOIN offer p ON p.nth = 1 + n % ${PRODUCTS}
    CROSS JOIN LATERAL (
      SELECT p.created_at - (${sales}::int - n) * interval '100 days' / ${sales}::int AS at) AS t
  `.execute(db);
  await sql`
    INSERT INTO payments (order_id, provider, provider_payment_id, checkout_url,
      return_secret_hash, amount, status, created_at, decided_at)
    SELECT id, 'moneroo', 'py_start_' || id, 'https://pay.example/' || id,
      sha256(('secret ' || id)::bytea), price, 'paid', created_at, paid_at
    FROM orders WHERE seller_id = ${seller.id} AND id NOT IN (SELECT order_id FROM payments)
  `.execute(db);
  await app.drain();
  await sql`VACUUM ANALYZE`.execute(db);
  return seller;
}

/** → the bytes of the answer as they travel, which `fetch` would unpack */
async function sizeOf(address: string, headers: Record<string, string>): Promise<number> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get(address, { headers }, resolve).on("error", reject);
  });
  assert.equal(answer.statusCode, 200);
  return (await buffer(answer)).length;
}
