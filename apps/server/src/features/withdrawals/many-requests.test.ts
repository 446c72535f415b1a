import { fcfa } from "@sesame/kernel";
import { check, postSales } from "@sesame/ledger";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { chanceOf, SEED } from "../../../../../tools/testing/seeded.ts";
import { type SignedInSeller, startTestApp, type TestApp } from "../../../test/harness.ts";
import {
  askForDate,
  fundSeller,
  REQUEST,
  sellerBalance,
  setFirstPayouts,
} from "../../../test/withdrawals.ts";
import type { App } from "../../app.ts";
import { many, openDatabase } from "../../postgres/database.ts";
import { DatabaseOutage } from "../../postgres/outages.ts";
import { keepCurrent } from "../../settings.ts";
import { rejectIn } from "./index.ts";
import { requestWithdrawal } from "./request.ts";
import { configurePayouts } from "./settings.ts";
import { cancel } from "./withdrawals.ts";

const LONG = process.env.LONG === "1";

let app: TestApp;
/** As two processes: each with its own connections. */
let processes: readonly App[];
let close: () => Promise<void>;

beforeAll(async () => {
  app = await startTestApp();
  await setFirstPayouts(app, 700_000);
  const databases = [0, 1].map(() => openDatabase({ url: app.databaseUrl, poolSize: 8 }));
  processes = databases.map(({ db }) => {
    return { ...app.core, db, settings: keepCurrent(db, () => performance.now()) };
  });
  close = async () => void (await Promise.all(databases.map((database) => database.close())));
});
afterEach(async () => {
  expect(await check(app.db)).toEqual([]);
  expect(await unheld()).toEqual([]);
});
afterAll(async () => {
  await close?.();
  await app?.close();
});

/** Pending requests and open holds that are not each other's. */
async function unheld() {
  return many(app.db)`
    SELECT w.id, h.id AS hold, w.amount, h.amount AS held
    FROM (SELECT * FROM withdrawals WHERE status = 'pending') w
    FULL JOIN (SELECT * FROM ledger_holds WHERE ended_at IS NULL AND id LIKE 'hold:%') h
      ON h.id = 'hold:' || w.id
    WHERE (w.account_id, w.amount) IS DISTINCT FROM (h.account_id, h.amount)
  `;
}

async function sellerWith(amount: number, plan: "free" | "premium" = "premium") {
  const seller = await app.signInSeller();
  await fundSeller(app, seller, amount, plan);
  return seller;
}

const formOf = (amount: number) => ({
  amount,
  method: REQUEST.methode_paiement,
  phone: REQUEST.numero_transfert,
  whatsapp: REQUEST.numero_whatsapp,
});

const appAt = (index: number): App => {
  const found = processes[index % processes.length];
  if (!found) throw new Error("no process");
  return found;
};

/** As a phone does: told that no connection was free, so that nothing was asked, it asks again. */
async function ask(seller: SignedInSeller, asked: { amount: number; key?: string; door: number }) {
  const form = formOf(asked.amount);
  const { key } = asked;
  for (;;) {
    try {
      return await requestWithdrawal(appAt(asked.door), {
        sellerId: BigInt(seller.id),
        form,
        key: key === undefined ? null : { key, content: JSON.stringify(form) },
        automaticOn: null,
      });
    } catch (error) {
      if (!(error instanceof DatabaseOutage && error.reason === "overloaded")) throw error;
    }
  }
}

const tally = (words: readonly string[]) => {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
};

