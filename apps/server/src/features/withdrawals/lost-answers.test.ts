import { Outage } from "@sesame/kernel";
import { check } from "@sesame/ledger";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../../../test/harness.ts";
import { fundSeller, REQUEST, sellerBalance } from "../../../test/withdrawals.ts";
import type { App } from "../../app.ts";
import { type Database, openDatabase } from "../../postgres/database.ts";
import { keepCurrent } from "../../settings.ts";
import { requestWithdrawal } from "./request.ts";

const LONG = process.env.LONG === "1";
const NAME = "sesame-lost-answers";

let app: TestApp;
let database: Database;
/** On connections that are cut. */
let poor: App;

beforeAll(async () => {
  app = await startTestApp();
  const url = new URL(app.databaseUrl);
  url.searchParams.set("application_name", NAME);
  database = openDatabase({ url: url.href, poolSize: 4 });
  const { db } = database;
  poor = { ...app.core, db, settings: keepCurrent(db, () => performance.now()) };
});
afterAll(async () => {
  await database?.close();
  await app?.close();
});

/** Ends the connections of `poor`, wherever they are in what they do. → how many */
async function cutConnections(): Promise<number> {
  const { rows } = await sql<{ cut: boolean }>`
    SELECT pg_terminate_backend(pid) AS cut FROM pg_stat_activity
    WHERE application_name = ${NAME} AND datname = current_database()`.execute(app.db);
  return rows.length;
}

/** What a phone does: no answer, the same request again under its key. → how often it asked */
async function askUntilAnswered(sellerId: bigint, key: string, amount: number): Promise<number> {
  const form = {
    amount,
    method: REQUEST.methode_paiement,
    phone: REQUEST.numero_transfert,
    whatsapp: REQUEST.numero_whatsapp,
  };
  for (let times = 1; ; times += 1) {
    try {
      const asked = { sellerId, form, key: { key, content: JSON.stringify(form) } };
      const answer = await requestWithdrawal(poor, { ...asked, automaticOn: null });
      expect(answer.ok).toBe(true);
      return times;
    } catch (error) {
      // Nothing else may come of a lost connection: an outage is told as one.
      expect(error).toBeInstanceOf(Outage);
    }
  }
}

describe("a request whose answer was lost with its connection", () => {
  test("asked again under its key is one request", async () => {
    const seller = await app.signInSeller();
    await fundSeller(app, seller, 1_000_000, "premium");
    const sellerId = BigInt(seller.id);
    const keys = Array.from({ length: LONG ? 2_000 : 300 }, (_, index) => `lost-${index}`);
    let answered = 0;
    let repeated = 0;
    let cut = 0;
    const waiting = [...keys];
    const phone = async () => {
      for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
        const times = await askUntilAnswered(sellerId, key, 100);
        answered += 1;
        if (times > 1) repeated += 1;
        // While the others are in the midst of it.
        if (answered % 10 === 0) cut += await cutConnections();
      }
    };
    await Promise.all(Array.from({ length: 16 }, phone));
    expect(cut).toBeGreaterThan(0);
    expect(repeated).toBeGreaterThan(0);
    const { rows } = await sql<{ requests: bigint; keys: bigint }>`
      SELECT count(*) AS requests, count(DISTINCT idempotency_key) AS keys FROM withdrawals
      WHERE seller_id = ${sellerId}`.execute(app.db);
    const count = BigInt(keys.length);
    expect(rows).toEqual([{ requests: count, keys: count }]);
    expect((await sellerBalance(app, seller, "premium")).held).toBe(keys.length * 100);
    expect(await check(app.db)).toEqual([]);
  });
});
