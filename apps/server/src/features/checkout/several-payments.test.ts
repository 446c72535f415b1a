import type { OrderAnswer } from "@sesame/contract/checkout";
import { addMs, DAY_MS, MINUTE_MS } from "@sesame/kernel";
import { check } from "@sesame/ledger";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { sellMany } from "../../../test/bulk-sales.ts";
import type { SignedInBuyer } from "../../../test/harness.ts";
import {
  callOrder,
  createOwnAccountFixtures,
  mendAll,
  outcomeOf,
  sellByAll,
  settleAt,
  type Tried,
  tryAt,
} from "../../../test/payments.ts";
import { openShop, publishDonation, publishProduct, type Shop } from "../../../test/sales.ts";
import { many } from "../../postgres/database.ts";
import { brokenAccesses, brokenSales } from "../../upkeep/books.view.ts";
import { whileBusy } from "./open-payment.ts";
import { claimOpening, releaseOpening } from "./opening.ts";
import { settleConfirmed } from "./settle.ts";

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

async function paymentsOf(orderId: string) {
  return many<{ provider: string; reference: string; status: string }>(shop.app.db)`
    SELECT provider, reference, status FROM payments WHERE order_id = ${orderId} ORDER BY id
  `;
}

describe("two orders of one buyer", () => {
  test("settled by processes whose clocks differ are time paid, and no alarm", async () => {
    const { db, clock } = shop.app;
    const now = clock.now();
    const dueAt = addMs(now, 1_000 * DAY_MS);
    const size = { sellers: 1, buyers: 1, orders: 2, now, dueAt };
    const [first = 0n, second = 0n] = (await sellMany(db, size)).payments;
    const settleAs = (paymentId: bigint, at: Date) =>
      settleConfirmed(db, [{ paymentId, occurredAt: at }], at);
    await settleAs(first, addMs(now, 3_000));
    await settleAs(second, now);
    expect(await brokenAccesses(db, 10)).toEqual([]);
  });
});

