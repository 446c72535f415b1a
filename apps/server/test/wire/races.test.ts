import type { CreateOrderAnswer } from "@sesame/contract/checkout";
import { afterAll, describe, expect, test } from "vitest";
import { eventually } from "../../../../tools/testing/eventually.ts";
import { orderProduct, paymentIdOf, publishProduct } from "../sales.ts";
import {
  ask,
  linkGroup,
  openOutside,
  pay,
  seeOrder,
  sendWebhook,
  signIn,
  untilLink,
} from "./stranger.ts";

type Somebody = Awaited<ReturnType<typeof signIn>>;

const CHAT = -1_001_000_000_999;

const out = await openOutside({ clock: true });
const seller = await signIn(out, 901, "vendeur");
const channel = await linkGroup(out, seller, { chatId: CHAT });
afterAll(async () => {
  await out.close();
  expect(out.program.output()).not.toMatch(/"level":50/);
});

const sell = (choice: { price?: number; stock?: number } = {}) =>
  publishProduct(out, { seller, group: channel }, choice);

async function balance(): Promise<number> {
  const { id, token } = seller;
  const path = `/api/users/${id}`;
  const answer = await out.call<{ user: { balanceGratuit: number } }>("GET", path, { token });
  return answer.body.user.balanceGratuit;
}

describe("the same key", () => {
  test("gets the same order once it is paid, and opens no second payment", async () => {
    const { reference } = await sell();
    const buyer = await signIn(out, 915, "acheteur");
    const body = { reference, provider: "moneroo" };
    const headers = { "idempotency-key": "paid" };
    const send = () =>
      out.call<CreateOrderAnswer>("POST", "/api/orders", { token: buyer.token, body, headers });
    const first = await send();
    await pay(out, first.body);
    await untilLink(out, buyer, first.body.id);
    const before = out.moneroo.payments.size;
    const again = await send();
    expect(again.status).toBe(201);
    expect(again.body).toMatchObject({ id: first.body.id, payment_url: first.body.payment_url });
    expect(out.moneroo.payments.size).toBe(before);
  });

  test("checks the order again after a refusal of the provider, and reserves no place meanwhile", async () => {
    const { id, reference } = await sell({ stock: 1 });
    const buyer = await signIn(out, 916, "acheteur");
    out.moneroo.trouble = { status: 422, body: { message: "no" } };
    expect((await post(buyer, reference, "no")).status).toBe(422);
    out.moneroo.trouble = null;
    const other = await signIn(out, 917, "acheteur");
    expect((await post(other, reference, "yes")).status).toBe(201);
    expect((await post(buyer, reference, "no")).status).toBe(422);
    await out.call("PUT", `/api/products/${id}`, { token: seller.token, body: { stock: "" } });
    expect((await post(buyer, reference, "no")).status).toBe(201);
  });

  test("checks the order again after a refusal", async () => {
    const { id, reference } = await sell();
    const buyer = await signIn(out, 914, "acheteur");
    const body = { status: "inactive" };
    await out.call("PUT", `/api/products/${id}`, { token: seller.token, body });
    expect((await post(buyer, reference, "anew")).status).toBe(422);
    await out.call("PUT", `/api/products/${id}`, {
      token: seller.token,
      body: { status: "active" },
    });
    expect((await post(buyer, reference, "anew")).status).toBe(201);
  });
});

async function post(who: Somebody, reference: string, key: string) {
  const answer = await out.call<CreateOrderAnswer>("POST", "/api/orders", {
    token: who.token,
    body: { reference, provider: "moneroo" },
    headers: { "idempotency-key": key },
  });
  return { status: answer.status, id: answer.body.id };
}

