import type { Plan } from "@sesame/contract/plans";
import { addMs, assert, DAY_MS, fcfa, Outage } from "@sesame/kernel";
import { check } from "@sesame/ledger";
import { sql } from "kysely";
import { afterEach, describe, expect, test } from "vitest";
import { postSales } from "../../../../../packages/ledger/src/testing/open-test-ledger.ts";
import { randomOf, SEED } from "../../../../../tools/testing/seeded.ts";
import { REQUEST, sellerBalance, setFirstPayouts } from "../../../test/funds.ts";
import { startTestApp } from "../../../test/harness.ts";
import { askForDate, openProcess } from "../../../test/withdrawals.ts";
import type { App } from "../../app.ts";
import { lockSeller } from "../../people/people.ts";
import { type Db, maybe } from "../../postgres/database.ts";
import { DatabaseOutage } from "../../postgres/outages.ts";
import { approveIn } from "../treasury/payouts.ts";
import { rejectIn } from "./index.ts";
import { requestWithdrawal } from "./request.ts";
import { configurePayouts, freezePayouts } from "./settings.ts";
import { cancel } from "./withdrawals.ts";

const LONG = process.env.LONG === "1";
const ROUNDS = LONG ? 200 : 15;
/** The name that finds the connections of `poor`, to cut them. */
const NAME = "sesame-lost-answers";

const app = await startTestApp();
await setFirstPayouts(app, 700_000);
const [one, other] = [openProcess(app), openProcess(app)];
const poor = openProcess(app, { name: NAME, poolSize: 4 });
afterEach(async () => {
  expect(await check(app.db)).toEqual([]);
  expect(await unheld()).toEqual([]);
});

const sellerWith = async (funds: number, plan: Plan = "premium") =>
  BigInt((await app.seller({ plan, funds })).id);

const balanceOf = (sellerId: bigint, plan: Plan = "premium") =>
  sellerBalance(app, { id: String(sellerId) }, plan);

const { methode_paiement: method, numero_transfert: phone, numero_whatsapp: whatsapp } = REQUEST;

/**
 * Asks as a phone does: after the answer that no connection was free, it asks again. → the result:
 * its id, or the refusal; "again" for the second time of a key.
 */
async function ask(at: App, sellerId: bigint, asked: { amount: number; key?: string }) {
  const form = { amount: asked.amount, method, phone, whatsapp };
  const key = asked.key === undefined ? null : { key: asked.key, content: JSON.stringify(form) };
  for (;;) {
    try {
      const answer = await requestWithdrawal(at, { sellerId, form, key, automaticOn: null });
      if (!answer.ok) return { word: answer.refusal.kind, id: null };
      const { before, withdrawal } = answer.value;
      return { word: before ? "again" : "accepted", id: BigInt(withdrawal.id) };
    } catch (error) {
      if (!(error instanceof DatabaseOutage && error.reason === "overloaded")) throw error;
    }
  }
}

const inTx = <T>(at: App, run: (tx: Db) => Promise<T>) => at.db.transaction().execute(run);

const accountsOf = (sellerId: bigint) => maybe(app.db)`
  SELECT (f.posted + p.posted)::bigint AS posted, (f.held + p.held)::bigint AS held,
    CASE s.plan WHEN 'premium' THEN f.posted - f.held ELSE p.posted - p.held END AS stranded
  FROM sellers s JOIN ledger_accounts f ON f.id = s.free_account_id
  JOIN ledger_accounts p ON p.id = s.premium_account_id WHERE s.id = ${sellerId}`;

test("two requests of one seller, in two processes at once, by hand and of an automatic date never take more than there is", async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const sellerId = await sellerWith(9_000);
    const settings = { retrait_auto: true, transfer_number: REQUEST.numero_transfert };
    await configurePayouts(one, sellerId, settings);
    const date = { sellerId, on: "2026-11-20" };
    const [byHand, ...automatic] = await Promise.all([
      ask(one, sellerId, { amount: 9_000 }),
      askForDate(one, date),
      askForDate(other, date),
    ]);
    const words = automatic.map((asked) => (asked.ok ? asked.value.before : asked.refusal.kind));
    const none = "withdrawals.too-little-available";
    expect(words.sort()).toEqual(byHand.word === "accepted" ? [none, none] : [false, true]);
    expect(await accountsOf(sellerId)).toMatchObject({ held: 9_000n });
  }
});

