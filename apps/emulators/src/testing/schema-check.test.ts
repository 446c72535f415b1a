import { describe, expect, test } from "vitest";
import { emulatorsEach, groupWithBot } from "./test-emulators.ts";
import type { Update } from "grammy/types";
import { openSchema } from "./schema-check.ts";

describe("the schema of the Bot API", () => {
  const { emulators } = emulatorsEach();
  const check = openSchema();

  test("agrees with an answer to every method the emulators have", async () => {
    const chat_id = groupWithBot(emulators, [
      "invite_users",
      "restrict_members",
      "manage_chat",
      "delete_messages",
    ]);
    const user_id = emulators.buyer;
    emulators.telegram.sendMessage({ personId: user_id, to: { bot: "seller" }, text: "/start" });
    emulators.telegram.addMember({ personId: emulators.seller, chatId: chat_id, userId: user_id });
    const menu_button = { type: "web_app", text: "Ouvrir", web_app: { url: "https://a.ci/" } };
    const commands = [{ command: "start", description: "Commencer" }];
    const calls: [string, object][] = [
      ["getMe", {}],
      ["getUpdates", {}],
      ["setMyCommands", { commands }],
      ["setMyDescription", { description: "Vendre l'accès" }],
      ["setMyShortDescription", { short_description: "Vendre" }],
      ["setChatMenuButton", { menu_button }],
      ["getChat", { chat_id }],
      ["getChat", { chat_id: user_id }],
      ["getChatMember", { chat_id, user_id }],
      ["getChatMember", { chat_id, user_id: emulators.seller }],
      ["getChatMember", { chat_id, user_id: 1_111_111_111 }],
      ["setChatPermissions", { chat_id, permissions: { can_send_messages: true } }],
      ["getChatMemberCount", { chat_id }],
      ["getChatAdministrators", { chat_id, return_bots: true }],
      ["createChatInviteLink", { chat_id, name: "a", creates_join_request: true }],
      ["sendMessage", { chat_id, text: "https://a.ci" }],
      ["banChatMember", { chat_id, user_id }],
      ["getChatMember", { chat_id, user_id }],
      ["unbanChatMember", { chat_id, user_id, only_if_banned: true }],
      ["getChatMember", { chat_id, user_id }],
    ];
    for (const [method, params] of calls) {
      expect([method, await emulators.refusal("seller", method, params)]).toEqual([
        method,
        "no refusal",
      ]);
    }
    expect(emulators.complaints()).toEqual([]);
  });

  test("complains of planted mistakes", () => {
    const exchange = {
      bot: { roles: [] } as never,
      method: "sendMessage",
      encoding: "json" as const,
    };
    const answer = { ok: true as const, result: true };
    const params = { chat: 1, text: 5 };
    expect(check.exchange({ ...exchange, params, answer })).toEqual([
      "sendMessage: chat_id is missing",
      "sendMessage.text: 5 is no String",
      "sendMessage: unknown field chat",
      "sendMessage answer: true is no Message",
    ]);
    const user = { id: 1, is_bot: false, first_name: "A" };
    const update = {
      update_id: 1,
      my_chat_member: {
        chat: { id: 1, type: "private" },
        from: user,
        date: 1,
        old_chat_member: { status: "member", user },
        new_chat_member: { status: "gone", user },
      },
    } as unknown as Update;
    expect(check.update(update)[0]).toContain("new_chat_member.status: gone instead of");
  });
});
