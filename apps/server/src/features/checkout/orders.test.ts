import { checkoutRefusals } from "@sesame/contract/checkout";
import { assert, DAY_MS, HOUR_MS, MINUTE_MS } from "@sesame/kernel";
import { beforeAll, describe, expect, test } from "vitest";
import { MONEROO_WEBHOOK_SECRET, type SignedInBuyer } from "../../../test/harness.ts";
import { hmac } from "../../../test/http.ts";
import {
  openOrder,
  type OpenOrder,
  openShop,
  paymentIdOf,
  publishDonation,
  publishProduct,
  readOrder,
  sellerHas,
} from "../../../test/sales.ts";
import type { ProductOnWire } from "@sesame/contract/catalogue";
import { one } from "../../postgres/database.ts";

const shop = await openShop();
const { app } = shop;
const { moneroo } = app.emulators.collectors;

type OrderCall = {
  readonly buyer?: { readonly token: string };
  readonly product?: Pick<ProductOnWire, "reference"> | undefined;
  readonly key?: string;
  /** More of the body, or another value of it. */
  readonly change?: object;
};

const order = ({ buyer = shop.buyer, product = shop.product, key, change }: OrderCall = {}) =>
  app.send(
    "POST /api/orders",
    buyer,
    { reference: product.reference, provider: "moneroo", ...change },
    key,
  );

/** A buyer's orders, in all and of one product. */
const countOf = (buyer: SignedInBuyer) => one<{ orders: number; most: number }>(app.db)`
  SELECT sum(n)::int AS orders, max(n)::int AS most FROM (
    SELECT count(*) AS n FROM orders WHERE buyer_id = ${buyer.id} GROUP BY product_id
  ) AS by_product`;

