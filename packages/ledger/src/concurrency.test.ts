import { fcfa } from "@sesame/kernel";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import * as ledger from "./index.ts";
import { NOON, openTestLedger, postSales, type TestLedger } from "./testing/open-test-ledger.ts";

let books: TestLedger;
let seller: bigint;

const CONNECTIONS = 16;

beforeEach(async () => {
  books = await openTestLedger(CONNECTIONS);
  seller = await ledger.openAccount(books.db, { key: "seller:1", guarded: true }, NOON);
});
afterEach(async () => {
  expect(await ledger.check(books.db)).toEqual([]);
  await books.close();
});

const sale = (id: string, amount: bigint): ledger.NewTransfer => ({
  id,
  legs: [
    { account: books.shared[0], amount: fcfa(-amount) },
    { account: seller, amount: fcfa(amount) },
  ],
  occurredAt: NOON,
});
/**
 * Makes as many calls at once as there are connections: a call that waits longer than 5 s for a
 * connection is refused.
 */
async function atOnce<T, R>(all: readonly T[], act: (one: T) => Promise<R>): Promise<R[]> {
  const answers: R[] = [];
  const waiting = [...all.entries()];
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      answers[next[0]] = await act(next[1]);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  return answers;
}
const tally = (words: string[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
};

describe("at the same time", () => {
  test("1 000 × 2 holds on one balance reserve exactly what it has", async () => {
    await ledger.post(books.db, [sale("sale:1", 375n * 100n)], NOON);
    const asked = Array.from({ length: 2000 }, (_, index) => `hold:${index % 1000}`);
    const answers = await atOnce(asked, (id) =>
      ledger.hold(books.db, { id, from: seller, amount: fcfa(100n) }, NOON),
    );
    const words = answers.map((answer) => (answer.ok ? answer.value : answer.refusal.kind));
    expect(tally(words)).toEqual({ done: 375, "done-before": 375, "ledger.insufficient": 1250 });
    expect((await ledger.balanceOf(books.db, "seller:1"))?.available).toBe(0n);
  });

  test("500 copies of 20 transfers have one effect each, and changed copies have none", async () => {
    const copies = Array.from({ length: 10_000 }, (_, index) => index);
    const batches = Array.from({ length: 250 }, (_, batch) =>
      copies.slice(batch * 40).slice(0, 40),
    );
    const answers = await atOnce(batches, (batch) => {
      // Each batch in another order; its last copy has other content.
      const ids = batch.map((copy) => (copy * 7 + (batch[0] ?? 0) / 40) % 20);
      const transfers = ids.map((id, at) => sale(`sale:${id}`, at === 39 ? 101n : 100n));
      return ledger.post(books.db, transfers, NOON);
    });
    expect(tally(answers.flat())).toEqual({ posted: 20, duplicate: 9730, conflict: 250 });
    expect((await ledger.balanceOf(books.db, "seller:1"))?.posted).toBe(2000n);
  });

  test("a hold is ended once, by payment or by release", async () => {
    await ledger.post(books.db, [sale("sale:1", 1000n)], NOON);
    await ledger.hold(books.db, { id: "hold:1", from: seller, amount: fcfa(1000n) }, NOON);
    const transfer = (index: number): ledger.NewTransfer => ({
      id: `payout:${index}`,
      legs: [
        { account: seller, amount: fcfa(-1000n) },
        { account: books.shared[2], amount: fcfa(1000n) },
      ],
      occurredAt: NOON,
    });
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        index % 2 === 0
          ? ledger.releaseHold(books.db, "hold:1", NOON)
          : ledger.payHold(books.db, { holdId: "hold:1", transfer: transfer(index % 4) }, NOON),
      ),
    );
    expect(answers.filter((answer) => answer.ok && answer.value === "done").length).toBe(1);
    const found = await ledger.balanceOf(books.db, "seller:1");
    expect(found?.held).toBe(0n);
    expect([0n, 1000n]).toContain(found?.posted);
  });

  test("an end waits for the end in progress, and its answer depends on it", async () => {
    const { db } = books;
    await ledger.post(db, [sale("sale:1", 1000n)], NOON);
    await ledger.hold(db, { id: "hold:1", from: seller, amount: fcfa(1000n) }, NOON);
    const release = (tx: ledger.Executor) => ledger.releaseHold(tx, "hold:1", NOON);
    let second: ReturnType<typeof release> | undefined;
    await db.transaction().execute(async (slow) => {
      expect(await release(slow)).toEqual({ ok: true, value: "done" });
      second = release(db);
      await untilSomeoneWaits();
    });
    expect(await second).toEqual({ ok: true, value: "done-before" });
  });

  test("a snapshot waits for a posting that has begun, and includes it", async () => {
    const { db } = books;
    let snapshot: Promise<bigint> | undefined;
    await db.transaction().execute(async (slow) => {
      await ledger.post(slow, [sale("sale:slow", 100n)], NOON);
      await ledger.post(db, [sale("sale:quick", 10n)].map(toTransit), NOON);
      snapshot = ledger.snapshot(db, NOON);
      await untilSomeoneWaits();
    });
    const upTo = await snapshot;
    const { rows } = await sql<{ balance: bigint; seq: bigint }>`
      SELECT balance, seq FROM ledger_snapshots WHERE account_id = ${books.shared[0]}`.execute(db);
    expect(rows).toEqual([{ balance: -110n, seq: upTo }]);
  });

  test("snapshots during many sales never omit one", async () => {
    const accounts = { keys: ["seller:2", "seller:3", "seller:4"], guarded: true };
    const sellers = [seller, ...(await ledger.openAccounts(books.db, accounts, NOON))];
    const stream = async (line: number) => {
      for (let batch = 0; batch < 25; batch++) {
        const sales = Array.from({ length: 8 }, (_, index) => ({
          id: `sale:${line}:${batch}:${index}`,
          from: books.shared[0],
          to: sellers[(line + index) % sellers.length] ?? null,
          net: fcfa(82n),
          fee: fcfa(18n),
          occurredAt: NOON,
        }));
        await postSales(books.db, { sales, feeAccount: books.shared[1] }, NOON);
      }
    };
    const streams = Promise.all([0, 1, 2, 3, 4, 5].map(stream));
    let running = true;
    const watch = async () => {
      while (running) {
        await ledger.snapshot(books.db, NOON);
        const broken = await ledger.check(books.db);
        if (broken.length > 0) return broken;
      }
      return [];
    };
    const watched = watch();
    await streams;
    running = false;
    expect(await watched).toEqual([]);
    expect((await ledger.balanceOf(books.db, "platform:fees"))?.posted).toBe(6n * 25n * 8n * 18n);
    expect((await ledger.balanceOf(books.db, "provider:test"))?.posted).toBe(-6n * 25n * 800n);
  });
});

const toTransit = (transfer: ledger.NewTransfer): ledger.NewTransfer => ({
  ...transfer,
  legs: transfer.legs.map((leg) =>
    leg.account === seller ? { ...leg, account: books.shared[2] } : leg,
  ),
});

/** Waits until a connection of this database waits for a lock of another. */
async function untilSomeoneWaits(): Promise<void> {
  for (;;) {
    const { rows } = await sql`
      SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(books.db);
    if (rows.length > 0) return;
  }
}
