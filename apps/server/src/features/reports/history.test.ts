import type { HistoryItemOnWire } from "@sesame/contract/reports";
import type { AnswerOf } from "@sesame/contract/routes";
import { DAY_MS, MINUTE_MS } from "@sesame/kernel";
import { sql } from "kysely";
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

async function read(query: string, token = shop.seller.token) {
  const answer = await app.call<AnswerOf<"GET /api/transactions">>(
    "GET",
    `/api/transactions?${query}`,
    { token },
  );
  expect(answer.status).toBe(200);
  return answer.body;
}

const namesOf = (items: readonly HistoryItemOnWire[]) =>
  items.map(({ id }) => Object.keys(ids).find((name) => ids[name] === id) ?? id);
const named = async (query: string) => namesOf((await read(query)).transactions);

const EVERYTHING = [
  "waiting",
  "open",
  "return",
  "returned",
  "cancelled",
  "rejected",
  "paid",
  "sale",
];

describe("the seller's history", () => {
  test("is the sales alone by default", async () => {
    expect(await named("")).toEqual(["open", "sale"]);
    expect(await named("type=income")).toEqual(["open", "sale"]);
  });

  test("has sales, payouts and returns together, newest first", async () => {
    expect(await named("type=all")).toEqual(EVERYTHING);
    expect(await named("type=payout")).toEqual([
      "waiting",
      "returned",
      "cancelled",
      "rejected",
      "paid",
    ]);
    expect(await named("type=return")).toEqual(["return"]);
  });

  test("shows each payout with its state, its number and its reason", async () => {
    const { transactions } = await read("type=all");
    const byName = new Map(transactions.map((item) => [namesOf([item])[0], item]));
    expect(byName.get("paid")).toMatchObject({
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
    });
    expect(byName.get("waiting")).toMatchObject({ status: "pending" });
    expect(byName.get("cancelled")).toMatchObject({ status: "cancelled" });
    expect(byName.get("rejected")).toMatchObject({ status: "failed", motif: "Nom différent" });
    expect(byName.get("returned")).toMatchObject({ status: "failed" });
    expect(byName.get("return")).toMatchObject({
      type: "return",
      status: "success",
      amount: 4_000,
      date: "2026-11-17T09:04:00.000Z",
    });
  });

  test("adds up to the seller's balance, to the franc", async () => {
    const { transactions } = await read("type=all");
    const total = transactions.reduce((sum, item) => sum + item.balance_change, 0);
    const free = await sellerBalance(app, shop.seller, "free");
    const premium = await sellerBalance(app, shop.seller, "premium");
    // The test's own funding is no item of the history.
    expect(total).toBe(free.posted + premium.posted - 100_000);
    const byName = new Map(transactions.map((item) => [namesOf([item])[0], item.balance_change]));
    expect(Object.fromEntries(byName)).toMatchObject({
      waiting: 0,
      open: 0,
      return: 4_000,
      returned: -4_000,
      cancelled: 0,
      rejected: 0,
      paid: -1_000,
    });
  });

  test("has no return of a payout that arrived after all: its seller owes it", async () => {
    const { db, clock } = app;
    const arrives = (lateAt: Date | null) =>
      sql`
        UPDATE payouts SET late_at = ${lateAt}
        WHERE withdrawal_id = ${BigInt((ids["returned"] ?? "").slice(1))}
      `.execute(db);
    await arrives(clock.now());
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
    const path = `/api/users/retrait/annuler/${late.id}`;
    await app.call("DELETE", path, shop.seller);
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
    expect((await read("type=all", stranger.token)).transactions).toEqual([]);
    for (const query of [
      "type=moon",
      "periode=year",
      "statut=x",
      "cursor=1-2",
      "cursor=abc",
      "cursor=-1",
      "limit=0",
      "limit=1000",
      `q=${"x".repeat(101)}`,
    ]) {
      const { token } = shop.seller;
      expect((await app.call("GET", `/api/transactions?${query}`, { token })).status).toBe(400);
    }
  });
});

const ABIDJAN = "Africa/Abidjan";
const start = (period: "today" | "week" | "month", now: string, zone = ABIDJAN) =>
  startOfPeriod(period, new Date(now), zone).toISOString();

