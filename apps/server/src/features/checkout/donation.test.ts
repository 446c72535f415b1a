import { type OrderAnswer } from "@sesame/contract/checkout";
import { assert } from "@sesame/kernel";
import { afterAll, describe, expect, test } from "vitest";
import { leaseOne } from "../../../test/tables.ts";
import { OPERATOR_ID, type SignedInBuyer, startTestApp } from "../../../test/harness.ts";
import { outcomeOf, sellByAll } from "../../../test/payments.ts";
import { createRefundFixtures } from "../../../test/refunds.ts";
import { publishDonation } from "../../../test/sales.ts";
import { checkoutJobs } from "./jobs.ts";

const app = await startTestApp();
const seller = await app.seller();
await sellByAll(app, seller);
const don = await publishDonation(app, seller);
const fixture = createRefundFixtures(app);
afterAll(async () => expect(await fixture.broken()).toEqual([]));

/** A donor to whom the bot may write. */
async function donor(): Promise<SignedInBuyer> {
  const buyer = await app.buyerInTouch();
  await app.drain();
  return buyer;
}

const begin = (buyer: SignedInBuyer, amount: number) =>
  app.done("POST /api/orders", buyer, { reference: don.reference, provider: "moneroo", amount });

async function give(buyer: SignedInBuyer, amount: number): Promise<string> {
  const { id } = await begin(buyer, amount);
  await app.pay("moneroo", id);
  return id;
}

describe("a donation product", () => {
  test("needs neither group, nor duration, nor image, and accepts donations at once", async () => {
    expect(don).toMatchObject({
      kind: "donation",
      price: 500,
      suggestions: [1_000, 5_000],
      group: null,
      group_id: null,
      duration: 0,
      status: "active",
    });
    const page = await app.send("GET /api/public/products/:reference", undefined, {
      reference: don.reference,
    });
    expect(page.body).toMatchObject({ kind: "donation", group: null, places_left: null });
  });

  test.each([
    [{ price: "99" }, "catalogue.price-out-of-range"],
    [{ suggestions: "100" }, "catalogue.suggestions-invalid"],
    [{ suggestions: "600,700,800,900,1000" }, "catalogue.suggestions-invalid"],
    [{ suggestions: "2000000" }, "catalogue.suggestions-invalid"],
    [{ kind: "prêt" }, "catalogue.kind-unknown"],
    [{ title: " " }, "catalogue.fields-missing"],
  ])("is refused with %o: %s", async (wrong, code) => {
    const form = { kind: "donation", title: "Don", price: "500", ...wrong };
    const answer = await app.call("POST", "/api/products", { token: seller.token, form });
    expect(answer.body).toMatchObject({ success: false, code });
  });

  test("is edited: suggestions below a new minimum are omitted", async () => {
    const other = await publishDonation(app, seller, "600, 2000");
    const form = { title: "Aidez-nous", price: "1000" };
    const path = `/api/products/${other.id}`;
    const answer = await app.call("PUT", path, { token: seller.token, form });
    const product = { title: "Aidez-nous", price: 1_000, suggestions: [2_000] };
    expect(answer.body).toMatchObject({ product });
  });
});

describe("the amount of an order", () => {
  test.each([
    [undefined, "checkout.amount-invalid"],
    ["beaucoup", "checkout.amount-invalid"],
    [499, "checkout.amount-too-low"],
    [1_000_001, "checkout.amount-too-high"],
    [600.5, "checkout.amount-invalid"],
    [-5_000, "checkout.amount-invalid"],
  ])("%s is refused: %s", async (amount, code) => {
    const buyer = await app.signInBuyer();
    const asked = { reference: don.reference, provider: "moneroo", amount };
    const answer = await app.send("POST /api/orders", buyer, asked);
    expect(answer).toMatchObject({ status: 422, body: { success: false, code } });
  });

  test("can be chosen for a donation only", async () => {
    const asked = { plan: "payant", provider: "moneroo", amount: 100 };
    const answer = await app.send("POST /api/orders", seller, asked);
    expect(answer.body).toMatchObject({ code: "checkout.amount-not-free" });
  });

  test("is quoted in another currency for the donor's amount", async () => {
    const { reference } = don;
    const quoteOf = async (asked: object) => {
      const { providers } = await app.read("GET /api/payment-providers", undefined, asked);
      return providers.find(({ id }) => id === "cryptopay")?.quote;
    };
    expect(await quoteOf({ reference })).toBeNull();
    const quote = { currency: "EUR", amount: "100.00" };
    expect(await quoteOf({ reference, amount: 65_595 })).toMatchObject(quote);
  });
});

