import { DAY_MS, MINUTE_MS } from "@sesame/kernel";
import { beforeEach, describe, expect, test } from "vitest";
import { buttonOf, buttonsOf, createGroupFixtures, leaveGroups } from "../../../test/groups.ts";
import { RIGHTS, startTestApp } from "../../../test/harness.ts";
import { buyProduct, orderProduct, paymentIdOf, type Shelf } from "../../../test/sales.ts";

let shop: Shelf;

const app = await startTestApp();
const { telegram } = app.emulators;
const {
  openShop,
  buyerInTouch,
  buyerWaiting,
  accessOf,
  linkOf,
  join,
  memberStatus,
  buyerInside,
  advance,
  talk,
  alerts,
  failOnce,
  setBotRights,
  settle,
  watchCalls,
} = createGroupFixtures(app);
beforeEach(async () => {
  await leaveGroups(app);
  shop = await openShop();
});

const refuseOnce = (method: string, why: string) =>
  failOnce(method, { kind: "refusal", code: 400, description: `Bad Request: ${why}` });

describe("a paid order", () => {
  test("gets a link of its own, a receipt, and admits the payer and only the payer", async () => {
    const { buyer, orderId, link } = await buyerWaiting(shop);
    expect((await accessOf(buyer, orderId)).status).toBe("waiting");
    const receipt = app.lastTo(buyer.person.id, "buyer");
    expect(receipt.text).toContain(`Reçu — commande n° ${orderId}`);
    expect(receipt.text).toMatch(/5\s000 FCFA/);
    // Read late, by a member who is inside, the receipt still makes sense.
    expect(receipt.text).toMatch(
      /Si vous n'êtes pas encore dans .+, touchez «\u00a0Rejoindre\u00a0»/,
    );
    expect(buttonOf(receipt, "Rejoindre").url).toBe(link);

    const stranger = await app.person();
    const calls = watchCalls();
    await join(stranger.id, link);
    const order = ["sendMessage", "declineChatJoinRequest"];
    expect(calls.filter((method) => order.includes(method))).toEqual(order);
    expect(memberStatus(shop, stranger.id)).toBe("left");
    const refusal = app.lastTo(stranger.id, "seller");
    expect(refusal.text).toContain("personnel");
    expect(buttonOf(refusal, "Voir l'offre").url).toContain(`startapp=${shop.reference}`);

    await join(buyer.person.id, link);
    expect(memberStatus(shop, buyer.person.id)).toBe("member");
    const inside = await accessOf(buyer, orderId);
    expect(inside).toMatchObject({ status: "inside", invite_link: null });
    const again = await app.person();
    expect(telegram.previewInvite({ personId: again.id, link }).state).toBe("revoked");
  });

  test("works in a channel as in a group", async () => {
    const shop = await openShop({ kind: "channel" });
    const { buyer } = await buyerInside(shop);
    await advance(DAY_MS);
    expect(memberStatus(shop, buyer.person.id)).toBe("left");
  });

  test("needs no link when the payer is inside already", async () => {
    const buyer = await buyerInTouch();
    telegram.addMember({ ...shop.ids, userId: buyer.person.id });
    await app.drain();
    const orderId = await buyProduct(app, buyer, shop.reference);
    expect(await accessOf(buyer, orderId)).toMatchObject({ status: "inside", invite_link: null });
    expect(app.lastTo(buyer.person.id, "buyer").text).toContain("déjà dans Club VIP");
  });

  test("is in the buyer's memberships, on the screen and by /mesacces", async () => {
    const { buyer, orderId, link } = await buyerWaiting(shop);
    const mine = await app.read("GET /api/me/access", buyer);
    expect(mine.accesses).toMatchObject([
      {
        status: "waiting",
        group: { name: "Club VIP", type: "groupe", link: null },
        order_id: orderId,
        invite_link: link,
        renew_reference: shop.reference,
      },
    ]);
    await talk(buyer.person.id, "buyer", "/mesacces");
    const list = app.lastTo(buyer.person.id, "buyer");
    expect(list.text).toContain("Club VIP — À rejoindre");
    expect(buttonOf(list, "Rejoindre Club VIP").kind).toBe("url");
  });

  test("is listed beside them while its payment is awaited, newest first, for its buyer alone", async () => {
    const buyer = await buyerInTouch();
    const paid = await orderProduct(app, buyer, shop.reference);
    // For one product there is one order at a time.
    const awaited = await orderProduct(app, buyer, (await openShop()).reference);
    const orders = async (who = buyer) =>
      (await app.read("GET /api/me/access", who)).orders.map(({ id }) => id);
    expect(await orders()).toEqual([awaited.id, paid.id]);
    app.emulators.collectors.moneroo.settle(paymentIdOf(paid.payment_url), "success");
    await app.drain();
    const mine = await app.read("GET /api/me/access", buyer);
    expect(mine.accesses).toMatchObject([{ order_id: paid.id }]);
    expect(mine.orders).toMatchObject([
      { id: awaited.id, title: "Recettes du mois", amount: 5_000 },
    ]);
    expect(await orders(await buyerInTouch())).toEqual([]);
    // It cannot be paid any more.
    await advance(4 * DAY_MS);
    expect(await orders(await app.signInBuyer(buyer.person))).toEqual([]);
  });

  test("reaches a buyer who allows the bot to write only afterwards", async () => {
    const buyer = await app.signInBuyer();
    await buyProduct(app, buyer, shop.reference);
    const { id: personId } = buyer.person;
    expect(app.messagesTo(personId, "buyer")).toEqual([]);
    telegram.allowWrite({ personId, bot: "buyer", allowed: true });
    await app.drain();
    expect(app.lastTo(personId, "buyer").text).toContain("Reçu");
  });

  test("is reported to the seller, and several of the same seconds together", async () => {
    const sales = () =>
      app.textsTo(shop.ids.personId, "seller").filter((text) => text.startsWith("💰"));
    await buyProduct(app, await app.signInBuyer(), shop.reference);
    const one = /Nouvelle vente\s: Recettes du mois\n5\s000 FCFA, dont 4\s100 FCFA pour vous/;
    expect(sales()).toEqual([expect.stringMatching(one)]);
    for (let n = 0; n < 3; n++) await buyProduct(app, await app.signInBuyer(), shop.reference);
    expect(sales()).toHaveLength(1);
    await advance(15_000);
    expect(sales()).toHaveLength(2);
    expect(sales()[1]).toMatch(/3 ventes\s: 15\s000 FCFA, dont 12\s300 FCFA pour vous/);
  });
});

