import type { ProductOnWire, PublicProductOnWire } from "@sesame/contract/catalogue";
import { PLACE_HELD_MS, type PlaceWaitAnswer } from "@sesame/contract/checkout";
import { DAY_MS, MINUTE_MS } from "@sesame/kernel";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { LinkedGroup, SignedInBuyer, SignedInSeller, TestApp } from "../../../test/harness.ts";
import { startTestApp } from "../../../test/harness.ts";
import { messagesTo } from "../../../test/said.ts";
import { buyProduct, publishProduct } from "../../../test/stage.ts";

let app: TestApp;
let seller: SignedInSeller;
let group: LinkedGroup;

beforeAll(async () => {
  app = await startTestApp();
  seller = await app.signInSeller();
  group = await app.linkGroup(seller);
});
afterAll(() => app.close());

const MONTH_MINUTES = 43_200;

/** A product of one place, which somebody has bought. */
async function soldOut(minutes = MONTH_MINUTES, stock = 1): Promise<ProductOnWire> {
  const product = await publishProduct(app, { seller, group }, { stock, minutes });
  for (let place = 0; place < stock; place++) {
    await buyProduct(app, await app.signInBuyer(), product.reference);
  }
  return product;
}

async function inTouch(): Promise<SignedInBuyer> {
  const buyer = await app.signInBuyer();
  app.world.telegram.sendMessage({
    personId: buyer.person.id,
    to: { bot: "buyer" },
    text: "/start",
  });
  return buyer;
}

const wait = (buyer: SignedInBuyer, { reference }: ProductOnWire, method = "POST") =>
  app.call<PlaceWaitAnswer & { code?: string }>(method, `/api/waits/${reference}`, {
    token: buyer.token,
  });
const order = (buyer: SignedInBuyer, { reference }: ProductOnWire) =>
  app.call<{ id?: string; code?: string }>("POST", "/api/orders", {
    token: buyer.token,
    body: { reference, provider: "moneroo" },
  });
/** The line is looked at once a minute. */
async function aMinute(): Promise<void> {
  app.clock.advance(MINUTE_MS);
  await app.drain();
}
const told = (buyer: SignedInBuyer, words: string) =>
  messagesTo(app.world, buyer.person.id, "buyer").filter(({ text }) => text.includes(words)).length;
const toldOfAPlace = (buyer: SignedInBuyer) => told(buyer, "Une place se libère");
const archive = (product: ProductOnWire) =>
  app.call("DELETE", `/api/products/${product.id}`, { token: seller.token });
const settle = (orderId: string | undefined, outcome: "success" | "failure") => {
  app.world.collectors.moneroo.settle(orderId ?? "", outcome);
  return app.drain();
};
const states = async (line: readonly SignedInBuyer[], product: ProductOnWire) =>
  Promise.all(line.map(async (buyer) => (await wait(buyer, product, "GET")).body.state));

