import type { ProductOnWire } from "@sesame/contract/catalogue";
import type { CreateOrderAnswer, UnopenedOrderBody } from "@sesame/contract/checkout";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@sesame/kernel";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SignedInBuyer } from "../../../test/harness.ts";
import {
  openShop,
  paymentIdOf,
  publishDonation,
  publishProduct,
  type Shop,
} from "../../../test/sales.ts";

let shop: Shop;
const products: ProductOnWire[] = [];

beforeAll(async () => {
  shop = await openShop();
  products.push(shop.product);
  for (let made = 1; made < 6; made += 1) products.push(await publishProduct(shop.app, shop));
  // What one buyer may do is counted here, not what all openings together may take of a provider.
  await sql`INSERT INTO settings (key, value, changed_at) VALUES ('provider_rates',
    '{"moneroo": 100000, "fedapay": 100000}', ${shop.app.clock.now()})`.execute(shop.app.db);
});
afterAll(() => shop?.app.close());

type Call = {
  readonly buyer: SignedInBuyer;
  readonly product?: ProductOnWire | undefined;
  readonly key?: string;
  readonly provider?: string;
  readonly amount?: number;
};

let keys = 0;

function order({ buyer, product = shop.product, key, provider = "moneroo", amount }: Call) {
  keys += 1;
  return shop.app.call<CreateOrderAnswer & Partial<UnopenedOrderBody>>("POST", "/api/orders", {
    token: buyer.token,
    body: { reference: product.reference, provider, ...(amount ? { amount } : {}) },
    headers: { "idempotency-key": key ?? `key-${keys}` },
  });
}

async function fill(buyer: SignedInBuyer, product = shop.product): Promise<string[]> {
  const ids: string[] = [];
  for (let made = 0; made < 5; made += 1) {
    const answer = await order({ buyer, product });
    expect(answer.status).toBe(201);
    ids.push(answer.body.id);
  }
  return ids;
}

async function countOf(buyer: SignedInBuyer): Promise<{ orders: number; most: number }> {
  const { rows } = await sql<{ orders: number; most: number }>`
    SELECT sum(n)::int AS orders, max(n)::int AS most FROM (
      SELECT count(*) AS n FROM orders WHERE buyer_id = ${buyer.id} GROUP BY product_id
    ) AS by_product`.execute(shop.app.db);
  return rows[0] ?? { orders: 0, most: 0 };
}

describe("a person's unpaid orders of one product", () => {
  test("are five at most: the sixth call is answered 200 with the newest, at its open page", async () => {
    const buyer = await shop.app.signInBuyer();
    const ids = await fill(buyer);
    const before = shop.app.emulators.collectors.moneroo.list().length;
    const sixth = await order({ buyer });
    expect(sixth).toMatchObject({ status: 200, body: { id: ids.at(-1), status: "pending" } });
    expect(shop.app.emulators.collectors.moneroo.list()).toHaveLength(before);
    expect(await countOf(buyer)).toEqual({ orders: 5, most: 5 });
  });

  test("are reopened at the provider asked for", async () => {
    const buyer = await shop.app.signInBuyer();
    const ids = await fill(buyer);
    const answer = await order({ buyer, provider: "fedapay" });
    expect(answer).toMatchObject({ status: 200, body: { id: ids.at(-1) } });
    const { rows } = await sql<{ provider: string }>`
      SELECT provider FROM payments WHERE order_id = ${ids.at(-1)} ORDER BY id`.execute(
      shop.app.db,
    );
    expect(rows.map(({ provider }) => provider)).toEqual(["moneroo", "fedapay"]);
  });

  test("count when they failed too, and one of those waits again when it is reopened", async () => {
    const buyer = await shop.app.signInBuyer();
    for (let made = 0; made < 5; made += 1) {
      const { body } = await order({ buyer });
      shop.app.emulators.collectors.moneroo.settle(paymentIdOf(body.payment_url), "cancel");
    }
    await shop.app.drain();
    expect(await order({ buyer })).toMatchObject({ status: 200, body: { status: "pending" } });
    expect(await countOf(buyer)).toMatchObject({ orders: 5 });
  });

  test("leave room again when one is paid, and when a day has passed", async () => {
    const buyer = await shop.app.signInBuyer();
    await fill(buyer);
    const { body } = await order({ buyer });
    shop.app.emulators.collectors.moneroo.settle(paymentIdOf(body.payment_url), "success");
    await shop.app.drain();
    expect((await order({ buyer })).status).toBe(201);
    expect((await order({ buyer })).status).toBe(200);
    shop.app.clock.advance(DAY_MS);
    expect((await order({ buyer })).status).toBe(201);
  });

  test("never pass five when fifty calls come at once, whatever their keys", async () => {
    const buyer = await shop.app.signInBuyer();
    const calls = Array.from({ length: 50 }, (_, n) => order({ buyer, key: `race-${n}` }));
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(5);
    expect(statuses.every((status) => [200, 201, 409].includes(status))).toBe(true);
    expect(await countOf(buyer)).toEqual({ orders: 5, most: 5 });
  });

  test("of another amount are refused with a sentence and the time to wait", async () => {
    const donation = await publishDonation(shop.app, shop.seller);
    const buyer = await shop.app.signInBuyer();
    for (const amount of [500, 600, 700, 800, 900]) {
      expect((await order({ buyer, product: donation, amount })).status).toBe(201);
    }
    const refused = await order({ buyer, product: donation, amount: 1_000 });
    expect(refused).toMatchObject({
      status: 429,
      body: { code: "checkout.too-many-unpaid", message: expect.stringMatching(/réessayez/) },
    });
    expect(Number(refused.headers.get("retry-after"))).toBe(DAY_MS / 1_000);
    const same = await order({ buyer, product: donation, amount: 900 });
    expect(same).toMatchObject({ status: 200, body: { amount: 900 } });
  });
});

