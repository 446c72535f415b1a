import { HOUR_MS, MINUTE_MS } from "@sesame/kernel";
import { beforeEach, describe, expect, test } from "vitest";
import { emulatorsEach, askForAllUpdates, groupWithBot } from "../testing/test-emulators.ts";

const { emulators } = emulatorsEach();
let chat_id: number;

beforeEach(async () => {
  chat_id = groupWithBot(emulators);
  await askForAllUpdates(emulators);
});

const ask = (method: string, params: object = {}) =>
  emulators.call("seller", method, { chat_id, ...params });
const refused = (method: string, params: object = {}) =>
  emulators.refusal("seller", method, { chat_id, ...params });

async function joinLink(terms: object = { creates_join_request: true }): Promise<string> {
  const { result } = await ask("createChatInviteLink", terms);
  return String(result?.invite_link);
}

const setBotRights = () =>
  emulators.telegram.setBotRights({
    personId: emulators.seller,
    chatId: chat_id,
    bot: "seller",
    rights: ["manage_chat"],
  });

const stateOf = (link: string) =>
  emulators.telegram.previewInvite({ personId: emulators.buyer, link }).state;

const write = () =>
  emulators.refusal("seller", "sendMessage", { chat_id: emulators.buyer, text: "?" });

const inSeconds = (seconds: number) => Math.floor(emulators.clock.now().getTime() / 1000) + seconds;

function lastUpdate() {
  return emulators.updates("seller").at(-1);
}

describe("a join request", () => {
  test("is made by the link, delivered to the bot, and approved", async () => {
    const link = await joinLink({ name: "order 7", creates_join_request: true });
    const personId = emulators.buyer;
    expect(stateOf(link)).toBe("askable");
    expect(emulators.telegram.join({ personId, link }).state).toBe("asked");
    expect(lastUpdate()?.chat_join_request).toMatchObject({
      from: { id: personId },
      user_chat_id: personId,
      invite_link: { invite_link: link, name: "order 7", pending_join_request_count: 1 },
    });
    const approved = await ask("approveChatJoinRequest", { user_id: personId });
    expect(approved).toEqual({ ok: true, result: true });
    const updates = emulators.updates("seller").slice(-2);
    expect(updates[0]?.chat_member).toMatchObject({
      from: { id: 1_111_111_111 },
      old_chat_member: { status: "left" },
      new_chat_member: { status: "member", user: { id: personId } },
      invite_link: { invite_link: link },
    });
    expect(updates[1]?.message?.new_chat_members?.[0]?.id).toBe(personId);
    expect(stateOf(link)).toBe("member");
  });

  test("cannot be answered when there is none, when it was handled, or when the person is inside", async () => {
    const link = await joinLink();
    const user_id = emulators.buyer;
    const approve = () => refused("approveChatJoinRequest", { user_id });
    expect(await approve()).toBe("400 Bad Request: USER_ID_INVALID");
    emulators.telegram.join({ personId: user_id, link });
    emulators.telegram.cancelJoinRequest({ personId: user_id, chatId: chat_id });
    expect(await approve()).toBe("400 Bad Request: HIDE_REQUESTER_MISSING");
    emulators.telegram.join({ personId: user_id, link });
    emulators.telegram.addMember({ personId: emulators.seller, chatId: chat_id, userId: user_id });
    expect(await approve()).toBe("400 Bad Request: USER_ALREADY_PARTICIPANT");
  });

  test("opens a window of five minutes to write to someone who never started the bot", async () => {
    const link = await joinLink();
    expect(await write()).toBe("400 Bad Request: chat not found");
    emulators.telegram.join({ personId: emulators.buyer, link });
    expect(await write()).toBe("no refusal");
    emulators.clock.advance(5 * MINUTE_MS);
    expect(await write()).toBe("403 Forbidden: bot can't initiate conversation with a user");
  });

  test("closes that window once it is handled", async () => {
    emulators.telegram.join({ personId: emulators.buyer, link: await joinLink() });
    await ask("declineChatJoinRequest", { user_id: emulators.buyer });
    expect(await write()).toBe("403 Forbidden: bot can't initiate conversation with a user");
  });
});

describe("an invite link", () => {
  test("dies when it is revoked, expires or is full", async () => {
    const revoked = await joinLink();
    await ask("revokeChatInviteLink", { invite_link: revoked });
    expect(stateOf(revoked)).toBe("revoked");
    const short = await joinLink({ expire_date: inSeconds(60) });
    expect(stateOf(short)).toBe("open");
    emulators.clock.advance(HOUR_MS);
    expect(stateOf(short)).toBe("expired");
    const single = await joinLink({ member_limit: 1 });
    emulators.telegram.join({ personId: emulators.stranger, link: single });
    expect(stateOf(single)).toBe("full");
    expect(stateOf("https://t.me/+nowhere")).toBe("unknown");
  });

  test("with approval takes no member limit", async () => {
    const limited = { creates_join_request: true, member_limit: 1 };
    expect(await refused("createChatInviteLink", limited)).toBe(
      "400 Bad Request: member limit can't be specified for links requiring administrator approval",
    );
  });

  test("of another administrator is shown with its tail cut off", async () => {
    const owner = emulators.state().chats[0]?.inviteLinks[0]?.link ?? "";
    emulators.telegram.join({ personId: emulators.buyer, link: owner });
    const shown = emulators.updates("seller").at(-2)?.chat_member?.invite_link?.invite_link;
    expect(shown).toMatch(/^https:\/\/t\.me\/\+.+\.\.\.$/);
  });
});