describe("the line for a place", () => {
  test("is joined once however often it is asked, and left", async () => {
    const product = await soldOut();
    const [first, second] = [await inTouch(), await inTouch()];
    await Promise.all([wait(first, product), wait(first, product), wait(first, product)]);
    expect((await wait(second, product)).body).toMatchObject({ state: "waiting", position: 2 });
    expect((await wait(first, product)).body).toMatchObject({ state: "waiting", position: 1 });
    const seen = await app.call<{ product: ProductOnWire }>("GET", `/api/products/${product.id}`, {
      token: seller.token,
    });
    expect(seen.body.product.waiting).toBe(2);
    expect((await wait(first, product, "DELETE")).body.state).toBe("none");
    expect((await wait(first, product, "DELETE")).body.state).toBe("none");
    expect((await wait(second, product, "GET")).body.position).toBe(1);
    const third = await inTouch();
    await wait(third, product);
    // Who erases his data waits for nothing.
    const { token } = second;
    await app.call("POST", "/api/me/delete", { token, body: { confirm: true } });
    expect((await wait(third, product, "GET")).body.position).toBe(1);
  });

  test("is for products with limited places that have none left", async () => {
    const buyer = await inTouch();
    const unlimited = await publishProduct(app, { seller, group });
    expect((await wait(buyer, unlimited)).body.code).toBe("checkout.no-places");
    const free = await publishProduct(app, { seller, group }, { stock: 1 });
    expect((await wait(buyer, free)).body.code).toBe("checkout.place-free");
    expect((await wait(buyer, { ...free, reference: "absent-one" })).status).toBe(404);
    const own = await app.call("POST", `/api/waits/${free.reference}`, { token: seller.token });
    expect(own.body).toMatchObject({ code: "checkout.own-product" });
  });

  test("is served in its order when an access ends, one person for one place", async () => {
    const product = await soldOut(1_440);
    const line = [await inTouch(), await inTouch(), await inTouch()];
    for (const buyer of line) await wait(buyer, product);
    await aMinute();
    expect(await states(line, product)).toEqual(["waiting", "waiting", "waiting"]);
    app.clock.advance(DAY_MS);
    await app.drain();
    await aMinute();
    expect(await states(line, product)).toEqual(["held", "waiting", "waiting"]);
    expect(line.map(toldOfAPlace)).toEqual([1, 0, 0]);
    // He lets his time pass: the next one's turn.
    app.clock.advance(PLACE_HELD_MS);
    await aMinute();
    expect(await states(line, product)).toEqual(["none", "held", "waiting"]);
    expect(line.map(toldOfAPlace)).toEqual([1, 1, 0]);
  });

  test("one place and ten in line, all tapping at once: the first one has it", async () => {
    const product = await soldOut(1_440);
    const line = await Promise.all(Array.from({ length: 10 }, inTouch));
    for (const buyer of line) await wait(buyer, product);
    const stranger = await app.signInBuyer();
    app.clock.advance(DAY_MS);
    await app.drain();
    // Free, and nobody was told yet: the first of the line is before all others already.
    const early = await Promise.all([stranger, ...line.slice(1)].map((one) => order(one, product)));
    expect(new Set(early.map(({ body }) => body.code))).toEqual(new Set(["checkout.sold-out"]));
    await aMinute();
    const tapped = await Promise.all([stranger, ...line].map((one) => order(one, product)));
    expect(tapped.map(({ status }) => status)).toEqual([422, 201, ...Array(9).fill(422)]);
    expect(line.map(toldOfAPlace)).toEqual([1, ...Array(9).fill(0)]);
    await buyProduct(app, line[0] as SignedInBuyer, product.reference);
    await aMinute();
    // He waits no more, and may renew.
    expect((await wait(line[0] as SignedInBuyer, product, "GET")).body.state).toBe("free");
    expect((await wait(line[1] as SignedInBuyer, product, "GET")).body.position).toBe(1);
  });

  test("moves at once when its seller adds places, and opens when they are unlimited", async () => {
    const product = await soldOut();
    const line = [await inTouch(), await inTouch(), await inTouch(), await inTouch()];
    for (const buyer of line) await wait(buyer, product);
    const stock = (places: string) =>
      app.call("PUT", `/api/products/${product.id}`, {
        token: seller.token,
        body: { stock: places },
      });
    await stock("3");
    await app.drain();
    expect(await states(line, product)).toEqual(["held", "held", "waiting", "waiting"]);
    await stock("");
    await app.drain();
    expect(await states(line, product)).toEqual(["held", "held", "held", "held"]);
  });

  test("gives the place of who withdraws to the next, and that of a refund", async () => {
    const product = await publishProduct(app, { seller, group }, { stock: 1 });
    const orderId = await buyProduct(app, await app.signInBuyer(), product.reference);
    const line = [await inTouch(), await inTouch()];
    for (const buyer of line) await wait(buyer, product);
    const refund = await app.call("POST", `/api/orders/${orderId}/refund`, {
      token: seller.token,
      body: { motif: "Erreur" },
    });
    expect(refund.body).toMatchObject({ success: true });
    await aMinute();
    expect(await states(line, product)).toEqual(["held", "waiting"]);
    await wait(line[0] as SignedInBuyer, product, "DELETE");
    await app.drain();
    expect(await states(line, product)).toEqual(["none", "held"]);
  });

  test("waits with a product that is switched off, and ends with one that is archived", async () => {
    const product = await soldOut(1_440);
    const buyer = await inTouch();
    await wait(buyer, product);
    const change = (status: string) =>
      app.call("PUT", `/api/products/${product.id}`, { token: seller.token, body: { status } });
    await change("inactive");
    app.clock.advance(DAY_MS);
    await aMinute();
    expect(await states([buyer], product)).toEqual(["waiting"]);
    await change("active");
    await aMinute();
    expect(await states([buyer], product)).toEqual(["held"]);
    // His time passes while nothing can be bought: his turn is to come.
    await change("inactive");
    app.clock.advance(PLACE_HELD_MS);
    await aMinute();
    expect(await states([buyer], product)).toEqual(["waiting"]);
    await change("active");
    await aMinute();
    expect(toldOfAPlace(buyer)).toBe(2);
    await archive(product);
    await aMinute();
    expect(await states([buyer], product)).toEqual(["none"]);
    const { rows } = await sql`SELECT FROM place_lines WHERE product_id = ${product.id}`.execute(
      app.db,
    );
    expect(rows).toEqual([]);
  });

  test("tells who waits, once, that the product sells no more", async () => {
    const product = await soldOut(1_440);
    const [held, paying, waiting] = [await inTouch(), await inTouch(), await inTouch()];
    for (const buyer of [paying, held, waiting]) await wait(buyer, product);
    app.clock.advance(DAY_MS);
    await app.drain();
    await app.call("PUT", `/api/products/${product.id}`, {
      token: seller.token,
      body: { stock: "2" },
    });
    await app.drain();
    const { body } = await order(paying, product);
    expect(await states([held, paying, waiting], product)).toEqual(["held", "held", "waiting"]);
    await archive(product);
    await aMinute();
    await aMinute();
    const closed = () => [held, paying, waiting].map((one) => told(one, "n'est plus en vente"));
    // Whoever is paying has his place still.
    expect(closed()).toEqual([1, 0, 1]);
    await settle(body.id, "success");
    await aMinute();
    expect(closed()).toEqual([1, 0, 1]);
    expect(await states([held, paying, waiting], product)).toEqual(["none", "none", "none"]);
  });

  test("keeps a place for who began to pay in time, and no longer than his payment", async () => {
    const product = await soldOut(1_440);
    const line = [await inTouch(), await inTouch(), await inTouch()];
    const [first, second] = line as [SignedInBuyer, SignedInBuyer];
    for (const buyer of line) await wait(buyer, product);
    app.clock.advance(DAY_MS);
    await app.drain();
    await aMinute();
    app.clock.advance(PLACE_HELD_MS - 2 * MINUTE_MS);
    const { body } = await order(first, product);
    expect(body.id).toBeDefined();
    app.clock.advance(5 * MINUTE_MS);
    await aMinute();
    expect(line.map(toldOfAPlace)).toEqual([1, 0, 0]);
    app.clock.advance(10 * MINUTE_MS);
    await aMinute();
    expect(await states(line, product)).toEqual(["none", "held", "waiting"]);
    await buyProduct(app, second, product.reference);
    await aMinute();
    expect(line.map(toldOfAPlace)).toEqual([1, 1, 0]);
  });

  test("loses who has his data erased, and his place is the next one's", async () => {
    const product = await soldOut(1_440);
    const line = [await inTouch(), await inTouch()];
    const [gone, next] = line as [SignedInBuyer, SignedInBuyer];
    for (const buyer of line) await wait(buyer, product);
    const kept = await app.call<{ as_buyer: { waits: object[] } }>("GET", "/api/me/export", gone);
    expect(kept.body.as_buyer.waits).toMatchObject([{ outcome: null }]);
    app.clock.advance(DAY_MS);
    const { token } = gone;
    const erased = await app.call("POST", "/api/me/delete", { token, body: { confirm: true } });
    expect(erased.status).toBe(200);
    await app.drain();
    await aMinute();
    expect(line.map(toldOfAPlace)).toEqual([0, 1]);
    expect(await states([next], product)).toEqual(["held"]);
  });

  test("is what the page counts: a place that is promised is left to nobody else", async () => {
    const product = await soldOut(1_440);
    const buyer = await inTouch();
    await wait(buyer, product);
    app.clock.advance(DAY_MS);
    await app.drain();
    await aMinute();
    const page = await app.call<PublicProductOnWire>(
      "GET",
      `/api/products/${seller.id}/${product.id}`,
    );
    expect(page.body.places_left).toBe(0);
    expect((await order(buyer, product)).status).toBe(201);
  });
});