describe("at the same time", () => {
  test("1 000 × 2 requests on one balance take exactly what it allows", async () => {
    for (let run = 0; run < (LONG ? 100 : 2); run += 1) {
      const seller = await sellerWith(375 * 100);
      const answers = await Promise.all(
        Array.from({ length: 2_000 }, (_, index) =>
          ask(seller, { amount: 100, key: `k${index % 1_000}`, door: index >> 4 }),
        ),
      );
      const words = answers.map((answer) =>
        answer.ok ? (answer.value.before ? "again" : "accepted") : answer.refusal.kind,
      );
      expect(tally(words)).toEqual({
        accepted: 375,
        again: 375,
        "withdrawals.balance-too-low": 1_250,
      });
      expect(await sellerBalance(app, seller, "premium")).toEqual({
        posted: 37_500,
        held: 37_500,
        available: 0,
      });
    }
  });

  test(`requests of any amounts leave less than the smallest refused (SESAME_SEED=${SEED})`, async () => {
    const seller = await sellerWith(100_000);
    const chance = chanceOf(SEED);
    const asked = Array.from({ length: 400 }, () => 100 + Math.floor(chance() * 256) * 7);
    const answers = await Promise.all(
      asked.map((amount, index) => ask(seller, { amount, door: index })),
    );
    const taken = asked.filter((_, index) => answers[index]?.ok);
    const refused = asked.filter((_, index) => !answers[index]?.ok);
    const { held, available } = await sellerBalance(app, seller, "premium");
    expect(taken.reduce((sum, amount) => sum + amount, 0)).toBe(held);
    expect(Math.min(...refused)).toBeGreaterThan(available);
  });

  test("twenty keys of five hundred copies make twenty requests, changed copies none", async () => {
    const seller = await sellerWith(500_000);
    const copies = Array.from({ length: 10_000 }, (_, index) => index);
    const answers = await Promise.all(
      copies.map((copy) =>
        // The last copy of each key asks for another amount.
        ask(seller, { amount: copy < 9_980 ? 500 : 600, key: `key${copy % 20}`, door: copy >> 3 }),
      ),
    );
    const accepted = answers.flatMap((answer) => (answer.ok ? [answer.value] : []));
    expect(accepted.filter(({ before }) => !before)).toHaveLength(20);
    expect(new Set(accepted.map(({ withdrawal }) => withdrawal.id)).size).toBe(20);
    const refused = answers.flatMap((answer) => (answer.ok ? [] : [answer.refusal.kind]));
    // A changed copy that came first through its door is the one that counts, and 499 are refused.
    expect(new Set(refused)).toEqual(new Set(["withdrawals.key-reused"]));
    const { held } = await sellerBalance(app, seller, "premium");
    const { rows } = await sql<{ total: bigint }>`
      SELECT sum(amount)::bigint AS total FROM withdrawals WHERE seller_id = ${BigInt(seller.id)}
    `.execute(app.db);
    expect(BigInt(held)).toBe(rows[0]?.total);
  });

  test("one that cannot be written at all spoils none of those beside it", async () => {
    const seller = await sellerWith(10_000);
    const nobody = { ...seller, id: "999999999" };
    const crowd = Array.from({ length: 30 }, (_, index) => (index % 10 === 4 ? nobody : seller));
    const answers = await Promise.allSettled(
      crowd.map((one) => ask(one, { amount: 100, door: 0 })),
    );
    expect(answers.filter(({ status }) => status === "rejected")).toHaveLength(3);
    expect((await sellerBalance(app, seller, "premium")).held).toBe(2_700);
  });

  test("of free sellers, each gets one a week whatever comes at once", async () => {
    const sellers = await Promise.all(Array.from({ length: 8 }, () => sellerWith(9_000, "free")));
    const answers = await Promise.all(
      sellers.flatMap((seller) =>
        Array.from({ length: 50 }, (_, index) => ask(seller, { amount: 1_000, door: index })),
      ),
    );
    const words = answers.map((answer) => (answer.ok ? "accepted" : answer.refusal.kind));
    expect(tally(words)).toEqual({ accepted: 8, "withdrawals.weekly": 392 });
    for (const seller of sellers)
      expect((await sellerBalance(app, seller, "free")).held).toBe(1_000);
  });

  test("an automatic date is run once by however many schedulers", async () => {
    const seller = await sellerWith(700_000);
    await configurePayouts(appAt(0), BigInt(seller.id), {
      retrait_auto: "true",
      transfer_number: REQUEST.numero_transfert,
    });
    const runs = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        askForDate(appAt(index), { sellerId: BigInt(seller.id), on: "2026-11-16" }),
      ),
    );
    const words = runs.map((run) =>
      run.ok ? (run.value.before ? "again" : "accepted") : run.refusal.kind,
    );
    expect(tally(words.map(String))).toEqual({ accepted: 1, again: 39 });
    const first = runs.find((run) => run.ok);
    expect(first?.ok && first.value.withdrawal).toMatchObject({
      montant: 500_000n,
      automatique: true,
      numero_whatsapp: "+2250701020304",
    });
    const next = await askForDate(appAt(0), {
      sellerId: BigInt(seller.id),
      on: "2026-11-17",
    });
    expect(next.ok && next.value.withdrawal.montant).toBe(200_000n);
    const empty = await askForDate(appAt(0), {
      sellerId: BigInt(seller.id),
      on: "2026-11-18",
    });
    const known = await askForDate(appAt(1), {
      sellerId: BigInt(seller.id),
      on: "2026-11-17",
    });
    expect(known.ok && known.value.before).toBe(true);
    expect(empty).toMatchObject({
      refusal: { kind: "withdrawals.too-little-available", available: 0n },
    });
  });
});

