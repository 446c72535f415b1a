import { DAY_MS, MINUTE_MS } from "@sesame/kernel";
import { expect, test } from "vitest";
import type { SignedInBuyer } from "../../../test/harness.ts";
import { openOrder, openShop } from "../../../test/sales.ts";

/** Complaints about unpaid orders, by one person and by many. */

const shop = await openShop();
const { app } = shop;

const complain = (buyer: SignedInBuyer, orderId: string) =>
  app.send("POST /api/orders/:id/complaint", buyer, { id: orderId, motif: "paid-not-confirmed" });

async function unpaidOrders(buyer: SignedInBuyer, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let made = 0; made < count; made += 1) {
    ids.push((await openOrder(shop, buyer)).id);
    app.clock.advance(2 * MINUTE_MS);
  }
  return ids;
}

/** A person of its own complains about an order of its own. */
async function complainOfNew(): Promise<void> {
  const buyer = await app.signInBuyer();
  expect((await complain(buyer, (await openOrder(shop, buyer)).id)).status).toBe(201);
}

async function announced(): Promise<number> {
  await app.drain();
  return app.value<number>`
    SELECT count(DISTINCT operators_notified_at)::int AS n FROM complaints
    WHERE kind = 'paid-not-confirmed'`;
}

/** Whether the sweep is due, as the loop checks each second. */
const sweep = app.app.loops.find(({ name }) => name === "complaints sweep");
const isSweepDue = () => app.value<boolean>`SELECT ${sweep?.due?.()} AS due`;

test("a person complains about three unpaid orders a day, and about the fourth the next day", async () => {
  const buyer = await app.signInBuyer();
  const ids = await unpaidOrders(buyer, 5);
  for (const id of ids.slice(0, 3)) expect((await complain(buyer, id)).status).toBe(201);
  const refused = await complain(buyer, ids[3] ?? "");
  expect(refused).toMatchObject({ status: 429, body: { code: "complaints.too-many-today" } });
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  // Other people are not limited by that.
  await complainOfNew();
  app.clock.advance(DAY_MS);
  expect((await complain(buyer, ids[3] ?? "")).status).toBe(201);
});

test("a person's complaints sent at once are three at most", async () => {
  const buyer = await app.signInBuyer();
  const ids = await unpaidOrders(buyer, 5);
  const answers = await Promise.all(ids.map((id) => complain(buyer, id)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 429, 429]);
});

test("a complaint whose order was paid after all does not count", async () => {
  const buyer = await app.signInBuyer();
  const ids = await unpaidOrders(buyer, 3);
  for (const id of ids) await complain(buyer, id);
  const order = await openOrder(shop, buyer);
  expect((await complain(buyer, order.id)).status).toBe(429);
  await app.pay("moneroo", ids[0] ?? "");
  expect((await complain(buyer, order.id)).status).toBe(201);
});

test("complaints of many people are one alert and two messages, not one each", async () => {
  // A day without other complaints.
  app.clock.advance(2 * DAY_MS);
  await app.sql`UPDATE alerts SET resolved_at = ${app.clock.now()}`;
  await announced();
  // Nothing was announced for a while: the next complaint is announced at once.
  app.clock.advance(31 * MINUTE_MS);
  const before = await announced();
  for (let person = 0; person < 12; person += 1) {
    await complainOfNew();
    if (person === 0) expect(await announced()).toBe(before + 1);
  }
  expect(await announced()).toBe(before + 1);
  const alerts = await app.sql`
    SELECT subject, (details ->> 'count')::int AS count FROM alerts
    WHERE kind = 'complaint.paid-not-confirmed' AND resolved_at IS NULL`;
  expect(alerts).toEqual([{ subject: expect.stringMatching(/^complaints:/), count: 12 }]);
  app.clock.advance(31 * MINUTE_MS);
  expect(await announced()).toBe(before + 2);
});

test("while one waits to be announced with others the sweep is not due for it", async () => {
  app.clock.advance(DAY_MS);
  await announced();
  await complainOfNew();
  expect(await isSweepDue()).toBe(true);
  await app.drain();
  await complainOfNew();
  expect(await isSweepDue()).toBe(false);
  app.clock.advance(31 * MINUTE_MS);
  expect(await isSweepDue()).toBe(true);
});
