import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { sql } from "kysely";
import { freePort } from "../apps/server/test/free-port.ts";
import { BUYER_BOT_TOKEN, SELLER_BOT_TOKEN } from "../apps/server/test/harness.ts";
import { type ChildServer, startChildServer } from "../apps/server/test/kill/child-server.ts";
import { sellMany } from "../apps/server/test/market.ts";
import {
  SECRET_KEY,
  startPayingProvider,
  WEBHOOK_SECRET,
} from "../apps/server/test/paying-provider.ts";
import { type Db, openDatabase } from "../apps/server/src/postgres/database.ts";
import { median } from "./figures.ts";
import type { Row } from "./ledger.bench.ts";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const execute = promisify(execFile);
const ROUNDS = 5;
const CONNECTIONS = 64;
const BURST = 4_000;
const PACED = 1_000;
const PACE = 500;
const ASKED = 6_000;

/**
 * A notice over HTTP, signature checked and stored before its 200, against the same server that
 * stores nothing; its slowest hundredth at 500 a second; and how fast the worker asks, settles and
 * grants (QUALITY P3). Servers, load and provider are processes of their own, or share this one's.
 * @param url a migrated database nobody else uses; it is filled.
 */
export async function run({ url }: { url: string }): Promise<Row[]> {
  const { db, close } = openDatabase({ url, poolSize: 2 });
  const provider = await startPayingProvider();
  const market = { sellers: 500, buyers: 5_000, now: new Date() };
  const { orders } = await sellMany(db, {
    ...market,
    orders: BURST + (BURST + PACED) * ROUNDS,
    dueAt: new Date(Date.now() + 3_600_000),
  });
  const place = { url, provider: provider.url };
  const real = await openDoor("real", place);
  const bare = await openDoor("bare", place);
  const figures = { bare: [] as number[], real: [] as number[], share: [] as number[] };
  const slowest: number[] = [];
  let next = orders[0] ?? 1n;
  // A program is slow until it is compiled.
  for (const { address } of [bare, real]) await load(address, next, { count: BURST });
  next += BigInt(BURST);
  for (let round = 0; round < ROUNDS; round += 1) {
    const limit = await load(bare.address, next, { count: BURST });
    const ours = await load(real.address, next, { count: BURST });
    next += BigInt(BURST);
    figures.bare.push(limit.perSecond);
    figures.real.push(ours.perSecond);
    figures.share.push(ours.perSecond / limit.perSecond);
    slowest.push((await load(real.address, next, { count: PACED, pace: PACE })).p99);
    next += BigInt(PACED);
  }
  await Promise.all([real.server.kill(), bare.server.kill()]);
  const settled = await settlementRate(db, place);
  await provider.close();
  await close();
  return [
    { what: "HTTP + HMAC, nothing written", figure: median(figures.bare), unit: "per second" },
    { what: "notice → durable 200", figure: median(figures.real), unit: "per second" },
    {
      what: "P3 notice → durable 200 / HTTP + HMAC",
      figure: 100 * median(figures.share),
      unit: "%",
      aim: { atLeast: 30 },
    },
    {
      what: "P3 slowest hundredth at 500 a second",
      figure: median(slowest),
      unit: "ms",
      aim: { atMost: 10 },
    },
    {
      what: "P3 asked, settled and granted",
      figure: settled,
      unit: "per second",
      aim: { atLeast: PACE },
    },
  ];
}

type Place = { readonly url: string; readonly provider: string };
type Door = { readonly server: ChildServer; readonly address: string };

async function openDoor(kind: "real" | "bare" | "worker", place: Place): Promise<Door> {
  const port = await freePort();
  const env = {
    SESAME_DEMO: "1",
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    DATABASE_URL: place.url,
    SECRETS_KEY: Buffer.from(Array.from({ length: 32 }, (_, index) => index)).toString("base64"),
    SELLER_BOT_TOKEN,
    BUYER_BOT_TOKEN,
    MONEROO_SECRET_KEY: SECRET_KEY,
    MONEROO_WEBHOOK_SECRET: WEBHOOK_SECRET,
    MONEROO_API_ROOT: place.provider,
    TELEGRAM_API_ROOT: place.provider,
  };
  const server = await startChildServer({ script: at("./notice-server.ts"), args: [kind], env });
  return { server, address: `http://127.0.0.1:${port}/webhooks/moneroo` };
}

type Load = { readonly count: number; readonly pace?: number };

async function load(
  address: string,
  first: bigint,
  { count, pace }: Load,
): Promise<{ perSecond: number; p99: number }> {
  const connections = pace ? 16 : CONNECTIONS;
  const { stdout } = await execute(process.execPath, [
    at("./notice-load.ts"),
    address,
    String(connections),
    String(first),
    String(count),
    ...(pace ? [String(pace)] : []),
  ]);
  return JSON.parse(stdout);
}

/** Payments per second from due to paid, granted and written to the outbox, by one worker. */
async function settlementRate(db: Db, place: Place): Promise<number> {
  await sql`UPDATE payment_checks SET due_at = due_at + interval '1 day'`.execute(db);
  const { orders } = await sellMany(db, {
    sellers: 500,
    buyers: 5_000,
    orders: ASKED,
    now: new Date(),
  });
  const { server } = await openDoor("worker", place);
  const startedAt = performance.now();
  const before = await countPaid(db, orders);
  for (;;) {
    await sleep(50);
    if ((await countPaid(db, orders)) === orders.length) break;
  }
  const rate = (orders.length - before) / ((performance.now() - startedAt) / 1_000);
  await server.kill();
  return rate;
}

async function countPaid(db: Db, orders: readonly bigint[]): Promise<number> {
  const { rows } = await sql<{ paid: number }>`
    SELECT count(*)::int AS paid FROM orders
    WHERE id >= ${orders[0]} AND id <= ${orders.at(-1)} AND status = 'paid'
  `.execute(db);
  return rows[0]?.paid ?? 0;
}