test("rights that are missing are refused in Telegram's own words", async () => {
  emulators.telegram.join({ personId: emulators.buyer, link: await joinLink() });
  setBotRights();
  expect(lastUpdate()?.my_chat_member?.new_chat_member).toMatchObject({
    status: "administrator",
    can_invite_users: false,
    can_restrict_members: false,
  });
  for (const [method, words] of [
    ["createChatInviteLink", "manage chat invite link"],
    ["approveChatJoinRequest", "manage chat join requests"],
    ["banChatMember", "restrict/unrestrict chat member"],
  ] as const) {
    const said = await refused(method, { user_id: emulators.buyer });
    expect(said).toBe(`400 Bad Request: not enough rights to ${words}`);
  }
});

describe("removing a person", () => {
  beforeEach(async () => {
    emulators.telegram.join({ personId: emulators.buyer, link: await joinLink({}) });
  });

  const status = async () => {
    const who = { user_id: emulators.buyer };
    return (await ask("getChatMember", who)).result?.status;
  };

  test("bans, then lets go: the person is out and may come again by a new link", async () => {
    const who = { user_id: emulators.buyer };
    await ask("banChatMember", { ...who, until_date: inSeconds(60) });
    expect(await status()).toBe("kicked");
    expect(emulators.updates("seller").at(-1)?.message?.left_chat_member?.id).toBe(emulators.buyer);
    const link = await joinLink();
    expect(stateOf(link)).toBe("banned");
    await ask("unbanChatMember", { ...who, only_if_banned: true });
    expect(await status()).toBe("left");
    expect(emulators.telegram.join({ personId: emulators.buyer, link }).state).toBe("asked");
  });

  test.each([
    [60, MINUTE_MS, "left"],
    [10, HOUR_MS, "kicked"],
  ])("for %i s ends by itself; under half a minute is for ever", async (seconds, ms, after) => {
    await ask("banChatMember", { user_id: emulators.buyer, until_date: inSeconds(seconds) });
    emulators.clock.advance(ms);
    expect(await status()).toBe(after);
  });

  test("by unban alone kicks a present member, in two steps", async () => {
    await ask("unbanChatMember", { user_id: emulators.buyer });
    const steps = emulators
      .updates("seller")
      .flatMap((update) => update.chat_member?.new_chat_member.status ?? []);
    expect(steps.slice(-2)).toEqual(["kicked", "left"]);
  });

  test("leaves a present member alone with only_if_banned", async () => {
    const who = { user_id: emulators.buyer, only_if_banned: true };
    expect((await ask("unbanChatMember", who)).ok).toBe(true);
    expect(await status()).toBe("member");
  });

  test("is refused for the owner, administrators, oneself and people never met", async () => {
    const ban = (user_id: number) => refused("banChatMember", { user_id });
    expect(await ban(emulators.seller)).toBe("400 Bad Request: can't remove chat owner");
    emulators.telegram.setAdmin({
      personId: emulators.seller,
      chatId: chat_id,
      userId: emulators.buyer,
      rights: ["invite_users"],
    });
    const words = "400 Bad Request: user is an administrator of the chat";
    expect(await ban(emulators.buyer)).toBe(words);
    expect(await ban(1_111_111_111)).toBe("400 Bad Request: can't restrict self");
    expect(await ban(emulators.stranger)).toBe("400 Bad Request: PARTICIPANT_ID_INVALID");
    expect(await ban(42)).toBe("400 Bad Request: user not found");
  });
});

describe("the default permissions of a group", () => {
  const permissionsNow = async () => {
    const { result } = await ask("getChat");
    return (result as { permissions: Record<string, boolean> }).permissions;
  };
  const newcomer = () => emulators.telegram.createPerson({ firstName: "Nouvelle" }).id;

  test("let members add members until they are changed, which leaves the others alone", async () => {
    const add = (userId: number, personId: number) =>
      emulators.telegram.addMember({ personId, chatId: chat_id, userId });
    add(emulators.buyer, emulators.seller);
    add(newcomer(), emulators.buyer);
    expect(lastMember()).toMatchObject({ from: { id: emulators.buyer } });
    const before = await permissionsNow();
    expect(before).toMatchObject({ can_invite_users: true, can_change_info: false });
    const changed = await ask("setChatPermissions", {
      permissions: { ...before, can_invite_users: false },
      use_independent_chat_permissions: true,
    });
    expect(changed).toEqual({ ok: true, result: true });
    expect(await permissionsNow()).toEqual({ ...before, can_invite_users: false });
    expect(() => add(newcomer(), emulators.buyer)).toThrow("may not add members");
    add(newcomer(), emulators.seller);
    const { seller: personId } = emulators;
    emulators.telegram.setMembersCanAdd({ personId, chatId: chat_id, allowed: true });
    add(newcomer(), emulators.buyer);
    expect(lastMember()).toMatchObject({ from: { id: emulators.buyer } });
  });

  test("imply each other unless they are said to be independent", async () => {
    const permissions = { can_send_polls: true };
    await ask("setChatPermissions", { permissions });
    expect(await permissionsNow()).toMatchObject({ can_send_polls: true, can_send_messages: true });
    await ask("setChatPermissions", { permissions, use_independent_chat_permissions: true });
    const independent = { can_send_polls: true, can_send_messages: false };
    expect(await permissionsNow()).toMatchObject(independent);
  });

  test("are changed only by a bot that may restrict members", async () => {
    setBotRights();
    expect(await refused("setChatPermissions", { permissions: {} })).toContain(
      "not enough rights to change chat permissions",
    );
  });
});

function lastMember() {
  return emulators.updates("seller").findLast((update) => update.chat_member)?.chat_member;
}
