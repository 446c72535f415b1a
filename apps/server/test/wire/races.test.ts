import type { CreateOrderAnswer } from "@sesame/contract/checkout";
import { afterAll, expect, test } from "vitest";
import { eventually } from "../../../../tools/testing/eventually.ts";
import { orderProduct, paymentIdOf, publishProduct } from "../sales.ts";
import {
  linkGroup,
  openOutside,
  pay,
  seeOrder,
  sendWebhook,
  signIn,
  untilLink,
} from "./stranger.ts";

const CHAT = -1_001_000_000_999;

const out = await openOutside({ clock: true });
const seller = await signIn(out, 901, "vendeur");
const channel = await linkGroup(out, seller, CHAT);
afterAll(async () => {
  await out.close();
  expect(out.program.output()).not.toMatch(/"level":50/);
});

const sell = (choice: { price?: number } = {}) =>
  publishProduct(out, { seller, group: channel }, choice);

/** The provider's webhook about an order. */
function report(made: CreateOrderAnswer, event: string) {
  const id = paymentIdOf(made.payment_url);
  return sendWebhook(out, JSON.stringify({ event, data: { id } }));
}

async function balance(): Promise<number> {
  const { id, token } = seller;
  const path = `/api/users/${id}`;
  const answer = await out.call<{ user: { balanceGratuit: number } }>("GET", path, { token });
  return answer.body.user.balanceGratuit;
}

test("at the same time a hundred copies of a webhook, and of its neighbours, move the money once", async () => {
  const { reference } = await sell({ price: 1_000 });
  const buyer = await signIn(out, 941, "acheteur");
  const made = await orderProduct(out, buyer, reference);
  const before = await balance();
  await pay(out, made, false);
  const words = ["payment.success", "payment.failed", "payment.initiated", "payment.cancelled"];
  const webhooks = Array.from({ length: 100 }, (_, index) => report(made, words[index % 4] ?? ""));
  const statuses = new Set((await Promise.all(webhooks)).map(({ status }) => status));
  expect([...statuses]).toEqual([200]);
  await eventually(async () => expect(await balance()).toBe(before + 820));
  out.clock.advance(3_600_000);
  await report(made, "payment.failed");
  const payment = out.moneroo.payments.get(paymentIdOf(made.payment_url));
  if (payment) payment.status = "failed";
  await report(made, "payment.refunded");
  expect((await seeOrder(out, buyer, made.id)).status).toBe("paid");
  expect(await balance()).toBe(before + 820);
});

/** Last: it advances the clock by a month, after which earlier tokens are expired. */
test("at the end of the time paid for a renewal and the end of the membership leave the buyer inside", async () => {
  const { reference } = await sell();
  const buyer = await signIn(out, 942, "acheteur");
  const made = await orderProduct(out, buyer, reference);
  await pay(out, made);
  out.telegram.ask(CHAT, 942, await untilLink(out, buyer, made.id));
  await eventually(() => expect(out.telegram.isInside(CHAT, 942)).toBe(true));
  const end = new Date((await seeOrder(out, buyer, made.id)).access?.expires_at ?? 0).getTime();
  out.clock.advance(end - out.clock.now().getTime() - 2_000);
  const again = await signIn(out, 942, "acheteur");
  const renewal = await orderProduct(out, again, reference);
  await pay(out, renewal, false);
  out.clock.advance(2_000);
  await report(renewal, "payment.success");
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
