import { describe, expect, test } from "vitest";
import { emulatorsEach, askForAllUpdates, groupWithBot } from "../testing/test-emulators.ts";
import type { AdminRight, BotRole, ChatKind } from "../wire.ts";
import type { Update } from "grammy/types";

const { emulators } = emulatorsEach();

const createChat = (kind: ChatKind, title = "VIP"): number =>
  emulators.telegram.createChat({ ownerId: emulators.seller, kind, title }).chatId;

/** Into a chat of the seller's. */
const addBot = (chatId: number, rights: AdminRight[], more: { payload?: string } = {}) =>
  emulators.telegram.addBot({ personId: emulators.seller, chatId, bot: "seller", rights, ...more });

const setBotRights = (chatId: number, rights: AdminRight[]) =>
  emulators.telegram.setBotRights({ personId: emulators.seller, chatId, bot: "seller", rights });

/** Writes as the seller's bot. → the refusal */
const send = (to: { chat_id?: number }) =>
  emulators.refusal("seller", "sendMessage", { ...to, text: "?" });

/** What became of the bot itself. */
const botNow = (bot: BotRole = "seller") =>
  emulators.updates(bot).at(-1)?.my_chat_member?.new_chat_member;

function kinds(updates: Update[]): string[] {
  return updates.map((update) =>
    Object.keys(update)
      .filter((key) => key !== "update_id")
      .join(),
  );
}

describe("a bot added by a startgroup link", () => {
  test("is announced with its rights, then receives /start with the payload", () => {
    const chatId = createChat("supergroup");
    const opened = emulators.telegram.openLink({
      personId: emulators.seller,
      url: "https://t.me/SesameVendeurBot?startgroup=link_1&admin=invite_users+restrict_members",
    });
    expect(opened).toMatchObject({
      kind: "addToGroup",
      payload: "link_1",
      rights: ["invite_users", "restrict_members"],
      choices: [{ chatId }],
    });
    addBot(chatId, ["invite_users", "restrict_members"], { payload: "link_1" });
    const updates = emulators.updates("seller");
    expect(kinds(updates)).toEqual(["my_chat_member", "message", "message"]);
    expect(updates[0]?.my_chat_member).toMatchObject({
      from: { id: emulators.seller },
      chat: { id: chatId, type: "supergroup" },
      old_chat_member: { status: "left" },
      new_chat_member: { status: "administrator", can_invite_users: true },
    });
    expect(updates[2]?.message?.text).toBe("/start@SesameVendeurBot link_1");
  });

  test("keeps the rights it had", () => {
    const chatId = groupWithBot(emulators, ["pin_messages"]);
    addBot(chatId, ["invite_users"]);
    expect(botNow()).toMatchObject({ can_pin_messages: true, can_invite_users: true });
  });

  test("turns a basic group into a supergroup when it asks for rights", async () => {
    const { chatId } = addBot(createChat("group", "Amis"), ["invite_users"]);
    expect(chatId).toBeLessThan(-1_000_000_000_000);
    const link = await emulators.call("seller", "createChatInviteLink", { chat_id: chatId });
    expect(link.ok).toBe(true);
  });

  test("can be added by an anonymous administrator, who then has no name", () => {
    const chatId = createChat("supergroup");
    emulators.telegram.setAnonymous({ personId: emulators.seller, chatId, anonymous: true });
    addBot(chatId, ["invite_users"]);
    expect(emulators.updates("seller")[0]?.my_chat_member?.from.id).toBe(1_087_968_824);
  });
});

test("a channel has administrators only, does not announce members, and delivers posts", async () => {
  await askForAllUpdates(emulators);
  const chatId = createChat("channel", "Signaux");
  expect(() => addBot(chatId, [])).toThrow();
  addBot(chatId, ["invite_users", "restrict_members"]);
  const link = emulators.state().chats[0]?.inviteLinks[0]?.link ?? "";
  emulators.telegram.join({ personId: emulators.buyer, link });
  expect(kinds(emulators.updates("seller"))).toEqual(["my_chat_member", "chat_member"]);
  expect(await send({ chat_id: chatId })).toBe(
    "400 Bad Request: need administrator rights in the channel chat",
  );
  setBotRights(chatId, []);
  expect(botNow()?.status).toBe("left");
});

test("a basic group that becomes a supergroup is reported in both chats, and calls on the old id are refused with the new one", async () => {
  const chatId = createChat("group", "Amis");
  addBot(chatId, []);
  const user_id = emulators.seller;
  expect(await emulators.refusal("seller", "unbanChatMember", { chat_id: chatId, user_id })).toBe(
    "400 Bad Request: method is available for supergroup and channel chats only",
  );
  const before = emulators.updates("seller").length;
  const next = emulators.telegram.migrate({ personId: user_id, chatId }).chatId;
  const updates = emulators.updates("seller").slice(before);
  expect(kinds(updates)).toEqual(["my_chat_member", "message", "message", "my_chat_member"]);
  expect(updates[0]?.my_chat_member).toMatchObject({
    chat: { id: next },
    new_chat_member: { status: "member" },
  });
  expect(updates[1]?.message).toMatchObject({ chat: { id: chatId }, migrate_to_chat_id: next });
  expect(updates[2]?.message).toMatchObject({ chat: { id: next }, migrate_from_chat_id: chatId });
  expect(updates[3]?.my_chat_member).toMatchObject({
    chat: { id: chatId },
    new_chat_member: { status: "left" },
  });
  expect(await emulators.call("seller", "sendMessage", { chat_id: chatId, text: "?" })).toEqual({
    ok: false,
    error_code: 400,
    description: "Bad Request: group chat was upgraded to a supergroup chat",
    parameters: { migrate_to_chat_id: next },
  });
});

