import { describe, expect, test } from "vitest";
import { startTestApp } from "../../../test/harness.ts";
import { HOSTILE_TEXTS } from "../../../test/hostile.ts";
import { pagesOf } from "../../../test/http.ts";
import { buyProduct, openShelf } from "../../../test/sales.ts";
import { createStaffFixtures, STAFF_ENV } from "../../../test/withdrawals.ts";

const app = await startTestApp({ env: STAFF_ENV });
const fixture = createStaffFixtures(app);
const agent = await fixture.agent(0);
const name = { first_name: "Aïcha", last_name: "Koné-Bamba", username: "aicha_shop" };
const seller = await app.signInSeller(await app.person(name));
await app.signInSeller(await app.person({ first_name: "Aïssata", last_name: "Koné" }));
const buyer = await app.signInBuyer(await app.person({ first_name: "Bob" }));
const { product } = await openShelf(app, seller);
const orderId = await buyProduct(app, buyer, product.reference);
const request = await fixture.request({ seller, amount: 5_000, phone: "0707080910" });
await fixture.payByHand(agent, request.id, "CI.2026.XYZ1");

const search = (q: string, rest: object = {}) =>
  app.read("GET /api/desk/search", agent, { q, ...rest });

const idsOf = (list: { items: readonly { id: string }[] }) => list.items.map(({ id }) => id);

describe("a search in the back office", () => {
  test.each(["Aïcha", "aicha", "AICHA KONE", "kone aï", "bamba", "@aicha_shop", "aicha_s"])(
    "finds a seller by %j",
    async (q) => expect(idsOf((await search(q)).sellers)).toContain(seller.id),
  );

  test("finds a name whatever its length", async () => {
    const bytes = Array.from({ length: 3_000 }, (_, n) => ((n * 7_919) % 1_296).toString(36));
    const long = bytes.join("");
    const { id } = await app.signInSeller(await app.person({ first_name: long }));
    expect(idsOf((await search(long.slice(0, 60))).sellers)).toEqual([id]);
  });

  test("requires all the words, not one of them", async () => {
    expect((await search("koné")).sellers.items).toHaveLength(2);
    expect(idsOf((await search("koné aïcha")).sellers)).toEqual([seller.id]);
    expect((await search("koné zed")).sellers.items).toEqual([]);
    expect((await search("bob")).sellers.items).toEqual([]);
  });

  test("follows a change of name", async () => {
    await app.done("PUT /api/users/:id", seller, { id: seller.id, display_name: "Chez Tantie" });
    expect(idsOf((await search("tantie")).sellers)).toEqual([seller.id]);
    await app.signInSeller({ ...seller.person, last_name: "Diallo" });
    expect(idsOf((await search("diallo")).sellers)).toEqual([seller.id]);
    expect(idsOf((await search("bamba")).sellers)).toEqual([]);
  });

  test("finds people by their Telegram id, and what they bought", async () => {
    expect(idsOf((await search(String(seller.person.id))).sellers)).toContain(seller.id);
    expect(idsOf((await search(String(buyer.person.id))).orders)).toEqual([orderId]);
  });

  test.each(["07 07 08 09 10", "+225 07 07 08 09 10", "002250707080910", "07.07.08.09.10"])(
    "finds a request and its seller by the number %j",
    async (q) => {
      const found = await search(q);
      expect(idsOf(found.withdrawals)).toEqual([request.id]);
      expect(idsOf(found.sellers)).toEqual([seller.id]);
    },
  );

  test("finds a request by its reference, its payout's and the operator's", async () => {
    const payout = await app.value<string>`SELECT reference FROM payouts`;
    for (const q of [request.reference_transaction, payout, "ci.2026.xyz1"])
      expect(idsOf((await search(q)).withdrawals), q).toEqual([request.id]);
  });

  test("finds an order and its payment by the provider's id of it", async () => {
    const found = await search(await app.lastPaymentOf(orderId));
    const sold = { id: orderId, status: "paid", buyer: { name: "Bob" } };
    expect(found.orders.items).toMatchObject([sold]);
    const payment = await app.values`SELECT id::text FROM payments WHERE order_id = ${orderId}`;
    expect(idsOf(found.payments)).toEqual(payment);
  });

  test("finds a product by its reference and its share link", async () => {
    const link = `https://t.me/bot?startapp=${product.reference}`;
    for (const q of [product.reference, link, `#${product.id}`]) {
      expect(idsOf((await search(q)).products), q).toContain(product.id);
    }
  });

  test("continues where a list ended, without a row lost or repeated", async () => {
    for (let nth = 0; nth < 45; nth += 1)
      await app.signInSeller(await app.person({ first_name: "Zoumana" }));
    const pages = await pagesOf(async (cursor) => {
      const { orders, sellers } = await search("zoumana", { type: "sellers", cursor });
      expect(orders.items).toEqual([]);
      return sellers;
    });
    const seen = pages.flatMap((list) => idsOf(list));
    expect(new Set(seen).size).toBe(45);
    expect(seen).toHaveLength(45);
  });

  test("finds a buyer's last order by a name or @username, however much was bought", async () => {
    const fanta = { first_name: "Fanta", last_name: "Traoré", username: "fanta_t" };
    const person = await app.signInBuyer(await app.person(fanta));
    const other = await app.signInBuyer(await app.person({ first_name: "Fanta" }));
    await buyProduct(app, person, product.reference);
    const last = await buyProduct(app, person, product.reference);
    const ofOther = await buyProduct(app, other, product.reference);
    // Younger namesakes who never bought, more than are read, hide nobody.
    await app.sql`
      INSERT INTO people (telegram_id, first_name, last_name, created_at, seen_at)
      SELECT 7900000000 + n, 'Fanta', 'Traoré', now(), now() FROM generate_series(1, 600) AS n
    `;
    for (const q of ["Traoré", "traore fan", "@fanta_t"]) {
      const { orders, sellers } = await search(q);
      expect(idsOf(orders), q).toEqual([last]);
      expect(sellers.items, q).toEqual([]);
    }
    expect(idsOf((await search("fanta")).orders)).toEqual([ofOther, last]);
    expect((await search("fanta koné")).orders.items).toEqual([]);
  });

  test.each([...HOSTILE_TEXTS, "%", "_", "a%' OR 1=1 --", "999999999999999999999", "+", "\\", "#"])(
    "finds nothing and breaks nothing with %j",
    async (q) => {
      const answer = await app.send("GET /api/desk/search", agent, { q: q.slice(0, 90) });
      expect([200, 400]).toContain(answer.status);
      if (answer.status !== 200) return;
      expect(answer.body.sellers.items).toEqual([]);
      expect(answer.body.orders.items).toEqual([]);
    },
  );
});