describe("a request, and another act on it at the same time,", () => {
  test("is cancelled or approved, never both", async () => {
    const by = BigInt((await app.signInBuyer()).id);
    for (let round = 0; round < ROUNDS; round += 1) {
      const sellerId = await sellerWith(5_000);
      const { id } = await ask(one, sellerId, { amount: 3_000 });
      assert(id !== null, "it was accepted");
      const approval = { withdrawalId: id, rail: "manual", by } as const;
      const [cancelled, approved] = await Promise.all([
        cancel(one, { id, sellerId, call: null }),
        inTx(other, (tx) => approveIn(other, tx, { approval, now: app.clock.now() })),
      ]);
      expect([cancelled.ok, approved.ok].sort()).toEqual([false, true]);
      const posted = cancelled.ok ? 5_000n : 2_000n;
      expect(await accountsOf(sellerId)).toMatchObject({ posted, held: 0n });
    }
  });

  test("is on the account of the plan before or after a change of plan: no franc stays behind", async () => {
    const change = (at: App, sellerId: bigint, plan: Plan) =>
      inTx(at, async (tx) => {
        await lockSeller(tx, sellerId);
        const now = app.clock.now();
        const until = plan === "premium" ? addMs(now, DAY_MS) : null;
        await sql`SELECT plan_change(${sellerId}, ${plan}, ${until}, ${now})`.execute(tx);
      });
    for (let round = 0; round < ROUNDS; round += 1) {
      const sellerId = await sellerWith(9_000);
      const first = await ask(one, sellerId, { amount: 1_000 });
      assert(first.id !== null, "it was accepted");
      const [, second] = await Promise.all([
        change(one, sellerId, "free"),
        ask(other, sellerId, { amount: 7_000 }),
        cancel(other, { id: first.id, sellerId, call: null }),
        change(other, sellerId, "premium"),
        change(one, sellerId, "free"),
      ]);
      const held = second.word === "accepted" ? 7_000n : 0n;
      expect(await accountsOf(sellerId)).toMatchObject({ posted: 9_000n, held, stranded: 0n });
      if (second.id !== null) await cancel(one, { id: second.id, sellerId, call: null });
      expect(await accountsOf(sellerId)).toMatchObject({ posted: 9_000n, held: 0n, stranded: 0n });
    }
  });

  test("is refused once payouts are frozen", async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const sellerId = await sellerWith(9_000);
      let isFrozen = false;
      const freeze = async () => {
        const frozen = { by: "seller", reason: "Ce n'est pas moi", reviewAt: null } as const;
        await inTx(one, async (tx) => {
          await lockSeller(tx, sellerId);
          await freezePayouts(tx, sellerId, frozen, app.clock.now());
        });
        isFrozen = true;
      };
      const askLater = async (at: App) => {
        const wasFrozen = isFrozen;
        const { word } = await ask(at, sellerId, { amount: 100 });
        expect(word).toBe(wasFrozen || word !== "accepted" ? FROZEN : "accepted");
      };
      await Promise.all([freeze(), ...[one, other, one, other].map(askLater)]);
      await askLater(one);
    }
  });
});

const FROZEN = "withdrawals.payouts-frozen";

/** Pending requests without a hold, and open holds without a request. */
const unheld = () => app.sql`
  SELECT w.id, h.id AS hold, w.amount, h.amount AS held
  FROM (SELECT * FROM withdrawals WHERE status = 'pending') w
  FULL JOIN (SELECT * FROM ledger_holds WHERE ended_at IS NULL AND id LIKE 'hold:%') h
    ON h.id = 'hold:' || w.id
  WHERE (w.account_id, w.amount) IS DISTINCT FROM (h.account_id, h.amount)
  `;

const appAt = (index: number): App => (index % 2 === 0 ? one : other);

const tally = (answers: readonly { word: string }[]) => {
  const counts: Record<string, number> = {};
  for (const { word } of answers) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
};

