import { get, type IncomingMessage } from "node:http";
import type { SellerSignInAnswer } from "@sesame/contract/identity";
import pg from "pg";
import { afterAll, describe, expect, test, vi } from "vitest";
import { askWithdrawal } from "../../../test/funds.ts";
import { createGroupFixtures } from "../../../test/groups.ts";
import { type SignedInSeller, startTestApp } from "../../../test/harness.ts";
import { createOwnAccountFixtures } from "../../../test/payments.ts";
import { buyProduct, orderProduct, publishProduct } from "../../../test/sales.ts";

const spyOnQueries = () => vi.spyOn(pg.Client.prototype, "query");

// From before the first connection, which is created with the spied function.
const queries = spyOnQueries();
const app = await startTestApp();
const { openShop, buyerInTouch } = createGroupFixtures(app);
const shop = await openShop();
await fill();
afterAll(async () => queries.mockRestore());

const start = async (seller: SignedInSeller) => {
  const headers = { "x-telegram-init-data": app.initData(seller.person) };
  return (await app.call<SellerSignInAnswer>("POST", "/api/auth/vendeur", { headers })).body;
};

/** Two products, six sales, one of them open and one with a complaint, and a withdrawal. */
async function fill() {
  const second = await publishProduct(app, shop, { title: "Été « à prix doux »", stock: 3 });
  for (let count = 0; count < 4; count += 1)
    await buyProduct(app, await buyerInTouch(), shop.reference);
  const unhappy = await buyerInTouch();
  const orderId = await buyProduct(app, unhappy, second.reference);
  await orderProduct(app, await buyerInTouch(), second.reference);
  const complaint = { id: orderId, motif: "no-access", message: "Rien reçu" };
  await app.done("POST /api/orders/:id/complaint", unhappy, complaint);
  await createOwnAccountFixtures(app).put(shop.seller, "stars", { isActive: false });
  await askWithdrawal(app, shop.seller);
  await app.drain();
}

describe("the seller's start", () => {
  test("has exactly the answers of the calls of its parts", async () => {
    const { seller } = shop;
    const said = await start(seller);
    const { id } = seller;
    const { user } = await app.read("GET /api/users/:id", said, { id });
    const { channels } = await app.read("GET /api/channels", said);
    const products = await app.read("GET /api/products/seller/:id", said, { id });
    const { subscriptions } = await app.read("GET /api/subscriptions", said);
    const { demandes } = await app.read("GET /api/users/retrait/mes-demandes", said);
    const last = { limit: 4, type: "income" };
    const { transactions } = await app.read("GET /api/transactions", said, last);
    const { waiting } = await app.read("GET /api/complaints", said, { limit: 1 });
    expect(said).toEqual({
      success: true,
      token: expect.any(String),
      user,
      channels,
      products,
      vendorSubscriptions: subscriptions,
      withdrawalRequests: demandes,
      accueil: { transactions, complaints_waiting: waiting },
    });
    expect([said.products.length, said.vendorSubscriptions.length, waiting]).toEqual([2, 5, 1]);
    expect([said.accueil.transactions.length, said.withdrawalRequests.length]).toEqual([4, 1]);
  });

  test("has the current name and photo from Telegram", async () => {
    const renamed = { ...shop.seller.person, first_name: "Aïssatou" };
    const photo_url = "https://t.me/i/p";
    const { user } = await start({ ...shop.seller, person: { ...renamed, photo_url } });
    expect(user).toMatchObject({ nom: expect.stringContaining("Aïssatou"), photo_url });
    const later = await start({ ...shop.seller, person: renamed });
    expect(later.user.photo_url).toBe(photo_url);
  });

  test("is one statement, planned once for a connection", async () => {
    await start(shop.seller);
    const before = queries.mock.calls.length;
    await start(shop.seller);
    const calls: unknown[][] = queries.mock.calls.slice(before);
    const text = expect.any(String);
    const planned = { name: text, text, values: expect.any(Array) };
    expect(calls).toEqual([[planned, expect.anything()]]);
  });

  test("is compressed, for clients that accept it", async () => {
    const headers = { "x-telegram-init-data": app.initData(shop.seller.person) };
    const plain = JSON.stringify(await start(shop.seller)).length;
    for (const encoding of ["br", "gzip"]) {
      const accepting = { ...headers, "accept-encoding": encoding };
      const { bytes, answer } = await weigh("/api/auth/vendeur", accepting);
      expect(answer.headers["content-encoding"]).toBe(encoding);
      expect(answer.headers.vary).toContain("accept-encoding");
      expect(bytes).toBeLessThan(plain / 3);
    }
    const unpacked = await weigh("/api/auth/vendeur", headers);
    expect(unpacked.answer.headers["content-encoding"]).toBeUndefined();
    const small = await weigh("/health", { "accept-encoding": "br" });
    expect(small.answer.headers["content-encoding"]).toBeUndefined();
  });
});

function weigh(path: string, headers: Record<string, string>) {
  return new Promise<{ bytes: number; answer: IncomingMessage }>((resolve, reject) => {
    get(new URL(path, app.url), { headers }, (answer) => {
      let bytes = 0;
      answer.on("data", (part: Buffer) => {
        bytes += part.length;
      });
      answer.on("end", () => resolve({ bytes, answer }));
    }).on("error", reject);
  });
}
