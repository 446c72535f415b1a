import type { HistoryItemOnWire } from "@sesame/contract/reports";
import { DAY_MS, MINUTE_MS } from "@sesame/kernel";
import { beforeAll, describe, expect, test } from "vitest";
import { askWithdrawal, fundSeller, sellerBalance } from "../../../test/funds.ts";
import { pagesOf } from "../../../test/http.ts";
import {
  buyProduct,
  openOrder,
  openShop,
  openShopIn,
  publishProduct,
  type Shop,
} from "../../../test/sales.ts";
import { createStaffFixtures, STAFF_ENV } from "../../../test/withdrawals.ts";
import { readHistoryCursor, startOfPeriod, writeCursor } from "./history.ts";

type Caller = { readonly token: string };

/** Events of the scenario, by name, with their ids in the list. */
const ids: Record<string, string> = {};

/** A Monday in November, then Tuesday: two sales, one pending; four withdrawals; one return. */
const shop = await openShop({ title: "Crème & Rêves" }, { env: STAFF_ENV });
const { app, seller, product } = shop;
const staff = createStaffFixtures(app);
const then = (ms = MINUTE_MS) => app.clock.advance(ms);
const zoe = await app.signInBuyer(await app.person({ first_name: "Zoé", last_name: "N'Guessan" }));
ids["sale"] = await buyProduct(app, zoe, product.reference);
await fundSeller(app, seller, 100_000, "premium");
const ask = async (montant: number, more: object = {}) => {
  then();
  return `w${(await askWithdrawal(app, seller, { montant, ...more })).id}`;
};
ids["paid"] = await ask(1_000);
ids["rejected"] = await ask(2_000, { methode_paiement: "mtn-ci", numero_transfert: "0501020304" });
ids["cancelled"] = await ask(3_000);
ids["returned"] = await ask(4_000);
then(DAY_MS);
const agent = await staff.agent();
const idOf = (name: string) => (ids[name] ?? "").slice(1);
await staff.payByHand(agent, idOf("paid"), "OM-REF-1");
await staff.act(agent, idOf("rejected"), "assign");
const reason = { reason_code: "other", reason: "Nom différent" };
await staff.act(agent, idOf("rejected"), "reject", reason);
await app.call("DELETE", `/api/users/retrait/annuler/${idOf("cancelled")}`, seller);
await staff.act(agent, idOf("returned"), "assign");
await staff.act(agent, idOf("returned"), "approve", { rail: "manual" });
const failed = await staff.act(agent, idOf("returned"), "failed", reason);
expect(failed.status).toBe(200);
ids["return"] = `r${idOf("returned")}`;
then();
ids["open"] = (await openOrder(shop)).id;
ids["waiting"] = await ask(5_000);

const read = (query: string, who: Caller = seller) =>
  app.read("GET /api/transactions", who, Object.fromEntries(new URLSearchParams(query)));

const namesOf = (items: readonly HistoryItemOnWire[]) =>
  items.map(({ id }) => Object.keys(ids).find((name) => ids[name] === id) ?? id);
const named = async (query: string) => namesOf((await read(query)).transactions);
const byName = async () => {
  const { transactions } = await read("type=all");
  return Object.fromEntries(transactions.map((item) => [namesOf([item])[0] ?? "", item]));
};

const PAYOUTS = ["returned", "cancelled", "rejected", "paid"];
const EVERYTHING = ["waiting", "open", "return", ...PAYOUTS, "sale"];