describe("a link that cannot be created", () => {
  test("is promised to the buyer, raises an alert, and is created when the rights are back", async () => {
    const buyer = await buyerInTouch();
    refuseOnce("createChatInviteLink", "not enough rights to manage chat invite link");
    const orderId = await buyProduct(app, buyer, shop.reference);
    expect(await accessOf(buyer, orderId)).toMatchObject({ status: "waiting", invite_link: null });
    expect(app.lastTo(buyer.person.id, "buyer").text).toContain("Votre place");
    expect(await alerts("access.cannot-open")).toBe(1);
    await advance(1_000);
    expect(await linkOf(buyer, orderId)).toContain("t.me/+");
    expect(await alerts("access.cannot-open")).toBe(0);
  });

  test("requested twice for one order is created once, though Telegram's first answer is lost", async () => {
    const buyer = await buyerInTouch();
    failOnce("createChatInviteLink", { kind: "dropAfter" });
    const orderId = await buyProduct(app, buyer, shop.reference);
    const receipts = () =>
      app.messagesTo(buyer.person.id, "buyer").filter(({ text }) => text.includes("Reçu"));
    // A kept connection may be dead at the next try: the back-off is 1, 2, 4 … seconds.
    for (let tries = 0; tries < 15 && receipts().length === 0; tries += 1) {
      await advance(1_000);
    }
    expect(receipts()).toHaveLength(1);
    await join(buyer.person.id, await linkOf(buyer, orderId));
    expect(memberStatus(shop, buyer.person.id)).toBe("member");
  });
});

test("a migrated group gives waiting buyers links of the new chat", async () => {
  const { buyer, orderId, link: before } = await buyerWaiting(shop);
  const { personId } = shop.ids;
  const old = telegram.createChat({ ownerId: personId, kind: "group", title: "Vieux" });
  telegram.addBot({ personId, chatId: old.chatId, bot: "seller", rights: [] });
  await app.drain();
  await app.sql`UPDATE groups SET chat_id = ${old.chatId} WHERE id = ${shop.group.id}`;
  const { chatId } = telegram.migrate({ personId, chatId: old.chatId });
  await setBotRights({ ids: { personId, chatId } });
  await settle();
  const after = await linkOf(buyer, orderId);
  expect(after).not.toBe(before);
  const preview = telegram.previewInvite({ personId: buyer.person.id, link: after });
  expect(preview.chatId).toBe(chatId);
});

