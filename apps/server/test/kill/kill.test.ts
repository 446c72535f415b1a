import { existsSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { setTimeout as pace } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { assert } from "@sesame/kernel";
import { balanceOf, check } from "@sesame/ledger";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { migrate } from "../../../../database/migrate.ts";
import { startEmbeddedPostgres } from "../../../../tools/postgres/embedded.ts";
import { ownFolder } from "../../../../tools/postgres/leftovers.ts";
import { askRows } from "../../../../tools/testing/ask-rows.ts";
import { eventually } from "../../../../tools/testing/eventually.ts";
import { randomOf, SEED } from "../../../../tools/testing/seeded.ts";
import { TooSlow } from "../../../../tools/testing/failures.ts";
import { withLongStatements } from "../../src/postgres/connections.ts";
import { type Db, many, one, openDatabase } from "../../src/postgres/database.ts";
import { brokenSales } from "../../src/maintenance/books.view.ts";
import {
  SECRET_KEY,
  sellMany,
  type SignedWebhook,
  signWebhook,
  startPayingProvider,
  WEBHOOK_SECRET,
} from "../bulk-sales.ts";
import { type Program, startChildServer } from "../child-server.ts";
import { serverEnvironment } from "../harness.ts";
import { freePort } from "../http.ts";
import { readerOf } from "../tables.ts";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const isBuilt = existsSync(at("../../../web/dist/client/.vite/manifest.json"));
const REAL = at(isBuilt ? "../../src/main.ts" : "./without-pages.ts");
const MUTANT = at("./answer-first.ts");
/** A hundred for each seed of a long run. */
const KILLS = process.env["LONG"] === "1" ? 100 : 10;

const alternately = (count: number): Victim[] =>
  Array.from({ length: count }, (_, turn) => (turn % 2 === 0 ? "server" : "database"));

describe("kill -9 under a load of signed webhooks", () => {
  test(`of the server and of the database, ${KILLS} times: nothing lost, nothing doubled`, async () => {
    const report = await runKills({ script: REAL, victims: alternately(KILLS), settles: true });
    process.stdout.write(`seed ${SEED} ${JSON.stringify(report)}\n`);
    expect(report).toMatchObject({ kills: KILLS, lostWebhooks: [], lostSales: [], doubled: [] });
  }, 3_600_000);

  test("shows what a server that answers 200 first and writes later loses", async () => {
    const victims: Victim[] = ["database", "server", "database"];
    const report = await runKills({ script: MUTANT, victims, settles: false });
    expect(report.lostWebhooks.length).toBeGreaterThan(0);
  }, 600_000);
});

type Victim = "server" | "database";

type KillPlan = {
  readonly script: string;
  readonly victims: readonly Victim[];
  /** Whether the script also settles: the mutant only receives webhooks. */
  readonly settles: boolean;
};

const ORDERS_A_KILL = 2_000;
/** Its watcher stops a database that fails five times in a row within its first 5 s. */
const DATABASE_LIFE_MS = 5_200;
const QUICK_FALLS = 3;
const RECOVERY_MS = 180_000;
/** After this long without a settlement, waiting sales count as lost. */
const STANDSTILL_MS = 120_000;

/**
 * Kills the server and the database, under a load of signed webhooks, and checks the result. The
 * database is durable here: a lost commit would be our fault. `worstRecoveryMs`: the longest time from
 * a kill to the next acknowledged order, printed, never checked.
 */
async function runKills(plan: KillPlan) {
  const folder = ownFolder("kill");
  const cluster = await startEmbeddedPostgres({ dataDir: folder });
  const provider = await startPayingProvider();
  await migrate(cluster.url);
  const own = openDatabase({ url: cluster.url, poolSize: 2 });
  try {
    const { url: databaseUrl, adminUrl } = cluster;
    const place = { databaseUrl, adminUrl, root: provider.url, dataDir: folder };
    return await killAndCount(plan, place, own.db);
  } finally {
    await own.close();
    await provider.close();
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
    rmSync(cluster.dataDir, { recursive: true, force: true });
  }
}

type Place = Readonly<Record<"databaseUrl" | "adminUrl" | "root" | "dataDir", string>>;

async function killAndCount({ victims, settles, script }: KillPlan, place: Place, db: Db) {
  const now = new Date();
  const { orders } = await sellMany(db, {
    sellers: 20,
    buyers: 500,
    orders: ORDERS_A_KILL * victims.length,
    now,
    // Checked only because a webhook came.
    dueAt: new Date(now.getTime() + 3_600_000),
  });
  const port = await freePort();
  const env = {
    ...serverEnvironment({ port, ...place }),
    MONEROO_SECRET_KEY: SECRET_KEY,
    MONEROO_WEBHOOK_SECRET: WEBHOOK_SECRET,
    ROLES: "http,worker",
  };
  const start = () => startChildServer(script, env);
  const random = randomOf(SEED);
  const fire = {
    start,
    random,
    server: await start(),
    sender: startSending(`http://127.0.0.1:${port}/webhooks/moneroo`, orders, random),
  };
  try {
    const worstRecoveryMs = await killThem(victims, fire, place.adminUrl);
    await fire.sender.stop();
    const { acknowledged } = fire.sender;
    if (settles) await untilSettled(db, acknowledged);
    await fire.server.kill();
    return {
      ...(await assessDamage(db, acknowledged)),
      kills: victims.length,
      acknowledged: acknowledged.size,
      worstRecoveryMs,
    };
  } finally {
    await fire.sender.stop();
    await fire.server.kill();
  }
}

/** Ends when all are paid, or when none was for a long time. */
async function untilSettled(db: Db, acknowledged: ReadonlySet<bigint>): Promise<void> {
  let left = Number.POSITIVE_INFINITY;
  let fewerAt = performance.now();
  while (left > 0 && performance.now() < fewerAt + STANDSTILL_MS) {
    const unpaid = (await findUnpaid(db, acknowledged)).length;
    if (unpaid < left) fewerAt = performance.now();
    left = unpaid;
    await pace(100);
  }
}

type Fire = {
  start(): Promise<Program>;
  random(): number;
  server: Program;
  readonly sender: Sender;
};

/** → the longest wait for an acknowledged order after a kill, in milliseconds. */
async function killThem(victims: readonly Victim[], fire: Fire, adminUrl: string): Promise<number> {
  const { acknowledged } = fire.sender;
  let worstRecoveryMs = 0;
  let databaseUpAt = performance.now();
  let databaseKills = 0;
  for (const victim of victims) {
    const isLong = victim === "database" && ++databaseKills % QUICK_FALLS === 0;
    const mayDieAt = isLong ? databaseUpAt + DATABASE_LIFE_MS : 0;
    await pace(Math.max(500 + fire.random() * 500, mayDieAt - performance.now()));
    const killedAt = performance.now();
    if (victim === "server") {
      await fire.server.kill();
      fire.server = await fire.start();
    } else {
      await killDatabase(adminUrl);
      databaseUpAt = performance.now();
    }
    const before = acknowledged.size;
    await eventually(() => acknowledged.size > before, RECOVERY_MS).catch(() => {
      throw new TooSlow(`the first answer after a kill (${fire.server.output()})`, RECOVERY_MS);
    });
    worstRecoveryMs = Math.max(worstRecoveryMs, performance.now() - killedAt);
  }
  return worstRecoveryMs;
}

/** All of it at once: postmaster, backends, writers. Resolves when a new one answers. */
async function killDatabase(url: string): Promise<void> {
  const before = await askDatabase(url);
  for (const pid of before.pids) {
    assert(pid > 1, "a process of this database's own");
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It ended by itself meanwhile.
    }
  }
  const isAnother = async () => (await askDatabase(url)).startedAt !== before.startedAt;
  await eventually(isAnother, RECOVERY_MS);
}

