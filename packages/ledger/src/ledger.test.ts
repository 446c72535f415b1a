import { fcfa } from "@sesame/kernel";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import * as ledger from "./index.ts";
import {
  NOON,
  openTestLedger,
  postSales,
  type Sale,
  type TestLedger,
  wholeContent,
} from "./testing/open-test-ledger.ts";

let books: TestLedger;
let provider: bigint;
let fees: bigint;
let transit: bigint;
let seller: bigint;
let sellerKey: string;
let count = 0;

beforeAll(async () => {
  books = await openTestLedger();
  [provider, fees, transit] = books.shared;
});
beforeEach(async () => {
  sellerKey = `seller:${++count}`;
  seller = await ledger.openAccount(books.db, { key: sellerKey, guarded: true }, NOON);
});
afterAll(async () => {
  expect(await ledger.check(books.db)).toEqual([]);
  await books.close();
});

const move = (id: string, ...legs: [bigint, bigint][]): ledger.NewTransfer => ({
  id: `${id}@${count}`,
  legs: legs.map(([account, amount]) => ({ account, amount: fcfa(amount) })),
  occurredAt: NOON,
});
const sale = (id: string, net = 4100n, fee = 900n) =>
  move(id, [provider, -(net + fee)], [seller, net], [fees, fee]);
const refund = (id: string, amount: bigint) => move(id, [seller, -amount], [provider, amount]);
const post = (...transfers: ledger.NewTransfer[]) => ledger.post(books.db, transfers, NOON);
const balance = async () => {
  const found = await ledger.balanceOf(books.db, sellerKey);
  return [found?.posted, found?.held, found?.available];
};
const sqlState = (promise: Promise<unknown>) =>
  promise.then(
    () => "accepted",
    (error: { code?: string }) => error.code,
  );

describe("an account", () => {
  test("opens once and is found again by its key", async () => {
    const again = { key: sellerKey, guarded: true };
    expect(await ledger.openAccount(books.db, again, NOON)).toBe(seller);
    expect(await balance()).toEqual([0n, 0n, 0n]);
    expect(await ledger.balanceOf(books.db, "seller:nobody")).toBeNull();
  });

  test("opens by many at once in the order of the keys", async () => {
    const keys = [`seller:${count}b`, sellerKey, `seller:${count}a`, sellerKey];
    const ids = await ledger.openAccounts(books.db, { keys, guarded: true }, NOON);
    expect(ids[1]).toBe(seller);
    expect(ids[3]).toBe(seller);
    expect(new Set(ids).size).toBe(3);
    expect(await ledger.openAccounts(books.db, { keys: [], guarded: true }, NOON)).toEqual([]);
  });

  test("exists once, however many open it at once", async () => {
    const open = () =>
      ledger.openAccount(books.db, { key: `seller:${count}c`, guarded: true }, NOON);
    expect(new Set(await Promise.all(Array.from({ length: 8 }, open))).size).toBe(1);
  });

  test("cannot be opened with the other kind of guard", async () => {
    const other = { key: sellerKey, guarded: false };
    expect(await sqlState(ledger.openAccount(books.db, other, NOON))).toBe("SL001");
  });
});

describe("a transfer", () => {
  test("moves the price of a sale to the seller and the platform", async () => {
    const feesBefore = (await ledger.balanceOf(books.db, "platform:fees"))?.posted ?? 0n;
    expect(await post(sale("sale"))).toEqual(["posted"]);
    expect(await balance()).toEqual([4100n, 0n, 4100n]);
    const feesAfter = (await ledger.balanceOf(books.db, "platform:fees"))?.posted ?? 0n;
    expect(feesAfter - feesBefore).toBe(900n);
  });

  test("changes nothing when it is repeated, even when the balance would no longer cover it", async () => {
    await post(sale("sale"), refund("refund", 4100n));
    const before = await wholeContent(books.db);
    expect(await post(refund("refund", 4100n), sale("sale"))).toEqual(["duplicate", "duplicate"]);
    expect(await wholeContent(books.db)).toBe(before);
  });

  test("is refused when it is repeated with other content, and the others of the batch are not", async () => {
    await post(sale("sale"));
    expect(await post(sale("sale", 4101n, 899n), sale("other"))).toEqual(["conflict", "posted"]);
    expect(await balance()).toEqual([8200n, 0n, 8200n]);
  });

  test("that is twice in one batch is posted once", async () => {
    const outcomes = await post(sale("sale"), sale("sale"), sale("sale", 1n, 1n), sale("other"));
    expect(outcomes).toEqual(["posted", "duplicate", "conflict", "posted"]);
    expect(await balance()).toEqual([8200n, 0n, 8200n]);
  });

  test("that would leave an account short writes nothing, considering the transfers before it in the batch", async () => {
    const outcomes = await post(
      refund("too-early", 1n),
      sale("sale"),
      refund("fits", 4000n),
      refund("too-much", 101n),
      refund("rest", 100n),
    );
    expect(outcomes).toEqual(["insufficient", "posted", "posted", "insufficient", "posted"]);
    expect(await balance()).toEqual([0n, 0n, 0n]);
    expect(await post(sale("again"), refund("too-early", 1n))).toEqual(["posted", "posted"]);
  });

  test("that takes and gives on one account needs only the difference", async () => {
    const round = move("round", [seller, -100n], [seller, 90n], [provider, 10n]);
    expect(await post(round)).toEqual(["insufficient"]);
    expect(await post(sale("sale", 10n, 1n), round)).toEqual(["posted", "posted"]);
    expect(await balance()).toEqual([0n, 0n, 0n]);
  });

  test("cannot use what is held", async () => {
    await post(sale("sale"));
    await ledger.hold(books.db, { id: `hold@${count}`, from: seller, amount: fcfa(4000n) }, NOON);
    expect(await post(refund("refund", 101n))).toEqual(["insufficient"]);
    expect(await post(refund("refund", 100n))).toEqual(["posted"]);
  });

  test("of bad shape refuses the whole call and writes nothing", async () => {
    const before = await wholeContent(books.db);
    const bad: ledger.NewTransfer[] = [
      move("sum", [provider, -10n], [seller, 9n]),
      move("zero", [provider, -10n], [seller, 10n], [fees, 0n]),
      move("lonely", [seller, 0n]),
      move("empty"),
    ];
    for (const transfer of bad) expect(await sqlState(post(sale("sale"), transfer))).toBe("SL001");
    expect(await sqlState(post(move("lost", [provider, -1n], [999_999n, 1n])))).toBe("SL002");
    expect(await wholeContent(books.db)).toBe(before);
  });

  test("beyond the largest possible balance is refused whole", async () => {
    const most = 2n ** 63n - 1n;
    expect(await post(move("most", [provider, -most], [seller, most]))).toEqual(["posted"]);
    expect(await sqlState(post(move("more", [provider, -1n], [seller, 1n])))).toBe("22003");
    expect(await post(move("back", [seller, -most], [provider, most]))).toEqual(["posted"]);
  });
});

