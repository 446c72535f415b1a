import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import { type Db, openDatabase } from "../apps/server/src/postgres/database.ts";
import {
  SECRET_KEY,
  sellMany,
  startPayingProvider,
  WEBHOOK_SECRET,
} from "../apps/server/test/bulk-sales.ts";
import { type Program, startChildServer } from "../apps/server/test/child-server.ts";
import { BUYER_BOT_TOKEN, SELLER_BOT_TOKEN } from "../apps/server/test/harness.ts";
import { freePort } from "../apps/server/test/http.ts";
import {
  countPaid,
  keepRounds,
  load,
  milliseconds,
  percent,
  perSecond,
  type Place,
  say,
  times,
} from "./figures.ts";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const ROUNDS = 5;
const BURST = 4_000;
const PACED = 2_000;
const PACE = 500;
const ASKED = 6_000;

/**
 * Webhooks over HTTP, signature checked and stored before the 200, and the same server without
 * storing; the slowest hundredth of both at 500 a second; and how many payments a second the worker
 * asks about, settles and grants when no provider's rate limits it (QUALITY P3). Servers and load
 * are processes of their own; the provider shares this one.
 */
export async function run({ fresh }: Place): Promise<void> {
  const url = await fresh();
  const { db, close } = openDatabase({ url, poolSize: 2 });
  const provider = await startPayingProvider();
  const market = { sellers: 500, buyers: 5_000, now: new Date() };
  const { orders } = await sellMany(db, {
    ...market,
    orders: BURST + (BURST + PACED) * ROUNDS,
    dueAt: new Date(Date.now() + 3_600_000),
  });
  const place = { url, provider: provider.url };
  const real = await openServer("real", place);
  const bare = await openServer("bare", place);
  const { note, of, ratio } = keepRounds();
  let next = orders[0] ?? 1n;
  const burst = ({ address }: OpenServer) =>
    load({ url: address, connections: 64, webhooks: { first: `${next}`, count: BURST } });
  const paced = ({ address }: OpenServer) => {
    const webhooks = { first: `${next}`, count: PACED, pace: PACE };
    return load({ url: address, connections: 16, webhooks });
  };
  // A program is slow until it is compiled.
  for (const server of [bare, real]) await burst(server);
  next += BigInt(BURST);
  for (let round = 0; round < ROUNDS; round += 1) {
    note("bare", (await burst(bare)).perSecond);
    note("real", (await burst(real)).perSecond);
    next += BigInt(BURST);
    note("bare p99", (await paced(bare)).warmP99);
    const ours = await paced(real);
    note("cold p99", ours.p99);
    note("real p99", ours.warmP99);
    next += BigInt(PACED);
  }
  say(
    perSecond("HTTP + HMAC, nothing written", of("bare")),
    perSecond("webhook → durable 200", of("real")),
    percent("P3 webhook → durable 200 / HTTP + HMAC", 100 * ratio("real", "bare"), { atLeast: 30 }),
    milliseconds("P3 slowest hundredth at 500 a second", of("cold p99")),
    milliseconds("P3 slowest hundredth at 500 a second, warm", of("real p99")),
    milliseconds("   of HTTP + HMAC, warm", of("bare p99")),
    times("P3 slowest hundredth / of HTTP + HMAC, warm", ratio("real p99", "bare p99"), {
      atMost: 2,
    }),
  );
  await Promise.all([real.server.kill(), bare.server.kill()]);
  const settled = await settlementRate(db, place);
  say(perSecond("P3 asked, settled and granted", settled, { atLeast: PACE }));
  await provider.close();
  await close();
}

type Parties = { readonly url: string; readonly provider: string };
type OpenServer = { readonly server: Program; readonly address: string };

async function openServer(kind: "real" | "bare" | "worker", place: Parties): Promise<OpenServer> {
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
  const server = await startChildServer(at("./webhook-server.ts"), env, [kind]);
  return { server, address: `http://127.0.0.1:${port}/webhooks/moneroo` };
}

/**
 * Payments per second that one worker settles, from due to paid, granted and written to the outbox.
 */
async function settlementRate(db: Db, place: Parties): Promise<number> {
  await sql`UPDATE payment_checks SET due_at = due_at + interval '1 day'`.execute(db);
  const { orders } = await sellMany(db, {
    sellers: 500,
    buyers: 5_000,
    orders: ASKED,
    now: new Date(),
  });
  const { server } = await openServer("worker", place);
  const startedAt = performance.now();
  const before = await countPaid(db, orders);
  for (let paid = before; paid < orders.length; ) {
    await sleep(50);
    paid = await countPaid(db, orders);
  }
  const rate = (orders.length - before) / ((performance.now() - startedAt) / 1_000);
  await server.kill();
  return rate;
}