describe("the seller's history", () => {
  test("is the sales alone by default", async () => {
    expect(await named("")).toEqual(["open", "sale"]);
    expect(await named("type=income")).toEqual(["open", "sale"]);
  });

  test("has sales, payouts and returns together, newest first", async () => {
    expect(await named("type=all")).toEqual(EVERYTHING);
    expect(await named("type=payout")).toEqual(["waiting", ...PAYOUTS]);
    expect(await named("type=return")).toEqual(["return"]);
  });

  test("shows each payout with its state, its number and its reason", async () => {
    expect(await byName()).toMatchObject({
      paid: {
        type: "payout",
        amount: 1_000,
        net: 1_000,
        frais: 0,
        status: "success",
        methode_paiement: "orange-money-ci",
        methode_nom: "Orange Money CI",
        operateur: "ORANGE",
        numero_transfert: "+2250701020304",
        motif: null,
      },
      waiting: { status: "pending" },
      cancelled: { status: "cancelled" },
      rejected: { status: "failed", motif: "Nom différent" },
      returned: { status: "failed" },
      return: {
        type: "return",
        status: "success",
        amount: 4_000,
        date: "2026-11-17T09:04:00.000Z",
      },
    });
  });

  test("adds up to the seller's balance, to the franc", async () => {
    const items = Object.entries(await byName());
    const changes = items.map(([name, item]) => [name, item.balance_change] as const);
    const free = await sellerBalance(app, shop.seller, "free");
    const premium = await sellerBalance(app, shop.seller, "premium");
    // The test's own funding is no item of the history.
    const total = changes.reduce((sum, [, change]) => sum + change, 0);
    expect(total).toBe(free.posted + premium.posted - 100_000);
    const unchanged = { waiting: 0, open: 0, cancelled: 0, rejected: 0 };
    const changed = { return: 4_000, returned: -4_000, paid: -1_000 };
    expect(Object.fromEntries(changes)).toMatchObject({ ...unchanged, ...changed });
  });

  test("has no return of a payout that arrived after all: its seller owes it", async () => {
    const arrives = (lateAt: Date | null) => app.sql`
      UPDATE payouts SET late_at = ${lateAt} WHERE withdrawal_id = ${BigInt(idOf("returned"))}`;
    await arrives(app.clock.now());
    const { transactions } = await read("type=return");
    await arrives(null);
    expect(transactions).toMatchObject([{ amount: 4_000, balance_change: 0 }]);
  });

  test("comes in pages that omit and repeat nothing, whatever their size", async () => {
    for (const limit of [1, 2, 3, 5, 8]) {
      const pages = await pagesOf((cursor) => read(`type=all&limit=${limit}&cursor=${cursor}`));
      expect(pages.flatMap(({ transactions }) => namesOf(transactions))).toEqual(EVERYTHING);
    }
  });

  test("continues where a page ended though more happened since", async () => {
    const first = await read("type=all&limit=3");
    app.clock.advance(MINUTE_MS);
    const late = await askWithdrawal(app, shop.seller, { montant: 100 });
    const rest = await read(`type=all&cursor=${first.next_cursor}`);
    expect(namesOf(rest.transactions)).toEqual(EVERYTHING.slice(3));
    await app.done("DELETE /api/users/retrait/annuler/:id", seller, { id: late.id });
    ids["late"] = `w${late.id}`;
    EVERYTHING.unshift("late");
  });

  test("is filtered by status", async () => {
    expect(await named("type=all&statut=success")).toEqual(["return", "paid", "sale"]);
    expect(await named("type=all&statut=pending")).toEqual(["waiting", "open"]);
    expect(await named("type=all&statut=failed")).toEqual(["returned", "rejected"]);
    expect(await named("type=all&statut=cancelled")).toEqual(["late", "cancelled"]);
    expect(await named("type=all&statut=refunded")).toEqual([]);
    expect(await named("statut=success")).toEqual(["sale"]);
  });

  test("is filtered by period, in the instance's time zone", async () => {
    expect(await named("type=all&periode=today")).toEqual(["late", "waiting", "open", "return"]);
    expect(await named("type=all&periode=week")).toEqual(EVERYTHING);
    expect(await named("type=all&periode=month")).toEqual(EVERYTHING);
    expect(await named("periode=today")).toEqual(["open"]);
  });

  test("is searched in names, titles, references, numbers, whatever case and accents", async () => {
    expect(await named("type=all&q=zoe")).toEqual(["sale"]);
    expect(await named(`q=${encodeURIComponent("N'GUESSAN zoé")}`)).toEqual(["sale"]);
    expect(await named(`q=${encodeURIComponent("creme & reves")}`)).toEqual(["open", "sale"]);
    expect(await named("type=all&q=0501020304")).toEqual(["rejected"]);
    const { transactions } = await read("type=payout&statut=success");
    const [paid] = transactions;
    const reference = paid && "reference_transaction" in paid ? paid.reference_transaction : "";
    expect(await named(`type=all&q=${reference.toLowerCase()}`)).toEqual(["paid"]);
    for (const q of ["%25", "_", "zo%25", "rien de tel", "\\", "a%00b", "%F0%9F%98%80"]) {
      expect(await named(`type=all&q=${q}`)).toEqual([]);
    }
    expect(await named(`type=all&q=${encodeURIComponent("  ")}`)).toEqual(EVERYTHING);
  });

  test("filters combine", async () => {
    expect(await named("type=payout&statut=pending&periode=today&q=orange")).toEqual(["waiting"]);
    expect(await named("type=payout&statut=pending&q=mtn")).toEqual([]);
  });

  test("of another seller has none of mine, and an invalid query is malformed", async () => {
    const stranger = await app.signInSeller();
    expect((await read("type=all", stranger)).transactions).toEqual([]);
    const choices = ["type=moon", "periode=year", "statut=x", `q=${"x".repeat(101)}`];
    const pages = ["cursor=1-2", "cursor=abc", "cursor=-1", "limit=0", "limit=1000"];
    for (const query of [...choices, ...pages]) {
      expect((await app.call("GET", `/api/transactions?${query}`, seller)).status).toBe(400);
    }
  });
});

