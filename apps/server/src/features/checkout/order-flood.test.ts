import type { CreateOrderAnswer, UnopenedOrderBody } from "@sesame/contract/checkout";
import { afterEach, beforeEach, expect, test } from "vitest";
import { eventually } from "../../../../../tools/testing/eventually.ts";
import type { SignedInBuyer } from "../../../test/harness.ts";
import {
  openOrder,
  openShop,
  paymentIdOf,
  publishProduct,
  readOrder,
  type Shop,
} from "../../../test/sales.ts";

/** One account that never pays, against a provider that keeps to its documented limit. */

let shop: Shop;

// A shop each: Moneroo's minute begins with the first call, and must not be another test's.
beforeEach(async () => {
  shop = await openShop();
});
afterEach(() => shop?.app.close());

type Made = CreateOrderAnswer & Partial<UnopenedOrderBody>;

const order = (buyer: SignedInBuyer, reference: string, key: string) =>
  shop.app.call<Made>("POST", "/api/orders", {
    token: buyer.token,
    body: { reference, provider: "moneroo" },
    headers: { "idempotency-key": key },
  });

test("one person ordering at full rate holds up nobody, with Moneroo held to 120 calls a minute", async () => {
  const { app } = shop;
  const { limit } = app.emulators.collectors.moneroo;
  limit.perMinute = 120;
  const references = [shop.product.reference];
  for (let made = 0; made < 4; made += 1) {
    references.push((await publishProduct(app, shop)).reference);
  }
  const attacker = await app.signInBuyer();
  const [paying, ordering] = [await app.signInBuyer(), await app.signInBuyer()];
  const paid = await openOrder(shop, paying);
  const before = { ...limit.counts };
  const flood = async (minute: number, waves = 1) => {
    for (let wave = 0; wave < waves; wave += 1) {
      const calls = Array.from({ length: 50 }, (_, n) =>
        order(attacker, references[n % 5] ?? "", `flood-${minute}-${wave}-${n}`),
      );
      await Promise.all(calls);
    }
  };
  await flood(0, 3);
  const seen: Record<string, number> = { opened: limit.counts.initialize - before.initialize };
  // Time stands still: what needs no later call of the provider takes no time at all.
  const ordered = await order(ordering, shop.product.reference, "victim");
  expect(ordered.status).toBe(201);
  app.emulators.collectors.moneroo.settle(paid.paymentId, "success");
  await app.drain();
  expect(await readOrder(shop, paid.id, paying)).toMatchObject({ status: "paid" });
  // The flood goes on, and the second buyer pays without any webhook: found by asking, in pace.
  const payment = paymentIdOf(ordered.body.payment_url);
  app.emulators.collectors.moneroo.settle(payment, "success", { silent: true });
  let waited = 0;
  while ((await readOrder(shop, ordered.body.id, ordering)).status !== "paid" && waited < 60) {
    app.clock.advance(2_000);
    waited += 2;
    if (waited % 20 === 0) await flood(waited);
    await app.drain();
  }
  expect(waited).toBeLessThanOrEqual(10);
  for (; waited < 180; waited += 6) {
    app.clock.advance(6_000);
    if (waited % 30 === 0) await flood(waited);
    await app.drain();
  }
  seen["refused by Moneroo"] = limit.counts.refused - before.refused;
  seen["verified in 3 minutes"] = limit.counts.verify - before.verify;
  process.stdout.write(`one attacker at full rate: ${JSON.stringify(seen)}\n`);
  expect(seen).toMatchObject({ opened: 20, "refused by Moneroo": 0 });
}, 600_000);

test("a provider that refuses the pace of what is asked by time still answers a signed webhook", async () => {
  const { app } = shop;
  const { limit } = app.emulators.collectors.moneroo;
  const [buyer, paying] = [await app.signInBuyer(), await app.signInBuyer()];
  await openOrder(shop, buyer);
  const paid = await openOrder(shop, paying);
  // Webhooks say at once that both were opened: asked about now, that is not said again.
  await app.drain();
  limit.perMinute = 0;
  const before = { ...limit.counts };
  // Both are asked about by time alone, and refused: that class waits for the minute they said.
  app.clock.advance(11_000);
  await app.drain();
  expect(limit.counts.refused).toBeGreaterThan(before.refused);
  limit.perMinute = null;
  app.clock.advance(5_000);
  await app.drain();
  expect(limit.counts.verify).toBe(before.verify);
  app.emulators.collectors.moneroo.settle(paid.paymentId, "success");
  // The webhook travels over HTTP: it may arrive after a look that found nothing to do.
  await eventually(async () => {
    await app.drain();
    expect(await readOrder(shop, paid.id, paying)).toMatchObject({ status: "paid" });
  });
  expect(limit.counts.verify).toBe(before.verify + 1);
});