describe("an order", () => {
  test("survives a change of provider, numbers its payments, and names who was paid", async () => {
    const first = await order("moneroo");
    const second = await change(first, "fedapay");
    expect(second.orderId).toBe(first.orderId);
    expect(second.reference).toBe(`${first.orderId}-2`);
    expect(await read(first)).toMatchObject({ provider: "fedapay", opens: "widget" });
    await paysAt(second);
    expect(await read(first)).toMatchObject({
      status: "paid",
      kind: "product",
      direct: false,
      provider: "fedapay",
      provider_name: "FedaPay",
      paid_twice: false,
      payment_url: null,
      payments: [
        { provider: "moneroo", status: "pending" },
        { provider: "fedapay", status: "paid" },
      ],
    });
    const refused = await callOrder(shop.app, { ...first, provider: "paydunya" });
    expect(refused).toMatchObject({ status: 409, body: { code: "checkout.already-paid" } });
  });

  test.each([
    ["moneroo", "cryptopay", "in that order"],
    ["kkiapay", "moneroo", "the other way round"],
    ["paydunya", "fedapay", "at once"],
  ] as const)(
    "paid at %s and at %s, %s, is sold once; the second is set aside and said",
    async (...row) => {
      const [one, other, when] = row;
      const first = await order(one);
      const second = await change(first, other);
      const turns = when === "the other way round" ? [second, first] : [first, second];
      for (const turn of turns) {
        settleAt(shop.app, turn, "success");
        if (when !== "at once") await shop.app.drain();
      }
      await shop.app.drain();
      const outcome = await outcomeOf(shop.app, first.orderId);
      expect(outcome).toMatchObject({ order: "paid", sales: 1, accesses: 1 });
      const answer = await read(first);
      expect(answer.paid_twice).toBe(true);
      expect(answer.payments.map(({ status }) => status)).toEqual(["paid", "paid"]);
      if (when !== "at once") expect(answer.provider).toBe(turns[0]?.provider);
      expect(answer.refund).toMatchObject({ amount: 5_000, surplus: true });
    },
  );

  test("tapped at two providers, and twice at one, at once opens one payment at each", async () => {
    const { buyer, orderId } = await order("moneroo");
    const taps = (["fedapay", "paydunya", "fedapay", "paydunya", "fedapay"] as const).map(
      (provider) => callOrder(shop.app, { buyer, provider, orderId }),
    );
    const answers = await Promise.all(taps);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    expect(new Set(answers.map(({ body }) => body.payment_url)).size).toBe(2);
    const payments = await paymentsOf(orderId);
    expect(payments.map(({ provider }) => provider).toSorted()).toEqual([
      "fedapay",
      "moneroo",
      "paydunya",
    ]);
    expect(new Set(payments.map(({ reference }) => reference)).size).toBe(3);
  });

  test("that somebody else is opening waits for him, and for nobody who is gone", async () => {
    const first = await order("moneroo");
    const until = addMs(shop.app.clock.now(), 20_000);
    const lease = (instant: Date | null) =>
      sql`UPDATE orders SET opening_until = ${instant} WHERE id = ${first.orderId}`.execute(
        shop.app.db,
      );
    await lease(until);
    const waiting = callOrder(shop.app, { ...first, provider: "fedapay" });
    await lease(null);
    expect((await waiting).status).toBe(201);
    await lease(until);
    shop.app.clock.advance(2 * MINUTE_MS);
    expect((await change(first, "paydunya")).reference).toBe(`${first.orderId}-3`);
    // A clock that ran ahead wrote it.
    await lease(addMs(shop.app.clock.now(), 40 * DAY_MS));
    expect((await change(first, "kkiapay")).reference).toBe(`${first.orderId}-4`);
  });

  test("failed at one provider waits again at another, and a late yes of the first counts", async () => {
    const first = await order("moneroo");
    settleAt(shop.app, first, "failure");
    await shop.app.drain();
    expect((await read(first)).status).toBe("failed");
    const again = await change(first, "paydunya");
    expect((await read(first)).status).toBe("pending");
    await paysAt(first);
    expect(await read(first)).toMatchObject({ status: "paid", provider: "moneroo" });
    await paysAt(again);
    expect((await read(first)).paid_twice).toBe(true);
  });

  test("of a batch that comes late is flagged when it found no place, and only then", async () => {
    const { app } = shop;
    const { reference: product } = await publishProduct(app, shop, { stock: 5 });
    const buyers = await Promise.all(Array.from({ length: 5 }, () => app.signInBuyer()));
    const late: Tried[] = [];
    for (const buyer of buyers)
      late.push(await tryAt(app, { buyer, provider: "moneroo", product }));
    const ids = late.map(({ orderId }) => BigInt(orderId));
    const now = addMs(app.clock.now(), 2 * DAY_MS);
    await sql`UPDATE products SET stock = 3 WHERE reference = ${product}`.execute(app.db);
    const { rows } = await sql<{ id: bigint }>`
      SELECT id FROM payments WHERE order_id = ANY(${ids}::bigint[])
    `.execute(app.db);
    const batch = rows.map(({ id }) => ({ paymentId: id, occurredAt: now }));
    expect(await settleConfirmed(app.db, batch, now)).toHaveLength(5);
    const flagged = await Promise.all(late.map(({ orderId }) => outcomeOf(app, orderId)));
    expect(flagged.map(({ accesses, alerts }) => [accesses, alerts.length])).toEqual([
      [1, 0],
      [1, 0],
      [1, 0],
      [1, 1],
      [1, 1],
    ]);
  });

  test("failed and tried once more has its place again while the provider thinks", async () => {
    const { app } = shop;
    const { reference: product } = await publishProduct(app, shop, { stock: 1 });
    const [buyer, other] = [await app.signInBuyer(), await app.signInBuyer()];
    const first = await tryAt(app, { buyer, provider: "moneroo", product });
    settleAt(app, first, "failure");
    await app.drain();
    const orderId = BigInt(first.orderId);
    const account = { provider: "fedapay", keyId: null } as const;
    const opening = { orderId, account, now: app.clock.now(), rate: 60, repeats: false };
    expect(await claimOpening(app.db, opening)).toMatchObject({ kind: "open" });
    const wish = { buyer: other, provider: "moneroo", product } as const;
    expect((await callOrder(app, wish)).body.code).toBe("checkout.sold-out");
    await releaseOpening(app.db, orderId);
    await paysAt(await tryAt(app, wish));
    // Paid after all, when its place is another's: let in, and the desk is told.
    await paysAt(first);
    const { alerts, accesses } = await outcomeOf(app, first.orderId);
    expect([alerts, accesses]).toEqual([["places.exceeded"], 1]);
  });

  test("whose provider does not answer says so in the words of B, and is paid by another", async () => {
    shop.app.emulators.collectors.moneroo.fault("create", "500");
    const buyer = await shop.app.signInBuyer();
    const product = shop.product.reference;
    const failed = await callOrder(shop.app, { buyer, provider: "moneroo", product });
    expect(failed).toMatchObject({
      status: 503,
      body: {
        code: "checkout.provider-silent",
        message: "Erreur réseau - Problème CORS possible. Contactez l'administrateur.",
      },
    });
    const orderId = failed.body.order_id ?? "";
    const opened = await tryAt(shop.app, { buyer, provider: "paydunya", orderId });
    await paysAt(opened);
    expect((await read(opened)).status).toBe("paid");
  });

  test("is not paid again while what came does not match, nor after three days", async () => {
    const first = await order("moneroo");
    settleAt(shop.app, first, "success");
    shop.app.emulators.collectors.moneroo.alter(first.reference ?? "", { amount: 1_000 });
    await shop.app.drain();
    const again = await callOrder(shop.app, { ...first, provider: "fedapay" });
    expect(again).toMatchObject({ status: 409, body: { code: "checkout.under-review" } });
    const old = await order("moneroo");
    await pass(3 * DAY_MS);
    const late = await callOrder(shop.app, { ...old, provider: "fedapay" });
    expect(late).toMatchObject({ status: 422, body: { code: "checkout.order-too-old" } });
  });

  test("is changed by its buyer alone, and tried a dozen times at most", async () => {
    const first = await order("moneroo");
    const stranger = await shop.app.signInBuyer();
    for (const { token } of [stranger, shop.seller]) {
      const answer = await shop.app.call("POST", `/api/orders/${first.orderId}/payment`, {
        token,
        body: { provider: "fedapay" },
      });
      expect(answer).toMatchObject({ status: 404, body: { code: "checkout.order-not-found" } });
    }
    await sql`UPDATE orders SET payments_opened = 12 WHERE id = ${first.orderId}`.execute(
      shop.app.db,
    );
    settleAt(shop.app, first, "failure");
    await shop.app.drain();
    const answer = await callOrder(shop.app, { ...first, provider: "moneroo" });
    expect(answer.body.code).toBe("checkout.too-many-tries");
  });
});

