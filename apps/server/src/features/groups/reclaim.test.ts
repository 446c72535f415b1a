import { DAY_MS } from "@sesame/kernel";
import { check } from "@sesame/ledger";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import {
  createOwnerFixtures,
  MANAGER_RIGHTS,
  type OwnerFixtures,
  type Role,
} from "../../../test/group-owners.ts";
import { createGroupFixtures, leaveGroups } from "../../../test/groups.ts";
import { type SignedInBuyer, startTestApp } from "../../../test/harness.ts";
import { createRefundFixtures } from "../../../test/refunds.ts";
import { buyProduct, orderProduct, paymentIdOf } from "../../../test/sales.ts";

let s: OwnerFixtures;
let sold: Awaited<ReturnType<OwnerFixtures["soldByOther"]>>;

const app = await startTestApp();
const fixture = createGroupFixtures(app);
beforeEach(async () => {
  await leaveGroups(app);
  s = await createOwnerFixtures(app);
  sold = await s.soldByOther();
});
afterAll(async () => expect(await check(app.db)).toEqual([]));

const balance = (role: Role) => app.balance(`seller:${s[role].id}:free`);
const takeBack = async () => {
  const { status } = await s.reclaim(sold.group.id, "owner");
  expect(status).toBe(200);
  await s.settle();
};
const orderOf = (buyer: SignedInBuyer, id: string) =>
  app.read("GET /api/orders/:id", buyer, { id });

/** Whether the end of a membership of the product is in the seller's calendar. */
async function hasEndOn(role: Role, instant: string): Promise<boolean> {
  const day = await app.read("GET /api/calendar/day", s[role], { jour: instant.slice(0, 10) });
  return JSON.stringify(day).includes(`"idProduit":"${sold.product.id}"`);
}

const handovers = () => app.sql`
  SELECT actor_id::text AS actor, before, after FROM audit_log
  WHERE action = 'group.reclaim' AND subject = ${`group:${sold.group.id}`}`;