/** → its processes, the postmaster first */
async function askDatabase(url: string) {
  const text = `
    SELECT array[split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int]
        || array(SELECT pid FROM pg_stat_activity),
      pg_postmaster_start_time()::text`;
  const [row] = await askRows<[pids: readonly number[], startedAt: string]>(url, text);
  assert(row, "the database says its processes");
  return { pids: row[0], startedAt: row[1] };
}

type Sender = ReturnType<typeof startSending>;

const CLIENTS = 16;
const PACE_MS = 30;
const REPEATED = 0.1;

/**
 * A provider that sends each webhook until it is answered 200, and some of them again: what it
 * counts as acknowledged must never be lost.
 */
function startSending(url: string, orders: readonly bigint[], random: () => number) {
  const acknowledged = new Set<bigint>();
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  let next = 0;
  let stopped = false;
  const client = async () => {
    while (!stopped) {
      // When all were sent, webhooks of unknown payments: an acknowledged one is never sent again,
      // or a loss would be repaired.
      const order = orders[next++] ?? null;
      const webhook = signWebhook(order ?? BigInt(-next));
      while (!stopped && (await post(url, webhook, agent)) !== 200) await pace(20);
      if (stopped) break;
      if (order !== null) acknowledged.add(order);
      if (random() < REPEATED) await post(url, webhook, agent);
      await pace(PACE_MS);
    }
  };
  const clients = Array.from({ length: CLIENTS }, client);
  return {
    /** Orders whose webhook was answered 200. */
    acknowledged,
    async stop() {
      stopped = true;
      await Promise.all(clients);
      agent.destroy();
    },
  };
}