describe("a join request", () => {
  test("waits while the group is without the bot, as buyer and seller are notified", async () => {
    const { buyer, orderId, link } = await buyerWaiting(shop);
    const paused = async () => {
      const { accesses } = await app.read("GET /api/me/access", buyer);
      const { entry_paused } = await accessOf(buyer, orderId);
      expect(accesses.map((access) => access.entry_paused)).toEqual([entry_paused]);
      return entry_paused;
    };
    const lastNotified = () => app.lastTo(shop.ids.personId, "seller").text;
    const bot = { ...shop.ids, bot: "seller" as const };
    expect(await paused()).toBe(false);
    await setBotRights(shop, ["manage_chat", "invite_users"]);
    await settle();
    // It can still let people in.
    expect(await paused()).toBe(false);
    await setBotRights(shop, ["manage_chat"]);
    await settle();
    expect(await paused()).toBe(true);
    expect(lastNotified()).toContain("Il me manque");
    telegram.removeBot(bot);
    await settle();
    expect(await paused()).toBe(true);
    expect(lastNotified()).toContain("ne suis plus dans");
    await join(buyer.person.id, link);
    expect(memberStatus(shop, buyer.person.id)).toBe("left");
    telegram.addBot({ ...bot, rights: [...RIGHTS] });
    await settle();
    expect(await paused()).toBe(false);
    expect(memberStatus(shop, buyer.person.id)).toBe("member");
  });

  test("by a link that is not ours is left to the administrators", async () => {
    const guest = await app.person();
    const { buyer, link } = await buyerWaiting(shop);
    await app.sql`DELETE FROM access_links WHERE invite_link = ${link}`;
    expect(await join(guest.id, link)).toBe("asked");
    expect(app.messagesTo(guest.id, "seller")).toEqual([]);
    // A buyer is admitted all the same.
    await join(buyer.person.id, link);
    expect(memberStatus(shop, buyer.person.id)).toBe("member");
  });

  test("is approved when the bot has its right back", async () => {
    const { buyer, link } = await buyerWaiting(shop);
    refuseOnce("approveChatJoinRequest", "not enough rights to manage chat join requests");
    await join(buyer.person.id, link);
    expect(memberStatus(shop, buyer.person.id)).toBe("left");
    await setBotRights(shop, ["manage_chat"]);
    await setBotRights(shop);
    expect(memberStatus(shop, buyer.person.id)).toBe("member");
  });

  test("that Telegram refuses for a person in too many chats is explained to the person", async () => {
    const { buyer, link } = await buyerWaiting(shop);
    refuseOnce("approveChatJoinRequest", "USER_CHANNELS_TOO_MUCH");
    await join(buyer.person.id, link);
    expect(app.lastTo(buyer.person.id, "seller").text).toContain("trop de groupes");
    await join(buyer.person.id, link);
    expect(memberStatus(shop, buyer.person.id)).toBe("member");
  });
});

describe("a member", () => {
  test("who leaves keeps the paid time and gets a link to come back", async () => {
    const { buyer, orderId } = await buyerInside(shop);
    telegram.leave({ personId: buyer.person.id, chatId: shop.ids.chatId });
    await app.drain();
    const left = await accessOf(buyer, orderId);
    expect(left.status).toBe("left");
    expect(app.lastTo(buyer.person.id, "buyer").text).toContain("Vous avez quitté Club VIP");
    await join(buyer.person.id, left.invite_link ?? "");
    expect(memberStatus(shop, buyer.person.id)).toBe("member");
    expect((await accessOf(buyer, orderId)).status).toBe("inside");
  });

  test("whom an administrator bans stays out, until the ban is lifted", async () => {
    const { buyer, orderId } = await buyerInside(shop);
    const target = { ...shop.ids, userId: buyer.person.id };
    telegram.ban(target);
    await app.drain();
    expect(await accessOf(buyer, orderId)).toMatchObject({ status: "banned", invite_link: null });
    telegram.unban(target);
    await app.drain();
    const back = await accessOf(buyer, orderId);
    expect(back.status).toBe("left");
    await join(buyer.person.id, back.invite_link ?? "");
    expect(memberStatus(shop, buyer.person.id)).toBe("member");
  });

  test("banned by an administrator is still banned after the end", async () => {
    const { buyer } = await buyerInside(shop);
    telegram.ban({ ...shop.ids, userId: buyer.person.id });
    await app.drain();
    await advance(DAY_MS);
    expect(memberStatus(shop, buyer.person.id)).toBe("kicked");
  });
});