test.each([
  // A day begins at midnight of the instance's time zone.
  ["today", "2026-11-16T23:59:59.999Z", "Africa/Abidjan", "2026-11-16T00:00:00.000Z"],
  ["today", "2026-07-14T21:59:00Z", "Europe/Paris", "2026-07-13T22:00:00.000Z"],
  ["today", "2026-07-14T22:00:00Z", "Europe/Paris", "2026-07-14T22:00:00.000Z"],
  // A week begins on Sunday, and ends with Saturday.
  ["week", "2026-11-15T12:00:00Z", "Africa/Abidjan", "2026-11-15T00:00:00.000Z"],
  ["week", "2026-11-16T12:00:00Z", "Africa/Abidjan", "2026-11-15T00:00:00.000Z"],
  ["week", "2026-11-18T12:00:00Z", "Africa/Abidjan", "2026-11-15T00:00:00.000Z"],
  ["week", "2026-11-21T12:00:00Z", "Africa/Abidjan", "2026-11-15T00:00:00.000Z"],
  ["week", "2026-11-14T23:59:59Z", "Africa/Abidjan", "2026-11-08T00:00:00.000Z"],
  // It may begin in the year before, or before a change to summer time.
  ["week", "2027-01-01T12:00:00Z", "Africa/Abidjan", "2026-12-27T00:00:00.000Z"],
  ["week", "2027-03-30T12:00:00Z", "Europe/Paris", "2027-03-27T23:00:00.000Z"],
  // A month begins on its first day.
  ["month", "2028-02-29T12:00:00Z", "Africa/Abidjan", "2028-02-01T00:00:00.000Z"],
  ["month", "2026-10-31T23:30:00Z", "Europe/Paris", "2026-10-31T23:00:00.000Z"],
  ["month", "2026-04-15T12:00:00Z", "Europe/Paris", "2026-03-31T22:00:00.000Z"],
] as const)(
  "the period %s begins, at %s in %s, with the instant %s",
  (period, now, zone, begins) => {
    expect(startOfPeriod(period, new Date(now), zone).toISOString()).toBe(begins);
  },
);

const NEWEST = { income: null, payout: null, return: null, transfer: null, "write-off": null };

