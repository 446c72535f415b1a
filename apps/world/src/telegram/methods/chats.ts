import { requireRight, resolveChat, resolveTarget } from "../access.ts";
import { badRequest } from "../api-error.ts";
import type { ChatFullInfo } from "../bot-api.ts";
import { hasRight } from "../members.ts";
import { permissionsOf, readPermissions } from "../permissions.ts";
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
  setChatPermissions(town, call) {
    const chat = resolveChat(town, call, {
      need: "write",
      inPrivate: "can't change private chat permissions",
    });
    const given = call.args.json("permissions");
    if (typeof given !== "object" || given === null) {
      throw badRequest("can't parse ChatPermissions JSON object");
    }
    if (chat.kind === "channel") throw badRequest("can't change channel chat permissions");
    requireRight(chat, call.bot, {
      right: "restrict_members",
      otherwise: "not enough rights to change chat permissions",
    });
    chat.permissions = readPermissions(
      given as Record<string, unknown>,
      call.args.boolean("use_independent_chat_permissions"),
    );
    town.changed();
    return true;
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
  const permissions = permissionsOf(chat);
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
