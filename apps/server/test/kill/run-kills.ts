import { rmSync } from "node:fs";
import { assert } from "@sesame/kernel";
import pg from "pg";
import { migrate } from "../../../../database/migrate.ts";
import { startEmbeddedPostgres } from "../../../../tools/postgres/embedded.ts";
import { ownFolder } from "../../../../tools/postgres/leftovers.ts";
import { eventually } from "../../../../tools/testing/eventually.ts";
import { chanceOf, SEED } from "../../../../tools/testing/seeded.ts";
import { TooSlowToJudge } from "../../../../tools/testing/too-slow.ts";
import { type Db, openDatabase } from "../../src/postgres/database.ts";
import { SECRET_KEY, sellMany, startPayingProvider, WEBHOOK_SECRET } from "../bulk-sales.ts";
import { freePort } from "../client.ts";
import { BUYER_BOT_TOKEN, SELLER_BOT_TOKEN } from "../harness.ts";
import { setTimeout as pace } from "node:timers/promises";
import { type Sender, startSending } from "./at-least-once.ts";
import { assessDamage, type Damage, findUnpaid } from "./books.ts";
import { type ChildServer, COMPILED, startChildServer } from "./child-server.ts";

export type Victim = "server" | "database";

export type KillPlan = {
  readonly script: string;
  readonly victims: readonly Victim[];
  /** Whether the script also settles: the mutant only takes notices. */
  readonly settles: boolean;
};

export type KillReport = Damage & {
  readonly kills: number;
  readonly acknowledged: number;
  /** From a kill to the next order acknowledged, milliseconds, the worst: to be read, not judged. */
  readonly worstRecoveryMs: number;
};

const ORDERS_A_KILL = 2_000;
/** Its watcher gives up a database that falls five times in a row within its first 5 s. */
const DATABASE_LIFE_MS = 5_200;
const QUICK_FALLS = 3;
const RECOVERY_MS = 180_000;
/** Sales that wait are lost when none of them was settled for so long. */
const STANDSTILL_MS = 120_000;

/**
 * Kills the server and the database without warning, under a load of signed notices, and looks at
 * what is left. The database is durable here: a lost commit would be ours.
 */
export async function runKills(plan: KillPlan): Promise<KillReport> {
  const folder = ownFolder("kill");
  const cluster = await startEmbeddedPostgres({ dataDir: folder });
  const provider = await startPayingProvider();
  await migrate(cluster.url);
  const own = openDatabase({ url: cluster.url, poolSize: 2 });
  try {
    const { url: databaseUrl, adminUrl } = cluster;
    const place = { plan, databaseUrl, adminUrl, providerUrl: provider.url, folder };
    return await killAndCount(place, own.db);
  } finally {
    await own.close();
    await provider.close();
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
    rmSync(cluster.dataDir, { recursive: true, force: true });
  }
}

type Place = {
  readonly plan: KillPlan;
  readonly databaseUrl: string;
  readonly adminUrl: string;
  readonly providerUrl: string;
  readonly folder: string;
};

async function killAndCount(place: Place, db: Db): Promise<KillReport> {
  const { victims, settles, script } = place.plan;
  const now = new Date();
  const { orders } = await sellMany(db, {
    sellers: 20,
    buyers: 500,
    orders: ORDERS_A_KILL * victims.length,
    now,
    // Asked about only because a notice came.
    dueAt: new Date(now.getTime() + 3_600_000),
  });
  const port = await freePort();
  const env = serverEnvironment(place, port);
  const start = () => startChildServer({ script, env });
  const chance = chanceOf(SEED);
  const fire = {
    start,
    chance,
    server: await start(),
    sender: startSending(`http://127.0.0.1:${port}/webhooks/moneroo`, orders, chance),
  };
  try {
    const worstRecoveryMs = await killThem(victims, fire, place.adminUrl);
    await fire.sender.stop();
    const { acknowledged } = fire.sender;
    if (settles) await untilSettled(db, acknowledged);
    await fire.server.kill();
    const damage = await assessDamage(db, acknowledged);
    const kills = victims.length;
    return { ...damage, kills, acknowledged: acknowledged.size, worstRecoveryMs };
  } finally {
    await fire.sender.stop();
    await fire.server.kill();
  }
}

/** Ends when all are paid, or when none has been for a long time. */
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
  start(): Promise<ChildServer>;
  chance(): number;
  server: ChildServer;
  readonly sender: Sender;
};

/** → the longest wait for an order acknowledged after a kill, in milliseconds. */
async function killThem(victims: readonly Victim[], fire: Fire, adminUrl: string): Promise<number> {
  const { acknowledged } = fire.sender;
  let worstRecoveryMs = 0;
  let databaseUpAt = performance.now();
  let databaseKills = 0;
  for (const victim of victims) {
    const isLong = victim === "database" && ++databaseKills % QUICK_FALLS === 0;
    const mayDieAt = isLong ? databaseUpAt + DATABASE_LIFE_MS : 0;
    await pace(Math.max(500 + fire.chance() * 500, mayDieAt - performance.now()));
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
      throw new TooSlowToJudge(
        `the first answer after a kill (${fire.server.said()})`,
        RECOVERY_MS,
      );
    });
    worstRecoveryMs = Math.max(worstRecoveryMs, performance.now() - killedAt);
  }
  return worstRecoveryMs;
}

/** The whole of it at once: postmaster, backends, writers. Resolves when a new one answers. */
async function killDatabase(url: string): Promise<void> {
  const before = await askDatabase(url);
  for (const pid of [before.postmaster, ...before.others]) {
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

type Processes = {
  readonly postmaster: number;
  readonly others: readonly number[];
  readonly startedAt: string;
};

async function askDatabase(url: string): Promise<Processes> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  try {
    const { rows } = await client.query<Processes>(`
      SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int AS postmaster,
        array(SELECT pid FROM pg_stat_activity) AS others,
        pg_postmaster_start_time()::text AS "startedAt"`);
    const [row] = rows;
    assert(row, "the database says its processes");
    return row;
  } finally {
    await client.end();
  }
}

function serverEnvironment(place: Place, port: number): Record<string, string> {
  return {
    SESAME_DEMO: "1",
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    DATABASE_URL: place.databaseUrl,
    DATA_DIR: place.folder,
    SECRETS_KEY: Buffer.from(Array.from({ length: 32 }, (_, index) => index)).toString("base64"),
    SELLER_BOT_TOKEN,
    BUYER_BOT_TOKEN,
    TELEGRAM_API_ROOT: place.providerUrl,
    MONEROO_SECRET_KEY: SECRET_KEY,
    MONEROO_WEBHOOK_SECRET: WEBHOOK_SECRET,
    MONEROO_API_ROOT: place.providerUrl,
    ROLES: "http,worker",
    LOG_LEVEL: "error",
    NODE_COMPILE_CACHE: COMPILED,
  };
}
