import type { SellerSignInAnswer } from "@sesame/contract/identity";
import type { AnswerOf } from "@sesame/contract/routes";
import { DAY_MS, MINUTE_MS } from "@sesame/kernel";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buyProduct, openOrder, openShop, publishProduct, type Shop } from "../../../test/sales.ts";

let shop: Shop;
let other: string;
const ids: string[] = [];

beforeAll(async () => {
  shop = await openShop();
  const { app, buyer, product } = shop;
  // A sale, its renewal, a failed order, one under way, and a sale of another product.
  ids.push(await buyProduct(app, buyer, product.reference));
  app.clock.advance(DAY_MS);
  ids.push(await buyProduct(app, buyer, product.reference));
  const failed = await openOrder(shop, await app.signInBuyer());
  app.emulators.collectors.moneroo.settle(failed.paymentId, "failure");
  await app.drain();
  ids.push(failed.id, (await openOrder(shop, await app.signInBuyer())).id);
  const second = await publishProduct(app, { seller: shop.seller, group: shop.group });
  other = second.id;
  ids.push(await buyProduct(app, await app.signInBuyer(), second.reference));
});
afterAll(() => shop?.app.close());

const read = async <T>(path: string, token = shop.seller.token): Promise<T> =>
  (await shop.app.call<T>("GET", path, { token })).body;

describe("the seller's transactions", () => {
  test("are his orders, newest first, each with its true status", async () => {
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
      idProduit: shop.product.id,
      produitNom: shop.product.title,
      idClient: shop.buyer.id,
      nomClient: shop.buyer.person.first_name,
      renouvellement: "Nouveau",
    });
    expect(transactions.at(-2)).toMatchObject({ renouvellement: "Renouvellement" });
  });

  test("come in pages that miss and repeat nothing", async () => {
    const seen: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const page: AnswerOf<"GET /api/transactions"> = await read(
        `/api/transactions?limit=2&cursor=${cursor}`,
      );
      expect(page.transactions.length).toBeLessThanOrEqual(2);
      seen.push(...page.transactions.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(ids.toReversed());
  });

  test("of another seller are none of mine, and a cursor that is none is malformed", async () => {
    const stranger = await shop.app.signInSeller();
    const { transactions } = await read<AnswerOf<"GET /api/transactions">>(
      "/api/transactions",
      stranger.token,
    );
    expect(transactions).toEqual([]);
    for (const query of ["cursor=abc", "cursor=-1", "limit=0", "limit=1000"]) {
      const { token } = shop.seller;
      const answer = await shop.app.call("GET", `/api/transactions?${query}`, { token });
      expect(answer.status).toBe(400);
    }
  });
});

describe("the seller's subscriptions", () => {
  test("are his paid orders, of one product or of all", async () => {
    const all = await read<AnswerOf<"GET /api/subscriptions">>("/api/subscriptions");
    expect(all.total).toBe(3);
    const one = await read<AnswerOf<"GET /api/subscriptions">>(
      `/api/subscriptions?product=${shop.product.id}`,
    );
    expect(one).toMatchObject({ total: 2, next_cursor: null });
    expect(one.subscriptions.map(({ estRenouvellement }) => estRenouvellement)).toEqual([
      true,
      false,
    ]);
    expect(one.subscriptions[1]).toMatchObject({
      id: ids[0],
      groupId: shop.group.id,
      prix: 5_000,
      net: 4_100,
      typeAbonnement: shop.product.title,
      dateCreation: "2026-11-16T09:00:00.000Z",
      dateRenouvellement: "2026-12-16T09:00:00.000Z",
      userId: shop.buyer.id,
      valide: true,
      direct: false,
    });
    const rest = await read<AnswerOf<"GET /api/subscriptions">>(
      `/api/subscriptions?product=${other}`,
    );
    expect(rest.total).toBe(1);
  });

  test("are in the answer at the start too", async () => {
    shop.app.clock.advance(MINUTE_MS);
    const raw = shop.app.initData(shop.seller.person, { bot: "seller" });
    const { body } = await shop.app.call<SellerSignInAnswer>("POST", "/api/auth/vendeur", {
      headers: { "x-telegram-init-data": raw },
    });
    expect(body.vendorSubscriptions.map(({ id }) => id)).toEqual([ids[4], ids[1], ids[0]]);
    expect(body.user.balanceGratuit).toBe(3 * 4_100);
  });
});