describe("at the same time", () => {
  test("1 000 × 2 requests on one balance take exactly what it has", async () => {
    for (let run = 0; run < (LONG ? 100 : 2); run += 1) {
      const seller = await sellerWith(375 * 100);
      const answers = await Promise.all(
        Array.from({ length: 2_000 }, (_, index) =>
          ask(appAt(index >> 4), seller, { amount: 100, key: `k${index % 1_000}` }),
        ),
      );
      expect(tally(answers)).toEqual({
        accepted: 375,
        again: 375,
        "withdrawals.balance-too-low": 1_250,
      });
      expect(await balanceOf(seller)).toEqual({ posted: 37_500, held: 37_500, available: 0 });
    }
  });

  test(`requests of any amounts leave less than the smallest refused (SESAME_SEED=${SEED})`, async () => {
    const seller = await sellerWith(100_000);
    const random = randomOf(SEED);
    const asked = Array.from({ length: 400 }, () => 100 + Math.floor(random() * 256) * 7);
    const answers = await Promise.all(
      asked.map((amount, index) => ask(appAt(index), seller, { amount })),
    );
    const taken = asked.filter((_, index) => answers[index]?.id);
    const refused = asked.filter((_, index) => !answers[index]?.id);
    const { held, available } = await balanceOf(seller);
    expect(taken.reduce((sum, amount) => sum + amount, 0)).toBe(held);
    expect(Math.min(...refused)).toBeGreaterThan(available);
  });

  test("twenty keys of five hundred copies make twenty requests, changed copies none", async () => {
    const seller = await sellerWith(500_000);
    const copies = Array.from({ length: 10_000 }, (_, index) => index);
    const answers = await Promise.all(
      copies.map((copy) =>
        // The last copy of each key asks for another amount.
        ask(appAt(copy >> 3), seller, { amount: copy < 9_980 ? 500 : 600, key: `key${copy % 20}` }),
      ),
    );
    expect(answers.filter(({ word }) => word === "accepted")).toHaveLength(20);
    const accepted = answers.filter(({ id }) => id !== null);
    expect(new Set(accepted.map(({ id }) => id)).size).toBe(20);
    const refused = answers.filter(({ id }) => id === null).map(({ word }) => word);
    // If a changed copy comes first in its process it counts, and 499 are refused.
    expect(new Set(refused)).toEqual(new Set(["withdrawals.key-reused"]));
    const { held } = await balanceOf(seller);
    const total = await app.value<bigint>`
      SELECT sum(amount)::bigint FROM withdrawals WHERE seller_id = ${seller}`;
    expect(BigInt(held)).toBe(total);
  });

  test("one that cannot be written does not fail those beside it", async () => {
    const seller = await sellerWith(10_000);
    const crowd = Array.from({ length: 30 }, (_, at) => (at % 10 === 4 ? 999_999_999n : seller));
    const answers = await Promise.allSettled(crowd.map((id) => ask(one, id, { amount: 100 })));
    expect(answers.filter(({ status }) => status === "rejected")).toHaveLength(3);
    expect((await balanceOf(seller)).held).toBe(2_700);
  });

  test("of sellers on the free plan, each gets one a week whatever comes at once", async () => {
    const sellers = await Promise.all(Array.from({ length: 8 }, () => sellerWith(9_000, "free")));
    const answers = await Promise.all(
      sellers.flatMap((seller) =>
        Array.from({ length: 50 }, (_, index) => ask(appAt(index), seller, { amount: 1_000 })),
      ),
    );
    expect(tally(answers)).toEqual({ accepted: 8, "withdrawals.weekly": 392 });
    for (const seller of sellers) expect((await balanceOf(seller, "free")).held).toBe(1_000);
  });

  test("an automatic date runs once with several schedulers", async () => {
    const seller = await sellerWith(700_000);
    await configurePayouts(one, seller, {
      retrait_auto: "true",
      transfer_number: REQUEST.numero_transfert,
    });
    const run = (index: number, on: string) => askForDate(appAt(index), { sellerId: seller, on });
    const runs = await Promise.all(
      Array.from({ length: 40 }, (_, index) => run(index, "2026-11-16")),
    );
    const words = runs.map((each) => ({ word: each.ok ? String(each.value.before) : "refused" }));
    expect(tally(words)).toEqual({ false: 1, true: 39 });
    const first = runs.find((each) => each.ok);
    expect(first?.ok && first.value.withdrawal).toMatchObject({
      montant: 500_000n,
      automatique: true,
      numero_whatsapp: "+2250701020304",
    });
    const next = await run(0, "2026-11-17");
    expect(next.ok && next.value.withdrawal.montant).toBe(200_000n);
    const empty = await run(0, "2026-11-18");
    const known = await run(1, "2026-11-17");
    expect(known.ok && known.value.before).toBe(true);
    expect(empty).toMatchObject({
      refusal: { kind: "withdrawals.too-little-available", available: 0n },
    });
  });
});