describe("the owner of a group", () => {
  test("gives it to a member, stays administrator, and the bot receives both changes", async () => {
    await askForAllUpdates(emulators);
    const chatId = groupWithBot(emulators);
    const ids = { personId: emulators.seller, chatId };
    emulators.telegram.addMember({ ...ids, userId: emulators.buyer });
    const before = emulators.updates("seller").length;
    emulators.telegram.transferOwnership({ ...ids, userId: emulators.buyer });
    const updates = emulators.updates("seller").slice(before);
    expect(
      updates.map(({ chat_member: change }) => [
        change?.new_chat_member.user.id,
        change?.old_chat_member.status,
        change?.new_chat_member.status,
      ]),
    ).toEqual([
      [emulators.seller, "creator", "administrator"],
      [emulators.buyer, "member", "creator"],
    ]);
    const again = () => emulators.telegram.transferOwnership({ ...ids, userId: emulators.buyer });
    expect(again).toThrow("only the owner");
  });

  test("is named by getChatAdministrators also when hidden behind the group", async () => {
    const chatId = groupWithBot(emulators);
    emulators.telegram.setAnonymous({ personId: emulators.seller, chatId, anonymous: true });
    expect(
      await emulators.call("seller", "getChatAdministrators", { chat_id: chatId }),
    ).toMatchObject({
      ok: true,
      result: expect.arrayContaining([
        expect.objectContaining({ status: "creator", is_anonymous: true }),
      ]),
    });
  });
});

test("a chat the bot may no longer write to has an error for each reason", async () => {
  const chatId = groupWithBot(emulators);
  emulators.telegram.removeBot({ personId: emulators.seller, chatId, bot: "seller" });
  expect(botNow()?.status).toBe("kicked");
  expect(await send({ chat_id: chatId })).toBe(
    "403 Forbidden: bot was kicked from the supergroup chat",
  );
  const left = groupWithBot(emulators);
  emulators.telegram.leave({ personId: 1_111_111_111, chatId: left });
  expect(await emulators.refusal("seller", "getChat", { chat_id: left })).toBe(
    "403 Forbidden: bot is not a member of the supergroup chat",
  );
  expect(await send({ chat_id: -77 })).toBe("400 Bad Request: chat not found");
  expect(await send({})).toBe("400 Bad Request: chat_id is empty");
});

describe("a private chat", () => {
  const write = () =>
    emulators.refusal("buyer", "sendMessage", { chat_id: emulators.buyer, text: "?" });

  test("opens by /start and closes by a block", async () => {
    expect(await write()).toBe("400 Bad Request: chat not found");
    const { buyer: personId } = emulators;
    emulators.telegram.sendMessage({ personId, to: { bot: "buyer" }, text: "/start abc" });
    expect(emulators.updates("buyer")[0]?.message).toMatchObject({
      text: "/start abc",
      chat: { id: emulators.buyer, type: "private" },
    });
    expect(await write()).toBe("no refusal");
    emulators.telegram.blockBot({ personId, bot: "buyer" });
    expect(botNow("buyer")?.status).toBe("kicked");
    expect(await write()).toBe("403 Forbidden: bot was blocked by the user");
    emulators.telegram.unblockBot({ personId, bot: "buyer" });
    expect(botNow("buyer")?.status).toBe("member");
    expect(await write()).toBe("no refusal");
  });

  test("opens by the write access a mini app asked for", async () => {
    emulators.telegram.allowWrite({ personId: emulators.buyer, bot: "buyer", allowed: true });
    expect(emulators.updates("buyer")[0]?.message?.write_access_allowed).toEqual({
      from_request: true,
    });
    expect(await write()).toBe("no refusal");
  });

  test("with another bot is refused", async () => {
    expect(
      await emulators.refusal("buyer", "sendMessage", { chat_id: 1_111_111_111, text: "?" }),
    ).toBe("403 Forbidden: the bot can't send messages to the bot");
  });
});

test("the updates that a bot receives in a group are commands to itself, and everything once it is an administrator", () => {
  const chatId = groupWithBot(emulators, []);
  const say = (text: string) => {
    const before = emulators.updates("seller").length;
    emulators.telegram.sendMessage({ personId: emulators.seller, to: { chatId }, text });
    return emulators.updates("seller").length - before;
  };
  expect(say("bonjour")).toBe(0);
  expect(say("/aide")).toBe(1);
  expect(say("/aide@AutreBot")).toBe(0);
  setBotRights(chatId, ["manage_chat"]);
  expect(say("bonjour")).toBe(1);
});
