import type { AnswerOf } from "@sesame/contract/routes";
import { DAY_MS } from "@sesame/kernel";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  buttonOf,
  createGroupFixtures,
  type GroupFixtures,
  lastTo,
  messagesTo,
} from "../../../test/groups.ts";
import { startTestApp, type TestApp } from "../../../test/harness.ts";
import { buyProduct } from "../../../test/sales.ts";

let app: TestApp;
let scene: GroupFixtures;

beforeAll(async () => {
  app = await startTestApp();
  scene = createGroupFixtures(app);
});
afterAll(async () => {
  await app.close();
});

describe("a paid order", () => {
  test("gets a link of its own, a receipt, and lets the payer in and only the payer", async () => {
    const shop = await scene.openShop();
    const buyer = await scene.buyerInTouch();
    const orderId = await buyProduct(app, buyer, shop.reference);
    const waiting = await scene.accessOf(buyer, orderId);
    expect(waiting.status).toBe("waiting");
    const link = await scene.linkOf(buyer, orderId);
    const receipt = lastTo(app.emulators, buyer.person.id, "buyer");
    expect(receipt.text).toContain(`Reçu — commande n° ${orderId}`);
    expect(receipt.text).toMatch(/5\s000 FCFA/);
    expect(buttonOf(receipt, "Rejoindre").url).toBe(link);

    const stranger = await app.person();
    const calls: string[] = [];
    app.emulators.telegram.onExchange(({ method }) => void calls.push(method));
    await scene.join(stranger.id, link);
    const order = ["sendMessage", "declineChatJoinRequest"];
    expect(calls.filter((method) => order.includes(method))).toEqual(order);
    expect(scene.memberStatus(shop, stranger.id)).toBe("left");
    const refusal = lastTo(app.emulators, stranger.id, "seller");
    expect(refusal.text).toContain("personnel");
    expect(buttonOf(refusal, "Voir l'offre").url).toContain(`startapp=${shop.reference}`);

    await scene.join(buyer.person.id, link);
    expect(scene.memberStatus(shop, buyer.person.id)).toBe("member");
    const inside = await scene.accessOf(buyer, orderId);
    expect(inside).toMatchObject({ status: "inside", invite_link: null });
    const again = await app.person();
    expect(app.emulators.telegram.previewInvite({ personId: again.id, link }).state).toBe(
      "revoked",
    );
  });

  test("works in a channel as in a group", async () => {
    const shop = await scene.openShop({ kind: "channel" });
    const { buyer } = await scene.buyerInside(shop);
    await scene.advance(DAY_MS);
    expect(scene.memberStatus(shop, buyer.person.id)).toBe("left");
  });

  test("needs no link when the payer is inside already", async () => {
    const shop = await scene.openShop();
    const buyer = await scene.buyerInTouch();
    app.emulators.telegram.addMember({ ...shop.ids, userId: buyer.person.id });
    await app.drain();
    const orderId = await buyProduct(app, buyer, shop.reference);
    expect(await scene.accessOf(buyer, orderId)).toMatchObject({
      status: "inside",
      invite_link: null,
    });
    expect(lastTo(app.emulators, buyer.person.id, "buyer").text).toContain("déjà dans Club VIP");
  });

  test("is shown among the buyer's accesses, on the screen and by /mesacces", async () => {
    const shop = await scene.openShop();
    const buyer = await scene.buyerInTouch();
    const orderId = await buyProduct(app, buyer, shop.reference);
    const mine = await app.call<AnswerOf<"GET /api/me/access">>("GET", "/api/me/access", {
      token: buyer.token,
    });
    expect(mine.body.accesses).toMatchObject([
      {
        status: "waiting",
        group: { name: "Club VIP", type: "groupe" },
        order_id: orderId,
        invite_link: await scene.linkOf(buyer, orderId),
        renew_reference: shop.reference,
      },
    ]);
    await scene.talk(buyer.person.id, "buyer", "/mesacces");
    const list = lastTo(app.emulators, buyer.person.id, "buyer");
    expect(list.text).toContain("Club VIP — À rejoindre");
    expect(buttonOf(list, "Rejoindre Club VIP").kind).toBe("url");
  });

  test("reaches a buyer who lets the bot write only afterwards", async () => {
    const shop = await scene.openShop();
    const buyer = await app.signInBuyer();
    await buyProduct(app, buyer, shop.reference);
    const { id: personId } = buyer.person;
    expect(messagesTo(app.emulators, personId, "buyer")).toEqual([]);
    app.emulators.telegram.allowWrite({ personId, bot: "buyer", allowed: true });
    await app.drain();
    expect(lastTo(app.emulators, personId, "buyer").text).toContain("Reçu");
  });

  test("is told to the seller, and several of the same seconds together", async () => {
    const shop = await scene.openShop();
    const personId = shop.ids.personId;
    const sales = () =>
      messagesTo(app.emulators, personId, "seller").filter((message) =>
        message.text.startsWith("💰"),
      );
    await buyProduct(app, await app.signInBuyer(), shop.reference);
    expect(sales().map((message) => message.text)).toEqual([
      expect.stringMatching(
        /Nouvelle vente : Recettes du mois\n5\s000 FCFA, dont 4\s100 FCFA pour vous/,
      ),
    ]);
    for (let n = 0; n < 3; n++) await buyProduct(app, await app.signInBuyer(), shop.reference);
    expect(sales()).toHaveLength(1);
    await scene.advance(15_000);
    expect(sales()).toHaveLength(2);
    expect(sales()[1]?.text).toMatch(/3 ventes : 15\s000 FCFA, dont 12\s300 FCFA pour vous/);
  });
});