describe("a batch of sales", () => {
  const sold = (id: string, net: bigint, fee: bigint): Sale => ({
    id: `${id}@${count}`,
    from: provider,
    to: net === 0n ? null : seller,
    net: fcfa(net),
    fee: fcfa(fee),
    occurredAt: NOON,
  });
  const sell = (...sales: Sale[]) => postSales(books.db, { sales, feeAccount: fees }, NOON);

  test("is the same as its transfers posted one by one", async () => {
    const outcomes = await sell(sold("a", 4100n, 900n), sold("b", 50n, 0n), sold("c", 0n, 7n));
    expect(outcomes).toEqual(["posted", "posted", "posted"]);
    expect(await balance()).toEqual([4150n, 0n, 4150n]);
    const same = await post(
      sale("a"),
      move("b", [provider, -50n], [seller, 50n]),
      move("c", [provider, -7n], [fees, 7n]),
    );
    expect(same).toEqual(["duplicate", "duplicate", "duplicate"]);
  });

  test("distinguishes repeats and changed content", async () => {
    await sell(sold("a", 4100n, 900n));
    const outcomes = await sell(
      sold("a", 4100n, 900n),
      sold("b", 10n, 1n),
      sold("a", 4099n, 901n),
      sold("b", 10n, 1n),
    );
    expect(outcomes).toEqual(["duplicate", "posted", "conflict", "duplicate"]);
    expect(await balance()).toEqual([4110n, 0n, 4110n]);
    expect(await postSales(books.db, { sales: [], feeAccount: fees }, NOON)).toEqual([]);
  });

  test("refuses malformed sales and writes nothing", async () => {
    const before = await wholeContent(books.db);
    expect(await sqlState(sell(sold("a", -1n, 2n)))).toBe("SL001");
    expect(await sqlState(sell(sold("a", 0n, 0n)))).toBe("SL001");
    expect(await sqlState(sell({ ...sold("a", 1n, 0n), from: seller }))).toBe("SL002");
    expect(await sqlState(sell({ ...sold("a", 1n, 0n), to: transit }))).toBe("SL002");
    expect(await sqlState(sell({ ...sold("a", 1n, 0n), to: 999_999n }))).toBe("SL002");
    expect(await sqlState(sell({ ...sold("a", 1n, 0n), to: null }))).not.toBe("accepted");
    expect(await wholeContent(books.db)).toBe(before);
  });
});

describe("a written row", () => {
  test("is never updated, deleted or truncated", async () => {
    await post(sale("sale"));
    const changes = [
      "UPDATE ledger_entries SET amount = amount + 1",
      "UPDATE ledger_transfers SET legs = ''",
      "UPDATE ledger_transfers SET legs = '' WHERE false",
      "DELETE FROM ledger_entries",
      "DELETE FROM ledger_transfers",
      "DELETE FROM ledger_holds",
      "DELETE FROM ledger_accounts",
      "TRUNCATE ledger_entries",
      "TRUNCATE ledger_transfers",
      "TRUNCATE ledger_holds",
      "TRUNCATE ledger_accounts CASCADE",
      "UPDATE ledger_accounts SET guarded = false",
      "INSERT INTO ledger_transfers VALUES ('x', '', '2026-01-01', '2026-01-01') " +
        `ON CONFLICT (id) DO UPDATE SET legs = ''`,
    ];
    for (const change of changes) {
      expect([change, await sqlState(sql.raw(change).execute(books.db))]).toEqual([
        change,
        "SL003",
      ]);
    }
  });

  test("keeps balances covered and unguarded rows unchanged, by constraint", async () => {
    const uncovered = `UPDATE ledger_accounts SET held = posted + 1 WHERE id = ${seller}`;
    expect(await sqlState(sql.raw(uncovered).execute(books.db))).toBe("23514");
    const touched = `UPDATE ledger_accounts SET posted = 1 WHERE id = ${provider}`;
    expect(await sqlState(sql.raw(touched).execute(books.db))).toBe("23514");
  });
});