describe("an order", () => {
  test("answers 201 with the provider's page, its price frozen with the plan's fee", async () => {
    const answer = await order();
    expect(answer).toMatchObject({
      status: 201,
      body: { status: "pending", amount: 5_000, currency: "XOF" },
    });
    const payment = app.emulators.moneroo.payment(paymentIdOf(answer.body.payment_url));
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
    expect(payment?.returnUrl).toMatch(new RegExp(`^${app.url}/paiement/retour/[\\w-]{32}$`));
    const rows = await app.sql`SELECT price, fee FROM orders WHERE id = ${answer.body.id}`;
    expect(rows).toEqual([{ price: 5_000n, fee: 900n }]);
  });

  test("tapped twice without a key is one order; a minute later it is another", async () => {
    const buyer = await app.signInBuyer();
    const [first, second] = await Promise.all([order({ buyer }), order({ buyer })]);
    expect(second?.body).toEqual(first?.body);
    app.clock.advance(2 * MINUTE_MS);
    expect((await order({ buyer })).body.id).not.toBe(first?.body.id);
    expect(await countOf(buyer)).toMatchObject({ orders: 2 });
  });

  test("with the same key a hundred times at once is one order, with the same answer", async () => {
    const buyer = await app.signInBuyer();
    const calls = Array.from({ length: 100 }, () => order({ buyer, key: "one-tap" }));
    const answers = await Promise.all(calls);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(await countOf(buyer)).toMatchObject({ orders: 1 });
    // Once it is paid too, and no second payment is opened.
    const { id, payment_url } = (await order({ buyer, key: "one-tap" })).body;
    await app.pay("moneroo", paymentIdOf(payment_url));
    const before = moneroo.list().length;
    const again = await order({ buyer, key: "one-tap" });
    expect(again).toMatchObject({ status: 201, body: { id, payment_url } });
    expect(moneroo.list()).toHaveLength(before);
  });

  test("refused under its key is checked again, and reserves no place meanwhile", async () => {
    const product = await publishProduct(app, shop, { stock: 1 });
    const [buyer, other] = [await app.signInBuyer(), await app.signInBuyer()];
    const ask = async (who: SignedInBuyer) =>
      (await order({ buyer: who, product, key: "no" })).status;
    const edit = (change: object) =>
      app.send("PUT /api/products/:id", shop.seller, { id: product.id, ...change });
    moneroo.fault("create", "refuse", Infinity);
    expect(await ask(buyer)).toBe(422);
    moneroo.clearFaults();
    expect(await ask(other)).toBe(201);
    expect(await ask(buyer)).toBe(422);
    await edit({ stock: "" });
    expect(await ask(buyer)).toBe(201);
    const late = await app.signInBuyer();
    await edit({ status: "inactive" });
    expect(await ask(late)).toBe(422);
    await edit({ status: "active" });
    expect(await ask(late)).toBe(201);
  });

  test("is paid at the price and for the time that its page showed, though its product is archived", async () => {
    const product = await publishProduct(app, shop, { price: 2_000 });
    const buyer = await app.signInBuyer();
    const made = (await order({ buyer, product })).body;
    const before = (await sellerHas(shop)) ?? 0n;
    const durations = await app.read("GET /api/config/subscription_durations");
    const year = durations.find(({ minutes }) => minutes === 525_600)?.id;
    const { id } = product;
    const change = { id, price: 9_000, title: "Autre", duration: year };
    await app.done("PUT /api/products/:id", shop.seller, change);
    await app.done("DELETE /api/products/:id", shop.seller, { id });
    const late = await app.signInBuyer();
    expect([404, 422]).toContain((await order({ buyer: late, product })).status);
    expect((await app.call("GET", `/api/public/products/${product.reference}`)).status).toBe(404);
    await app.pay("moneroo", paymentIdOf(made.payment_url));
    expect(await sellerHas(shop)).toBe(before + 1_640n);
    const { access } = await readOrder(shop, made.id, buyer);
    expect(access?.invite_link).toMatch(/^https:\/\/t\.me\//);
    expect(Date.parse(access?.expires_at ?? "") - app.clock.now().getTime()).toBe(30 * DAY_MS);
  });

  test("keys of two buyers are two keys", async () => {
    const [a, b] = [await app.signInBuyer(), await app.signInBuyer()];
    const ids = [await order({ buyer: a, key: "same" }), await order({ buyer: b, key: "same" })];
    expect(ids[0]?.body.id).not.toBe(ids[1]?.body.id);
  });

  test("survives an outage of the provider: the same key continues with the same order", async () => {
    const buyer = await app.signInBuyer();
    moneroo.fault("create", "500", Infinity);
    const failed = await order({ buyer, key: "again" });
    expect(failed).toMatchObject({
      status: 503,
      body: { success: false, code: "checkout.provider-silent", order_id: expect.any(String) },
    });
    const { order_id: made = "" } = failed.body;
    expect(await readOrder(shop, made, buyer)).toMatchObject({ status: "pending", amount: 5_000 });
    moneroo.clearFaults();
    const answered = await order({ buyer, key: "again" });
    expect(answered).toMatchObject({ status: 201, body: { id: made } });
    expect((await order({ buyer, key: "again" })).body).toEqual(answered.body);
    expect(await countOf(buyer)).toMatchObject({ orders: 1 });
  });

  test("takes the customer's own names and email", async () => {
    const buyer = await app.signInBuyer();
    const customer = { email: " awa@example.com ", first_name: "Awa", last_name: "Diop" };
    const { payment_url } = (await order({ buyer, change: { customer } })).body;
    expect(app.emulators.moneroo.payment(paymentIdOf(payment_url))?.customer).toMatchObject({
      email: "awa@example.com",
      first_name: "Awa",
      last_name: "Diop",
    });
  });

  test("shows its status to the holder of its secret, and never the link", async () => {
    const buyer = await app.signInBuyer();
    const { body } = await order({ buyer });
    const paymentId = paymentIdOf(body.payment_url);
    const secret = app.emulators.moneroo.payment(paymentId)?.returnUrl.split("/").at(-1);
    await app.pay("moneroo", paymentId);
    const seen = await app.call("GET", `/api/orders/by-secret/${secret}`);
    expect(seen).toMatchObject({
      status: 200,
      body: { id: body.id, status: "paid", amount: 5_000, title: shop.product.title },
    });
    expect(JSON.stringify(seen.body)).not.toContain("t.me/+");
    const guessed = await app.call("GET", `/api/orders/by-secret/${"x".repeat(32)}`);
    expect(guessed.status).toBe(404);
  });
});

describe("an order is refused", () => {
  // Each row breaks its own rule and all later ones that still can be broken: the answer is the
  // refusal of the first.
  const refused = ({ change, ...call }: OrderCall = {}) =>
    order({ ...call, change: { provider: "nothing", ...change } });

  test("without a method, before its email is checked", async () => {
    for (const provider of [undefined, null, "", "  ", 7, { id: "moneroo" }]) {
      const answer = await refused({ change: { provider, customer: { email: "no" } } });
      expect(answer).toMatchObject({ status: 422, body: { code: "checkout.method-missing" } });
      expect(answer.body.message).toBe("Veuillez sélectionner une méthode de paiement");
    }
  });

  test("with an invalid email, before its product is looked up", async () => {
    for (const email of ["no", "a@b", "a b@c.de", 7, ["a@b.ci"], { at: 1 }]) {
      const answer = await refused({ change: { reference: "nosuchref", customer: { email } } });
      expect(answer).toMatchObject({ status: 422, body: { code: "checkout.email-invalid" } });
    }
  });

  test("of an unknown product, of a plan by a person who is no seller, and of nothing", async () => {
    expect(await refused({ change: { reference: "nosuchref" } })).toMatchObject({
      status: 404,
      body: { code: "checkout.product-not-found", message: "Produit introuvable" },
    });
    expect(await order({ change: { reference: undefined, plan: "payant" } })).toMatchObject({
      status: 403,
      body: { code: "checkout.seller-unknown", message: "Utilisateur non identifié" },
    });
    const { token } = shop.buyer;
    for (const body of [{}, { reference: "0" }, { reference: 7 }, { plan: "gratuit" }, []]) {
      const answer = await app.call("POST", "/api/orders", { token, body });
      expect(answer.status).toBe(400);
    }
  });

  test("of one's own product, then of a closed one, then of one whose group cannot be sold", async () => {
    await app.sql`UPDATE products SET switched_on = false`;
    await app.sql`UPDATE groups SET public_username = 'publicchat', can_invite = false`;
    const codes = [];
    const own = await refused({ buyer: shop.seller });
    expect(own.status).toBe(422);
    expect(own.body.message).toMatch(/^Vous êtes le vendeur/);
    codes.push(own.body.code);
    codes.push((await refused()).body.code);
    await app.sql`UPDATE products SET switched_on = true`;
    codes.push((await refused()).body.code);
    await app.sql`UPDATE groups SET public_username = NULL, can_invite = true`;
    codes.push((await refused()).body.code);
    codes.push((await refused({ change: { provider: "kkiapay" } })).body.code);
    expect(codes).toEqual([
      "checkout.own-product",
      "checkout.product-closed",
      "checkout.group-unhealthy",
      "checkout.method-unknown",
      "checkout.method-closed",
    ]);
  });

  test("by an admin of the group, and by a person its admins banned", async () => {
    const admin = await app.signInBuyer();
    await app.sql`INSERT INTO group_admins (group_id, telegram_id)
      VALUES (${shop.group.id}, ${admin.person.id})`;
    expect((await order({ buyer: admin })).body.code).toBe("checkout.group-admin");
    const banned = await app.signInBuyer();
    const { id } = (await order({ buyer: banned, key: "before" })).body;
    await app.sql`INSERT INTO accesses (person_id, group_id, status, ends_at, started_at, order_id,
        updated_at)
      SELECT buyer_id, group_id, 'banned', created_at, created_at, id, created_at FROM orders
      WHERE id = ${id}`;
    expect((await order({ buyer: banned })).body.code).toBe("checkout.banned");
    await app.sql`DELETE FROM accesses WHERE order_id = ${id}`;
  });

  test("over the quota: the fourth group of the free plan sells nothing", async () => {
    for (let more = 0; more < 3; more += 1) {
      app.clock.advance(1_000);
      await app.linkGroup(shop.seller);
    }
    const group = await app.linkGroup(shop.seller);
    const product = await publishProduct(app, { seller: shop.seller, group });
    const answer = await refused({ product });
    expect(answer).toMatchObject({ status: 422, body: { code: "checkout.group-over-quota" } });
  });

  test("by the provider, in French and in the provider's own words", async () => {
    const buyer = await app.signInBuyer();
    const customer = { email: "a@b.ci", first_name: "A".repeat(100) };
    await app.sql`UPDATE products SET price = 100 WHERE id = ${shop.product.id}`;
    moneroo.fault("create", "not-found", Infinity);
    const answer = await order({ buyer, change: { customer } });
    moneroo.clearFaults();
    await app.sql`UPDATE products SET price = 5000 WHERE id = ${shop.product.id}`;
    expect(answer).toMatchObject({ status: 422, body: { code: "checkout.provider-refused" } });
    expect(answer.body.message).toBe(
      "Erreur lors de l'initialisation du paiement : Payment transaction not found.",
    );
  });
});

test("limited places are reserved for 15 minutes, kept by a sale, and never sold twice at once", async () => {
  const before = await app.lastAlert();
  const product = await publishProduct(app, shop, { stock: 2 });
  const buyers: SignedInBuyer[] = [];
  for (let one = 0; one < 6; one += 1) buyers.push(await app.signInBuyer());
  const answers = await Promise.all(
    buyers.map(async (buyer) => ({ buyer, ...(await order({ buyer, product })) })),
  );
  const taken = answers.filter(({ status }) => status === 201);
  expect(taken).toHaveLength(2);
  expect(answers.find(({ status }) => status === 422)?.body.code).toBe("checkout.sold-out");
  const [first, second] = taken;
  assert(first && second, "two orders were taken");
  // One pays; the other's reservation expires, but a late success is granted all the same.
  await app.pay("moneroo", paymentIdOf(first.body.payment_url));
  app.clock.advance(16 * MINUTE_MS);
  const last = await app.signInBuyer();
  expect((await order({ buyer: last, product })).status).toBe(201);
  const late = await app.signInBuyer();
  expect((await order({ buyer: late, product })).body.code).toBe("checkout.sold-out");
  // The buyer whose reservation expired pays late: granted all the same, and an alert is raised.
  await app.pay("moneroo", paymentIdOf(second.body.payment_url));
  expect((await readOrder(shop, second.body.id, second.buyer)).status).toBe("paid");
  expect(await app.alertsAfter(before)).toEqual(["places.exceeded"]);
  // The holder of a place renews without a second one.
  expect((await order({ buyer: first.buyer, product, key: "renew" })).status).toBe(201);
});

test("every refusal has a French sentence of its own", () => {
  for (const [kind, { status }] of Object.entries(checkoutRefusals)) {
    expect(kind).toMatch(/^checkout\./);
    expect([403, 404, 409, 422, 429, 503]).toContain(status);
  }
});

describe("a person's unpaid orders", () => {
  const products: ProductOnWire[] = [];

  beforeAll(async () => {
    products.push(shop.product);
    for (let made = 1; made < 6; made += 1) products.push(await publishProduct(app, shop));
    // This test counts one buyer's limit, so the provider's limit for all openings must not interfere.
    await app.sql`INSERT INTO settings (key, value, changed_at) VALUES ('provider_rates',
      '{"moneroo": 100000, "fedapay": 100000}', ${app.clock.now()})`;
  });

  let keys = 0;

  /** An order with a key that no other has. */
  function orderAnew(call: OrderCall) {
    keys += 1;
    return order({ ...call, key: `key-${keys}` });
  }

  async function fill(buyer: SignedInBuyer): Promise<string[]> {
    const ids: string[] = [];
    for (let made = 0; made < 5; made += 1) {
      const answer = await orderAnew({ buyer });
      expect(answer.status).toBe(201);
      ids.push(answer.body.id);
    }
    return ids;
  }

  describe("a person's unpaid orders of one product", () => {
    test("are five at most: the sixth call is answered 200 with the newest, at its open page", async () => {
      const buyer = await app.signInBuyer();
      const ids = await fill(buyer);
      const before = moneroo.list().length;
      const sixth = await orderAnew({ buyer });
      expect(sixth).toMatchObject({ status: 200, body: { id: ids.at(-1), status: "pending" } });
      expect(moneroo.list()).toHaveLength(before);
      expect(await countOf(buyer)).toEqual({ orders: 5, most: 5 });
    });

    test("are reopened at the requested provider", async () => {
      const buyer = await app.signInBuyer();
      const ids = await fill(buyer);
      const answer = await orderAnew({ buyer, change: { provider: "fedapay" } });
      expect(answer).toMatchObject({ status: 200, body: { id: ids.at(-1) } });
      const providers = await app.values`
        SELECT provider FROM payments WHERE order_id = ${ids.at(-1)} ORDER BY id`;
      expect(providers).toEqual(["moneroo", "fedapay"]);
    });

    test("count when they failed too, and one of those is pending again when it is reopened", async () => {
      const buyer = await app.signInBuyer();
      for (let made = 0; made < 5; made += 1) {
        const { body } = await orderAnew({ buyer });
        moneroo.settle(paymentIdOf(body.payment_url), "cancel");
      }
      await app.drain();
      expect(await orderAnew({ buyer })).toMatchObject({
        status: 200,
        body: { status: "pending" },
      });
      expect(await countOf(buyer)).toMatchObject({ orders: 5 });
    });

    test("are allowed again when one is paid, and when a day has passed", async () => {
      const buyer = await app.signInBuyer();
      await fill(buyer);
      const { body } = await orderAnew({ buyer });
      await app.pay("moneroo", paymentIdOf(body.payment_url));
      expect((await orderAnew({ buyer })).status).toBe(201);
      expect((await orderAnew({ buyer })).status).toBe(200);
      app.clock.advance(DAY_MS);
      expect((await orderAnew({ buyer })).status).toBe(201);
    });

    test("never exceed five when fifty calls come at once, whatever their keys", async () => {
      const buyer = await app.signInBuyer();
      const calls = Array.from({ length: 50 }, (_, n) => order({ buyer, key: `race-${n}` }));
      const statuses = (await Promise.all(calls)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 201)).toHaveLength(5);
      expect(statuses.every((status) => [200, 201, 409].includes(status))).toBe(true);
      expect(await countOf(buyer)).toEqual({ orders: 5, most: 5 });
    });

    test("of another amount are refused with a sentence and the time to wait", async () => {
      const product = await publishDonation(app, shop.seller);
      const buyer = await app.signInBuyer();
      const give = (amount: number) => orderAnew({ buyer, product, change: { amount } });
      for (const amount of [500, 600, 700, 800, 900]) {
        expect((await give(amount)).status).toBe(201);
      }
      const refused = await give(1_000);
      expect(refused).toMatchObject({
        status: 429,
        body: { code: "checkout.too-many-unpaid", message: expect.stringMatching(/réessayez/) },
      });
      expect(Number(refused.headers.get("retry-after"))).toBe(DAY_MS / 1_000);
      expect(await give(900)).toMatchObject({ status: 200, body: { amount: 900 } });
    });
  });

  test("a person's unpaid orders in all are twenty at most, however many calls come at once: then 429, and 200 for what is open", async () => {
    const buyer = await app.signInBuyer();
    const calls = Array.from({ length: 60 }, (_, n) =>
      order({ buyer, key: `all-${n}`, product: products[n % 5] }),
    );
    await Promise.all(calls);
    expect(await countOf(buyer)).toEqual({ orders: 20, most: expect.any(Number) });
    const another = await orderAnew({ buyer, product: products[5] });
    expect(another).toMatchObject({ status: 429, body: { code: "checkout.too-many-unpaid" } });
    expect(Number(another.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await orderAnew({ buyer, product: products[0] })).status).toBe(200);
    expect((await countOf(buyer)).most).toBeLessThanOrEqual(5);
  });

  describe("an idempotency key", () => {
    test("that was answered with an open order gets the same again, and refuses other content", async () => {
      const buyer = await app.signInBuyer();
      await fill(buyer);
      const first = await order({ buyer, key: "beyond" });
      expect(first.status).toBe(200);
      await app.pay("moneroo", paymentIdOf(first.body.payment_url));
      expect((await order({ buyer, key: "beyond" })).body).toMatchObject({ id: first.body.id });
      expect(await countOf(buyer)).toMatchObject({ orders: 5 });
      const other = await order({ buyer, key: "beyond", change: { provider: "fedapay" } });
      expect(other).toMatchObject({ status: 409, body: { code: "checkout.key-reused" } });
    });

    const leave = (outcome: "failure" | "cancel") => async (payment: string) => {
      moneroo.settle(payment, outcome);
      await app.drain();
    };
    test.each([
      ["is too old", () => app.clock.advance(13 * HOUR_MS)],
      ["was refused", leave("failure")],
      ["was left", leave("cancel")],
    ])(
      "of an order whose page %s is answered with a new page of the same order",
      async (_, end) => {
        const buyer = await app.signInBuyer();
        const first = await order({ buyer, key: "dead" });
        await end(paymentIdOf(first.body.payment_url));
        const second = await order({ buyer, key: "dead" });
        expect(second).toMatchObject({
          status: 201,
          body: { id: first.body.id, status: "pending" },
        });
        expect(second.body.payment_url).not.toBe(first.body.payment_url);
        app.clock.advance(MINUTE_MS);
        expect((await order({ buyer, key: "dead" })).body).toEqual(second.body);
        expect(await countOf(buyer)).toMatchObject({ orders: 1 });
      },
    );
  });

  test("a seller's unpaid orders of the premium plan are five at most", async () => {
    const calls = Array.from({ length: 12 }, (_, n) =>
      order({
        buyer: shop.seller,
        key: `plan-${n}`,
        change: { reference: undefined, plan: "payant" },
      }),
    );
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(5);
    const plans = await app.sql`
      SELECT FROM orders WHERE buyer_id = ${shop.seller.id} AND kind = 'plan'`;
    expect(plans).toHaveLength(5);
  });
});

