import { rmSync } from "node:fs";
import { type AdjustableClock, adjustableClock, assert } from "@sesame/kernel";
import { sql } from "kysely";
import { ownFolder } from "../../../../tools/postgres/leftovers.ts";
import { createTestDatabase } from "../../../../tools/postgres/test-database.ts";
import { type Emulators, type PayoutDesk, startEmulators } from "../../../emulators/src/index.ts";
import type { App } from "../../src/app.ts";
import { type Db, openDatabase } from "../../src/postgres/database.ts";
import { sellMany } from "../bulk-sales.ts";
import { freePort } from "../client.ts";
import {
  BUYER_BOT_TOKEN,
  FEDAPAY_KEYS,
  MONEROO_SECRET_KEY,
  MONEROO_WEBHOOK_SECRET,
  PAYDUNYA_KEYS,
  SELLER_BOT_TOKEN,
} from "../harness.ts";
import { createEngine, emulatorLanes } from "../payouts.ts";
import { fundSeller } from "../withdrawals.ts";
import { type ChildServer, COMPILED, startChildServer } from "./child-server.ts";
import { type ProviderProxy, startProviderProxy } from "./provider-proxy.ts";

export type Provided = "paydunya" | "moneroo" | "fedapay";

/** Providers, a server in a process of its own between a database and them, and its seller. */
export type PayoutTown = {
  readonly db: Db;
  readonly emulators: Emulators;
  readonly clock: AdjustableClock;
  readonly proxy: ProviderProxy;
  readonly engine: App;
  readonly sellerId: bigint;
  readonly agentId: bigint;
  deskOf(lane: Provided): PayoutDesk;
  /** `kill -9`. */
  kill(): Promise<void>;
  restart(): Promise<void>;
  said(): string;
  close(): Promise<void>;
};

const FUNDS = 100_000_000;

export async function openPayoutTown(script: string): Promise<PayoutTown> {
  const folder = ownFolder("payouts");
  const database = await createTestDatabase();
  const { db, close } = openDatabase({ url: database.url, poolSize: 4 });
  const clock = adjustableClock();
  const port = await freePort();
  const emulators = await startTestEmulators(port, clock);
  const proxy = await startProviderProxy(emulators.apiRoot);
  const env = serverEnvironment({ port, folder, emulators, proxy, databaseUrl: database.url });
  const start = () => startChildServer({ script, env });
  let server: ChildServer = await start();
  const { sellerId, agentId } = await openAccounts(db, clock);
  const providers = emulatorLanes({ root: emulators.apiRoot, now: () => clock.now() });
  return {
    db,
    emulators,
    clock,
    proxy,
    engine: createEngine({ db, clock }, { providers, production: false }),
    sellerId,
    agentId,
    deskOf: (lane) =>
      ({
        paydunya: emulators.paydunya,
        moneroo: emulators.moneroo.payouts,
        fedapay: emulators.fedapay,
      })[lane],
    kill: () => server.kill(),
    said: () => server.said(),
    async restart() {
      server = await start();
    },
    async close() {
      await server.kill();
      await proxy.close();
      await emulators.close();
      await close();
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function openAccounts(db: Db, clock: AdjustableClock) {
  const now = clock.now();
  await sellMany(db, { sellers: 1, buyers: 1, orders: 0, now });
  const { rows } = await sql<{ seller: bigint; agent: bigint }>`
    SELECT s.id AS seller, p.id AS agent FROM sellers s, people p WHERE p.id <> s.id
  `.execute(db);
  assert(rows[0], "a seller and an agent were made");
  const { seller, agent } = rows[0];
  await fundSeller({ db, clock }, { id: String(seller) }, FUNDS, "premium");
  return { sellerId: seller, agentId: agent };
}

function startTestEmulators(port: number, clock: AdjustableClock): Promise<Emulators> {
  return startEmulators({
    port: 0,
    appUrl: `http://127.0.0.1:${port}`,
    clock,
    sellerBotToken: SELLER_BOT_TOKEN,
    buyerBotToken: BUYER_BOT_TOKEN,
    monerooSecretKey: MONEROO_SECRET_KEY,
    monerooWebhookSecret: MONEROO_WEBHOOK_SECRET,
    paydunya: PAYDUNYA_KEYS,
    fedapay: FEDAPAY_KEYS,
  });
}

type Place = {
  port: number;
  folder: string;
  emulators: Emulators;
  proxy: ProviderProxy;
  databaseUrl: string;
};

function serverEnvironment(place: Place): Record<string, string> {
  const { port, folder, emulators, proxy, databaseUrl } = place;
  return {
    SESAME_DEMO: "1",
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    DATABASE_URL: databaseUrl,
    DATA_DIR: folder,
    SECRETS_KEY: Buffer.from(Array.from({ length: 32 }, (_, index) => index)).toString("base64"),
    SELLER_BOT_TOKEN,
    BUYER_BOT_TOKEN,
    TELEGRAM_API_ROOT: emulators.apiRoot,
    CLOCK_URL: `${emulators.apiRoot}/emulators/clock`,
    MONEROO_SECRET_KEY,
    MONEROO_WEBHOOK_SECRET,
    MONEROO_API_ROOT: proxy.url,
    PAYDUNYA_MASTER_KEY: PAYDUNYA_KEYS.masterKey,
    PAYDUNYA_PRIVATE_KEY: PAYDUNYA_KEYS.privateKey,
    PAYDUNYA_TOKEN: PAYDUNYA_KEYS.token,
    PAYDUNYA_API_ROOT: proxy.url,
    FEDAPAY_SECRET_KEY: FEDAPAY_KEYS.secretKey,
    FEDAPAY_PUBLIC_KEY: FEDAPAY_KEYS.publicKey,
    FEDAPAY_WEBHOOK_SECRET: FEDAPAY_KEYS.webhookSecret,
    FEDAPAY_API_ROOT: proxy.url,
    ROLES: "http,worker",
    LOG_LEVEL: "error",
    NODE_COMPILE_CACHE: COMPILED,
  };
}
