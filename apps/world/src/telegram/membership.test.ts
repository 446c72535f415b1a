import { HOUR_MS, MINUTE_MS } from "@sesame/kernel";
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

async function joinLink(terms: object = { creates_join_request: true }): Promise<string> {
  const { result } = await world.call("seller", "createChatInviteLink", { chat_id, ...terms });
  return String(result?.invite_link);
}

function lastUpdate() {
  return world.updates("seller").at(-1);
}

describe("a join request", () => {
  test("is asked by the link, told to the bot, and approved", async () => {
    const link = await joinLink({ name: "order 7", creates_join_request: true });
    const personId = world.buyer;
    expect(world.telegram.previewInvite({ personId, link }).state).toBe("askable");
    expect(world.telegram.join({ personId, link }).state).toBe("asked");
    expect(lastUpdate()?.chat_join_request).toMatchObject({
      from: { id: personId },
      user_chat_id: personId,
      invite_link: { invite_link: link, name: "order 7", pending_join_request_count: 1 },
    });
    const approved = await world.call("seller", "approveChatJoinRequest", {
      chat_id,
      user_id: personId,
    });
    expect(approved).toEqual({ ok: true, result: true });
    const told = world.updates("seller").slice(-2);
    expect(told[0]?.chat_member).toMatchObject({
      from: { id: 1_111_111_111 },
      old_chat_member: { status: "left" },
      new_chat_member: { status: "member", user: { id: personId } },
      invite_link: { invite_link: link },
    });
    expect(told[1]?.message?.new_chat_members?.[0]?.id).toBe(personId);
    expect(world.telegram.previewInvite({ personId, link }).state).toBe("member");
  });

  test("cannot be answered when there is none, when handled, or when already in", async () => {
    const link = await joinLink();
    const user_id = world.buyer;
    const approve = () => world.refusal("seller", "approveChatJoinRequest", { chat_id, user_id });
    expect(await approve()).toBe("400 Bad Request: USER_ID_INVALID");
    world.telegram.join({ personId: user_id, link });
    world.telegram.cancelJoinRequest({ personId: user_id, chatId: chat_id });
    expect(await approve()).toBe("400 Bad Request: HIDE_REQUESTER_MISSING");
    world.telegram.join({ personId: user_id, link });
    world.telegram.addMember({ personId: world.seller, chatId: chat_id, userId: user_id });
    expect(await approve()).toBe("400 Bad Request: USER_ALREADY_PARTICIPANT");
  });

  test("opens a window of five minutes to write to someone who never started the bot", async () => {
    const link = await joinLink();
    const write = () => world.refusal("seller", "sendMessage", { chat_id: world.buyer, text: "?" });
    expect(await write()).toBe("400 Bad Request: chat not found");
    world.telegram.join({ personId: world.buyer, link });
    expect(await write()).toBe("no refusal");
    world.clock.advance(5 * MINUTE_MS);
    expect(await write()).toBe("403 Forbidden: bot can't initiate conversation with a user");
  });

  test("closes that window once it is handled", async () => {
    world.telegram.join({ personId: world.buyer, link: await joinLink() });
    await world.call("seller", "declineChatJoinRequest", { chat_id, user_id: world.buyer });
    expect(await world.refusal("seller", "sendMessage", { chat_id: world.buyer, text: "?" })).toBe(
      "403 Forbidden: bot can't initiate conversation with a user",
    );
  });
});

describe("an invite link", () => {
  test("dies when it is revoked, expires or is full", async () => {
    const state = (link: string) =>
      world.telegram.previewInvite({ personId: world.buyer, link }).state;
    const revoked = await joinLink();
    await world.call("seller", "revokeChatInviteLink", { chat_id, invite_link: revoked });
    expect(state(revoked)).toBe("revoked");
    const now = Math.floor(world.clock.now().getTime() / 1000);
    const short = await joinLink({ expire_date: now + 60 });
    expect(state(short)).toBe("open");
    world.clock.advance(HOUR_MS);
    expect(state(short)).toBe("expired");
    const single = await joinLink({ member_limit: 1 });
    world.telegram.join({ personId: world.stranger, link: single });
    expect(state(single)).toBe("full");
    expect(state("https://t.me/+nowhere")).toBe("unknown");
  });

  test("with approval takes no member limit", async () => {
    expect(
      await world.refusal("seller", "createChatInviteLink", {
        chat_id,
        creates_join_request: true,
        member_limit: 1,
      }),
    ).toBe(
      "400 Bad Request: member limit can't be specified for links requiring administrator approval",
    );
  });

  test("of another administrator is shown with its tail cut off", async () => {
    const owner = world.state().chats[0]?.inviteLinks[0]?.link ?? "";
    world.telegram.join({ personId: world.buyer, link: owner });
    const shown = world.updates("seller").at(-2)?.chat_member?.invite_link?.invite_link;
    expect(shown).toMatch(/^https:\/\/t\.me\/\+.+\.\.\.$/);
  });
});

