import {
  checkoutRefusals,
  type CreateOrderAnswer,
  type UnopenedOrderBody,
} from "@sesame/contract/checkout";
import { MINUTE_MS } from "@sesame/kernel";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SignedInBuyer } from "../../../test/harness.ts";
import {
  alertsOf,
  openShop,
  paymentIdOf,
  publishProduct,
  readOrder,
  type Shop,
} from "../../../test/sales.ts";

let shop: Shop;

beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop?.app.close());

type OrderCall = {
  readonly buyer?: { readonly token: string };
  readonly body?: unknown;
  readonly key?: string;
};

const order = ({ buyer = shop.buyer, body, key }: OrderCall = {}) =>
  shop.app.call<CreateOrderAnswer & Partial<UnopenedOrderBody>>("POST", "/api/orders", {
    token: buyer.token,
    body: body ?? { reference: shop.product.reference, provider: "moneroo" },
    ...(key ? { headers: { "idempotency-key": key } } : {}),
  });

const run = (statement: ReturnType<typeof sql>) => statement.execute(shop.app.db);

async function countOrders(buyer: SignedInBuyer): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM orders WHERE buyer_id = ${buyer.id}`.execute(shop.app.db);
  return rows[0]?.count ?? 0;
}

describe("an order", () => {
  test("answers 201 with the provider's page, its price frozen with the plan's fee", async () => {
    const answer = await order();
    expect(answer).toMatchObject({
      status: 201,
      body: { status: "pending", amount: 5_000, currency: "XOF" },
    });
    const payment = shop.app.emulators.moneroo.payment(paymentIdOf(answer.body.payment_url));
    expect(payment).toMatchObject({
      amount: 5_000,
      currency: "XOF",
      metadata: { order_id: answer.body.id },
      customer: {
        email: `${answer.body.id}@127.0.0.1`,
        first_name: shop.buyer.person.first_name,
        last_name: shop.buyer.person.first_name,
      },
    });
    expect(payment?.returnUrl).toMatch(new RegExp(`^${shop.app.url}/paiement/retour/[\\w-]{32}$`));
    const { rows } = await sql`SELECT price, fee FROM orders WHERE id = ${answer.body.id}`.execute(
      shop.app.db,
    );
    expect(rows).toEqual([{ price: 5_000n, fee: 900n }]);
  });

  test("tapped twice without a key is one order; a minute later it is another", async () => {
    const buyer = await shop.app.signInBuyer();
    const [first, second] = await Promise.all([order({ buyer }), order({ buyer })]);
    expect(second?.body).toEqual(first?.body);
    shop.app.clock.advance(2 * MINUTE_MS);
    expect((await order({ buyer })).body.id).not.toBe(first?.body.id);
    expect(await countOrders(buyer)).toBe(2);
  });

  test("with the same key a hundred times at once is one order, answered alike", async () => {
    const buyer = await shop.app.signInBuyer();
    const calls = Array.from({ length: 100 }, () => order({ buyer, key: "one-tap" }));
    const answers = await Promise.all(calls);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(await countOrders(buyer)).toBe(1);
  });

  test("with a key used before for something else is refused, 409", async () => {
    const buyer = await shop.app.signInBuyer();
    await order({ buyer, key: "k" });
    const other = { reference: shop.product.reference, provider: "moneroo", customer: {} };
    expect(await order({ buyer, key: "k", body: other })).toMatchObject({
      status: 409,
      body: { code: "checkout.key-reused" },
    });
  });

  test("keys of two buyers are two keys", async () => {
    const [a, b] = [await shop.app.signInBuyer(), await shop.app.signInBuyer()];
    const ids = [await order({ buyer: a, key: "same" }), await order({ buyer: b, key: "same" })];
    expect(ids[0]?.body.id).not.toBe(ids[1]?.body.id);
  });

  test("survives an outage of the provider: the same key goes on with the same order", async () => {
    const buyer = await shop.app.signInBuyer();
    shop.app.emulators.collectors.moneroo.fault("create", "500", Infinity);
    const failed = await order({ buyer, key: "again" });
    expect(failed).toMatchObject({
      status: 503,
      body: { success: false, code: "checkout.provider-silent", order_id: expect.any(String) },
    });
    const { order_id: made = "" } = failed.body;
    expect(await readOrder(shop, made, buyer)).toMatchObject({ status: "pending", amount: 5_000 });
    shop.app.emulators.collectors.moneroo.clearFaults();
    const answered = await order({ buyer, key: "again" });
    expect(answered).toMatchObject({ status: 201, body: { id: made } });
    expect((await order({ buyer, key: "again" })).body).toEqual(answered.body);
    expect(await countOrders(buyer)).toBe(1);
  });

  test("takes the customer's own names and email", async () => {
    const buyer = await shop.app.signInBuyer();
    const customer = { email: " awa@example.com ", first_name: "Awa", last_name: "Diop" };
    const body = { reference: shop.product.reference, provider: "moneroo", customer };
    const { payment_url } = (await order({ buyer, body })).body;
    expect(shop.app.emulators.moneroo.payment(paymentIdOf(payment_url))?.customer).toMatchObject({
      email: "awa@example.com",
      first_name: "Awa",
      last_name: "Diop",
    });
  });

  test("shows its status to whoever comes back with its secret, and never the link", async () => {
    const buyer = await shop.app.signInBuyer();
    const { body } = await order({ buyer });
    const paymentId = paymentIdOf(body.payment_url);
    const secret = shop.app.emulators.moneroo.payment(paymentId)?.returnUrl.split("/").at(-1);
    shop.app.emulators.collectors.moneroo.settle(paymentId, "success");
    await shop.app.drain();
    const seen = await shop.app.call("GET", `/api/orders/by-secret/${secret}`);
    expect(seen).toMatchObject({
      status: 200,
      body: { id: body.id, status: "paid", amount: 5_000, title: shop.product.title },
    });
    expect(JSON.stringify(seen.body)).not.toContain("t.me/+");
    const guessed = await shop.app.call("GET", `/api/orders/by-secret/${"x".repeat(32)}`);
    expect(guessed.status).toBe(404);
  });
});

describe("an order is refused", () => {
  // Each row breaks its own rule and the next ones that still can be broken with it: the first
  // broken rule is the one that is told.
  const closed = () => run(sql`UPDATE products SET switched_on = false`);
  const overQuota = () =>
    run(sql`UPDATE groups SET public_username = 'publicchat', can_invite = false`);
  const reset = () =>
    run(sql`WITH p AS (UPDATE products SET switched_on = true, archived_at = NULL)
      UPDATE groups SET public_username = NULL, can_invite = true`);
  const body = (change: object) => ({
    reference: shop.product.reference,
    provider: "nothing",
    ...change,
  });

  test("without a method, before its email is looked at", async () => {
    for (const provider of [undefined, null, "", "  ", 7, { id: "moneroo" }]) {
      const answer = await order({ body: body({ provider, customer: { email: "no" } }) });
      expect(answer).toMatchObject({ status: 422, body: { code: "checkout.method-missing" } });
      expect(answer.body.message).toBe("Veuillez sélectionner une méthode de paiement");
    }
  });

  test("with something else than an email, before its product is looked for", async () => {
    for (const email of ["no", "a@b", "a b@c.de", 7, ["a@b.ci"], { at: 1 }]) {
      const change = { reference: "nosuchref", customer: { email } };
      const answer = await order({ body: body(change) });
      expect(answer).toMatchObject({ status: 422, body: { code: "checkout.email-invalid" } });
    }
  });

  test("of an unknown product, of a plan by who sells nothing, and of nothing", async () => {
    expect(await order({ body: body({ reference: "nosuchref" }) })).toMatchObject({
      status: 404,
      body: { code: "checkout.product-not-found", message: "Produit introuvable" },
    });
    const plan = { plan: "payant", provider: "moneroo" };
    expect(await order({ body: plan })).toMatchObject({
      status: 403,
      body: { code: "checkout.seller-unknown", message: "Utilisateur non identifié" },
    });
    for (const malformed of [{}, { reference: "0" }, { reference: 7 }, { plan: "gratuit" }, []]) {
      expect((await order({ body: malformed })).status).toBe(400);
    }
  });

  test("of one's own product, then of a closed one, then of one whose group is unwell", async () => {
    await closed();
    await overQuota();
    const codes = [];
    codes.push((await order({ buyer: shop.seller, body: body({}) })).body.code);
    codes.push((await order({ body: body({}) })).body.code);
    await run(sql`UPDATE products SET switched_on = true`);
    codes.push((await order({ body: body({}) })).body.code);
    await reset();
    codes.push((await order({ body: body({}) })).body.code);
    codes.push((await order({ body: body({ provider: "kkiapay" }) })).body.code);
    expect(codes).toEqual([
      "checkout.own-product",
      "checkout.product-closed",
      "checkout.group-unhealthy",
      "checkout.method-unknown",
      "checkout.method-closed",
    ]);
  });

  test("by an admin of the group, and by a person its admins banned", async () => {
    const admin = await shop.app.signInBuyer();
    await run(sql`INSERT INTO group_admins (group_id, telegram_id)
      VALUES (${shop.group.id}, ${admin.person.id})`);
    expect((await order({ buyer: admin })).body.code).toBe("checkout.group-admin");
    const banned = await shop.app.signInBuyer();
    const { id } = (await order({ buyer: banned, key: "before" })).body;
    await run(sql`INSERT INTO accesses (person_id, group_id, status, ends_at, started_at, order_id,
        updated_at)
      SELECT buyer_id, group_id, 'banned', created_at, created_at, id, created_at FROM orders
      WHERE id = ${id}`);
    expect((await order({ buyer: banned })).body.code).toBe("checkout.banned");
  });

  test("hors quota: the fourth group of the free plan sells nothing", async () => {
    for (let more = 0; more < 3; more += 1) {
      shop.app.clock.advance(1_000);
      await shop.app.linkGroup(shop.seller);
    }
    const group = await shop.app.linkGroup(shop.seller);
    const product = await publishProduct(shop.app, { seller: shop.seller, group });
    const answer = await order({ body: body({ reference: product.reference }) });
    expect(answer).toMatchObject({ status: 422, body: { code: "checkout.group-over-quota" } });
  });

  test("by the provider, in French and in the provider's own words", async () => {
    const buyer = await shop.app.signInBuyer();
    const customer = { email: "a@b.ci", first_name: "A".repeat(100) };
    await run(sql`UPDATE products SET price = 100 WHERE id = ${shop.product.id}`);
    shop.app.emulators.collectors.moneroo.fault("create", "not-found", Infinity);
    const body = { reference: shop.product.reference, provider: "moneroo", customer };
    const answer = await order({ buyer, body });
    shop.app.emulators.collectors.moneroo.clearFaults();
    await run(sql`UPDATE products SET price = 5000 WHERE id = ${shop.product.id}`);
    expect(answer).toMatchObject({ status: 422, body: { code: "checkout.provider-refused" } });
    expect(answer.body.message).toBe(
      "Erreur lors de l'initialisation du paiement : Payment transaction not found.",
    );
  });
});

function fail(): never {
  throw new Error("two orders were taken");
}

describe("limited places", () => {
  test("are reserved for 15 minutes, kept by a sale, and never sold twice at once", async () => {
    const shelf = { seller: shop.seller, group: shop.group };
    const product = await publishProduct(shop.app, shelf, { stock: 2 });
    const buyers: SignedInBuyer[] = [];
    for (let one = 0; one < 6; one += 1) buyers.push(await shop.app.signInBuyer());
    const body = { reference: product.reference, provider: "moneroo" };
    const answers = await Promise.all(buyers.map((buyer) => order({ buyer, body })));
    const taken = answers.filter(({ status }) => status === 201);
    expect(taken).toHaveLength(2);
    expect(answers.find(({ status }) => status === 422)?.body.code).toBe("checkout.sold-out");
    const ownerOf = (nth: number) => buyers[answers.indexOf(taken[nth] ?? fail())] ?? fail();
    // One pays; the other lets his place go, and his late success is granted all the same.
    shop.app.emulators.collectors.moneroo.settle(
      paymentIdOf(taken[0]?.body.payment_url ?? ""),
      "success",
    );
    await shop.app.drain();
    shop.app.clock.advance(16 * MINUTE_MS);
    const last = await shop.app.signInBuyer();
    expect((await order({ buyer: last, body })).status).toBe(201);
    const late = await shop.app.signInBuyer();
    expect((await order({ buyer: late, body })).body.code).toBe("checkout.sold-out");
    // The one who let his place go pays late: let in all the same, and the desk is told.
    shop.app.emulators.collectors.moneroo.settle(
      paymentIdOf(taken[1]?.body.payment_url ?? ""),
      "success",
    );
    await shop.app.drain();
    expect((await readOrder(shop, taken[1]?.body.id ?? "", ownerOf(1))).status).toBe("paid");
    expect(await alertsOf(shop)).toEqual(["places.exceeded"]);
    // Who holds a place renews without a second one.
    expect((await order({ buyer: ownerOf(0), body, key: "renew" })).status).toBe(201);
  });
});

test("every refusal has a French sentence of its own", () => {
  for (const [kind, { status }] of Object.entries(checkoutRefusals)) {
    expect(kind).toMatch(/^checkout\./);
    expect([403, 404, 409, 422, 429, 503]).toContain(status);
  }
});
