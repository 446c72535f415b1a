import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  askForAllUpdates,
  groupWithBot,
  testWorld,
  type TestWorld,
} from "../testing/test-world.ts";
import type { Update } from "./bot-api.ts";

let world: TestWorld;

beforeEach(async () => {
  world = await testWorld();
});

afterEach(async () => {
  await world.close();
  expect(world.complaints()).toEqual([]);
});

function kinds(updates: Update[]): string[] {
  return updates.map((update) =>
    Object.keys(update)
      .filter((key) => key !== "update_id")
      .join(),
  );
}

describe("a bot added by a startgroup link", () => {
  test("is announced with its rights, then hears /start with the payload", () => {
    const { chatId } = world.telegram.createChat({
      ownerId: world.seller,
      kind: "supergroup",
      title: "VIP",
    });
    const opened = world.telegram.openLink({
      personId: world.seller,
      url: "https://t.me/SesameVendeurBot?startgroup=link_1&admin=invite_users+restrict_members",
    });
    expect(opened).toMatchObject({
      kind: "addToGroup",
      payload: "link_1",
      rights: ["invite_users", "restrict_members"],
      choices: [{ chatId }],
    });
    world.telegram.addBot({
      personId: world.seller,
      chatId,
      bot: "seller",
      rights: ["invite_users", "restrict_members"],
      payload: "link_1",
    });
    const updates = world.updates("seller");
    expect(kinds(updates)).toEqual(["my_chat_member", "message", "message"]);
    expect(updates[0]?.my_chat_member).toMatchObject({
      from: { id: world.seller },
      chat: { id: chatId, type: "supergroup" },
      old_chat_member: { status: "left" },
      new_chat_member: { status: "administrator", can_invite_users: true },
    });
    expect(updates[2]?.message?.text).toBe("/start@SesameVendeurBot link_1");
  });

  test("keeps the rights it had", () => {
    const chatId = groupWithBot(world, ["pin_messages"]);
    const input = { personId: world.seller, chatId, bot: "seller" as const };
    world.telegram.addBot({ ...input, rights: ["invite_users"] });
    expect(world.updates("seller").at(-1)?.my_chat_member?.new_chat_member).toMatchObject({
      can_pin_messages: true,
      can_invite_users: true,
    });
  });

  test("turns a basic group into a supergroup when it asks for rights", async () => {
    const basic = world.telegram.createChat({
      ownerId: world.seller,
      kind: "group",
      title: "Amis",
    });
    const input = { personId: world.seller, bot: "seller" as const };
    const { chatId } = world.telegram.addBot({
      ...input,
      chatId: basic.chatId,
      rights: ["invite_users"],
    });
    expect(chatId).toBeLessThan(-1_000_000_000_000);
    const link = await world.call("seller", "createChatInviteLink", { chat_id: chatId });
    expect(link.ok).toBe(true);
  });

  test("can be added by an anonymous administrator, who then has no name", () => {
    const { chatId } = world.telegram.createChat({
      ownerId: world.seller,
      kind: "supergroup",
      title: "VIP",
    });
    world.telegram.addBot({
      personId: world.seller,
      chatId,
      bot: "seller",
      rights: ["invite_users"],
      anonymous: true,
    });
    expect(world.updates("seller")[0]?.my_chat_member?.from.id).toBe(1_087_968_824);
  });
});

describe("a channel", () => {
  test("has administrators only, says nothing of who comes, and gives posts", async () => {
    await askForAllUpdates(world);
    const { chatId } = world.telegram.createChat({
      ownerId: world.seller,
      kind: "channel",
      title: "Signaux",
    });
    const input = { personId: world.seller, chatId, bot: "seller" as const };
    expect(() => world.telegram.addBot({ ...input, rights: [] })).toThrow();
    world.telegram.addBot({ ...input, rights: ["invite_users", "restrict_members"] });
    const link = world.state().chats[0]?.inviteLinks[0]?.link ?? "";
    world.telegram.join({ personId: world.buyer, link });
    expect(kinds(world.updates("seller"))).toEqual(["my_chat_member", "chat_member"]);
    expect(await world.refusal("seller", "sendMessage", { chat_id: chatId, text: "?" })).toBe(
      "400 Bad Request: need administrator rights in the channel chat",
    );
    world.telegram.setBotRights({ ...input, rights: [] });
    expect(world.updates("seller").at(-1)?.my_chat_member?.new_chat_member.status).toBe("left");
  });
});

describe("a basic group that becomes a supergroup", () => {
  test("tells both chats, and refuses calls on the old id with the new one", async () => {
    const { chatId } = world.telegram.createChat({
      ownerId: world.seller,
      kind: "group",
      title: "Amis",
    });
    const input = { personId: world.seller, chatId };
    world.telegram.addBot({ ...input, bot: "seller", rights: [] });
    const user_id = world.seller;
    expect(await world.refusal("seller", "unbanChatMember", { chat_id: chatId, user_id })).toBe(
      "400 Bad Request: method is available for supergroup and channel chats only",
    );
    const before = world.updates("seller").length;
    const next = world.telegram.migrate(input).chatId;
    const told = world.updates("seller").slice(before);
    expect(kinds(told)).toEqual(["my_chat_member", "message", "message", "my_chat_member"]);
    expect(told[0]?.my_chat_member).toMatchObject({
      chat: { id: next },
      new_chat_member: { status: "member" },
    });
    expect(told[1]?.message).toMatchObject({ chat: { id: chatId }, migrate_to_chat_id: next });
    expect(told[2]?.message).toMatchObject({ chat: { id: next }, migrate_from_chat_id: chatId });
    expect(told[3]?.my_chat_member).toMatchObject({
      chat: { id: chatId },
      new_chat_member: { status: "left" },
    });
    expect(await world.call("seller", "sendMessage", { chat_id: chatId, text: "?" })).toEqual({
      ok: false,
      error_code: 400,
      description: "Bad Request: group chat was upgraded to a supergroup chat",
      parameters: { migrate_to_chat_id: next },
    });
  });
});