describe("a link that cannot be made", () => {
  test("is promised to the buyer, alerted, and made when the rights are back", async () => {
    const shop = await scene.openShop();
    const buyer = await scene.buyerInTouch();
    const description = "Bad Request: not enough rights to manage chat invite link";
    app.emulators.telegram.faults.add({
      method: "createChatInviteLink",
      fault: { kind: "refusal", code: 400, description },
      times: 1,
    });
    const orderId = await buyProduct(app, buyer, shop.reference);
    expect(await scene.accessOf(buyer, orderId)).toMatchObject({
      status: "waiting",
      invite_link: null,
    });
    expect(lastTo(app.emulators, buyer.person.id, "buyer").text).toContain("Votre place");
    expect(await scene.alerts("access.cannot-open")).toBe(1);
    await scene.advance(1_000);
    expect(await scene.linkOf(buyer, orderId)).toContain("t.me/+");
    expect(await scene.alerts("access.cannot-open")).toBe(0);
  });

  test("because Telegram is overloaded is made after the wait", async () => {
    const shop = await scene.openShop();
    const buyer = await scene.buyerInTouch();
    app.emulators.telegram.faults.add({
      method: "createChatInviteLink",
      fault: { kind: "tooMany", retryAfterSeconds: 7 },
      times: 1,
    });
    const orderId = await buyProduct(app, buyer, shop.reference);
    await scene.advance(6_000);
    expect((await scene.accessOf(buyer, orderId)).invite_link).toBeNull();
    await scene.advance(1_000);
    expect(await scene.linkOf(buyer, orderId)).toContain("t.me/+");
  });

  test("twice for one order is made once, though Telegram's first answer is lost", async () => {
    const shop = await scene.openShop();
    const buyer = await scene.buyerInTouch();
    app.emulators.telegram.faults.add({
      method: "createChatInviteLink",
      fault: { kind: "dropAfter" },
      times: 1,
    });
    const orderId = await buyProduct(app, buyer, shop.reference);
    const receipts = () =>
      messagesTo(app.emulators, buyer.person.id, "buyer").filter(({ text }) =>
        text.includes("Reçu"),
      );
    // A connection that was kept may be found dead by the next try: back-off is 1, 2, 4 … seconds.
    for (let tries = 0; tries < 15 && receipts().length === 0; tries += 1) {
      await scene.advance(1_000);
    }
    expect(receipts()).toHaveLength(1);
    await scene.join(buyer.person.id, await scene.linkOf(buyer, orderId));
    expect(scene.memberStatus(shop, buyer.person.id)).toBe("member");
  });
});

describe("a migrated group", () => {
  test("gives those who wait links of the new chat", async () => {
    const shop = await scene.openShop();
    const buyer = await scene.buyerInTouch();
    const orderId = await buyProduct(app, buyer, shop.reference);
    const before = await scene.linkOf(buyer, orderId);
    const { personId } = shop.ids;
    const old = app.emulators.telegram.createChat({
      ownerId: personId,
      kind: "group",
      title: "Vieux",
    });
    app.emulators.telegram.addBot({ personId, chatId: old.chatId, bot: "seller", rights: [] });
    await app.drain();
    await sql`
      UPDATE groups SET chat_id = ${old.chatId} WHERE id = ${shop.group.id}
    `.execute(app.db);
    const moved = app.emulators.telegram.migrate({ personId, chatId: old.chatId });
    app.emulators.telegram.setBotRights({
      personId,
      chatId: moved.chatId,
      bot: "seller",
      rights: ["manage_chat", "restrict_members", "invite_users"],
    });
    await scene.advance(2_000);
    const after = await scene.linkOf(buyer, orderId);
    expect(after).not.toBe(before);
    const preview = app.emulators.telegram.previewInvite({
      personId: buyer.person.id,
      link: after,
    });
    expect(preview.chatId).toBe(moved.chatId);
  });
});
