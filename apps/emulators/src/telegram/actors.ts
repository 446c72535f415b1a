import { MINUTE_MS, secretToken } from "@sesame/kernel";
import type { AdminRight, BotRole, ButtonPlace, PhoneId, Place, PressedButton } from "../wire.ts";
import { ALL_RIGHTS } from "../wire.ts";
import type { MobileMoney } from "../mobile-money/mobile-money.ts";
import type { SavedEmulators } from "../emulator-state.ts";
import {
  NotPossible,
  type Bot,
  type ChatRecord,
  type Person,
  botAsUser,
  personAsUser,
  privateChat,
  talkKey,
  type Telegram,
} from "./state.ts";
import type { ChatMember, InlineKeyboardButton, Message } from "grammy/types";
import {
  createChat,
  membersMayAdd,
  migrateChat,
  type NewChat,
  permissionsOf,
  requireAdmin,
} from "./chats.ts";
import { formatText } from "./entities.ts";
import { joinByLink, previewInvite, renewPrimary, takeRequest } from "./invite-links.ts";
import { hasRight, isAdmin, isBanned, isInside, memberOf } from "./members.ts";
import {
  changeMember,
  type Content,
  postInChat,
  postInTalk,
  postService,
  postToBot,
} from "./messages.ts";
import { chatInstance, type PhoneOpener } from "./opener.ts";
import { invoiceOf, invoiceSlug, invoiceView } from "./stars.ts";
import { personView } from "./views.ts";

/** What people do in Telegram, by name: the same functions serve tests and `POST /emulators/act`. */
export type Actors = ReturnType<typeof allActors>;

const JUST_NOW_MS = MINUTE_MS;
/** Queries of pressed buttons that may still be answered. */
const KEPT_CALLBACKS = 500;

