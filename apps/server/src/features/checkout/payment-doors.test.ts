import type {
  CreateOrderAnswer,
  OrderAnswer,
  PaymentProvidersAnswer,
} from "@sesame/contract/checkout";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@sesame/kernel";
import { check } from "@sesame/ledger";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import {
  mendAll,
  outcomeOf,
  sellByAll,
  settleAt,
  tellHeard,
  type Tried,
  tryAt,
} from "../../../test/collecting.ts";
import type { SignedInBuyer } from "../../../test/harness.ts";
import { openShop, type Shop } from "../../../test/sale.ts";
import { brokenAccesses, brokenSales } from "../../upkeep/books.view.ts";

let shop: Shop;

beforeAll(async () => {
  shop = await openShop();
  await sellByAll(shop.app, shop.seller.id);
});
afterEach(() => mendAll(shop.app));
afterAll(async () => {
  expect(await check(shop.app.db)).toEqual([]);
  expect(await brokenSales(shop.app.db, 10)).toEqual([]);
  expect(await brokenAccesses(shop.app.db, 10)).toEqual([]);
  await shop.app.close();
});

type Id = Tried["provider"];

const order = async (provider: Id, buyer?: SignedInBuyer) =>
  tryAt(shop.app, {
    buyer: buyer ?? (await shop.app.signInBuyer()),
    provider,
    product: shop.product.reference,
  });
const change = ({ buyer, orderId }: Tried, provider: Id) =>
  tryAt(shop.app, { buyer, provider, orderId });
const read = async ({ buyer, orderId }: Tried) =>
  (await shop.app.call<OrderAnswer>("GET", `/api/orders/${orderId}`, { token: buyer.token })).body;
const paysAt = async (tried: Tried) => {
  settleAt(shop.app, tried, "success");
  await shop.app.drain();
};
const pass = async (ms: number) => {
  shop.app.clock.advance(ms);
  await shop.app.drain();
};

describe("what a browser heard", () => {
  test("is asked about, believed in nothing, and kept a few times only", async () => {
    const first = await order("kkiapay");
    for (let name = 0; name < 15; name += 1) {
      expect((await tellHeard(shop.app, first, `made-up-${name}`)).status).toBe(204);
    }
    const { rows } = await sql`
      SELECT 1 FROM payment_rumours r JOIN payments p ON p.id = r.payment_id
      WHERE p.order_id = ${first.orderId}`.execute(shop.app.db);
    expect(rows).toHaveLength(10);
    await shop.app.drain();
    expect((await read(first)).status).toBe("pending");
    await paysAt(first);
    expect((await read(first)).status).toBe("paid");
  });

  test("of somebody else's transaction is nobody's here, and no alarm", async () => {
    const [mine, theirs] = [await order("kkiapay"), await order("kkiapay")];
    const paid = settleAt(shop.app, theirs, "silent success");
    await tellHeard(shop.app, mine, paid.transactionId ?? "");
    await shop.app.drain();
    expect(await outcomeOf(shop.app, mine.orderId)).toMatchObject({ order: "pending", alerts: [] });
  });

  test("is refused where nobody has the secret, and where it is no name", async () => {
    const first = await order("kkiapay");
    expect((await tellHeard(shop.app, first, "a b")).status).toBe(422);
    expect((await tellHeard(shop.app, first, "x".repeat(101))).status).toBe(422);
    const nobody = { ...first, paymentUrl: `/${"x".repeat(32)}` };
    expect((await tellHeard(shop.app, nobody, "t1")).status).toBe(404);
  });

  test("of a widget paid twice gives the second one back", async () => {
    const first = await order("kkiapay");
    await paysAt(first);
    shop.app.world.kkiapay.open({
      amount: 5_000,
      data: first.reference,
      partnerId: first.reference ?? "",
    });
    await paysAt(first);
    expect(await outcomeOf(shop.app, first.orderId)).toMatchObject({ order: "paid", sales: 1 });
    const answer = await read(first);
    expect(answer).toMatchObject({ paid_twice: true, refund: { surplus: true, amount: 5_000 } });
    // Told again, it is known.
    await pass(HOUR_MS);
    expect((await read(first)).payments).toHaveLength(2);
  });
});

