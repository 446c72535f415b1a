import { DAY_MS } from "@sesame/kernel";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  createGroupFixtures,
  type GroupFixtures,
  lastTo,
  leaveGroups,
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
beforeEach(() => leaveGroups(app));
afterAll(async () => {
  await app.close();
});

describe("a join request", () => {
  test("by a link that is not ours is left to the administrators", async () => {
    const shop = await scene.openShop();
    const guest = await app.person();
    const buyer = await scene.buyerInTouch();
    const link = await scene.linkOf(buyer, await buyProduct(app, buyer, shop.reference));
    await sql`DELETE FROM access_links WHERE invite_link = ${link}`.execute(app.db);
    expect(await scene.join(guest.id, link)).toBe("asked");
    expect(messagesTo(app.emulators, guest.id, "seller")).toEqual([]);
    // Whoever has paid is let in all the same.
    await scene.join(buyer.person.id, link);
    expect(scene.memberStatus(shop, buyer.person.id)).toBe("member");
  });

  test("given twice by Telegram is answered once", async () => {
    const shop = await scene.openShop();
    const buyer = await scene.buyerInTouch();
    const orderId = await buyProduct(app, buyer, shop.reference);
    const link = await scene.linkOf(buyer, orderId);
    app.emulators.panel.setUpdateDelivery({ copies: 3 });
    await scene.join(buyer.person.id, link);
    const stranger = await app.person();
    app.emulators.panel.setUpdateDelivery({ copies: 1 });
    expect(scene.memberStatus(shop, buyer.person.id)).toBe("member");
    expect(app.emulators.telegram.previewInvite({ personId: stranger.id, link }).state).toBe(
      "revoked",
    );
    const welcomes = messagesTo(app.emulators, buyer.person.id, "buyer").filter((message) =>
      message.text.startsWith("✅ Vous êtes dans"),
    );
    expect(welcomes).toHaveLength(1);
  });

  test("is approved after the wait Telegram asks for", async () => {
    const shop = await scene.openShop();
    const buyer = await scene.buyerInTouch();
    const link = await scene.linkOf(buyer, await buyProduct(app, buyer, shop.reference));
    app.emulators.telegram.faults.add({
      method: "approveChatJoinRequest",
      fault: { kind: "tooMany", retryAfterSeconds: 3 },
      times: 1,
    });
    await scene.join(buyer.person.id, link);
    expect(scene.memberStatus(shop, buyer.person.id)).toBe("left");
    await scene.advance(3_000);
    expect(scene.memberStatus(shop, buyer.person.id)).toBe("member");
  });

  test("is approved when the bot has its right back", async () => {
    const shop = await scene.openShop();
    const buyer = await scene.buyerInTouch();
    const link = await scene.linkOf(buyer, await buyProduct(app, buyer, shop.reference));
    const rights = ["manage_chat", "restrict_members", "invite_users"] as const;
    app.emulators.telegram.faults.add({
      method: "approveChatJoinRequest",
      fault: {
        kind: "refusal",
        code: 400,
        description: "Bad Request: not enough rights to manage chat join requests",
      },
      times: 1,
    });
    await scene.join(buyer.person.id, link);
    expect(scene.memberStatus(shop, buyer.person.id)).toBe("left");
    const bot = { ...shop.ids, bot: "seller" as const };
    app.emulators.telegram.setBotRights({ ...bot, rights: ["manage_chat"] });
    await app.drain();
    app.emulators.telegram.setBotRights({ ...bot, rights: [...rights] });
    await app.drain();
    expect(scene.memberStatus(shop, buyer.person.id)).toBe("member");
  });

  test("Telegram will not grant to someone in too many chats is told to him", async () => {
    const shop = await scene.openShop();
    const buyer = await scene.buyerInTouch();
    const link = await scene.linkOf(buyer, await buyProduct(app, buyer, shop.reference));
    app.emulators.telegram.faults.add({
      method: "approveChatJoinRequest",
      fault: { kind: "refusal", code: 400, description: "Bad Request: USER_CHANNELS_TOO_MUCH" },
      times: 1,
    });
    await scene.join(buyer.person.id, link);
    expect(lastTo(app.emulators, buyer.person.id, "seller").text).toContain("trop de groupes");
    await scene.join(buyer.person.id, link);
    expect(scene.memberStatus(shop, buyer.person.id)).toBe("member");
  });
});

describe("a member", () => {
  test("who leaves keeps his time and gets a link to come back", async () => {
    const shop = await scene.openShop();
    const { buyer, orderId } = await scene.buyerInside(shop);
    app.emulators.telegram.leave({ personId: buyer.person.id, chatId: shop.ids.chatId });
    await app.drain();
    const left = await scene.accessOf(buyer, orderId);
    expect(left.status).toBe("left");
    expect(lastTo(app.emulators, buyer.person.id, "buyer").text).toContain(
      "Vous avez quitté Club VIP",
    );
    await scene.join(buyer.person.id, left.invite_link ?? "");
    expect(scene.memberStatus(shop, buyer.person.id)).toBe("member");
    expect((await scene.accessOf(buyer, orderId)).status).toBe("inside");
  });

  test("whom an administrator bans stays out, until the ban is lifted", async () => {
    const shop = await scene.openShop();
    const { buyer, orderId } = await scene.buyerInside(shop);
    const target = { ...shop.ids, userId: buyer.person.id };
    app.emulators.telegram.ban(target);
    await app.drain();
    expect(await scene.accessOf(buyer, orderId)).toMatchObject({
      status: "banned",
      invite_link: null,
    });
    app.emulators.telegram.unban(target);
    await app.drain();
    const back = await scene.accessOf(buyer, orderId);
    expect(back.status).toBe("left");
    await scene.join(buyer.person.id, back.invite_link ?? "");
    expect(scene.memberStatus(shop, buyer.person.id)).toBe("member");
  });

  test("banned by an administrator is still banned after the end", async () => {
    const shop = await scene.openShop();
    const { buyer } = await scene.buyerInside(shop);
    app.emulators.telegram.ban({ ...shop.ids, userId: buyer.person.id });
    await app.drain();
    await scene.advance(DAY_MS);
    expect(scene.memberStatus(shop, buyer.person.id)).toBe("kicked");
  });
});
