import type { ChannelOnWire } from "@sesame/contract/groups";
import { HOUR_MS, MINUTE_MS } from "@sesame/kernel";
import { beforeEach, describe, expect, test } from "vitest";
import { buttonOf, callTelegram, createGroupFixtures, leaveGroups } from "../../../test/groups.ts";
import type { Shelf } from "../../../test/sales.ts";
import { startTestApp } from "../../../test/harness.ts";

const app = await startTestApp();
const { telegram } = app.emulators;
const { openShop, advance, press, setBotRights, watchCalls } = createGroupFixtures(app);
beforeEach(() => leaveGroups(app));

async function detailsOf(shop: Shelf): Promise<ChannelOnWire["details"]> {
  const { id } = shop.group;
  return (await app.read("GET /api/channels/:id", shop.seller, { id })).channel.details;
}

const close = (shop: Shelf) =>
  app.send("POST /api/channels/:id/close-member-adds", shop.seller, { id: shop.group.id });

/** The seller's switch: people whom a member adds are removed. */
const switchRemoval = (shop: Shelf, remove_added?: unknown) =>
  app.send("PUT /api/channels/:id/entry-rules", shop.seller, { id: shop.group.id, remove_added });

const permissionsOf = async (shop: Shelf) =>
  (await callTelegram(app, "getChat", { chat_id: shop.ids.chatId })).permissions;

const setMembersCanAdd = (shop: Shelf, allowed: boolean): void => {
  telegram.setMembersCanAdd({ ...shop.ids, allowed });
};

const warnings = (shop: Shelf): string[] =>
  app
    .textsTo(shop.ids.personId, "seller")
    .filter((text) => text.includes("chaque membre peut en ajouter"));

describe("a group whose members may add members", () => {
  test("is reported at linking, with one tap that stops it and offers the removal", async () => {
    const shop = await openShop();
    expect(await detailsOf(shop)).toMatchObject({ members_can_add: true, remove_added: false });
    await advance(2_000);
    const linked = app.lastTo(shop.ids.personId, "seller");
    expect(linked.text).toContain("est relié");
    expect(warnings(shop)).toEqual([linked.text]);
    const before = await permissionsOf(shop);
    await press(shop, "Fermer aux ajouts des membres");
    expect(await permissionsOf(shop)).toEqual({ ...before, can_invite_users: false });
    expect((await detailsOf(shop)).members_can_add).toBe(false);
    const after = app.lastTo(shop.ids.personId, "seller");
    expect(after.message_id).toBe(linked.message_id);
    expect(after.text).toContain("seuls les administrateurs ajoutent");
    await press(shop, "Retirer les personnes ajoutées");
    expect((await detailsOf(shop)).remove_added).toBe(true);
    await press(shop, "Ne plus les retirer");
    expect((await detailsOf(shop)).remove_added).toBe(false);
  });

  test("is closed from the group's page, with its other permissions unchanged", async () => {
    const shop = await openShop();
    await callTelegram(app, "setChatPermissions", {
      chat_id: shop.ids.chatId,
      permissions: {
        can_send_polls: true,
        can_add_web_page_previews: true,
        can_invite_users: true,
      },
      use_independent_chat_permissions: true,
    });
    const before = await permissionsOf(shop);
    const closed = await close(shop);
    expect(closed.status).toBe(200);
    expect(closed.body.channel.details.members_can_add).toBe(false);
    expect(await permissionsOf(shop)).toEqual({ ...before, can_invite_users: false });
    const calls = watchCalls();
    expect((await close(shop)).status).toBe(200);
    expect(calls).not.toContain("setChatPermissions");
  });

  test("cannot be closed by a bot without the right: the message names the right and the steps", async () => {
    const shop = await openShop();
    await setBotRights(shop, ["manage_chat", "invite_users"]);
    const refused = await close(shop);
    const code = "groups.cannot-set-permissions";
    expect(refused).toMatchObject({ status: 409, body: { code } });
    for (const name of ["Bannir des utilisateurs", "Ajouter des membres"]) {
      expect(refused.body.message).toContain(name);
    }
    expect((await permissionsOf(shop))?.can_invite_users).toBe(true);
  });

  test("is checked each hour, and reported once each time it opens", async () => {
    const shop = await openShop();
    await close(shop);
    // The message that it is linked comes first.
    await advance(2_000);
    const linked = warnings(shop).length;
    setMembersCanAdd(shop, true);
    await advance(HOUR_MS);
    expect((await detailsOf(shop)).members_can_add).toBe(true);
    expect(warnings(shop)).toHaveLength(linked + 1);
    const last = app.lastTo(shop.ids.personId, "seller");
    expect(buttonOf(last, "Fermer aux ajouts des membres")).toBeTruthy();
    await advance(3 * HOUR_MS);
    expect(warnings(shop)).toHaveLength(linked + 1);
    setMembersCanAdd(shop, false);
    await advance(HOUR_MS);
    expect((await detailsOf(shop)).members_can_add).toBe(false);
    setMembersCanAdd(shop, true);
    await advance(HOUR_MS);
    expect(warnings(shop)).toHaveLength(linked + 2);
  });

  test("is checked after an outage of Telegram, without waiting for the next hour", async () => {
    const shop = await openShop();
    await close(shop);
    setMembersCanAdd(shop, true);
    telegram.faults.add({ method: "getChat", fault: { kind: "dropBefore" }, times: null });
    await advance(HOUR_MS);
    expect((await detailsOf(shop)).members_can_add).toBe(false);
    telegram.faults.clear();
    await advance(10 * MINUTE_MS);
    expect((await detailsOf(shop)).members_can_add).toBe(true);
  });

  test("is checked by the refresh of its page", async () => {
    const shop = await openShop();
    setMembersCanAdd(shop, false);
    const { id } = shop.group;
    const { channel } = await app.done("POST /api/channels/:id/refresh", shop.seller, { id });
    expect(channel.details.members_can_add).toBe(false);
  });
});

test("a channel has no such permission to close, and no switch", async () => {
  const shop = await openShop({ kind: "channel" });
  expect((await detailsOf(shop)).members_can_add).toBeNull();
  expect(warnings(shop)).toEqual([]);
  const closed = await close(shop);
  expect(closed.body).toMatchObject({ success: false, code: "groups.channel-has-no-adds" });
  expect((await switchRemoval(shop, true)).status).toBe(409);
});

test("the switch of a group accepts true or false, and nothing else", async () => {
  const shop = await openShop();
  for (const wrong of [undefined, "oui", []]) {
    expect((await switchRemoval(shop, wrong)).status).toBe(400);
  }
  const put = await switchRemoval(shop, true);
  expect(put.body.channel.details.remove_added).toBe(true);
});