describe("requests, cancellations, rejections, changes of plan and sales at once", () => {
  test("wait for each other in one order, and lose no franc", async () => {
    const sellers = await Promise.all(Array.from({ length: 6 }, () => sellerWith(200_000)));
    const rounds = LONG ? 400 : 40;
    const storms = [0, 1].flatMap((door) => [
      storm(sellers, { door, rounds, ask: true }),
      storm(sellers, { door, rounds, ask: false }),
    ]);
    await Promise.all([...storms, changePlans(sellers, rounds), sell(sellers, rounds)]);
    for (const seller of sellers) {
      const free = await sellerBalance(app, seller, "free");
      const premium = await sellerBalance(app, seller, "premium");
      expect(Math.min(free.available, premium.available)).toBeGreaterThanOrEqual(0);
      expect(free.posted + premium.posted).toBe(200_000 + rounds * 82);
    }
  });
});

type Storm = { readonly door: number; readonly rounds: number; readonly ask: boolean };

async function storm(sellers: readonly SignedInSeller[], { door, rounds, ask: asks }: Storm) {
  for (let round = 0; round < rounds; round += 1) {
    await Promise.all(
      sellers.map((seller, index) =>
        asks
          ? ask(seller, { amount: 100 + index, door })
          : endOne(seller, { door, reject: (round + index) % 2 === 0 }),
      ),
    );
  }
}

/** Cancels or rejects the seller's newest pending request, if he has one. */
async function endOne(seller: SignedInSeller, { door, reject }: { door: number; reject: boolean }) {
  const sellerId = BigInt(seller.id);
  const { rows } = await sql<{ id: bigint }>`
    SELECT id FROM withdrawals WHERE seller_id = ${sellerId} AND status = 'pending'
    ORDER BY id DESC LIMIT 1`.execute(app.db);
  const id = rows[0]?.id;
  if (id === undefined) return;
  if (!reject) return void (await cancel(appAt(door), { id, sellerId, call: null }));
  const rejection = { id, code: "other", reason: "Numéro à vérifier.", by: null };
  await app.db.transaction().execute(async (tx) => {
    await rejectIn(tx, rejection, app.clock.now());
  });
}

/** As a change of plan does: the seller locked, what is available moved to the other account. */
async function changePlans(sellers: readonly SignedInSeller[], rounds: number) {
  for (let round = 0; round < rounds; round += 1) {
    for (const seller of sellers) {
      const id = BigInt(seller.id);
      await app.db.transaction().execute(async (tx) => {
        await sql`SELECT FROM sellers WHERE id = ${id} FOR NO KEY UPDATE`.execute(tx);
        await sql`UPDATE sellers SET plan = CASE plan WHEN 'free' THEN 'premium' ELSE 'free' END
          WHERE id = ${id}`.execute(tx);
      });
    }
  }
}

async function sell(sellers: readonly SignedInSeller[], rounds: number) {
  const { rows } = await sql<{ id: bigint; key: string }>`
    SELECT id, key FROM ledger_accounts
    WHERE key IN ('provider:moneroo', 'platform:fees') ORDER BY key`.execute(app.db);
  const [fees, provider] = rows.map(({ id }) => id);
  const { rows: accounts } = await sql<{ id: bigint }>`
    SELECT premium_account_id AS id FROM sellers
    WHERE id = ANY(${sellers.map(({ id }) => BigInt(id))}::bigint[])`.execute(app.db);
  for (let round = 0; round < rounds; round += 1) {
    const sales = accounts.map(({ id: to }) => ({
      id: `test-sale:${round}:${to}`,
      from: provider ?? 0n,
      to,
      net: fcfa(82n),
      fee: fcfa(18n),
      occurredAt: app.clock.now(),
    }));
    await postSales(app.db, { sales, feeAccount: fees ?? 0n }, app.clock.now());
  }
}