describe("a period of the history", () => {
  test("begins at midnight of the instance's time zone", () => {
    expect(start("today", "2026-11-16T23:59:59.999Z")).toBe("2026-11-16T00:00:00.000Z");
    expect(start("today", "2026-07-14T21:59:00Z", "Europe/Paris")).toBe("2026-07-13T22:00:00.000Z");
    expect(start("today", "2026-07-14T22:00:00Z", "Europe/Paris")).toBe("2026-07-14T22:00:00.000Z");
  });

  test("of the week begins on Sunday and ends with Saturday", () => {
    for (const day of ["15", "16", "18", "21"]) {
      expect(start("week", `2026-11-${day}T12:00:00Z`)).toBe("2026-11-15T00:00:00.000Z");
    }
    expect(start("week", "2026-11-14T23:59:59Z")).toBe("2026-11-08T00:00:00.000Z");
    // Over the end of a month, of a year, and a change of summer time.
    expect(start("week", "2027-01-01T12:00:00Z")).toBe("2026-12-27T00:00:00.000Z");
    expect(start("week", "2027-03-30T12:00:00Z", "Europe/Paris")).toBe("2027-03-27T23:00:00.000Z");
  });

  test("of the month begins on its first day", () => {
    expect(start("month", "2028-02-29T12:00:00Z")).toBe("2028-02-01T00:00:00.000Z");
    expect(start("month", "2026-10-31T23:30:00Z", "Europe/Paris")).toBe("2026-10-31T23:00:00.000Z");
    expect(start("month", "2026-04-15T12:00:00Z", "Europe/Paris")).toBe("2026-03-31T22:00:00.000Z");
  });
});

describe("a cursor of the history", () => {
  test("of sales alone has the form of the others", () => {
    const position = { income: 45n, payout: null, return: null, transfer: null, "write-off": null };
    expect(writeCursor(position)).toBe("45----");
    expect(readHistoryCursor("45----")).toEqual(position);
  });

  test("of several kinds has the position in each", () => {
    for (const position of [
      { income: 45n, payout: 7n, return: null, transfer: null, "write-off": null },
      { income: null, payout: 7n, return: 3n, transfer: null, "write-off": null },
      { income: null, payout: null, return: 3n, transfer: null, "write-off": null },
      { income: 45n, payout: 7n, return: 3n, transfer: null, "write-off": null },
      { income: 45n, payout: null, return: null, transfer: 2n, "write-off": null },
      { income: null, payout: 7n, return: 3n, transfer: 1n, "write-off": null },
      { income: null, payout: null, return: null, transfer: null, "write-off": 6n },
    ]) {
      expect(readHistoryCursor(writeCursor(position))).toEqual(position);
    }
  });

  test("that is invalid is malformed", () => {
    for (const cursor of [
      "abc",
      "-1",
      "1-2",
      "1-2-3-",
      "1-2-3-4-5-6",
      "1.5",
      " 1",
      "1-2-x",
      "9".repeat(19),
    ]) {
      expect(readHistoryCursor(cursor)).toBe("malformed");
    }
    const newest = { income: null, payout: null, return: null, transfer: null, "write-off": null };
    expect([readHistoryCursor(""), readHistoryCursor(undefined)]).toEqual([newest, newest]);
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

  const read = async <T>(path: string, token = own.seller.token): Promise<T> =>
    (await own.app.call<T>("GET", path, { token })).body;

  test("the seller's transactions are the seller's orders, newest first, each with its true status", async () => {
    const { transactions } = await read<AnswerOf<"GET /api/transactions">>("/api/transactions");
    expect(transactions.map(({ id }) => id)).toEqual(ids.toReversed());
    expect(transactions.map(({ status }) => status)).toEqual([
      "success",
      "pending",
      "failed",
      "success",
      "success",
    ]);
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
      const all = await read<AnswerOf<"GET /api/subscriptions">>("/api/subscriptions");
      expect(all.total).toBe(3);
      const one = await read<AnswerOf<"GET /api/subscriptions">>(
        `/api/subscriptions?product=${own.product.id}`,
      );
      expect(one).toMatchObject({ total: 2, next_cursor: null });
      expect(one.subscriptions.map(({ estRenouvellement }) => estRenouvellement)).toEqual([
        true,
        false,
      ]);
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
      const rest = await read<AnswerOf<"GET /api/subscriptions">>(
        `/api/subscriptions?product=${other}`,
      );
      expect(rest.total).toBe(1);
    });

    test("of another seller's product are none", async () => {
      const stranger = await own.app.signInSeller();
      const theirs = await read<AnswerOf<"GET /api/subscriptions">>(
        `/api/subscriptions?product=${own.product.id}`,
        stranger.token,
      );
      expect(theirs).toMatchObject({ total: 0, subscriptions: [] });
    });
  });
});
