import { fcfa } from "@sesame/kernel";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import * as ledger from "./index.ts";
import { NOON, openTestLedger, type TestLedger, wholeContent } from "./testing/open-test-ledger.ts";

const LATER = new Date("2026-03-02T12:00:00Z");

let books: TestLedger;
let seller: bigint;
let count = 0;

beforeAll(async () => {
  books = await openTestLedger();
});
beforeEach(async () => {
  const account = { key: `seller:${++count}`, guarded: true };
  seller = await ledger.openAccount(books.db, account, NOON);
  const legs = [
    { account: books.shared[0], amount: fcfa(-1000n) },
    { account: seller, amount: fcfa(1000n) },
  ];
  await ledger.post(books.db, [{ id: `sale@${count}`, legs, occurredAt: NOON }], NOON);
});
afterAll(async () => {
  expect(await ledger.check(books.db)).toEqual([]);
  await books.close();
});

const hold = (id: string, amount: bigint, from = seller) =>
  ledger.hold(books.db, { id: `${id}@${count}`, from, amount: fcfa(amount) }, NOON);
const payout = (amount: bigint, id = "payout", fee = 0n): ledger.NewTransfer => ({
  id: `${id}@${count}`,
  legs: [
    { account: seller, amount: fcfa(-amount) },
    { account: books.shared[2], amount: fcfa(amount - fee) },
    ...(fee > 0n ? [{ account: books.shared[1], amount: fcfa(fee) }] : []),
  ],
  occurredAt: NOON,
});
const pay = (id: string, transfer: ledger.NewTransfer) =>
  ledger.payHold(books.db, { holdId: `${id}@${count}`, transfer }, LATER);
const release = (id: string) => ledger.releaseHold(books.db, `${id}@${count}`, LATER);
const balance = async () => {
  const found = await ledger.balanceOf(books.db, `seller:${count}`);
  return [found?.posted, found?.held, found?.available];
};
const done = { ok: true, value: "done" };
const doneBefore = { ok: true, value: "done-before" };
const refused = (kind: string) => ({ ok: false, refusal: { kind } });
const sqlState = (promise: Promise<unknown>) =>
  promise.then(
    () => "accepted",
    (error: { code?: string }) => error.code,
  );

describe("a hold", () => {
  test("leaves francs posted and makes them unavailable", async () => {
    expect(await hold("h", 600n)).toEqual(done);
    expect(await balance()).toEqual([1000n, 600n, 400n]);
  });

  test("of more than is available is refused with the available amount", async () => {
    await hold("h", 600n);
    const refusal = { kind: "ledger.insufficient", available: 400n };
    expect(await hold("g", 401n)).toEqual({ ok: false, refusal });
    expect(await hold("g", 400n)).toEqual(done);
    expect(await balance()).toEqual([1000n, 1000n, 0n]);
  });

  test("changes nothing when it is repeated, and is refused with other content", async () => {
    const other = await ledger.openAccount(books.db, { key: `o:${count}`, guarded: true }, NOON);
    await hold("h", 600n);
    const before = await wholeContent(books.db);
    expect(await hold("h", 600n)).toEqual(doneBefore);
    expect(await hold("h", 601n)).toEqual(refused("ledger.id-reused"));
    expect(await hold("h", 600n, other)).toEqual(refused("ledger.id-reused"));
    expect(await wholeContent(books.db)).toBe(before);
  });

  test("of zero, or on an account without a guard, is a bug", async () => {
    expect(await sqlState(hold("h", 0n))).toBe("SL001");
    expect(await sqlState(hold("h", -5n))).toBe("SL001");
    expect(await sqlState(hold("h", 5n, books.shared[0]))).toBe("SL002");
    expect(await sqlState(hold("h", 5n, 999_999n))).toBe("SL002");
  });
});

describe("the end of a hold", () => {
  test("by a payment debits the whole amount", async () => {
    await hold("h", 600n);
    expect(await pay("h", payout(600n, "payout", 10n))).toEqual(done);
    expect(await balance()).toEqual([400n, 0n, 400n]);
  });

  test("by a release gives it back", async () => {
    await hold("h", 600n);
    expect(await release("h")).toEqual(done);
    expect(await balance()).toEqual([1000n, 0n, 1000n]);
  });

  test("happens once: a repeat changes nothing, and the other end is too late", async () => {
    await hold("paid", 600n);
    await hold("freed", 300n);
    await pay("paid", payout(600n));
    await release("freed");
    const before = await wholeContent(books.db);
    expect(await pay("paid", payout(600n))).toEqual(doneBefore);
    expect(await release("paid")).toEqual(refused("ledger.hold-paid"));
    expect(await release("freed")).toEqual(doneBefore);
    expect(await pay("freed", payout(300n, "late"))).toEqual(refused("ledger.hold-released"));
    expect(await hold("paid", 600n)).toEqual(doneBefore);
    expect(await hold("freed", 300n)).toEqual(doneBefore);
    expect(await wholeContent(books.db)).toBe(before);
  });

  test("by another transfer, or by one used before, is refused", async () => {
    await hold("a", 600n);
    await hold("b", 300n);
    await pay("a", payout(600n));
    expect(await pay("a", payout(600n, "second"))).toEqual(refused("ledger.id-reused"));
    expect(await pay("a", payout(600n, "payout", 1n))).toEqual(refused("ledger.id-reused"));
    expect(await pay("b", payout(600n))).toEqual(refused("ledger.id-reused"));
    expect(await balance()).toEqual([400n, 300n, 100n]);
  });

  test("of an unknown hold is refused", async () => {
    expect(await pay("h", payout(600n))).toEqual(refused("ledger.hold-unknown"));
    expect(await release("h")).toEqual(refused("ledger.hold-unknown"));
  });

  test("by a transfer of another amount or account is a bug and writes nothing", async () => {
    await hold("h", 600n);
    const before = await wholeContent(books.db);
    const [provider, , transit] = books.shared;
    const stranger = {
      ...payout(600n),
      legs: [
        { account: provider, amount: fcfa(-600n) },
        { account: transit, amount: fcfa(600n) },
      ],
    };
    const second = { account: provider, amount: fcfa(-1n) };
    const extra = { account: transit, amount: fcfa(1n) };
    const twoDebits = { ...payout(600n), legs: [...payout(600n).legs, second, extra] };
    for (const transfer of [payout(599n), payout(601n), stranger, twoDebits]) {
      expect(await sqlState(pay("h", transfer))).toBe("SL001");
    }
    expect(await wholeContent(books.db)).toBe(before);
  });

  test("cannot be overwritten or undone", async () => {
    await hold("paid", 600n);
    await hold("open", 100n);
    await pay("paid", payout(600n));
    const changes = [
      `SET ended_as = 'released', transfer_id = null WHERE id = 'paid@${count}'`,
      `SET ended_at = null, ended_as = null, transfer_id = null WHERE id = 'paid@${count}'`,
      `SET amount = 1 WHERE id = 'open@${count}'`,
      `SET amount = 1, ended_at = opened_at, ended_as = 'released' WHERE id = 'open@${count}'`,
    ];
    for (const change of changes) {
      const update = sql.raw(`UPDATE ledger_holds ${change}`).execute(books.db);
      expect([change, await sqlState(update)]).toEqual([change, "SL003"]);
    }
  });
});
