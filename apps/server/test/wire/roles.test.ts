import { setTimeout as pace } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { eventually } from "../../../../tools/testing/eventually.ts";
import { drain, startServer } from "../child-server.ts";
import { orderProduct, publishProduct } from "../sales.ts";
import { listenTo } from "./sockets.ts";
import {
  linkGroup,
  openOutside,
  openShop,
  pay,
  SELLER_TOKEN,
  signIn,
  untilLink,
} from "./stranger.ts";

const CHAT = -1_001_000_000_777;

describe("ROLES", () => {
  test("three processes on one database, and one PORT, are one product", async () => {
    const out = await openOutside({ env: { ROLES: "http" } });
    const bot = startServer({ ...out.env, ROLES: "bot" });
    const worker = startServer({ ...out.env, ROLES: "worker" });
    const seller = await signIn(out, 601, "vendeur");
    const buyer = await signIn(out, 602, "acheteur");
    const sellerEar = await listenTo(out.url, { token: seller.token });
    const buyerEar = await listenTo(out.url, { token: buyer.token });

    const channel = await linkGroup(out, seller, CHAT);
    await eventually(() => {
      expect(sellerEar.received.map(({ name }) => name)).toContain("chatadd");
    });
    const product = await publishProduct(out, { seller, group: channel });
    const made = await orderProduct(out, buyer, product.reference);
    expect(await buyerEar.follow(made.id)).toEqual({ success: true });
    await pay(out, made);
    const link = await untilLink(out, buyer, made.id);
    out.telegram.ask(CHAT, 602, link);
    await eventually(() => {
      expect(out.telegram.isInside(CHAT, 602)).toBe(true);
      expect(sellerEar.received).toContainEqual({
        name: "payment_received",
        body: { order_id: made.id, title: "Recettes du mois", amount: 5_000, net: 4_100 },
      });
      const paid = { name: "payment:status", body: { id: made.id, status: "paid" } };
      expect(buyerEar.received).toContainEqual(paid);
      const waits = { name: "payment:status", body: { id: made.id, status: "pending" } };
      expect(sellerEar.received).toContainEqual(waits);
      const inside = { order_id: made.id, status: "inside" };
      expect(buyerEar.received).toContainEqual({ name: "access:status", body: inside });
    });
    // To the buyer and to the order's room: once, not twice.
    const notified = buyerEar.received.filter(({ name }) => name === "payment:status");
    expect(notified).toHaveLength(1);

    sellerEar.close();
    buyerEar.close();
    for (const each of [bot, worker]) {
      await drain(each);
      expect(each.output()).not.toMatch(/"level":50/);
    }
    await out.close();
  });

  test("a process without the role http reports its state, and serves nobody", async () => {
    const out = await openOutside({ env: { ROLES: "worker" } });
    expect((await out.call("GET", "/health")).status).toBe(200);
    expect((await out.call("GET", "/ready")).status).toBe(200);
    for (const path of ["/api/config/subscription_durations", "/docs", "/", "/webhooks/moneroo"]) {
      expect((await out.call("GET", path)).status, path).toBe(404);
    }
    await expect(listenTo(out.url, { token: "x" })).rejects.toThrow();
    // It polls no updates either.
    expect(out.telegram.called("getUpdates")).toEqual([]);
    await out.close();
  });
});

test("SIGTERM answers requests in progress, handles the last notification, and ends with 0", async () => {
  const out = await openOutside();
  const { product } = await openShop(out, 621, CHAT);
  const buyer = await signIn(out, 622, "acheteur");
  await listenTo(out.url, { token: buyer.token });
  const opened = Promise.withResolvers<void>();
  out.moneroo.before = () => {
    opened.resolve();
    return pace(1_000);
  };
  const waiting = orderProduct(out, buyer, product.reference);
  await opened.promise;
  await drain(out.program);
  expect((await waiting).payment_url).toContain("checkout.invalid");
  await out.close();
});

test("one token for both bots is one poller that sells and admits", async () => {
  const out = await openOutside({ env: { BUYER_BOT_TOKEN: SELLER_TOKEN } });
  const { product } = await openShop(out, 611, CHAT);
  const buyer = await signIn(out, 612, "acheteur");
  const made = await orderProduct(out, buyer, product.reference);
  await pay(out, made);
  out.telegram.ask(CHAT, 612, await untilLink(out, buyer, made.id));
  await eventually(() => expect(out.telegram.isInside(CHAT, 612)).toBe(true));
  expect([...out.telegram.tokens()]).toEqual([SELLER_TOKEN]);
  expect(out.telegram.pollsAtOnce()).toBe(1);
  await out.close();
});
