import { addMs, assert, DAY_MS } from "@sesame/kernel";
import { check } from "@sesame/ledger";
import { sql } from "kysely";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { fundSeller, REQUEST, sellerBalance, setFirstPayouts } from "../../../test/funds.ts";
import { startTestApp } from "../../../test/harness.ts";
import { askForDate } from "../../../test/withdrawals.ts";
import type { App } from "../../app.ts";
import { lockSeller } from "../../people/people.ts";
import { type Db, many, openDatabase } from "../../postgres/database.ts";
import { DatabaseOutage } from "../../postgres/outages.ts";
import { keepCurrent } from "../../settings.ts";
import { approveIn } from "../treasury/payouts.ts";
import { requestWithdrawal } from "./request.ts";
import { configurePayouts, freezePayouts } from "./settings.ts";
import { cancel } from "./withdrawals.ts";

const LONG = process.env.LONG === "1";
const ROUNDS = LONG ? 200 : 15;

const app = await startTestApp();
await setFirstPayouts(app, 700_000);
/** Like two processes: each with its own connections. */
const databases = [0, 1].map(() => openDatabase({ url: app.databaseUrl, poolSize: 8 }));
const [one, other] = databases.map(({ db }) => {
  return { ...app.core, db, settings: keepCurrent(db, () => performance.now()) };
}) as [App, App];
afterEach(async () => {
  expect(await check(app.db)).toEqual([]);
  expect(await unheld()).toEqual([]);
});
afterAll(async () => {
  await Promise.all(databases.map((database) => database.close()));
  await app.close();
});

async function sellerWith(amount: number, plan: "free" | "premium" = "premium"): Promise<bigint> {
  const seller = await app.signInSeller();
  await fundSeller(app, seller, amount, plan);
  return BigInt(seller.id);
}

const balanceOf = (sellerId: bigint, plan: "free" | "premium" = "premium") =>
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

async function accountsOf(sellerId: bigint) {
  const { rows } = await sql<{ plan: string; posted: bigint; held: bigint; stranded: bigint }>`
    SELECT s.plan, (f.posted + p.posted)::bigint AS posted, (f.held + p.held)::bigint AS held,
      CASE s.plan WHEN 'premium' THEN f.posted - f.held ELSE p.posted - p.held END AS stranded
    FROM sellers s JOIN ledger_accounts f ON f.id = s.free_account_id
    JOIN ledger_accounts p ON p.id = s.premium_account_id WHERE s.id = ${sellerId}
  `.execute(app.db);
  assert(rows[0], "the seller is there");
  return rows[0];
}

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
    expect((await accountsOf(sellerId)).held).toBe(9_000n);
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
    const change = (at: App, sellerId: bigint, plan: "free" | "premium") =>
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
async function unheld() {
  return many(app.db)`
    SELECT w.id, h.id AS hold, w.amount, h.amount AS held
    FROM (SELECT * FROM withdrawals WHERE status = 'pending') w
    FULL JOIN (SELECT * FROM ledger_holds WHERE ended_at IS NULL AND id LIKE 'hold:%') h
      ON h.id = 'hold:' || w.id
    WHERE (w.account_id, w.amount) IS DISTINCT FROM (h.account_id, h.amount)
  `;
}

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
});
