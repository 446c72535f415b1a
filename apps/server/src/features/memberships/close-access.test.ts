import { DAY_MS, MINUTE_MS } from "@sesame/kernel";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  buttonOf,
  createGroupFixtures,
  type GroupFixtures,
  lastTo,
  leaveGroups,
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

describe("when time is over", () => {
  test("the person is out within the minute, told, and offered to renew", async () => {
    const shop = await scene.openShop();
    const { buyer, orderId } = await scene.buyerInside(shop);
    await scene.advance(DAY_MS - MINUTE_MS);
    expect(scene.memberStatus(shop, buyer.person.id)).toBe("member");
    await scene.advance(MINUTE_MS);
    expect(scene.memberStatus(shop, buyer.person.id)).toBe("left");
    expect((await scene.accessOf(buyer, orderId)).status).toBe("removed");
    const told = lastTo(app.emulators, buyer.person.id, "buyer");
    expect(told.text).toContain("a pris fin");
    expect(buttonOf(told, "Renouveler").url).toContain(`startapp=${shop.reference}`);
  });

  test("a renewal before the end adds its time, without a new link", async () => {
    const shop = await scene.openShop();
    const { buyer } = await scene.buyerInside(shop);
    await scene.advance(DAY_MS / 2);
    const renewal = await buyProduct(app, buyer, shop.reference);
    const access = await scene.accessOf(buyer, renewal);
    expect(access).toMatchObject({ status: "inside", invite_link: null });
    expect(lastTo(app.emulators, buyer.person.id, "buyer").text).toContain("prolongé");
    await scene.advance(DAY_MS);
    expect(scene.memberStatus(shop, buyer.person.id)).toBe("member");
    await scene.advance(DAY_MS / 2);
    expect(scene.memberStatus(shop, buyer.person.id)).toBe("left");
  });

  test("who comes back after the end gets a new link", async () => {
    const shop = await scene.openShop();
    const { buyer } = await scene.buyerInside(shop);
    await scene.advance(DAY_MS);
    const orderId = await buyProduct(app, buyer, shop.reference);
    await scene.join(buyer.person.id, await scene.linkOf(buyer, orderId));
    expect(scene.memberStatus(shop, buyer.person.id)).toBe("member");
  });

  test("who never joined is not let in any more", async () => {
    const shop = await scene.openShop();
    const buyer = await scene.buyerInTouch();
    const link = await scene.linkOf(buyer, await buyProduct(app, buyer, shop.reference));
    app.emulators.telegram.previewInvite({ personId: buyer.person.id, link });
    await scene.advance(DAY_MS);
    expect(
      app.emulators.telegram.previewInvite({ personId: buyer.person.id, link }).state,
    ).not.toBe("askable");
  });

  test("a kill between the ban and its lifting leaves nobody banned", async () => {
    const shop = await scene.openShop();
    const { buyer, orderId } = await scene.buyerInside(shop);
    app.emulators.telegram.faults.add({
      method: "unbanChatMember",
      fault: { kind: "dropBefore" },
      times: 1,
    });
    await scene.advance(DAY_MS);
    expect(scene.memberStatus(shop, buyer.person.id)).toBe("kicked");
    await scene.advance(1_000);
    expect(scene.memberStatus(shop, buyer.person.id)).toBe("left");
    expect((await scene.accessOf(buyer, orderId)).status).toBe("removed");
  });

  test("a renewal that comes during the removal opens the door again", async () => {
    const shop = await scene.openShop();
    const { buyer } = await scene.buyerInside(shop);
    // The ban is done, its answer lost: the job is cut short there.
    app.emulators.telegram.faults.add({
      method: "banChatMember",
      fault: { kind: "dropAfter" },
      times: 1,
    });
    await scene.advance(DAY_MS);
    expect(scene.memberStatus(shop, buyer.person.id)).toBe("kicked");
    const renewal = await buyProduct(app, buyer, shop.reference);
    await scene.advance(2_000);
    await scene.join(buyer.person.id, await scene.linkOf(buyer, renewal));
    expect(scene.memberStatus(shop, buyer.person.id)).toBe("member");
  });

  test("rights lost meanwhile are told to the seller and the desk, and the removal waits for them", async () => {
    const shop = await scene.openShop();
    const { buyer } = await scene.buyerInside(shop);
    const bot = { ...shop.ids, bot: "seller" as const };
    app.emulators.telegram.setBotRights({ ...bot, rights: ["manage_chat", "invite_users"] });
    await app.drain();
    await scene.advance(DAY_MS);
    expect(scene.memberStatus(shop, buyer.person.id)).toBe("member");
    expect(await scene.alerts("access.cannot-close")).toBe(1);
    expect(lastTo(app.emulators, shop.ids.personId, "seller").text).toContain("manque des droits");
    const rights = ["manage_chat", "restrict_members", "invite_users"] as const;
    app.emulators.telegram.setBotRights({ ...bot, rights: [...rights] });
    await app.drain();
    expect(scene.memberStatus(shop, buyer.person.id)).toBe("left");
    expect(await scene.alerts("access.cannot-close")).toBe(0);
  });

  test("an administrator, whom Telegram lets no bot remove, is put on the desk", async () => {
    const shop = await scene.openShop();
    const { buyer } = await scene.buyerInside(shop);
    const userId = buyer.person.id;
    app.emulators.telegram.setAdmin({ ...shop.ids, userId, rights: ["manage_chat"] });
    await scene.advance(DAY_MS);
    expect(scene.memberStatus(shop, userId)).toBe("administrator");
    expect(await scene.alerts("access.is-admin")).toBe(1);
    app.emulators.telegram.setAdmin({ ...shop.ids, userId, rights: [] });
    await app.drain();
    expect(scene.memberStatus(shop, userId)).toBe("left");
  });
});