describe("when time is over", () => {
  test("the person is out within the minute, notified, and offered to renew", async () => {
    const { buyer, orderId } = await buyerInside(shop);
    await advance(DAY_MS - MINUTE_MS);
    expect(memberStatus(shop, buyer.person.id)).toBe("member");
    await advance(MINUTE_MS);
    expect(memberStatus(shop, buyer.person.id)).toBe("left");
    expect((await accessOf(buyer, orderId)).status).toBe("removed");
    const notified = app.lastTo(buyer.person.id, "buyer");
    expect(notified.text).toContain("a pris fin");
    expect(buttonOf(notified, "Renouveler").url).toContain(`startapp=${shop.reference}`);
  });

  test("nobody is offered a product that its seller no longer sells", async () => {
    const { buyer } = await buyerInside(shop);
    await app.done("DELETE /api/products/:id", shop.seller, { id: shop.product.id });
    await advance(DAY_MS);
    const notified = app.lastTo(buyer.person.id, "buyer");
    expect(notified.text).toMatch(/a pris fin le [^.]+\.$/);
    const buttons = buttonsOf(notified).flat();
    expect(buttons.map(({ text }) => text)).not.toContain("Renouveler");
  });

  test("a renewal before the end adds its time, without a new link", async () => {
    const { buyer } = await buyerInside(shop);
    await advance(DAY_MS / 2);
    const renewal = await buyProduct(app, buyer, shop.reference);
    const access = await accessOf(buyer, renewal);
    expect(access).toMatchObject({ status: "inside", invite_link: null });
    expect(app.lastTo(buyer.person.id, "buyer").text).toContain("prolongé");
    await advance(DAY_MS);
    expect(memberStatus(shop, buyer.person.id)).toBe("member");
    await advance(DAY_MS / 2);
    expect(memberStatus(shop, buyer.person.id)).toBe("left");
  });

  test("a buyer who never joined is not admitted any more", async () => {
    const { buyer, link } = await buyerWaiting(shop);
    telegram.previewInvite({ personId: buyer.person.id, link });
    await advance(DAY_MS);
    expect(telegram.previewInvite({ personId: buyer.person.id, link }).state).not.toBe("askable");
  });

  test("a kill between the ban and its lifting leaves nobody banned", async () => {
    const { buyer, orderId } = await buyerInside(shop);
    failOnce("unbanChatMember", { kind: "dropBefore" });
    await advance(DAY_MS);
    expect(memberStatus(shop, buyer.person.id)).toBe("kicked");
    await advance(1_000);
    expect(memberStatus(shop, buyer.person.id)).toBe("left");
    expect((await accessOf(buyer, orderId)).status).toBe("removed");
  });

  test("a renewal that comes during the removal opens the group again", async () => {
    const { buyer } = await buyerInside(shop);
    // The ban is done, but its answer is lost: the job stops there.
    failOnce("banChatMember", { kind: "dropAfter" });
    await advance(DAY_MS);
    expect(memberStatus(shop, buyer.person.id)).toBe("kicked");
    const renewal = await buyProduct(app, buyer, shop.reference);
    await advance(2_000);
    await join(buyer.person.id, await linkOf(buyer, renewal));
    expect(memberStatus(shop, buyer.person.id)).toBe("member");
  });

  test("rights lost meanwhile are reported to the seller and the back office, and the removal waits for them", async () => {
    const { buyer } = await buyerInside(shop);
    await setBotRights(shop, ["manage_chat", "invite_users"]);
    await advance(DAY_MS);
    expect(memberStatus(shop, buyer.person.id)).toBe("member");
    expect(await alerts("access.cannot-close")).toBe(1);
    expect(app.lastTo(shop.ids.personId, "seller").text).toContain("manque des droits");
    await setBotRights(shop);
    expect(memberStatus(shop, buyer.person.id)).toBe("left");
    expect(await alerts("access.cannot-close")).toBe(0);
  });

  test("an administrator, whom Telegram lets no bot remove, raises an alert in the back office", async () => {
    const { buyer } = await buyerInside(shop);
    const userId = buyer.person.id;
    telegram.setAdmin({ ...shop.ids, userId, rights: ["manage_chat"] });
    await advance(DAY_MS);
    expect(memberStatus(shop, userId)).toBe("administrator");
    expect(await alerts("access.is-admin")).toBe(1);
    telegram.setAdmin({ ...shop.ids, userId, rights: [] });
    await app.drain();
    expect(memberStatus(shop, userId)).toBe("left");
  });
});