export function allActors(
  emulated: Telegram,
  given: {
    opener: PhoneOpener;
    phones: SavedEmulators["phones"];
    mobileMoney: MobileMoney;
  },
) {
  const { opener, phones, mobileMoney } = given;
  const administered = (at: InChat, right: AdminRight): ChatRecord => {
    const chat = emulated.chatById(at.chatId);
    requireAdmin(chat, at.personId, right);
    return chat;
  };
  const owned = ({ chatId, personId }: InChat): ChatRecord => {
    const chat = emulated.chatById(chatId);
    if (memberOf(chat, personId).status !== "creator") throw new NotPossible("only the owner");
    return chat;
  };
  /** Only a supergroup has administrators with chosen rights: the basic group is upgraded first. */
  const upgradedFor = (
    chat: ChatRecord,
    rights: readonly AdminRight[],
    byId: number,
  ): ChatRecord =>
    chat.kind === "group" && rights.length > 0 ? migrateChat(emulated, chat, { byId }) : chat;

  return {
    createPerson(given: Pick<Person, "firstName"> & Partial<Person>) {
      const { firstName, lastName = null, username = null, languageCode = "fr" } = given;
      const id = emulated.state.nextPersonId++;
      const person: Person = { id, firstName, lastName, username, languageCode };
      emulated.state.persons.set(id, person);
      emulated.changed();
      return personView(emulated, person);
    },
    switchPerson({ phone, personId }: { phone: PhoneId; personId: number }) {
      emulated.personById(personId);
      phones[phone] = personId;
      return changed(emulated);
    },

    createChat(input: NewChat) {
      const chat = createChat(emulated, input);
      // Every chat that can be joined has its owner's own link from the start.
      if (chat.kind !== "group") renewPrimary(emulated, chat, input.ownerId);
      return { chatId: chat.id };
    },
    renameChat(input: InChat & { title: string }) {
      const chat = administered(input, "change_info");
      chat.title = input.title;
      if (chat.kind !== "channel") {
        const from = emulated.userById(input.personId);
        postService(emulated, chat, { from, new_chat_title: chat.title });
      }
      return changed(emulated);
    },
    /**
     * `quietly`: the bots get the two service messages alone, without `my_chat_member`; which of
     * the two Telegram does is not documented.
     */
    migrate(input: InChat & { quietly?: boolean }) {
      const { personId: byId, quietly = false } = input;
      return { chatId: migrateChat(emulated, owned(input), { byId, quietly }).id };
    },
    /** The creator stays an administrator with every right. */
    transferOwnership(input: OfMember) {
      const { personId, userId } = input;
      const chat = owned(input);
      emulated.personById(userId);
      if (chat.kind === "group") throw new NotPossible("a basic group is not handed over");
      requireInside(chat, userId, "not a member");
      const rights = ALL_RIGHTS.filter((right) => right !== "anonymous");
      // The old owner first: a chat never has two.
      const byId = personId;
      changeMember(emulated, chat, { userId: personId, byId, status: "administrator", rights });
      changeMember(emulated, chat, { userId, byId, status: "creator" });
      return null;
    },
    setMembersCanAdd(input: InChat & { allowed: boolean }) {
      const chat = administered(input, "restrict_members");
      chat.permissions = { ...permissionsOf(chat), can_invite_users: input.allowed };
      return changed(emulated);
    },
    /** An administrator hides behind the group, or shows again. */
    setAnonymous({ personId, chatId, anonymous }: InChat & { anonymous: boolean }) {
      const member = memberOf(emulated.chatById(chatId), personId);
      if (!isAdmin(member)) throw new NotPossible("only administrators act for the group");
      member.anonymous = anonymous;
      return changed(emulated);
    },

    /** No rights: a plain member again. */
    setAdmin(input: OfMember & { rights: AdminRight[] }) {
      const { personId, userId, rights } = input;
      const here = administered(input, "promote_members");
      emulated.personById(userId);
      requireInside(here, userId, "not a member");
      const chat = upgradedFor(here, rights, personId);
      const status = rights.length > 0 ? "administrator" : "member";
      changeMember(emulated, chat, { userId, byId: personId, status, rights });
      return { chatId: chat.id };
    },
    addMember({ personId, chatId, userId }: OfMember) {
      const chat = emulated.chatById(chatId);
      emulated.personById(userId);
      const by = chat.members.get(personId);
      const mayAdd = hasRight(by, "invite_users") || (isInside(by) && membersMayAdd(chat));
      if (!mayAdd) throw new NotPossible("may not add members");
      const member = memberOf(chat, userId);
      if (isInside(member)) return null;
      const lifts = hasRight(by, "restrict_members");
      if (isBanned(member, emulated.unixNow()) && !lifts) throw new NotPossible("banned there");
      changeMember(emulated, chat, { userId, status: "member", byId: personId });
      return null;
    },
    ban(input: OfMember) {
      const { personId: byId, userId } = input;
      const chat = administered(input, "restrict_members");
      const member = memberOf(chat, userId);
      if (member.status === "creator") throw new NotPossible("the owner cannot be removed");
      const status = chat.kind === "group" ? "left" : "kicked";
      changeMember(emulated, chat, { userId, status, byId });
      chat.requests.delete(userId);
      return null;
    },
    unban(input: OfMember) {
      const { personId: byId, userId } = input;
      const chat = administered(input, "restrict_members");
      const banned = isBanned(memberOf(chat, userId), emulated.unixNow());
      if (banned) changeMember(emulated, chat, { userId, status: "left", byId });
      return null;
    },
    leave({ personId, chatId }: InChat) {
      const chat = emulated.chatById(chatId);
      requireInside(chat, personId, "not a member");
      changeMember(emulated, chat, { userId: personId, status: "left", byId: personId });
      return null;
    },
    previewInvite: ({ personId, link }: OfLink) => previewInvite(emulated, personId, link),
    /** Joins, or sends a request. → the sheet after it */
    join: ({ personId, link }: OfLink) => joinByLink(emulated, personId, link),
    cancelJoinRequest({ personId, chatId }: InChat) {
      takeRequest(emulated, emulated.chatById(chatId), personId);
      return null;
    },

    /** Ends the dialogue of a startgroup or startchannel link. */
    addBot(input: BotInChat & { payload?: string }) {
      const bot = emulated.botOfRole(input.bot);
      const { personId: byId, rights, payload } = input;
      const here = emulated.chatById(input.chatId);
      checkMayAdd(here, byId, rights);
      const chat = upgradedFor(here, rights, byId);
      // Rights already there stay: those of the link are added to them.
      const before = memberOf(chat, bot.id);
      const administers = before.status === "administrator" || rights.length > 0;
      changeMember(emulated, chat, {
        userId: bot.id,
        byId,
        status: administers ? "administrator" : "member",
        rights: [...before.rights, ...rights],
      });
      if (chat.kind !== "channel" && payload !== undefined) {
        const content = formatText(`/start@${bot.username} ${payload}`.trim(), "");
        postInChat(emulated, chat, { authorId: byId, content });
      }
      return { chatId: chat.id };
    },
    /** No rights: the bot becomes a plain member; in a channel it leaves. */
    setBotRights(input: BotInChat) {
      const { personId: byId, rights } = input;
      const bot = emulated.botOfRole(input.bot);
      const here = administered(input, "promote_members");
      requireInside(here, bot.id, "the bot is not there");
      const chat = upgradedFor(here, rights, byId);
      const plain = chat.kind === "channel" ? "left" : "member";
      const status = rights.length > 0 ? "administrator" : plain;
      changeMember(emulated, chat, { userId: bot.id, byId, status, rights });
      return { chatId: chat.id };
    },
    removeBot(input: InChat & { bot: BotRole }) {
      const { id: userId } = emulated.botOfRole(input.bot);
      const chat = administered(input, "restrict_members");
      requireInside(chat, userId, "the bot is not there");
      changeMember(emulated, chat, { userId, status: "kicked", byId: input.personId });
      return null;
    },
    blockBot: ({ personId, bot }: OfBot) => block(emulated, personId, { role: bot, blocked: true }),
    unblockBot: ({ personId, bot }: OfBot) =>
      block(emulated, personId, { role: bot, blocked: false }),
    /** The answer to the mini app's request to write to the person. */
    allowWrite(input: OfBot & { allowed: boolean }) {
      const dialog = emulated.dialogOf(input.personId, emulated.botOfRole(input.bot));
      const newly = input.allowed && !dialog.writeAccess && !dialog.started;
      dialog.writeAccess = input.allowed;
      if (newly) postToBot(emulated, dialog, { write_access_allowed: { from_request: true } });
      return changed(emulated);
    },

    sendMessage({ personId, to, text }: { personId: number; to: Place; text: string }) {
      const { entities, ...content }: Content = formatText(text, "");
      if (content.text === "") throw new NotPossible("an empty message is not sent");
      const formatted = { ...content, ...(entities?.length && { entities }) };
      if (!("bot" in to)) return { messageId: post(emulated, personId, to, formatted).message_id };
      const dialog = emulated.dialogOf(personId, emulated.botOfRole(to.bot));
      if (dialog.blocked) throw new NotPossible("the bot is blocked: unblock it first");
      dialog.started = true;
      return { messageId: postToBot(emulated, dialog, formatted).message_id };
    },
    pressButton(input: Pressed) {
      const message = messagesAt(emulated, input.personId, input.in).find(
        (each) => each.message_id === input.messageId,
      );
      if (message === undefined) throw new NotPossible("there is no such message");
      const button = message.reply_markup?.inline_keyboard[input.row]?.[input.column];
      if (button === undefined) throw new NotPossible("there is no such button");
      return press(emulated, opener, { ...input, message, button });
    },

    openLink: ({ personId, url, phone }: { personId: number; url: string; phone?: PhoneId }) =>
      opener.link(personId, url, phone),
    openMiniApp: opener.miniApp,
    sendMoney: mobileMoney.send,
    addNumber: mobileMoney.addNumber,
    previewInvoice: ({ personId, link }: OfLink) => invoiceView(emulated, personId, slugOf(link)),
    /**
     * A page in the phone's browser led to Telegram, and the browser reports no more than that: the
     * last request to people is opened, if there was one.
     */
    backToTelegram({ personId }: { personId: number }) {
      const sinceMs = emulated.clock.now().getTime() - JUST_NOW_MS;
      const asked = [...emulated.state.stars.invoices.values()].findLast(
        ({ status, createdAtMs }) => status === "pending" && createdAtMs > sinceMs,
      );
      return { invoice: asked === undefined ? null : invoiceView(emulated, personId, asked.slug) };
    },
    payInvoice: ({ personId, link }: OfLink) => emulated.stars.pay(personId, slugOf(link)),
    /** The sheet is closed unpaid: nobody is notified. */
    cancelInvoice({ personId, link }: OfLink) {
      emulated.personById(personId);
      const invoice = invoiceOf(emulated, slugOf(link));
      const { attempts } = emulated.state.stars;
      const waiting = [...attempts.values()].some(({ slug }) => slug === invoice.slug);
      const unpaid = invoice.status === "pending" || invoice.status === "failed";
      if (unpaid && !waiting) invoice.status = "cancelled";
      return changed(emulated);
    },
  };
}