/** → the status, or 0 without an answer. */
function post(url: string, webhook: SignedWebhook, agent: Agent): Promise<number> {
  return new Promise((resolve) => {
    const headers = {
      "content-type": "application/json",
      "x-moneroo-signature": webhook.signature,
    };
    const sent = request(url, { method: "POST", agent, headers, timeout: 3_000 }, (response) => {
      response.resume();
      response.once("end", () => resolve(response.statusCode ?? 0));
      response.once("error", () => resolve(0));
    });
    sent.once("timeout", () => sent.destroy());
    sent.once("error", () => resolve(0));
    sent.end(webhook.body);
  });
}

/** Acknowledged orders still to be settled. */
const findUnpaid = (db: Db, acknowledged: ReadonlySet<bigint>) => readerOf(db).values<string>`
  SELECT a.id::text FROM unnest(${[...acknowledged]}::bigint[]) AS a(id)
  LEFT JOIN orders o USING (id) WHERE o.status IS DISTINCT FROM 'paid'`;

/**
 * Compares what was acknowledged with the database at the end. `lostWebhooks`: acknowledged, but not
 * stored. `lostSales`: acknowledged, but not paid. `doubled`: money or time given twice, or a ledger
 * that does not balance.
 */
async function assessDamage(db: Db, acknowledged: ReadonlySet<bigint>) {
  // A database that crashes every few seconds never updates its statistics, and plans badly.
  await sql`ANALYZE`.execute(db);
  return {
    lostWebhooks: await readerOf(db).values<string>`
      SELECT a.id::text FROM unnest(${[...acknowledged]}::bigint[]) AS a(id)
      WHERE NOT EXISTS (SELECT FROM payments p
        JOIN provider_webhooks n USING (provider, provider_payment_id) WHERE p.order_id = a.id)`,
    lostSales: await findUnpaid(db, acknowledged),
    doubled: await withLongStatements(db, async (tx) => [
      ...(await brokenInvariants(tx)),
      ...(await brokenTime(tx)),
    ]),
  };
}

async function brokenInvariants(db: Db): Promise<string[]> {
  const faults = [...(await check(db)), ...(await brokenSales(db, 10))];
  const broken = faults.map((one) => JSON.stringify(one));
  const sold = await one<Record<"paid" | "price" | "fee" | "transfers", bigint>>(db)`
    SELECT count(*) AS paid, coalesce(sum(price), 0)::bigint AS price,
      coalesce(sum(fee), 0)::bigint AS fee, (SELECT count(*) FROM ledger_transfers) AS transfers
    FROM orders WHERE status = 'paid'`;
  const fees = await balanceOf(db, "platform:fees");
  const provider = await balanceOf(db, "provider:moneroo");
  if (fees?.posted !== sold.fee) broken.push(`fees ${fees?.posted} of ${sold.fee}`);
  if (-(provider?.posted ?? 0n) !== sold.price) broken.push(`collected of ${sold.price}`);
  if (sold.transfers !== sold.paid) broken.push(`${sold.transfers} sales of ${sold.paid}`);
  return broken;
}

/** Each membership lasts exactly the time paid for it. */
async function brokenTime(db: Db): Promise<string[]> {
  const rows = await many<{ id: bigint }>(db)`
    SELECT a.id FROM accesses a JOIN orders o
      ON o.buyer_id = a.person_id AND o.group_id = a.group_id AND o.status = 'paid'
    GROUP BY a.id, a.ends_at, a.started_at
    HAVING extract(epoch FROM a.ends_at - a.started_at) <> sum(o.duration_minutes) * 60`;
  return rows.map(({ id }) => `access ${id} does not last what was paid for it`);
}
