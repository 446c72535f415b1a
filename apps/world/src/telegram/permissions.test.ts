import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  askForAllUpdates,
  groupWithBot,
  testWorld,
  type TestWorld,
} from "../testing/test-world.ts";

let world: TestWorld;
let chat_id: number;

beforeEach(async () => {
  world = await testWorld();
  chat_id = groupWithBot(world);
  await askForAllUpdates(world);
});

afterEach(async () => {
  await world.close();
  expect(world.complaints()).toEqual([]);
});

describe("the default permissions of a group", () => {
  const permissionsNow = async () => {
    const { result } = await world.call("seller", "getChat", { chat_id });
    return (result as { permissions: Record<string, boolean> }).permissions;
  };
  const newcomer = () => world.telegram.createPerson({ firstName: "Nouvelle" }).id;

  test("let members add members until they are changed, which leaves the others alone", async () => {
    const add = (userId: number, personId: number) =>
      world.telegram.addMember({ personId, chatId: chat_id, userId });
    add(world.buyer, world.seller);
    add(newcomer(), world.buyer);
    expect(lastMember()).toMatchObject({ from: { id: world.buyer } });
    const before = await permissionsNow();
    expect(before).toMatchObject({ can_invite_users: true, can_change_info: false });
    const changed = await world.call("seller", "setChatPermissions", {
      chat_id,
      permissions: { ...before, can_invite_users: false },
      use_independent_chat_permissions: true,
    });
    expect(changed).toEqual({ ok: true, result: true });
    expect(await permissionsNow()).toEqual({ ...before, can_invite_users: false });
    expect(() => add(newcomer(), world.buyer)).toThrow("may not add members");
    add(newcomer(), world.seller);
    world.telegram.setMembersCanAdd({ personId: world.seller, chatId: chat_id, allowed: true });
    add(newcomer(), world.buyer);
    expect(lastMember()).toMatchObject({ from: { id: world.buyer } });
  });

  test("imply each other unless they are said to be independent", async () => {
    const permissions = { can_send_polls: true };
    await world.call("seller", "setChatPermissions", { chat_id, permissions });
    expect(await permissionsNow()).toMatchObject({ can_send_polls: true, can_send_messages: true });
    await world.call("seller", "setChatPermissions", {
      chat_id,
      permissions,
      use_independent_chat_permissions: true,
    });
    expect(await permissionsNow()).toMatchObject({
      can_send_polls: true,
      can_send_messages: false,
    });
  });

  test("are changed only by a bot that may restrict members", async () => {
    const { seller: personId } = world;
    world.telegram.setBotRights({
      personId,
      chatId: chat_id,
      bot: "seller",
      rights: ["manage_chat"],
    });
    expect(
      await world.refusal("seller", "setChatPermissions", { chat_id, permissions: {} }),
    ).toContain("not enough rights to change chat permissions");
  });
});

function lastMember() {
  return world.updates("seller").findLast((update) => update.chat_member)?.chat_member;
}
