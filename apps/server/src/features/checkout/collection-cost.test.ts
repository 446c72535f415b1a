import type { CreateOrderAnswer, KnownProvider } from "@sesame/contract/checkout";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createOwnAccountFixtures, sellByAll } from "../../../test/payments.ts";
import { startRefunds } from "../../../test/refunds.ts";
import { publishDonation } from "../../../test/sales.ts";
import { brokenSales } from "../../maintenance/books.view.ts";

const { app, fixture, refunds, operator } = await startRefunds();
const shop = await fixture.openShop();
let before: number;

const costs = async () => -(await refunds.francs("platform:provider-costs"));

await sellByAll(app, shop.seller);
const changes = { collection_costs: { moneroo: 250, paydunya: 199 } };
await app.done("PUT /api/desk/settings", operator, { changes });
beforeEach(async () => {
  before = await costs();
});
afterEach(async () => {
  expect(await refunds.broken()).toEqual([]);
  expect(app.takeErrors()).toEqual([]);
});

const order = async (provider: KnownProvider) =>
  refunds.place(await fixture.buyerInTouch(), { reference: shop.reference, provider });

async function pay(provider: KnownProvider, { id, amount }: CreateOrderAnswer, paid = amount) {
  if (provider === "kkiapay") return refunds.payByKkiapay(id, paid);
  await app.pay(provider, id);
}

async function decide(orderId: string, outcome: "honour" | "give-back") {
  const [payment] = (await refunds.sheet(operator, orderId)).payments;
  const decision = { id: payment?.id, outcome, reason: "Vu chez eux" };
  await app.done("POST /api/desk/payments/:id/decide", operator, decision);
  await app.drain();
}

describe("a provider's fee for a collection is a cost of the platform", () => {
  test.each([
    ["kkiapay", 95, "as it says"],
    ["fedapay", 0, "as it says: the buyer pays it"],
    ["moneroo", 125, "by the operator's rate"],
    ["paydunya", 99, "by the operator's rate, rounded down"],
    ["cryptopay", 0, "nothing without a rate"],
  ] as const)("%s: %i F of 5 000, %s", async (provider, cost, _why) => {
    const seller = await refunds.sellerHas(shop.seller);
    const held = await refunds.francs(`provider:${provider}`);
    const made = await order(provider);
    await pay(provider, made);
    expect((await costs()) - before).toBe(cost);
    expect((await refunds.francs(`provider:${provider}`)) - held).toBe(cost - 5_000);
    expect((await refunds.sellerHas(shop.seller)) - seller).toBe(4_100);
    const lines = (await refunds.sheet(operator, made.id)).lines.map(({ amount }) => amount);
    expect(lines.includes(-cost) && lines.includes(cost)).toBe(cost > 0);
    await app.drain();
    expect((await costs()) - before).toBe(cost);
  });

  test("for a donation and for a plan as for a sale", async () => {
    const don = await publishDonation(app, shop.seller);
    const buyer = await fixture.buyerInTouch();
    const given = { reference: don.reference, provider: "moneroo", amount: 1_000 };
    await pay("moneroo", await refunds.place(buyer, given));
    expect((await costs()) - before).toBe(25);
    const seller = await app.signInSeller();
    await pay("moneroo", await refunds.place(seller, { plan: "payant", provider: "moneroo" }));
    expect((await costs()) - before).toBe(25 + 125);
  });

  test("for each of two payments with one reference", async () => {
    const made = await order("kkiapay");
    await pay("kkiapay", made);
    await pay("kkiapay", made, 1_000);
    expect((await refunds.sheet(operator, made.id)).refunds).toMatchObject([{ amount: 1_000 }]);
    expect((await costs()) - before).toBe(95 + 19);
  });

  test.each([
    ["honour", "kkiapay", 57],
    ["honour", "moneroo", 75],
    ["give-back", "kkiapay", 57],
    ["give-back", "moneroo", 75],
  ] as const)("for a mismatched payment, once: %s at %s", async (outcome, provider, cost) => {
    const made = await order(provider);
    if (provider === "moneroo") app.emulators.collectors.moneroo.alter(made.id, { amount: 3_000 });
    await pay(provider, made, 3_000);
    expect((await costs()) - before).toBe(0);
    if (provider === "moneroo") await refunds.aDayLater();
    // A day later it is in suspense, without a decision.
    expect((await costs()) - before).toBe(0);
    await decide(made.id, outcome);
    expect((await costs()) - before).toBe(cost);
  });

  test("for a payment after which another with the same reference matched", async () => {
    const made = await order("kkiapay");
    await pay("kkiapay", made, 3_000);
    await refunds.aDayLater();
    await pay("kkiapay", made);
    expect((await refunds.sheet(operator, made.id)).status).toBe("paid");
    expect((await costs()) - before).toBe(95 + 57);
  });

  test("never for a seller's own account", async () => {
    const setup = createOwnAccountFixtures(app);
    const { seller, product } = await setup.sellerCollecting("moneroo");
    const at = await costs();
    const buyer = await fixture.buyerInTouch();
    const { body: made } = await setup.order(buyer, product.reference, "moneroo");
    await pay("moneroo", made);
    expect((await refunds.order(seller, made.id)).direct).toBe(true);
    expect((await costs()) - at).toBe(0);
  });

  test("and is displayed with the day's cash float", async () => {
    const kept = async () => {
      const { floats } = await app.read("GET /api/desk/day", operator);
      return floats.find(({ account }) => account === "provider:moneroo")?.costs ?? 0;
    };
    const at = await kept();
    await pay("moneroo", await order("moneroo"));
    expect((await kept()) - at).toBe(125);
  });
});

test("a cost without a transfer breaks an invariant", async () => {
  const undone = new Error("undone");
  const planted = app.db.transaction().execute(async (tx) => {
    await sql`UPDATE payments SET cost = 1 WHERE id = (
      SELECT max(id) FROM payments WHERE status = 'paid' AND cost > 1)`.execute(tx);
    const broken = await brokenSales(tx, 10);
    expect(broken.map(({ invariant }) => invariant)).toEqual([
      "francs beside a payment",
      "cash at a provider",
    ]);
    throw undone;
  });
  await expect(planted).rejects.toBe(undone);
});