test("at the same time a hundred copies of a webhook, and of its neighbours, move the money once", async () => {
  const { reference } = await sell({ price: 1_000 });
  const buyer = await signIn(out, 941, "acheteur");
  const made = await orderProduct(out, buyer, reference);
  const before = await balance();
  const id = paymentIdOf(made.payment_url);
  const payment = out.moneroo.payments.get(id);
  if (payment) payment.status = "success";
  const words = ["payment.success", "payment.failed", "payment.initiated", "payment.cancelled"];
  const webhooks = Array.from({ length: 100 }, (_, index) =>
    sendWebhook(out, JSON.stringify({ event: words[index % 4], data: { id } })),
  );
  const statuses = new Set((await Promise.all(webhooks)).map(({ status }) => status));
  expect([...statuses]).toEqual([200]);
  await eventually(async () => expect(await balance()).toBe(before + 820));
  out.clock.advance(3_600_000);
  await sendWebhook(out, JSON.stringify({ event: "payment.failed", data: { id } }));
  if (payment) payment.status = "failed";
  await sendWebhook(out, JSON.stringify({ event: "payment.refunded", data: { id } }));
  expect((await seeOrder(out, buyer, made.id)).status).toBe("paid");
  expect(await balance()).toBe(before + 820);
});

describe("an old page", () => {
  test("pays the price it showed when the order was made, with its fee", async () => {
    const { id, reference } = await sell({ price: 2_000 });
    const buyer = await signIn(out, 951, "acheteur");
    const made = await orderProduct(out, buyer, reference);
    const before = await balance();
    const edited = await out.call("PUT", `/api/products/${id}`, {
      token: seller.token,
      body: { price: 9_000, title: "Autre", duration: (await durations()).year },
    });
    expect(edited.status).toBe(200);
    await pay(out, made);
    const link = await untilLink(out, buyer, made.id);
    expect(link).toMatch(/^https:\/\/t\.me\//);
    expect(await balance()).toBe(before + 1_640);
    const seen = await seeOrder(out, buyer, made.id);
    const days =
      (Date.parse(seen.access?.expires_at ?? "") - out.clock.now().getTime()) / 86_400_000;
    expect(Math.round(days)).toBe(30);
  });

  test("of an archived product buys nothing more, and earlier orders are still served", async () => {
    const { id, reference } = await sell();
    const buyer = await signIn(out, 952, "acheteur");
    const made = await orderProduct(out, buyer, reference);
    const { token } = seller;
    expect((await out.call("DELETE", `/api/products/${id}`, { token })).status).toBe(200);
    const late = await signIn(out, 953, "acheteur");
    expect([404, 422]).toContain((await post(late, reference, "late")).status);
    expect((await out.call("GET", `/api/public/products/${reference}`)).status).toBe(404);
    await pay(out, made);
    expect(await untilLink(out, buyer, made.id)).toContain("t.me");
  });
});

async function durations(): Promise<{ year: string }> {
  const all = await out.call<{ id: string; minutes: number }[]>(
    "GET",
    "/api/config/subscription_durations",
  );
  return { year: all.body.find(({ minutes }) => minutes === 525_600)?.id ?? "" };
}

/** Last: it advances the clock by a month, after which earlier tokens are expired. */
test("at the end of the time paid for a renewal and the end of the membership leave the buyer inside", async () => {
  const { reference } = await sell();
  const buyer = await signIn(out, 942, "acheteur");
  const made = await orderProduct(out, buyer, reference);
  await pay(out, made);
  ask(out, { chatId: CHAT, telegramId: 942 }, await untilLink(out, buyer, made.id));
  await eventually(() => expect(out.telegram.isInside(CHAT, 942)).toBe(true));
  const end = new Date((await seeOrder(out, buyer, made.id)).access?.expires_at ?? 0).getTime();
  out.clock.advance(end - out.clock.now().getTime() - 2_000);
  const again = await signIn(out, 942, "acheteur");
  const renewal = await orderProduct(out, again, reference);
  const payment = out.moneroo.payments.get(paymentIdOf(renewal.payment_url));
  if (payment) payment.status = "success";
  out.clock.advance(2_000);
  const webhook = JSON.stringify({ event: "payment.success", data: { id: payment?.id } });
  await sendWebhook(out, webhook);
  // Removed and admitted again, or never removed: at the end he can be inside, and is not banned.
  await eventually(async () => {
    const { access } = await seeOrder(out, again, renewal.id);
    expect(["waiting", "inside"]).toContain(access?.status);
    if (access?.status === "waiting") expect(access.invite_link).not.toBeNull();
    if (access?.status === "inside") expect(out.telegram.isInside(CHAT, 942)).toBe(true);
    const bans = out.telegram.called("banChatMember").length;
    expect(out.telegram.called("unbanChatMember").length).toBe(bans);
  });
});