describe("a cursor of the history", () => {
  test("of sales alone has the form of the others", () => {
    const position = { ...NEWEST, income: 45n };
    expect(writeCursor(position)).toBe("45----");
    expect(readHistoryCursor("45----")).toEqual(position);
  });

  test("of several kinds has the position in each", () => {
    for (const kinds of [
      { income: 45n, payout: 7n },
      { payout: 7n, return: 3n },
      { return: 3n },
      { income: 45n, payout: 7n, return: 3n },
      { income: 45n, transfer: 2n },
      { payout: 7n, return: 3n, transfer: 1n },
      { "write-off": 6n },
    ]) {
      const position = { ...NEWEST, ...kinds };
      expect(readHistoryCursor(writeCursor(position))).toEqual(position);
    }
  });

  test("that is invalid is malformed", () => {
    const numbers = ["abc", "-1", "1.5", " 1", "9".repeat(19)];
    for (const cursor of [...numbers, "1-2", "1-2-3-", "1-2-3-4-5-6", "1-2-x"]) {
      expect(readHistoryCursor(cursor)).toBeNull();
    }
    expect([readHistoryCursor(""), readHistoryCursor(undefined)]).toEqual([NEWEST, NEWEST]);
  });
});

describe("the seller's orders", () => {
  let own: Shop;
  let other: string;
  const ids: string[] = [];

  beforeAll(async () => {
    // Back to Monday at 9:00.
    app.clock.setOffset(0);
    own = await openShopIn(app);
    const { buyer, product } = own;
    // A sale, its renewal, a failed order, a pending one, and a sale of another product.
    ids.push(await buyProduct(app, buyer, product.reference));
    app.clock.advance(DAY_MS);
    ids.push(await buyProduct(app, buyer, product.reference));
    const failed = await openOrder(own, await app.signInBuyer());
    app.emulators.collectors.moneroo.settle(failed.paymentId, "failure");
    await app.drain();
    ids.push(failed.id, (await openOrder(own, await app.signInBuyer())).id);
    const second = await publishProduct(app, { seller: own.seller, group: own.group });
    other = second.id;
    ids.push(await buyProduct(app, await app.signInBuyer(), second.reference));
  });

  const subscriptions = (product?: string, who: Caller = own.seller) =>
    app.read("GET /api/subscriptions", who, product ? { product } : {});

  test("the seller's transactions are the seller's orders, newest first, each with its true status", async () => {
    const { transactions } = await read("", own.seller);
    expect(transactions.map(({ id }) => id)).toEqual(ids.toReversed());
    const statuses = transactions.map(({ status }) => status);
    expect(statuses).toEqual(["success", "pending", "failed", "success", "success"]);
    expect(transactions.at(-1)).toMatchObject({
      amount: 5_000,
      net: 4_100,
      frais: 900,
      type: "income",
      duration: 43_200,
      idProduit: own.product.id,
      produitNom: own.product.title,
      idClient: own.buyer.id,
      nomClient: own.buyer.person.first_name,
      renouvellement: "Nouveau",
    });
    expect(transactions.at(-2)).toMatchObject({ renouvellement: "Renouvellement" });
  });

  describe("the seller's subscriptions", () => {
    test("are the paid orders, of one product or of all", async () => {
      expect((await subscriptions()).total).toBe(3);
      const one = await subscriptions(own.product.id);
      expect(one).toMatchObject({ total: 2, next_cursor: null });
      const renewals = one.subscriptions.map(({ estRenouvellement }) => estRenouvellement);
      expect(renewals).toEqual([true, false]);
      expect(one.subscriptions[1]).toMatchObject({
        id: ids[0],
        groupId: own.group.id,
        prix: 5_000,
        net: 4_100,
        typeAbonnement: own.product.title,
        dateCreation: "2026-11-16T09:00:00.000Z",
        dateRenouvellement: "2026-12-16T09:00:00.000Z",
        userId: own.buyer.id,
        valide: true,
        direct: false,
      });
      expect((await subscriptions(other)).total).toBe(1);
    });

    test("of another seller's product are none", async () => {
      const theirs = await subscriptions(own.product.id, await app.signInSeller());
      expect(theirs).toMatchObject({ total: 0, subscriptions: [] });
    });
  });
});