describe("a group that its creator has taken over", () => {
  test("keeps its members to the end of what they paid, in the lists of the new seller", async () => {
    const buyer = await fixture.buyerInTouch();
    const orderId = await buyProduct(app, buyer, sold.product.reference);
    await fixture.join(buyer.person.id, await fixture.linkOf(buyer, orderId));
    const { expires_at: end } = await fixture.accessOf(buyer, orderId);
    await takeBack();
    expect(await fixture.accessOf(buyer, orderId)).toMatchObject({ status: "inside" });
    expect(await hasEndOn("owner", end ?? "")).toBe(true);
    expect(await hasEndOn("other", end ?? "")).toBe(false);
    const mine = await app.read("GET /api/me/access", buyer);
    expect(mine.accesses[0]).toMatchObject({ status: "inside", renew_reference: null });
    // A member inside opens the chat with it.
    const link = mine.accesses[0]?.group.link ?? "";
    const opened = app.emulators.telegram.openLink({ personId: buyer.person.id, url: link });
    expect(opened).toEqual({ kind: "chat", chatId: sold.chatId });
    await app.advance(29 * DAY_MS);
    expect(fixture.memberStatus(sold, buyer.person.id)).toBe("member");
    await app.advance(2 * DAY_MS);
    expect(fixture.memberStatus(sold, buyer.person.id)).toBe("left");
  });

  test("opens to a late payment, whose net and refund stay with the seller of the order", async () => {
    const refunds = createRefundFixtures(app);
    const buyer = await app.signInBuyer();
    const order = await orderProduct(app, buyer, sold.product.reference);
    await takeBack();
    await app.pay("moneroo", paymentIdOf(order.payment_url));
    const paid = await orderOf(buyer, order.id);
    expect(paid).toMatchObject({ status: "paid", access: { status: "waiting" } });
    expect(paid.access?.invite_link).toBeTruthy();
    const net = await balance("other");
    expect(net).toBeGreaterThan(0n);
    expect(await balance("owner")).toBe(0n);
    expect((await refunds.bySeller(s.owner, order.id)).status).toBe(404);
    expect((await refunds.bySeller(s.other, order.id)).status).toBe(200);
    expect(await balance("other")).toBeLessThan(net);
    expect(await balance("owner")).toBe(0n);
  });

  test("notifies the former seller why the product stopped, who may sell it in another group", async () => {
    await takeBack();
    const { id, reference } = sold.product;
    const { product } = await app.read("GET /api/products/:id", s.other, { id });
    expect(product.status).toBe("pending");
    expect(product.status_reason).toMatch(/^Le propriétaire du groupe l'a repris/);
    const shown = await app.read("GET /api/public/products/:reference", undefined, { reference });
    expect(shown).toMatchObject({ status: "pending", unavailable: "group" });
    const form = { group_id: (await app.linkGroup(s.other)).id };
    await app.call("PUT", `/api/products/${id}`, { token: s.other.token, form });
    expect(await s.order(reference)).toMatchObject({ status: 201 });
  });

  test("is taken over once, however often it is requested, with one audit entry", async () => {
    const answers = [
      await s.reclaim(sold.group.id, "owner", "take-back-1"),
      await s.reclaim(sold.group.id, "owner", "take-back-1"),
      await s.reclaim(sold.group.id, "owner"),
    ];
    await s.settle();
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers[1]?.body).toEqual(answers[0]?.body);
    expect(await handovers()).toEqual([
      { actor: s.owner.id, before: { seller_id: s.other.id }, after: { seller_id: s.owner.id } },
    ]);
    expect(s.said("owner", "maintenant relié à votre compte")).toBe(1);
    expect(s.said("other", "Votre produit de ce groupe ne se vend plus.")).toBe(1);
  });

  test("changes hands once when two requests race with a payment that settles", async () => {
    const buyer = await app.signInBuyer();
    const order = await orderProduct(app, buyer, sold.product.reference);
    app.emulators.collectors.moneroo.settle(paymentIdOf(order.payment_url), "success");
    const asked = [s.reclaim(sold.group.id, "owner"), s.reclaim(sold.group.id, "owner")];
    const [answers] = await Promise.all([Promise.all(asked), app.drain()]);
    await s.settle();
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await handovers()).toHaveLength(1);
    expect(await s.sellerOf(sold.chatId)).toBe("owner");
    const paid = { status: "paid", access: { status: "waiting" } };
    expect(await orderOf(buyer, order.id)).toMatchObject(paid);
    expect(await balance("other")).toBeGreaterThan(0n);
    expect(await balance("owner")).toBe(0n);
  });

  test("sells the former seller's products again once it is theirs again", async () => {
    await takeBack();
    const chat = { personId: s.idOf("owner"), chatId: sold.chatId };
    s.telegram.transferOwnership({ ...chat, userId: s.idOf("other") });
    await s.settle();
    expect(await s.reclaim(sold.group.id, "other")).toMatchObject({ status: 200 });
    await s.settle();
    expect(await s.order(sold.product.reference)).toMatchObject({ status: 201 });
  });
});

test("a paused group keeps its members, and notifies its seller and its creator once", async () => {
  const buyer = await fixture.buyerInTouch();
  const orderId = await buyProduct(app, buyer, sold.product.reference);
  s.setRights(sold.chatId, []);
  await s.settle();
  // A buyer who has paid is admitted all the same: the bot serves buyers, not the seller.
  await fixture.join(buyer.person.id, await fixture.linkOf(buyer, orderId));
  expect(await fixture.accessOf(buyer, orderId)).toMatchObject({ status: "inside" });
  s.setRights(sold.chatId, ["manage_chat"]);
  await s.settle();
  expect(await s.stateOf("other", sold.chatId)).toBe("seller_not_admin");
  expect(s.said("other", "ses ventes sont en pause")).toBe(1);
  expect(s.said("owner", "n'en est plus administrateur")).toBe(1);
  s.setRights(sold.chatId, MANAGER_RIGHTS);
  await s.settle();
  expect(await s.stateOf("other", sold.chatId)).toBe("connected");
});