describe("a seller's own account", () => {
  const own = async () => {
    const { product, ...rest } = await createOwnAccountFixtures(shop.app).sellerCollecting(
      "moneroo",
    );
    return { ...rest, product: product.reference };
  };

  test("and the instance's, both paid in whichever order, sell once and give one back", async () => {
    const { product } = await own();
    for (const directFirst of [true, false]) {
      const buyer = await shop.app.signInBuyer();
      const first = await tryAt(shop.app, { buyer, provider: "moneroo", product });
      const second = await change(first, "paydunya");
      for (const turn of directFirst ? [first, second] : [second, first]) await paysAt(turn);
      expect(await read(first)).toMatchObject({
        status: "paid",
        direct: directFirst,
        provider: directFirst ? "moneroo" : "paydunya",
        paid_twice: true,
        refund: { surplus: true, direct: !directFirst },
      });
      const outcome = await outcomeOf(shop.app, first.orderId);
      expect(outcome).toMatchObject({ sales: directFirst ? 0 : 1, accesses: 1 });
    }
  });

  test("collects a don whole: it is his, and in no book of ours", async () => {
    const { seller } = await own();
    const { reference: product } = await publishDonation(shop.app, seller);
    const buyer = await shop.app.signInBuyer();
    const tried = await tryAt(shop.app, { buyer, provider: "moneroo", product, amount: 1_500 });
    await paysAt(tried);
    expect(await read(tried)).toMatchObject({ status: "paid", kind: "donation", direct: true });
    expect(await outcomeOf(shop.app, tried.orderId)).toMatchObject({ sales: 0, accesses: 0 });
    const asked = { token: seller.token };
    const { body } = await shop.app.call("GET", "/api/statistics?periode=week", asked);
    expect(body).toMatchObject({ frais: 0, direct: 1_500, brut: { valeur: 1_500 } });
  });

  test("is told by its own door, and wakes no payment of another's", async () => {
    const { webhookUrl, product } = await own();
    const buyer = await shop.app.signInBuyer();
    const tried = await tryAt(shop.app, { buyer, provider: "moneroo", product });
    await paysAt(tried);
    expect((await read(tried)).status).toBe("paid");
    const { pathname } = new URL(webhookUrl);
    const said = async (path: string) =>
      (await shop.app.call<{ code?: string }>("POST", path, { body: { event: "x" } })).status;
    expect(await said(pathname)).toBe(403);
    expect(await said("/webhooks/moneroo/999999")).toBe(404);
    expect(await said(pathname.replace("moneroo", "fedapay"))).toBe(404);
    expect(await said("/webhooks/nobody/1")).toBe(404);
    expect(await said("/webhooks/moneroo/x")).toBe(404);
  });
});

/** Time that passes only in pauses. */
function stopwatch() {
  let ms = 0;
  return { now: () => ms, pause: async (more: number) => void (ms += more) };
}

test("somebody else's opening is waited for as long as a call to a provider may take, and no longer", async () => {
  const watch = stopwatch();
  expect(await whileBusy(async () => ({ kind: "busy" }), watch)).toEqual({ kind: "busy" });
  expect(watch.now()).toBeGreaterThan(13_000);
  expect(watch.now()).toBeLessThanOrEqual(13_000 + 150);
});

test("what is free is taken at the next look", async () => {
  const watch = stopwatch();
  const look = async () => ({ kind: watch.now() < 1_000 ? "busy" : "open" });
  expect(await whileBusy(look, watch)).toEqual({ kind: "open" });
  expect(watch.now()).toBe(1_050);
});
