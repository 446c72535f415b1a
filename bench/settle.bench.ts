import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { sql } from "kysely";
import { sellMany } from "../apps/server/test/market.ts";
import { signNotice } from "../apps/server/test/paying-provider.ts";
import { settleConfirmed } from "../apps/server/src/features/checkout/apply-judgements.ts";
import { settle } from "../apps/server/src/features/checkout/settle.store.ts";
import { storeNotices } from "../apps/server/src/features/checkout/notice.store.ts";
import { createBatcher } from "../apps/server/src/jobs/batcher.ts";
import { type Db, openDatabase } from "../apps/server/src/postgres/database.ts";
import { median } from "./figures.ts";
import type { Row } from "./ledger.bench.ts";

const NOW = new Date("2026-11-16T09:00:00.000Z");
const BATCH = 500;
const ROUNDS = 5;
const BATCHES = 6;
const CLIENTS = [1, 16, 64] as const;

type Sold = { readonly payment: bigint; readonly order: bigint; readonly notice: Buffer };

/**
 * The whole of a payment (notice stored, payment and order paid, three entries, access, two jobs)
 * in batches of 500, against the engine's limit on the same rows, side by side (QUALITY P1); then
 * one by one by 1, 16 and 64 clients that share batches (P2).
 * @param url a migrated database nobody else uses; it is filled.
 */
export async function run({ url }: { url: string }): Promise<Row[]> {
  const { db, close } = openDatabase({ url, poolSize: 64 });
  try {
    const stock = await fill(db);
    const figures = new Map<string, number[]>();
    const note = (what: string, rate: number) =>
      figures.set(what, [...(figures.get(what) ?? []), rate]);
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const lanes of [1, 2]) {
        const wanted = BATCH * BATCHES * lanes;
        const own = stock.splice(0, wanted);
        note(`settle ${lanes}`, await rate(lanes, own, (some) => writeOurs(db, some)));
        const bulk = stock.splice(0, wanted);
        note(`bulk ${lanes}`, await rate(lanes, bulk, (some) => writeBulk(db, some)));
      }
      note("commit 16", await commits(db, 16));
      for (const clients of CLIENTS) {
        const wanted = clients === 1 ? 150 : clients * 60;
        note(`clients ${clients}`, await shared(db, clients, stock.splice(0, wanted)));
      }
    }
    return report(figures);
  } finally {
    await close();
  }
}

async function fill(db: Db): Promise<Sold[]> {
  const perRound = BATCH * BATCHES * 6 + 150 + 16 * 60 + 64 * 60;
  const size = { sellers: 2_000, buyers: 20_000, orders: perRound * ROUNDS, now: NOW };
  const { orders, payments } = await sellMany(db, size);
  await sql.raw(readFileSync(new URL("./settle.bench.sql", import.meta.url), "utf8")).execute(db);
  await sql`VACUUM ANALYZE`.execute(db);
  return payments.map((payment, index) => {
    const order = orders[index] ?? 0n;
    return { payment, order, notice: Buffer.from(signNotice(order).body) };
  });
}

/** Payments per second by so many connections, each taking batches as it can. */
async function rate(
  lanes: number,
  stock: Sold[],
  write: (batch: readonly Sold[]) => Promise<unknown>,
): Promise<number> {
  const total = stock.length;
  const startedAt = performance.now();
  const lane = async () => {
    while (stock.length > 0) await write(stock.splice(0, BATCH));
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return total / ((performance.now() - startedAt) / 1_000);
}

/** What a payment is by definition; the push to phones is measured apart, with the clients. */
async function writeOurs(db: Db, batch: readonly Sold[]): Promise<void> {
  await storeNotices(db, batch.map(noticeOf));
  await db
    .transaction()
    .execute((tx) => settle(tx, "product", { confirmed: batch.map(confirmationOf), now: NOW }));
}

async function sell(db: Db, batch: readonly Sold[]): Promise<void> {
  await storeNotices(db, batch.map(noticeOf));
  await settleConfirmed(db, batch.map(confirmationOf), NOW);
}

const noticeOf = ({ order, notice }: Sold) => ({
  provider: "moneroo",
  providerPaymentId: `py_many_${order}`,
  keyId: null,
  heard: null,
  bodyHash: createHash("sha256").update(notice).digest("hex"),
  body: notice,
  receivedAt: NOW,
});
const confirmationOf = ({ payment }: Sold) => ({ paymentId: payment, occurredAt: NOW });

async function writeBulk(db: Db, batch: readonly Sold[]): Promise<void> {
  const payments = batch.map(({ payment }) => payment);
  await sql`SELECT settle_bench.bulk(${payments}::bigint[], ${NOW})`.execute(db);
}

/** Durable commits per second: what payments written alone can never pass. */
async function commits(db: Db, clients: number): Promise<number> {
  const each = 100;
  const startedAt = performance.now();
  const client = async () => {
    for (let turn = 0; turn < each; turn += 1) {
      await sql`INSERT INTO settle_bench.commits (note) VALUES ('payment')`.execute(db);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return (clients * each) / ((performance.now() - startedAt) / 1_000);
}

/** Payments per second when each client waits for its own, and what waits together is one batch. */
async function shared(db: Db, clients: number, stock: Sold[]): Promise<number> {
  const total = stock.length;
  const batcher = createBatcher<Sold>({
    write: (items) => sell(db, items),
    maxBatch: BATCH,
  });
  const startedAt = performance.now();
  const client = async () => {
    for (let one = stock.pop(); one; one = stock.pop()) await batcher.submit(one);
  };
  await Promise.all(Array.from({ length: clients }, client));
  return total / ((performance.now() - startedAt) / 1_000);
}

function report(figures: Map<string, number[]>): Row[] {
  const rateOf = (what: string) => median(figures.get(what) ?? []);
  const ratioOf = (what: string, peer: string) => {
    const peers = figures.get(peer) ?? [];
    return median((figures.get(what) ?? []).map((value, round) => value / (peers[round] ?? value)));
  };
  const perSecond = (what: string, key: string): Row => ({
    what,
    figure: rateOf(key),
    unit: "per second",
  });
  const times = (what: string, figure: number, atLeast?: number): Row => ({
    what,
    figure,
    unit: "times",
    ...(atLeast === undefined ? {} : { aim: { atLeast } }),
  });
  return [
    ...[1, 2].flatMap((lanes) => [
      perSecond(`whole payments, batches of 500, ${lanes} connection(s)`, `settle ${lanes}`),
      perSecond(`the same rows in bulk, ${lanes} connection(s)`, `bulk ${lanes}`),
    ]),
    perSecond("durable commits of one row, 16 clients", "commit 16"),
    ...CLIENTS.map((n) => perSecond(`whole payments, ${n} client(s) sharing`, `clients ${n}`)),
    times("P1 whole payment / bulk, 1 connection", ratioOf("settle 1", "bulk 1")),
    times("P1 whole payment / bulk, 2 connections", ratioOf("settle 2", "bulk 2"), 0.6),
    times("P1 whole payment / one-commit ceiling", ratioOf("settle 2", "commit 16"), 1.5),
    times("P2 16 clients / 1", ratioOf("clients 16", "clients 1"), 0.95),
    times("P2 64 clients / 16", ratioOf("clients 64", "clients 16"), 0.95),
  ];
}
