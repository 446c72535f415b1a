import { fcfa } from "@sesame/kernel";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as ledger from "./index.ts";
import { NOON, openTestLedger, type TestLedger } from "./testing/open-test-ledger.ts";

let books: TestLedger;
let seller: bigint;

beforeAll(async () => {
  books = await openTestLedger();
  const { db, shared } = books;
  seller = await ledger.openAccount(db, { key: "seller:1", guarded: true }, NOON);
  await ledger.post(db, [move("sale:1", [shared[0], -1000n], [seller, 1000n])], NOON);
  await ledger.hold(db, { id: "hold:1", from: seller, amount: fcfa(300n) }, NOON);
  await ledger.hold(db, { id: "hold:2", from: seller, amount: fcfa(200n) }, NOON);
  const transfer = move("payout:2", [seller, -200n], [shared[2], 200n]);
  await ledger.payHold(db, { holdId: "hold:2", transfer }, NOON);
  await ledger.snapshot(db, NOON);
});
afterAll(() => books.close());

const move = (id: string, ...legs: [bigint, bigint][]): ledger.NewTransfer => ({
  id,
  legs: legs.map(([account, amount]) => ({ account, amount: fcfa(amount) })),
  occurredAt: NOON,
});

/** What the check reports after a superuser broke the ledger. Rolled back. */
async function brokenBy(...statements: string[]): Promise<string[]> {
  let broken: ledger.BrokenInvariant[] = [];
  const rollback = new Error("rollback");
  const breaking = books.db.transaction().execute(async (tx) => {
    for (const table of ["transfers", "entries", "holds", "accounts"]) {
      await sql.raw(`ALTER TABLE ledger_${table} DISABLE TRIGGER USER`).execute(tx);
    }
    for (const statement of statements) await sql.raw(statement).execute(tx);
    broken = await ledger.check(tx);
    throw rollback;
  });
  await expect(breaking).rejects.toBe(rollback);
  return broken.map(({ invariant, subject }) => `${invariant}: ${subject}`).toSorted();
}

describe("the check of the books", () => {
  test("finds nothing in a valid ledger", async () => {
    expect(await ledger.check(books.db)).toEqual([]);
    expect(await brokenBy()).toEqual([]);
  });

  test("finds an entry that was changed", async () => {
    const account = books.shared[0];
    expect(await brokenBy("UPDATE ledger_entries SET amount = -999 WHERE seq = 1")).toEqual([
      "legs of a transfer: sale:1",
      `snapshot: ${account}`,
      "sum of all accounts: all",
    ]);
  });

  test("finds a transfer that lost its entries, and entries that lost theirs", async () => {
    const deleted = "DELETE FROM ledger_entries WHERE transfer_id = 'payout:2'";
    expect(await brokenBy(deleted)).toEqual([
      "legs of a transfer: payout:2",
      "posted: seller:1",
      `snapshot: ${books.shared[2]}`,
    ]);
    expect(await brokenBy("DELETE FROM ledger_transfers WHERE id = 'sale:1'")).toEqual([
      "legs of a transfer: sale:1",
    ]);
  });

  test("finds balanced entries that differ from their transfer", async () => {
    const others = `UPDATE ledger_entries SET amount = amount * 2 WHERE transfer_id = 'sale:1'`;
    const balance = "UPDATE ledger_accounts SET posted = posted + 1000 WHERE id = ";
    expect(await brokenBy(others, balance + seller)).toEqual([
      "legs of a transfer: sale:1",
      `snapshot: ${books.shared[0]}`,
    ]);
  });

  test("finds a balance and a hold that were changed", async () => {
    expect(await brokenBy("UPDATE ledger_accounts SET posted = posted + 1 WHERE guarded")).toEqual([
      "posted: seller:1",
    ]);
    expect(await brokenBy("UPDATE ledger_accounts SET held = held - 1 WHERE guarded")).toEqual([
      "held: seller:1",
    ]);
    expect(await brokenBy("DELETE FROM ledger_holds WHERE id = 'hold:1'")).toEqual([
      "held: seller:1",
    ]);
  });

  test("finds a paid hold whose transfer is absent or belongs to another hold", async () => {
    for (const transfer of ["sale:1", "nothing"]) {
      const change = `UPDATE ledger_holds SET transfer_id = '${transfer}' WHERE id = 'hold:2'`;
      expect(await brokenBy(change)).toEqual(["transfer of a paid hold: hold:2"]);
    }
  });

  test("finds an entry without an account, and a wrong snapshot", async () => {
    const stray = `INSERT INTO ledger_transfers
      VALUES ('x', '999999:-1,${books.shared[0]}:1', '2026-01-01', '2026-01-01')`;
    const entries = `INSERT INTO ledger_entries (account_id, transfer_id, amount)
      VALUES (999999, 'x', -1), (${books.shared[0]}, 'x', 1)`;
    expect(await brokenBy(stray, entries)).toEqual(["account of an entry: 999999"]);
    const wrong = `UPDATE ledger_snapshots SET balance = 7 WHERE account_id = ${books.shared[1]}`;
    expect(await brokenBy(wrong)).toEqual([`snapshot: ${books.shared[1]}`]);
  });
});

describe("the balance of an unguarded account", () => {
  test("is its snapshot plus later entries, before and after the next snapshot", async () => {
    const key = "provider:test";
    const posted = async () => (await ledger.balanceOf(books.db, key))?.posted;
    expect(await posted()).toBe(-1000n);
    await ledger.post(books.db, [move("sale:2", [books.shared[0], -5n], [seller, 5n])], NOON);
    expect(await posted()).toBe(-1005n);
    await ledger.snapshot(books.db, NOON);
    expect(await posted()).toBe(-1005n);
    await ledger.snapshot(books.db, NOON);
    expect(await posted()).toBe(-1005n);
    expect(await ledger.check(books.db)).toEqual([]);
  });

  test("has no snapshot made in a transaction that cannot see the commits of others", async () => {
    const blind = books.db.transaction().setIsolationLevel("repeatable read");
    await expect(blind.execute((tx) => ledger.snapshot(tx, NOON))).rejects.toMatchObject({
      code: "SL001",
    });
  });
});