describe("rights that are missing", () => {
  test("are told in Telegram's own words", async () => {
    world.telegram.join({ personId: world.buyer, link: await joinLink() });
    world.telegram.setBotRights({
      personId: world.seller,
      chatId: chat_id,
      bot: "seller",
      rights: ["manage_chat"],
    });
    expect(lastUpdate()?.my_chat_member?.new_chat_member).toMatchObject({
      status: "administrator",
      can_invite_users: false,
      can_restrict_members: false,
    });
    const who = { chat_id, user_id: world.buyer };
    expect(await world.refusal("seller", "createChatInviteLink", { chat_id })).toBe(
      "400 Bad Request: not enough rights to manage chat invite link",
    );
    expect(await world.refusal("seller", "approveChatJoinRequest", who)).toBe(
      "400 Bad Request: not enough rights to manage chat join requests",
    );
    expect(await world.refusal("seller", "banChatMember", who)).toBe(
      "400 Bad Request: not enough rights to restrict/unrestrict chat member",
    );
  });
});

describe("removing a person", () => {
  beforeEach(async () => {
    world.telegram.join({ personId: world.buyer, link: await joinLink({}) });
  });

  const status = async () => {
    const who = { chat_id, user_id: world.buyer };
    return (await world.call("seller", "getChatMember", who)).result?.status;
  };

  test("bans, then lets go: the person is out and may come again by a new link", async () => {
    const who = { chat_id, user_id: world.buyer };
    const until_date = Math.floor(world.clock.now().getTime() / 1000) + 60;
    await world.call("seller", "banChatMember", { ...who, until_date });
    expect(await status()).toBe("kicked");
    expect(world.updates("seller").at(-1)?.message?.left_chat_member?.id).toBe(world.buyer);
    const link = await joinLink();
    expect(world.telegram.previewInvite({ personId: world.buyer, link }).state).toBe("banned");
    await world.call("seller", "unbanChatMember", { ...who, only_if_banned: true });
    expect(await status()).toBe("left");
    expect(world.telegram.join({ personId: world.buyer, link }).state).toBe("asked");
  });

  test("ends by itself when the ban had an end", async () => {
    const until_date = Math.floor(world.clock.now().getTime() / 1000) + 60;
    await world.call("seller", "banChatMember", { chat_id, user_id: world.buyer, until_date });
    world.clock.advance(MINUTE_MS);
    expect(await status()).toBe("left");
  });

  test("for less than half a minute is for ever", async () => {
    const until_date = Math.floor(world.clock.now().getTime() / 1000) + 10;
    await world.call("seller", "banChatMember", { chat_id, user_id: world.buyer, until_date });
    world.clock.advance(HOUR_MS);
    expect(await status()).toBe("kicked");
  });

  test("by unban alone kicks a present member, in two steps", async () => {
    await world.call("seller", "unbanChatMember", { chat_id, user_id: world.buyer });
    const steps = world
      .updates("seller")
      .flatMap((update) => update.chat_member?.new_chat_member.status ?? []);
    expect(steps.slice(-2)).toEqual(["kicked", "left"]);
  });

  test("leaves a present member in peace when only the banned should be let go", async () => {
    const who = { chat_id, user_id: world.buyer, only_if_banned: true };
    expect((await world.call("seller", "unbanChatMember", who)).ok).toBe(true);
    expect(await status()).toBe("member");
  });

  test("is refused for the owner, administrators, oneself and people never met", async () => {
    const ban = (user_id: number) => world.refusal("seller", "banChatMember", { chat_id, user_id });
    expect(await ban(world.seller)).toBe("400 Bad Request: can't remove chat owner");
    world.telegram.setAdmin({
      personId: world.seller,
      chatId: chat_id,
      userId: world.buyer,
      rights: ["invite_users"],
    });
    expect(await ban(world.buyer)).toBe("400 Bad Request: user is an administrator of the chat");
    expect(await ban(1_111_111_111)).toBe("400 Bad Request: can't restrict self");
    expect(await ban(world.stranger)).toBe("400 Bad Request: PARTICIPANT_ID_INVALID");
    expect(await ban(42)).toBe("400 Bad Request: user not found");
  });
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