type InChat = { personId: number; chatId: number };
type OfMember = InChat & { userId: number };
type OfBot = { personId: number; bot: BotRole };
type BotInChat = InChat & { bot: BotRole; rights: AdminRight[] };
/** By its address; an invoice also by its slug. */
type OfLink = { personId: number; link: string };
type Pressed = { personId: number; in: Place; phone?: PhoneId } & ButtonPlace;

function changed(emulated: Telegram): null {
  emulated.changed();
  return null;
}

function requireInside(chat: ChatRecord, userId: number, otherwise: string): void {
  if (!isInside(chat.members.get(userId))) throw new NotPossible(otherwise);
}

function checkMayAdd(chat: ChatRecord, personId: number, rights: readonly AdminRight[]): void {
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

/** In private chats `my_chat_member` reports only blocking and unblocking. */
function block(
  emulated: Telegram,
  personId: number,
  to: { role: BotRole; blocked: boolean },
): null {
  const person = emulated.personById(personId);
  const bot = emulated.botOfRole(to.role);
  const dialog = emulated.dialogOf(personId, bot);
  if (dialog.blocked === to.blocked) return null;
  dialog.blocked = to.blocked;
  const user = botAsUser(bot);
  const out: ChatMember = { status: "kicked", user, until_date: 0 };
  const inside: ChatMember = { status: "member", user };
  emulated.updates.add(bot, {
    type: "my_chat_member",
    content: {
      chat: privateChat(person),
      from: personAsUser(person),
      date: emulated.unixNow(),
      old_chat_member: to.blocked ? inside : out,
      new_chat_member: to.blocked ? out : inside,
    },
  });
  return changed(emulated);
}

/** A person's own message to people. */
function post(
  emulated: Telegram,
  personId: number,
  to: Exclude<Place, { bot: BotRole }>,
  content: Content,
): Message {
  if ("personId" in to)
    return postInTalk(emulated, { fromId: personId, toId: to.personId }, content);
  const chat = emulated.chatById(to.chatId);
  const member = chat.members.get(personId);
  const allowed = chat.kind === "channel" ? hasRight(member, "post_messages") : isInside(member);
  if (!allowed || chat.migratedTo !== null) throw new NotPossible("may not write here");
  return postInChat(emulated, chat, { authorId: personId, content });
}

function messagesAt(emulated: Telegram, personId: number, at: Place): Message[] {
  if ("bot" in at) return emulated.dialogOf(personId, emulated.botOfRole(at.bot)).messages;
  if ("chatId" in at) return emulated.chatById(at.chatId).messages;
  return emulated.state.talks.get(talkKey(personId, at.personId)) ?? [];
}

/** Whose button it is. A channel's posts carry no author: the bot that administers it gets it. */
function botOfMessage(emulated: Telegram, place: Place, { from }: Message): Bot | undefined {
  if ("bot" in place) return emulated.botOfRole(place.bot);
  const author = emulated.botById(from?.id ?? 0);
  if (author !== undefined || !("chatId" in place)) return author;
  const { members } = emulated.chatById(place.chatId);
  return emulated.state.bots.find((bot) => members.get(bot.id)?.status === "administrator");
}

type Press = Pressed & { message: Message; button: InlineKeyboardButton };

function press(emulated: Telegram, opener: PhoneOpener, pressed: Press): PressedButton {
  const { button, personId, message, phone } = pressed;
  if ("url" in button) return opener.link(personId, button.url, phone);
  const bot = botOfMessage(emulated, pressed.in, message);
  if (bot === undefined) return { kind: "none" };
  if ("web_app" in button) {
    const role = bot.roles[0] ?? "seller";
    return opener.webApp(personId, { bot: role, url: button.web_app.url, ...(phone && { phone }) });
  }
  if (!("callback_data" in button)) return { kind: "none" };
  const id = secretToken(12, emulated.random);
  const [oldest] = bot.callbacks.keys();
  if (bot.callbacks.size >= KEPT_CALLBACKS && oldest) bot.callbacks.delete(oldest);
  bot.callbacks.set(id, { personId, askedAtMs: emulated.clock.now().getTime() });
  emulated.updates.add(bot, {
    type: "callback_query",
    content: {
      id,
      from: personAsUser(emulated.personById(personId)),
      message,
      chat_instance: chatInstance(message.chat.id, bot.id),
      data: button.callback_data,
    },
  });
  return { kind: "callback" };
}

function slugOf(link: string): string {
  const slug = invoiceSlug(link);
  if (slug === null) throw new NotPossible("not an invoice");
  return slug;
}