const sign = (body: string | Uint8Array) => hmac(MONEROO_WEBHOOK_SECRET, body);

type Sending = { readonly signature?: string | null; readonly type?: string };

async function send(
  body: string | Uint8Array<ArrayBuffer>,
  { signature = sign(body), type = "application/json" }: Sending = {},
) {
  const headers = new Headers({ "content-type": type });
  if (signature !== null) headers.set("x-moneroo-signature", signature);
  const url = `${app.url}/webhooks/moneroo`;
  const answer = await fetch(url, { method: "POST", headers, body });
  return { status: answer.status, text: await answer.text() };
}

/** Webhooks about payments and payouts: Moneroo has one address for both. */
const stored = () => app.value<number>`
  SELECT ((SELECT count(*) FROM provider_webhooks) + (SELECT count(*) FROM payout_webhooks))::int
    AS count`;

const dueChecks = ({ id }: OpenOrder) => app.value<number>`
  SELECT count(*)::int AS count FROM payment_checks JOIN payments p ON p.id = payment_id
  WHERE p.order_id = ${id} AND due_at <= ${app.clock.now()}`;

describe("a webhook", () => {
  test("correctly signed is stored and answered 200 whatever its content, before any lookup", async () => {
    const bodies = [
      '{"event":"payment.success","data":{"id":"py_nobody_knows","status":"success"}}',
      '{"event":"moon.landed","data":{}}',
      '{"event":"payout.success","data":{"id":"po_1"}}',
      "{ not json",
      "",
      "null",
      "[]",
      '{"data":{"id":"a\\u0000b"}}',
      '{"data":{"id":{"$ne":1}}}',
      `{"data":{"id":"${"x".repeat(5_000)}"}}`,
      Uint8Array.from([0, 255, 254, 0, 195, 40]),
    ];
    const before = await stored();
    const asked = { ...moneroo.limit.counts };
    for (const body of bodies) expect(await send(body)).toMatchObject({ status: 200 });
    expect(await stored()).toBe(before + bodies.length);
    expect(moneroo.limit.counts).toEqual(asked);
  });

  test("is accepted whatever content type it declares", async () => {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/xml"]) {
      expect(await send(`{"type":"${type}"}`, { type })).toMatchObject({ status: 200 });
    }
  });

  test("wrongly signed is answered 403 in French, and stores nothing", async () => {
    const body = '{"event":"payment.success","data":{"id":"py_forged"}}';
    const before = await stored();
    const signatures = [null, "", "0".repeat(64), sign(`${body} `), sign(body).toUpperCase()];
    for (const signature of signatures) {
      const answer = await send(body, { signature });
      expect(answer.status).toBe(403);
      expect(JSON.parse(answer.text)).toMatchObject({
        success: false,
        code: "checkout.webhook-not-signed",
      });
    }
    expect(await stored()).toBe(before);
  });

  test("repeated a hundred times at once is stored once, each answered 200", async () => {
    const body = '{"event":"payment.failed","data":{"id":"py_repeated"}}';
    const before = await stored();
    const answers = await Promise.all(Array.from({ length: 100 }, () => send(body)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await stored()).toBe(before + 1);
  });

  test("about an order not yet final causes a lookup at once, each time it comes", async () => {
    const order = await openOrder(shop);
    await app.drain();
    moneroo.fault("fetch", "500", Infinity);
    const body = `{"event":"payment.failed","data":{"id":"${order.paymentId}"}}`;
    expect(await dueChecks(order)).toBe(0);
    await send(body);
    expect(await dueChecks(order)).toBe(1);
    await app.drain();
    expect(await dueChecks(order)).toBe(0);
    await send(body);
    expect(await dueChecks(order)).toBe(1);
    moneroo.clearFaults();
    await app.drain();
  });

  test("with new content about a paid order causes one lookup, and with the same content none", async () => {
    const order = await openOrder(shop, await app.signInBuyer());
    await app.pay("moneroo", order.paymentId);
    const late = `{"event":"payment.failed","data":{"id":"${order.paymentId}"},"late":true}`;
    await send(late);
    expect(await dueChecks(order)).toBe(1);
    await app.drain();
    expect(await dueChecks(order)).toBe(0);
    await send(late);
    expect(await dueChecks(order)).toBe(0);
  });
});
