import { resolveChat, resolveTarget } from "../access.ts";
import type { ChatFullInfo } from "../bot-api.ts";
import { hasRight } from "../members.ts";
import { leaveChat } from "../removals.ts";
import type { Bot, ChatRecord } from "../state.ts";
import { asChat, privateChat } from "../town.ts";
import type { MethodTable } from "./table.ts";

export const chatMethods: MethodTable = {
  getChat(town, call) {
    const target = resolveTarget(town, call, "read");
    if (target.is === "chat") return fullChat(target.chat, call.bot);
    return {
      ...privateChat(target.person),
      ...EVERY_CHAT,
      ...(target.person.username === null ? {} : { active_usernames: [target.person.username] }),
    };
  },
  leaveChat(town, call) {
    const chat = resolveChat(town, call, {
      need: "write",
      inPrivate: "chat member status can't be changed in private chats",
    });
    leaveChat(town, chat, call.bot.id);
    return true;
  },
};

const EVERY_CHAT = {
  accent_color_id: 3,
  max_reaction_count: 11,
  accepted_gift_types: {
    unlimited_gifts: true,
    limited_gifts: true,
    unique_gifts: true,
    premium_subscription: true,
    gifts_from_channels: true,
  },
};

function fullChat(chat: ChatRecord, bot: Bot): ChatFullInfo {
  const primary = chat.links.find(
    (link) => link.isPrimary && !link.isRevoked && link.creatorId === bot.id,
  );
  const invites = hasRight(chat.members.get(bot.id), "invite_users");
  const usernames = chat.username === null ? {} : { active_usernames: [chat.username] };
  const link = primary === undefined || !invites ? {} : { invite_link: primary.link };
  const permissions = {
    can_send_messages: true,
    can_send_photos: true,
    can_invite_users: true,
    can_change_info: false,
    can_pin_messages: false,
  };
  const shown = asChat(chat);
  switch (shown.type) {
    case "group":
      return { ...shown, ...EVERY_CHAT, ...link, permissions };
    case "supergroup":
      return { ...shown, ...EVERY_CHAT, ...usernames, ...link, permissions };
    case "channel":
      return { ...shown, ...EVERY_CHAT, ...usernames, ...link };
  }
}