test("requests, cancellations, rejections, changes of plan and sales at once wait for each other in one order, and lose no franc", async () => {
  const sellers = await Promise.all(Array.from({ length: 6 }, () => sellerWith(200_000)));
  const rounds = LONG ? 400 : 40;
  const storms = [0, 1].flatMap((door) => [
    storm(sellers, { door, rounds, ask: true }),
    storm(sellers, { door, rounds, ask: false }),
  ]);
  await Promise.all([...storms, changePlans(sellers, rounds), sell(sellers, rounds)]);
  for (const seller of sellers) {
    const free = await balanceOf(seller, "free");
    const premium = await balanceOf(seller);
    expect(Math.min(free.available, premium.available)).toBeGreaterThanOrEqual(0);
    expect(free.posted + premium.posted).toBe(200_000 + rounds * 82);
  }
});

type Storm = { readonly door: number; readonly rounds: number; readonly ask: boolean };

async function storm(sellers: readonly bigint[], { door, rounds, ask: asks }: Storm) {
  for (let round = 0; round < rounds; round += 1) {
    await Promise.all(
      sellers.map((seller, index) =>
        asks
          ? ask(appAt(door), seller, { amount: 100 + index })
          : endOne(seller, { door, reject: (round + index) % 2 === 0 }),
      ),
    );
  }
}

/** Cancels or rejects the seller's newest pending request, if any. */
async function endOne(sellerId: bigint, { door, reject }: { door: number; reject: boolean }) {
  const [id] = await app.values<bigint>`
    SELECT id FROM withdrawals WHERE seller_id = ${sellerId} AND status = 'pending'
    ORDER BY id DESC LIMIT 1`;
  if (id === undefined) return;
  if (!reject) return void (await cancel(appAt(door), { id, sellerId, call: null }));
  const rejection = { id, code: "other", reason: "Numéro à vérifier.", by: null };
  await app.db.transaction().execute(async (tx) => await rejectIn(tx, rejection, app.clock.now()));
}

/** Like a change of plan: the seller locked, the available francs moved to the other account. */
async function changePlans(sellers: readonly bigint[], rounds: number) {
  for (let round = 0; round < rounds; round += 1) {
    for (const id of sellers) {
      await app.db.transaction().execute(async (tx) => {
        await sql`SELECT FROM sellers WHERE id = ${id} FOR NO KEY UPDATE`.execute(tx);
        await sql`UPDATE sellers SET plan = CASE plan WHEN 'free' THEN 'premium' ELSE 'free' END
          WHERE id = ${id}`.execute(tx);
      });
    }
  }
}

async function sell(sellers: readonly bigint[], rounds: number) {
  const [fees, provider] = await app.values<bigint>`
    SELECT id FROM ledger_accounts
    WHERE key IN ('provider:moneroo', 'platform:fees') ORDER BY key`;
  const accounts = await app.values<bigint>`
    SELECT premium_account_id FROM sellers WHERE id = ANY(${[...sellers]}::bigint[])`;
  for (let round = 0; round < rounds; round += 1) {
    const sales = accounts.map((to) => ({
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

/** Ends the connections of `poor`, whatever they are doing. → how many */
async function cutConnections(): Promise<number> {
  const rows = await app.sql`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = ${NAME} AND datname = current_database()`;
  return rows.length;
}

/** Asks as a phone does: without an answer, the same request again with its key. → the number of tries */
async function askUntilAnswered(sellerId: bigint, key: string, amount: number): Promise<number> {
  const form = { amount, method, phone, whatsapp };
  for (let times = 1; ; times += 1) {
    try {
      const asked = { sellerId, form, key: { key, content: JSON.stringify(form) } };
      const answer = await requestWithdrawal(poor, { ...asked, automaticOn: null });
      expect(answer.ok).toBe(true);
      return times;
    } catch (error) {
      // A lost connection has no other result: it is reported as an outage.
      expect(error).toBeInstanceOf(Outage);
    }
  }
}

test("a request whose answer was lost with its connection, repeated with its key, is one request", async () => {
  const sellerId = await sellerWith(1_000_000);
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
      // While the others are in progress.
      if (answered % 10 === 0) cut += await cutConnections();
    }
  };
  await Promise.all(Array.from({ length: 16 }, phone));
  expect(cut).toBeGreaterThan(0);
  expect(repeated).toBeGreaterThan(0);
  const rows = await app.sql`
    SELECT count(*) AS requests, count(DISTINCT idempotency_key) AS keys FROM withdrawals
    WHERE seller_id = ${sellerId}`;
  const count = BigInt(keys.length);
  expect(rows).toEqual([{ requests: count, keys: count }]);
  expect((await balanceOf(sellerId)).held).toBe(keys.length * 100);
});