describe("the list of ways to pay", () => {
  const list = async (query = "") =>
    (await shop.app.call<PaymentProvidersAnswer>("GET", `/api/payment-providers${query}`)).body
      .providers;

  test("says of a product what each asks, and of an unknown one nothing", async () => {
    const providers = await list(`?reference=${shop.product.reference}`);
    expect(providers.map(({ id }) => id).toSorted()).toEqual([
      "cryptopay",
      "fedapay",
      "kkiapay",
      "moneroo",
      "paydunya",
      "stars",
    ]);
    const quotes = Object.fromEntries(providers.map(({ id, quote }) => [id, quote?.label ?? null]));
    expect(quotes).toMatchObject({ cryptopay: "7,63 €", stars: "625 Stars", moneroo: null });
    const unknown = await shop.app.call("GET", "/api/payment-providers?reference=nosuchref");
    expect(unknown.status).toBe(404);
    expect((await list("?plan=payant")).every(({ quote, id }) => id !== "stars" || quote)).toBe(
      true,
    );
  });

  test("puts last and marks a provider that fails us, and forgets it after half an hour", async () => {
    await pass(HOUR_MS);
    const desk = shop.app.world.collectors.paydunya;
    const disturbed = async () =>
      (await list()).filter((each) => each.disturbed).map(({ id }) => id);
    desk.fault("create", "down");
    for (let calls = 0; calls < 2; calls += 1) await order("paydunya");
    expect(await disturbed()).toEqual([]);
    await order("paydunya");
    expect(await disturbed()).toEqual(["paydunya"]);
    expect((await list()).at(-1)?.id).toBe("paydunya");
    desk.clearFaults();
    await pass(31 * MINUTE_MS);
    expect(await disturbed()).toEqual([]);
  });
});

describe("Telegram Stars", () => {
  test("are refused before they move from another person, and for what is paid already", async () => {
    const first = await order("stars");
    const stranger = await shop.app.person();
    shop.app.world.collectors.stars.settle(first.reference ?? "", "success", {
      personId: stranger.id,
    });
    await shop.app.drain();
    expect((await read(first)).status).toBe("pending");
    const other = await change(first, "moneroo");
    await paysAt(other);
    expect((await read(first)).status).toBe("paid");
    settleAt(shop.app, first, "success");
    await shop.app.drain();
    expect(await outcomeOf(shop.app, first.orderId)).toMatchObject({ suspended: 0n });
    expect((await read(first)).paid_twice).toBe(false);
  });

  test("told twice are one charge", async () => {
    shop.app.world.collectors.stars.notices.copies = 2;
    const first = await order("stars");
    await paysAt(first);
    await pass(MINUTE_MS);
    const { rows } = await sql`
      SELECT 1 FROM star_charges WHERE reference = ${first.reference}`.execute(shop.app.db);
    expect(rows).toHaveLength(1);
    expect(await outcomeOf(shop.app, first.orderId)).toMatchObject({ order: "paid", sales: 1 });
  });
});

describe("the premium plan", () => {
  const buy = (token: string, body: object = {}) =>
    shop.app.call<CreateOrderAnswer & { code?: string; message?: string }>("POST", "/api/orders", {
      token,
      body: { plan: "payant", provider: "moneroo", ...body },
    });

  test("is bought by a seller at the operator's price, by a change of provider, and renewed", async () => {
    const made = await buy(shop.seller.token);
    expect(made).toMatchObject({ status: 201, body: { amount: 5_000, opens: "page" } });
    const tried = await tryAt(shop.app, {
      buyer: shop.seller as unknown as SignedInBuyer,
      provider: "cryptopay",
      orderId: made.body.id,
    });
    await paysAt(tried);
    const order = await read(tried);
    expect(order).toMatchObject({ kind: "plan", status: "paid", seller: null, access: null });
    const { rows } = await sql<{ plan: string; until: Date }>`
      SELECT plan, premium_until AS until FROM sellers WHERE id = ${shop.seller.id}
    `.execute(shop.app.db);
    const end = new Date(shop.app.clock.now().getTime() + 30 * DAY_MS);
    expect(rows).toEqual([{ plan: "premium", until: end }]);
    shop.app.clock.advance(2 * MINUTE_MS);
    expect((await buy(shop.seller.token)).status).toBe(201);
  });

  test("is sold to nobody but a seller, by a seller's token, whose account is open", async () => {
    expect(await buy(shop.buyer.token)).toMatchObject({
      status: 403,
      body: { message: "Utilisateur non identifié" },
    });
    const seller = await shop.app.signInSeller();
    await sql`UPDATE sellers SET closed_at = ${shop.app.clock.now()} WHERE id = ${seller.id}`.execute(
      shop.app.db,
    );
    expect(await buy(seller.token)).toMatchObject({ body: { code: "checkout.account-closed" } });
  });
});