describe("the owner of a group", () => {
  test("hands it over to a member, stays administrator, and the bot hears of both", async () => {
    await askForAllUpdates(world);
    const chatId = groupWithBot(world);
    const ids = { personId: world.seller, chatId };
    world.telegram.addMember({ ...ids, userId: world.buyer });
    const before = world.updates("seller").length;
    world.telegram.transferOwnership({ ...ids, userId: world.buyer });
    const told = world.updates("seller").slice(before);
    expect(
      told.map(({ chat_member: change }) => [
        change?.new_chat_member.user.id,
        change?.old_chat_member.status,
        change?.new_chat_member.status,
      ]),
    ).toEqual([
      [world.seller, "creator", "administrator"],
      [world.buyer, "member", "creator"],
    ]);
    const again = () => world.telegram.transferOwnership({ ...ids, userId: world.buyer });
    expect(again).toThrow("only the owner");
  });

  test("is named by getChatAdministrators also when hidden behind the group", async () => {
    const chatId = groupWithBot(world);
    world.telegram.setAnonymous({ personId: world.seller, chatId, anonymous: true });
    expect(await world.call("seller", "getChatAdministrators", { chat_id: chatId })).toMatchObject({
      ok: true,
      result: expect.arrayContaining([
        expect.objectContaining({ status: "creator", is_anonymous: true }),
      ]),
    });
  });
});

describe("a chat the bot may no longer write to", () => {
  test("is told by how it ended", async () => {
    const chatId = groupWithBot(world);
    const send = () => world.refusal("seller", "sendMessage", { chat_id: chatId, text: "?" });
    world.telegram.removeBot({ personId: world.seller, chatId, bot: "seller" });
    expect(world.updates("seller").at(-1)?.my_chat_member?.new_chat_member.status).toBe("kicked");
    expect(await send()).toBe("403 Forbidden: bot was kicked from the supergroup chat");
    const left = groupWithBot(world);
    world.telegram.leave({ personId: 1_111_111_111, chatId: left });
    expect(await world.refusal("seller", "getChat", { chat_id: left })).toBe(
      "403 Forbidden: bot is not a member of the supergroup chat",
    );
    expect(await world.refusal("seller", "sendMessage", { chat_id: -77, text: "?" })).toBe(
      "400 Bad Request: chat not found",
    );
    expect(await world.refusal("seller", "sendMessage", { text: "?" })).toBe(
      "400 Bad Request: chat_id is empty",
    );
  });
});

describe("a private chat", () => {
  const write = () => world.refusal("buyer", "sendMessage", { chat_id: world.buyer, text: "?" });

  test("opens by /start and closes by a block", async () => {
    expect(await write()).toBe("400 Bad Request: chat not found");
    world.telegram.sendMessage({ personId: world.buyer, to: { bot: "buyer" }, text: "/start abc" });
    expect(world.updates("buyer")[0]?.message).toMatchObject({
      text: "/start abc",
      chat: { id: world.buyer, type: "private" },
    });
    expect(await write()).toBe("no refusal");
    world.telegram.blockBot({ personId: world.buyer, bot: "buyer" });
    expect(world.updates("buyer").at(-1)?.my_chat_member?.new_chat_member.status).toBe("kicked");
    expect(await write()).toBe("403 Forbidden: bot was blocked by the user");
    world.telegram.unblockBot({ personId: world.buyer, bot: "buyer" });
    expect(world.updates("buyer").at(-1)?.my_chat_member?.new_chat_member.status).toBe("member");
    expect(await write()).toBe("no refusal");
  });

  test("opens by the write access a mini app asked for", async () => {
    world.telegram.allowWrite({ personId: world.buyer, bot: "buyer", allowed: true });
    expect(world.updates("buyer")[0]?.message?.write_access_allowed).toEqual({
      from_request: true,
    });
    expect(await write()).toBe("no refusal");
  });

  test("with another bot is refused", async () => {
    expect(await world.refusal("buyer", "sendMessage", { chat_id: 1_111_111_111, text: "?" })).toBe(
      "403 Forbidden: the bot can't send messages to the bot",
    );
  });
});

describe("what a bot hears in a group", () => {
  test("is commands to itself, and everything once it administers", () => {
    const chatId = groupWithBot(world, []);
    const say = (text: string) => {
      const before = world.updates("seller").length;
      world.telegram.sendMessage({ personId: world.seller, to: { chatId }, text });
      return world.updates("seller").length - before;
    };
    expect(say("bonjour")).toBe(0);
    expect(say("/aide")).toBe(1);
    expect(say("/aide@AutreBot")).toBe(0);
    world.telegram.setBotRights({
      personId: world.seller,
      chatId,
      bot: "seller",
      rights: ["manage_chat"],
    });
    expect(say("bonjour")).toBe(1);
  });
});