describe("a person's unpaid orders in all", () => {
  test("are twenty at most, however many calls come at once: then 429, and 200 for what is open", async () => {
    const buyer = await shop.app.signInBuyer();
    const calls = Array.from({ length: 60 }, (_, n) =>
      order({ buyer, key: `all-${n}`, product: products[n % 5] }),
    );
    await Promise.all(calls);
    expect(await countOf(buyer)).toEqual({ orders: 20, most: expect.any(Number) });
    const another = await order({ buyer, product: products[5] });
    expect(another).toMatchObject({ status: 429, body: { code: "checkout.too-many-unpaid" } });
    expect(Number(another.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await order({ buyer, product: products[0] })).status).toBe(200);
    expect((await countOf(buyer)).most).toBeLessThanOrEqual(5);
  });
});

describe("an idempotency key", () => {
  test("that was answered with an open order is answered with it again, and with no other content", async () => {
    const buyer = await shop.app.signInBuyer();
    await fill(buyer);
    const first = await order({ buyer, key: "beyond" });
    expect(first.status).toBe(200);
    shop.app.emulators.collectors.moneroo.settle(paymentIdOf(first.body.payment_url), "success");
    await shop.app.drain();
    expect((await order({ buyer, key: "beyond" })).body).toMatchObject({ id: first.body.id });
    expect(await countOf(buyer)).toMatchObject({ orders: 5 });
    const other = await order({ buyer, key: "beyond", provider: "fedapay" });
    expect(other).toMatchObject({ status: 409, body: { code: "checkout.key-reused" } });
  });

  test("of an order whose page is dead is answered with a new page of the same order", async () => {
    const buyer = await shop.app.signInBuyer();
    const first = await order({ buyer, key: "dead" });
    shop.app.clock.advance(13 * HOUR_MS);
    const second = await order({ buyer, key: "dead" });
    expect(second).toMatchObject({ status: 201, body: { id: first.body.id, status: "pending" } });
    expect(second.body.payment_url).not.toBe(first.body.payment_url);
    shop.app.clock.advance(MINUTE_MS);
    expect((await order({ buyer, key: "dead" })).body).toEqual(second.body);
    expect(await countOf(buyer)).toMatchObject({ orders: 1 });
  });
});

test("a seller's unpaid orders of the premium plan are five at most", async () => {
  const calls = Array.from({ length: 12 }, (_, n) =>
    shop.app.call<CreateOrderAnswer>("POST", "/api/orders", {
      token: shop.seller.token,
      body: { plan: "payant", provider: "moneroo" },
      headers: { "idempotency-key": `plan-${n}` },
    }),
  );
  const statuses = (await Promise.all(calls)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 201)).toHaveLength(5);
  const { rows } = await sql<{ n: number }>`SELECT count(*)::int AS n FROM orders
    WHERE buyer_id = ${shop.seller.id} AND kind = 'plan'`.execute(shop.app.db);
  expect(rows[0]?.n).toBe(5);
});
