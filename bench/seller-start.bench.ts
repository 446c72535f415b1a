import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { get, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { sql } from "kysely";
import { type SignedInSeller, startTestApp, type TestApp } from "../apps/server/test/harness.ts";
import { createScene } from "../apps/server/test/scene.ts";
import { buyProduct } from "../apps/server/test/stage.ts";
import { keepRounds, perSecond, type Place, times } from "./figures.ts";
import { startMappedPeer } from "./seller-start.peer.ts";

/** Many and short: a neighbour on the machine then weighs on both sides alike. */
const ROUNDS = 9;
const CONNECTIONS = "16";
const SECONDS = "0.5";
const PRODUCTS = 12;
const SALES = 200;
const MANY_SALES = 100_000;
const BUYERS = 500;
const LOAD = fileURLToPath(new URL("./http-load.ts", import.meta.url));
const execute = promisify(execFile);

/**
 * A seller's start over HTTP (QUALITY P5) against the same answer by an object mapper in five
 * queries; then that of one with many sales, from kept sums and, as it was, from his orders.
 */
export async function run(place: Place): Promise<void> {
  const app = await startTestApp();
  await againstMapper(app, place);
  await withManySales(app, place);
  await app.close();
}

async function againstMapper(app: TestApp, { say }: Place): Promise<void> {
  const seller = await enrich(app, SALES);
  const ask = askingOf(app, seller);
  const peer = await startMappedPeer(app.databaseUrl, app.clock.now());
  await assertSameContent(ask, peer.url);
  const { note, of, ratio } = keepRounds(say);
  for (let round = 0; round < ROUNDS; round++) {
    note("theirs", await load({ ...ask, url: peer.url }));
    note("ours", await load(ask));
  }
  const said = await fetchStart(ask.url, { "x-telegram-init-data": ask.initData });
  const packed = await fetchStart(ask.url, {
    "x-telegram-init-data": ask.initData,
    "accept-encoding": "br",
  });
  await peer.close();
  say(
    perSecond("five queries by an object mapper", of("theirs")),
    perSecond(`start, ${PRODUCTS} products, ${SALES} sales`, of("ours")),
    times("P5 start / object mapper", ratio("ours", "theirs")),
    { what: "its answer", figure: said.length / 1024, unit: "kB" },
    {
      what: "P5 its answer as it travels (brotli)",
      figure: packed.length / 1024,
      unit: "kB",
      aim: { atMost: 15 },
    },
  );
}

/** Sums that were never made are counted from the orders: as every start did before they were kept. */
async function withManySales(app: TestApp, { say }: Place): Promise<void> {
  const ask = askingOf(app, await enrich(app, MANY_SALES));
  const { note, of, ratio } = keepRounds(say);
  for (let round = 0; round < 3; round++) {
    await sql`UPDATE sale_rollups SET zone = ''`.execute(app.db);
    note("counted", await load(ask));
    await app.drain();
    await sql`VACUUM ANALYZE sale_deltas`.execute(app.db);
    note("kept", await load(ask));
  }
  const what = `start, seller with ${MANY_SALES} sales`;
  say(
    perSecond(`${what}, counted`, of("counted")),
    perSecond(`${what}, from kept sums`, of("kept")),
    times("   kept / counted", ratio("kept", "counted")),
  );
}

/** A seller of twelve products who sold so often, copied from real ones. */
async function enrich(app: TestApp, sales: number): Promise<SignedInSeller> {
  const scene = createScene(app);
  const { seller, reference } = await scene.openShop();
  for (let count = 0; count < 3; count += 1) {
    await buyProduct(app, await scene.buyerInTouch(), reference);
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
    shelf AS (
      SELECT *, row_number() OVER (ORDER BY id) AS nth FROM products WHERE seller_id = ${seller.id}
    )
    INSERT INTO orders (kind, buyer_id, seller_id, product_id, group_id, status, price, fee,
      duration_minutes, title, provider, created_at, paid_at, settled_at, access_until, is_renewal)
    SELECT 'product', buyer.ids[1 + n % ${BUYERS}], p.seller_id, p.id, p.group_id, 'paid', p.price,
      p.price / 10, p.duration_minutes, p.title, 'moneroo', at, at, at, at + interval '30 days',
      n % 3 = 0
    FROM buyer, generate_series(1, ${sales}::int) AS n
    JOIN shelf p ON p.nth = 1 + n % ${PRODUCTS}
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

type Asking = { readonly url: string; readonly initData: string };

const askingOf = (app: TestApp, { person }: SignedInSeller): Asking => ({
  url: `${app.url}/api/auth/vendeur`,
  initData: app.initData(person),
});

/** All that the mapper's answer says, ours says too. */
async function assertSameContent(ask: Asking, peerUrl: string): Promise<void> {
  const headers = { "x-telegram-init-data": ask.initData };
  const parse = async (url: string) => ({
    ...(JSON.parse((await fetchStart(url, headers)).toString()) as Record<string, unknown>),
    token: null,
  });
  assert.partialDeepStrictEqual(await parse(ask.url), await parse(peerUrl));
}

async function load({ url, initData }: Asking): Promise<number> {
  const header = `x-telegram-init-data: ${initData}`;
  const args = [LOAD, url, CONNECTIONS, SECONDS, header];
  return Number((await execute(process.execPath, args)).stdout);
}

async function fetchStart(address: string, headers: Record<string, string>): Promise<Buffer> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get(address, { headers }, resolve).on("error", reject);
  });
  assert.equal(answer.statusCode, 200);
  return buffer(answer);
}