describe("a paid donation", () => {
  test("credits the seller less the fee, opens nothing, and both are notified", async () => {
    const buyer = await donor();
    const before = await fixture.sellerHas(seller);
    const orderId = await give(buyer, 1_234);
    // 18 % of 1 234 is 222,12: rounded down.
    expect((await fixture.sellerHas(seller)) - before).toBe(1_012);
    expect(await outcomeOf(app, orderId)).toMatchObject({ order: "paid", sales: 1, accesses: 0 });
    const order = await fixture.order(buyer, orderId);
    expect(order).toMatchObject({
      kind: "donation",
      amount: 1_234,
      group: null,
      access: null,
      duration: 0,
      may_complain: ["other"],
    } satisfies Partial<OrderAnswer>);
    const thanks = app.messagesTo(buyer.person.id, "buyer").at(-1)?.text;
    expect(thanks).toContain("Merci pour votre don");
    expect(thanks).toContain(`don n° ${orderId}`);
    const notified = app.messagesTo(seller.person.id, "seller").at(-1)?.text;
    expect(notified).toContain("Don reçu");
  });

  test("gets one thank-you, even if the worker dies right after it", async () => {
    const buyer = await donor();
    const { id: orderId } = await begin(buyer, 600);
    const now = app.clock.now();
    await app.sql`SELECT settle_payments('donation', array_agg(id), ARRAY[${now}]::timestamptz[], ${now})
      FROM payments WHERE order_id = ${orderId}`;
    const [thanks] = checkoutJobs(app.core);
    const job = await leaseOne(app, "donations.thank");
    assert(thanks && job, "a donation that is paid has its thanks to be said");
    await thanks.run(job);
    await app.advance(1_000);
    const said = app.messagesTo(buyer.person.id, "buyer");
    expect(said.filter(({ text }) => text.includes(`don n° ${orderId}`))).toHaveLength(1);
  });
});

describe("a donation in the lists", () => {
  test("is in the seller's history and in the product's own, without a group", async () => {
    const buyer = await app.signInBuyer();
    const orderId = await give(buyer, 900);
    const { transactions } = await app.read("GET /api/transactions", seller);
    expect(transactions[0]).toMatchObject({ id: orderId, amount: 900, duration: 0 });
    const gifts = await app.read("GET /api/subscriptions", seller, { product: don.id });
    const gift = { id: orderId, group_id: "", dateRenouvellement: null };
    expect(gifts.subscriptions[0]).toMatchObject(gift);
  });

  test("is found in the back office, with a detail that names it a donation", async () => {
    const operator = await app.signInSeller({ id: OPERATOR_ID, first_name: "Fanta" });
    const buyer = await app.signInBuyer();
    const orderId = await give(buyer, 800);
    const found = await app.call("GET", `/api/desk/search?q=${orderId}`, operator);
    expect(found.status).toBe(200);
    const sheet = await fixture.sheet(operator, orderId);
    expect(sheet).toMatchObject({ kind: "donation", kind_label: "Don", group: null });
  });
});

test("a refunded donation returns whole, and ends nobody's membership", async () => {
  const buyer = await donor();
  const before = await fixture.sellerHas(seller);
  const orderId = await give(buyer, 5_000);
  const refunded = await fixture.bySeller(seller, orderId);
  expect(refunded.status).toBe(200);
  await app.drain();
  expect(await fixture.sellerHas(seller)).toBe(before);
  const order = await fixture.order(buyer, orderId);
  expect(order).toMatchObject({ status: "refunded", refund: { amount: 5_000 } });
  expect(app.textsTo(buyer.person.id, "buyer").join("\n")).toContain("Votre don");
});
