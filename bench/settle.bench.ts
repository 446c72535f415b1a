import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { sql } from "kysely";
import { storeWebhooks } from "../apps/server/src/features/checkout/webhooks.ts";
import { settle, settleConfirmed } from "../apps/server/src/features/checkout/settle.ts";
import { createBatcher } from "../apps/server/src/jobs/batcher.ts";
import { type Db, openDatabase } from "../apps/server/src/postgres/database.ts";
import { sellMany, signWebhook } from "../apps/server/test/bulk-sales.ts";
import {
  commitRate,
  keepRounds,
  percent,
  perSecond,
  type Place,
  rateOf,
  type Rounds,
  say,
  times,
} from "./figures.ts";

const NOW = new Date("2026-11-16T09:00:00.000Z");
const BATCH = 500;
const ROUNDS = 3;
const BATCHES = 6;
const CLIENTS = [1, 16, 64] as const;

type Sold = { readonly payment: bigint; readonly order: bigint; readonly webhook: Buffer };

/**
 * A whole payment (webhook stored, payment and order paid, three entries, membership, two jobs) in
 * batches of 500, beside a bulk write of the same rows (QUALITY P1); then single payments of 1, 16
 * and 64 clients that share batches (P2).
 */
export async function run({ fresh }: Place): Promise<void> {
  const { db, close } = openDatabase({ url: await fresh(), poolSize: 64 });
  try {
    const stock = await fill(db);
    const rounds = keepRounds();
    const { note } = rounds;
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const workers of [1, 2]) {
        const wanted = BATCH * BATCHES * workers;
        const own = stock.splice(0, wanted);
        note(`settle ${workers}`, await batchRate(workers, own, (some) => writeOurs(db, some)));
        const bulk = stock.splice(0, wanted);
        note(`bulk ${workers}`, await batchRate(workers, bulk, (some) => writeBulk(db, some)));
      }
      const pushed = stock.splice(0, BATCH * BATCHES);
      note("pushed", await batchRate(1, pushed, (some) => sell(db, some)));
      note("commit 16", await commitRate(db, 16));
      for (const clients of CLIENTS) {
        const wanted = clients === 1 ? 150 : clients * 60;
        note(`clients ${clients}`, await shared(db, clients, stock.splice(0, wanted)));
      }
    }
    report(rounds);
  } finally {
    await close();
  }
}

async function fill(db: Db): Promise<Sold[]> {
  const perRound = BATCH * BATCHES * 7 + 150 + 16 * 60 + 64 * 60;
  const size = { sellers: 2_000, buyers: 20_000, orders: perRound * ROUNDS, now: NOW };
  const { orders, payments } = await sellMany(db, size);
  await sql.raw(readFileSync(new URL("./settle.bench.sql", import.meta.url), "utf8")).execute(db);
  await sql`VACUUM ANALYZE`.execute(db);
  return payments.map((payment, index) => {
    const order = orders[index] ?? 0n;
    return { payment, order, webhook: Buffer.from(signWebhook(order).body) };
  });
}

/** Payments per second over several connections, in batches. */
async function batchRate(
  workers: number,
  stock: readonly Sold[],
  write: (batch: readonly Sold[]) => Promise<unknown>,
): Promise<number> {
  const batch = (index: number) => stock.slice(index * BATCH, (index + 1) * BATCH);
  const load = { clients: workers, total: stock.length / BATCH };
  return BATCH * (await rateOf(load, (index) => write(batch(index))));
}

/** A payment without the message to phones. */
async function writeOurs(db: Db, batch: readonly Sold[]): Promise<void> {
  await storeWebhooks(db, batch.map(webhookOf));
  await db
    .transaction()
    .execute((tx) => settle(tx, "product", { confirmed: batch.map(confirmationOf), now: NOW }));
}

async function sell(db: Db, batch: readonly Sold[]): Promise<void> {
  await storeWebhooks(db, batch.map(webhookOf));
  await settleConfirmed(db, batch.map(confirmationOf), NOW);
}

const webhookOf = ({ order, webhook }: Sold) => ({
  provider: "moneroo",
  providerPaymentId: `py_many_${order}`,
  keyId: null,
  reportedTransactionId: null,
  bodyHash: createHash("sha256").update(webhook).digest("hex"),
  body: webhook,
  receivedAt: NOW,
});
const confirmationOf = ({ payment }: Sold) => ({ paymentId: payment, occurredAt: NOW });

async function writeBulk(db: Db, batch: readonly Sold[]): Promise<void> {
  const payments = batch.map(({ payment }) => payment);
  await sql`SELECT settle_bench.bulk(${payments}::bigint[], ${NOW})`.execute(db);
}

/**
 * Payments per second when each client waits for its own payment; those that wait together are one
 * batch.
 */
function shared(db: Db, clients: number, stock: readonly Sold[]): Promise<number> {
  const batcher = createBatcher<Sold>({
    write: (items) => sell(db, items),
    maxBatch: BATCH,
  });
  return rateOf({ clients, total: stock.length }, (index) => batcher.submit(stock[index] as Sold));
}

function report({ of, ratio }: Rounds): void {
  say(
    ...[1, 2].flatMap((workers) => [
      perSecond(
        `whole payments, batches of 500, ${workers} connection(s)`,
        of(`settle ${workers}`),
      ),
      perSecond(`the same rows in bulk, ${workers} connection(s)`, of(`bulk ${workers}`)),
    ]),
    perSecond("durable commits of one row, 16 clients", of("commit 16")),
    ...CLIENTS.map((n) => perSecond(`whole payments, ${n} client(s) sharing`, of(`clients ${n}`))),
    times("P1 whole payment / bulk, 1 connection", ratio("settle 1", "bulk 1")),
    times("P1 whole payment / bulk, 2 connections", ratio("settle 2", "bulk 2"), { atLeast: 0.6 }),
    times("P1 whole payment / one-commit ceiling", ratio("settle 2", "commit 16"), {
      atLeast: 1.5,
    }),
    percent("P8 what pushing costs a whole payment", 100 * (1 - ratio("pushed", "settle 1")), {
      atMost: 5,
    }),
    times("P2 16 clients / 1", ratio("clients 16", "clients 1"), { atLeast: 0.95 }),
    times("P2 64 clients / 16", ratio("clients 64", "clients 16"), { atLeast: 0.95 }),
  );
}
