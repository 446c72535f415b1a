import { execFile } from "node:child_process";
import { get, type IncomingMessage } from "node:http";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { assert } from "@sesame/kernel";
import { sql } from "kysely";
import { startTestApp, type TestApp } from "../apps/server/test/harness.ts";
import { createScene } from "../apps/server/test/scene.ts";
import { buyProduct } from "../apps/server/test/stage.ts";
import { median } from "./figures.ts";
import type { Row } from "./ledger.bench.ts";
import { startMappedPeer } from "./seller-start.peer.ts";

/** Many and short: a neighbour on the machine then weighs on both sides alike. */
const ROUNDS = 9;
const CONNECTIONS = 16;
const PRODUCTS = 12;
const SALES = 200;
const LOAD = fileURLToPath(new URL("./http-load.ts", import.meta.url));
const execute = promisify(execFile);

/**
 * A rich seller's start over HTTP (QUALITY P5) against the same answer made by five queries, one after
 * the other, whose rows are made objects as an object mapper makes them. No object mapper is
 * installed: the peer is written by hand, leaner than one. Needs TEST_DATABASE_URL.
 */
export async function run({ seconds }: { seconds: number }): Promise<Row[]> {
  const app = await startTestApp();
  const seller = await enrich(app);
  const initData = app.initData(seller.person);
  const header = `x-telegram-init-data: ${initData}`;
  const ours = `${app.url}/api/auth/vendeur`;
  const peer = await startMappedPeer(app.databaseUrl, app.clock.now());
  const [rates, theirs]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    theirs.push(await load(peer.url, { header, seconds }));
    rates.push(await load(ours, { header, seconds }));
  }
  const packed = await weigh(ours, { "x-telegram-init-data": initData, "accept-encoding": "br" });
  const plain = await weigh(ours, { "x-telegram-init-data": initData });
  await peer.close();
  await app.close();
  return [
    {
      what: "five mapped queries in a row (not an ORM: leaner)",
      figure: median(theirs),
      unit: "per second",
    },
    {
      what: `start, ${PRODUCTS} products, ${SALES} sales`,
      figure: median(rates),
      unit: "per second",
    },
    {
      what: "P5 start / five mapped queries",
      figure: median(rates.map((rate, round) => rate / (theirs[round] ?? rate))),
      unit: "times",
      aim: { atLeast: 3 },
    },
    { what: "its answer", figure: plain / 1024, unit: "kB" },
    {
      what: "P5 its answer as it travels (brotli)",
      figure: packed / 1024,
      unit: "kB",
      aim: { atMost: 15 },
    },
  ];
}

/** Twelve products and two hundred sales, copied from real ones. */
async function enrich(app: TestApp) {
  const scene = createScene(app);
  const { seller, reference } = await scene.openShop();
  for (let count = 0; count < 3; count += 1) {
    await buyProduct(app, await scene.buyerInTouch(), reference);
  }
  const { db } = app;
  await sql`
    INSERT INTO products (seller_id, group_id, reference, title, price, description,
      duration_minutes, created_at, updated_at)
    SELECT seller_id, group_id, 'copy' || lpad(n::text, 8, '0'), title || ' ' || n, price + n * 100,
      repeat('Analyses du matin, salon d''entraide. ', 8), duration_minutes, created_at, updated_at
    FROM products, generate_series(2, ${PRODUCTS}::int) AS n WHERE reference = ${reference}
  `.execute(db);
  await sql`
    INSERT INTO people (telegram_id, first_name, last_name, created_at, seen_at)
    SELECT 9000000000 + n, (ARRAY['Koffi','Awa','Moussa','Fatou','Yao'])[1 + n % 5],
      (ARRAY['Mensah','Koné','Traoré','Diop','Adjovi','Ouattara','Zinsou'])[1 + n % 7], now(), now()
    FROM generate_series(1, ${SALES}::int) AS n
  `.execute(db);
  await sql`
    INSERT INTO orders (kind, buyer_id, seller_id, product_id, group_id, status, price, fee,
      duration_minutes, title, provider, created_at, paid_at, settled_at, access_until)
    SELECT 'product', b.id, p.seller_id, p.id, p.group_id, 'paid', p.price, p.price / 10,
      p.duration_minutes, p.title, 'moneroo', at, at, at, at + interval '30 days'
    FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM people
        WHERE telegram_id > 9000000000) b
    JOIN (SELECT *, row_number() OVER (ORDER BY id) AS n FROM products) p ON p.n = 1 + b.n % ${PRODUCTS}
    CROSS JOIN LATERAL (SELECT p.created_at + b.n * interval '37 minutes' AS at) t
  `.execute(db);
  return seller;
}

async function load(
  address: string,
  { header, seconds }: { header: string; seconds: number },
): Promise<number> {
  const args = [LOAD, address, String(CONNECTIONS), String(seconds), header];
  return Number((await execute(process.execPath, args)).stdout);
}

async function weigh(address: string, headers: Record<string, string>): Promise<number> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get(address, { headers }, resolve).on("error", reject);
  });
  assert(answer.statusCode === 200, "the start answers");
  let bytes = 0;
  for await (const part of answer) bytes += (part as Buffer).length;
  return bytes;
}
