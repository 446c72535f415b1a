import { announceJoin, announceLeave } from "../service-messages.ts";
import type { ActorCalls, AdminRight } from "../../wire.ts";
import { NotPossible } from "../api-error.ts";
import { migrateChat, requireAdmin } from "../chats.ts";
import { changeMember, hasRight, isInside, memberOf } from "../members.ts";
import { postInChat, postToBot } from "../messages.ts";
import { formatText } from "../entities.ts";
import type { Bot, ChatRecord } from "../state.ts";
import {
  botOfRole,
  chatById,
  dialogOf,
  personAsUser,
  personById,
  type Town,
  unixNow,
} from "../town.ts";
import type { Actors } from "./actors.ts";

/** What people do with bots: add them, change what they may do, talk to them or not. */
export function botActors(town: Town) {
  return {
    addBot: (input) => addBot(town, input),
    setBotRights(input) {
      const bot = botOfRole(town, input.bot);
      let chat = chatById(town, input.chatId);
      requireAdmin(chat, input.personId, "promote_members");
      if (!isInside(chat.members.get(bot.id))) throw new NotPossible("the bot is not there");
      if (chat.kind === "group" && input.rights.length > 0) {
        chat = migrateChat(town, chat, { byId: input.personId });
      }
      const gone = chat.kind === "channel" && input.rights.length === 0;
      const plain = gone ? "left" : "member";
      changeMember(town, chat, {
        userId: bot.id,
        byId: input.personId,
        status: input.rights.length > 0 ? "administrator" : plain,
        rights: input.rights,
      });
      return { chatId: chat.id };
    },
    removeBot(input) {
      const bot = botOfRole(town, input.bot);
      const chat = chatById(town, input.chatId);
      requireAdmin(chat, input.personId, "restrict_members");
      if (!isInside(chat.members.get(bot.id))) throw new NotPossible("the bot is not there");
      changeMember(town, chat, { userId: bot.id, status: "kicked", byId: input.personId });
      announceLeave(town, chat, { userId: bot.id, byId: input.personId });
      return null;
    },
    blockBot: ({ personId, bot }) =>
      block(town, personId, { bot: botOfRole(town, bot), blocked: true }),
    unblockBot: ({ personId, bot }) =>
      block(town, personId, { bot: botOfRole(town, bot), blocked: false }),
    allowWrite(input) {
      const bot = botOfRole(town, input.bot);
      const dialog = dialogOf(town, input.personId, bot);
      const newly = input.allowed && !dialog.writeAccess && !dialog.started;
      dialog.writeAccess = input.allowed;
      town.changed();
      if (newly) postToBot(town, dialog, { write_access_allowed: { from_request: true } });
      return null;
    },
  } satisfies Partial<Actors>;
}

function addBot(town: Town, input: ActorCalls["addBot"]["takes"]): { chatId: number } {
  const bot = botOfRole(town, input.bot);
  const { personId, rights, payload } = input;
  let chat = chatById(town, input.chatId);
  checkMayAdd(chat, personId, rights);
  const wasInside = isInside(chat.members.get(bot.id));
  // Only a supergroup has administrators with chosen rights: the basic group is upgraded first.
  if (chat.kind === "group" && rights.length > 0)
    chat = migrateChat(town, chat, { byId: personId });
  const adder = chat.members.get(personId);
  if (adder !== undefined && input.anonymous !== undefined) adder.anonymous = input.anonymous;
  promote(town, chat, { bot, rights, byId: personId });
  if (!wasInside) announceJoin(town, chat, { userId: bot.id, byId: personId });
  if (chat.kind !== "channel" && payload !== undefined) {
    const text = `/start@${bot.username} ${payload}`.trim();
    postInChat(town, chat, { authorId: personId, content: formatText(text, "") });
  }
  return { chatId: chat.id };
}

function checkMayAdd(chat: ChatRecord, personId: number, rights: AdminRight[]): void {
  const adder = memberOf(chat, personId);
  if (chat.migratedTo !== null) throw new NotPossible("the group has become a supergroup");
  if (rights.length > 0 && !hasRight(adder, "promote_members")) {
    throw new NotPossible("only who may add administrators can give rights to a bot");
  }
  if (chat.kind === "channel" && rights.length === 0) {
    throw new NotPossible("in a channel a bot is an administrator or nothing");
  }
  if (!isInside(adder)) throw new NotPossible("only members add a bot");
}

/** Rights already there stay: those of the link are added to them. */
function promote(
  town: Town,
  chat: ChatRecord,
  given: { bot: Bot; rights: AdminRight[]; byId: number },
): void {
  const { bot, byId } = given;
  const before = memberOf(chat, bot.id);
  const rights = [...new Set([...before.rights, ...given.rights])];
  const plain = before.status === "administrator" ? "administrator" : "member";
  const status = given.rights.length > 0 ? "administrator" : plain;
  changeMember(town, chat, { userId: bot.id, status, rights, byId });
}

/** In private chats `my_chat_member` tells of blocking and unblocking, and of nothing else. */
function block(
  town: Town,
  personId: number,
  { bot, blocked }: { bot: Bot; blocked: boolean },
): null {
  const person = personById(town, personId);
  const dialog = dialogOf(town, personId, bot);
  if (dialog.blocked === blocked) return null;
  dialog.blocked = blocked;
  town.changed();
  const user = { id: bot.id, is_bot: true, first_name: bot.name, username: bot.username };
  const out = { status: "kicked" as const, user, until_date: 0 };
  const inside = { status: "member" as const, user };
  town.updates.add(bot, {
    type: "my_chat_member",
    content: {
      chat: {
        id: personId,
        type: "private",
        first_name: person.firstName,
        ...(person.username === null ? {} : { username: person.username }),
      },
      from: personAsUser(person),
      date: unixNow(town),
      old_chat_member: blocked ? inside : out,
      new_chat_member: blocked ? out : inside,
    },
  });
  return null;
}
