import { MINUTE_MS, secretToken } from "@sesame/kernel";
import type { MobileMoney } from "../mobile-money/mobile-money.ts";
import type { PhoneDelays } from "../phones.ts";
import { ApiError, NotPossible } from "./api-error.ts";
import type { InlineKeyboardButton, Message } from "./bot-api.ts";
import {
  createChat,
  deleteChat,
  leaveChat,
  mayAdd,
  migrateChat,
  permissionsOf,
  requireAdmin,
} from "./chats.ts";
import { formatText } from "./entities.ts";
import {
  answerRequest,
  joinByLink,
  previewInvite,
  renewPrimary,
  withdrawRequest,
} from "./invite-links.ts";
import {
  ALL_RIGHTS,
  changeMember,
  hasRight,
  isAdmin,
  isBanned,
  isInside,
  memberOf,
} from "./members.ts";
import {
  announceJoin,
  announceLeave,
  postInChat,
  postInTalk,
  postService,
  postToBot,
} from "./messages.ts";
import { type PhoneOpener, chatInstance } from "./opener.ts";
import { invoiceOf, invoiceSlug } from "./stars.ts";
import type { Bot, ChatRecord, Person } from "./state.ts";
import {
  type Town,
  botById,
  botOfRole,
  chatById,
  dialogOf,
  personAsUser,
  personById,
  talkKey,
  unixNow,
  userById,
} from "./town.ts";
import { personView } from "./views.ts";
import type {
  ActorCalls,
  AdminRight,
  BotRole,
  InvoiceView,
  OpenedLink,
  PhoneId,
  Place,
  PressedButton,
} from "../wire.ts";
import type { SavedWorld } from "../world-state.ts";

/** What people do in Telegram, by name: the same functions serve tests and `POST /world/act`. */
export type Actors = {
  [K in keyof ActorCalls]: (
    input: ActorCalls[K]["takes"],
  ) => K extends Waiting ? Promise<ActorCalls[K]["gives"]> : ActorCalls[K]["gives"];
};

/** Paying ends only when the bot has had its word. */
type Waiting = "payInvoice";

/** People, and the chats they make. */
export function personActors(town: Town) {
  return {
    createPerson({ firstName, lastName, username, languageCode }) {
      const person: Person = {
        id: town.state.nextPersonId++,
        firstName,
        lastName: lastName ?? null,
        username: username ?? null,
        languageCode: languageCode ?? "fr",
        deactivated: false,
      };
      town.state.persons.set(person.id, person);
      town.changed();
      return personView(town, person);
    },
    deactivatePerson({ personId }) {
      personById(town, personId).deactivated = true;
      town.changed();
      return null;
    },
    createChat(input) {
      const chat = createChat(town, input);
      // Every chat that can be joined has its owner's own link from the start.
      if (chat.kind !== "group") renewPrimary(town, chat, input.ownerId);
      return { chatId: chat.id };
    },
    renameChat({ personId, chatId, title }) {
      const chat = chatById(town, chatId);
      requireAdmin(chat, personId, "change_info");
      chat.title = title;
      town.changed();
      if (chat.kind !== "channel") {
        postService(town, chat, { from: userById(town, personId), new_chat_title: title });
      }
      return null;
    },
  } satisfies Partial<Actors>;
}

/** Members come and go by their own hand or an administrator's. */
export function memberActors(town: Town) {
  return {
    setAdmin({ personId, chatId, userId, rights }) {
      let chat = chatById(town, chatId);
      requireAdmin(chat, personId, "promote_members");
      personById(town, userId);
      if (!isInside(chat.members.get(userId))) throw new NotPossible("not a member");
      if (chat.kind === "group" && rights.length > 0)
        chat = migrateChat(town, chat, { byId: personId });
      changeMember(town, chat, {
        userId,
        byId: personId,
        status: rights.length > 0 ? "administrator" : "member",
        rights,
      });
      return { chatId: chat.id };
    },
    addMember({ personId, chatId, userId }) {
      const chat = chatById(town, chatId);
      personById(town, userId);
      if (!mayAdd(chat, personId)) throw new NotPossible("may not add members");
      const member = memberOf(chat, userId);
      if (isInside(member)) return null;
      const lifts = hasRight(chat.members.get(personId), "restrict_members");
      if (isBanned(member, unixNow(town)) && !lifts) throw new NotPossible("banned there");
      changeMember(town, chat, { userId, status: "member", byId: personId });
      announceJoin(town, chat, { userId, byId: personId });
      return null;
    },
    setMembersCanAdd({ personId, chatId, allowed }) {
      const chat = chatById(town, chatId);
      requireAdmin(chat, personId, "restrict_members");
      chat.permissions = { ...permissionsOf(chat), can_invite_users: allowed };
      town.changed();
      return null;
    },
    ban({ personId, chatId, userId }) {
      const chat = chatById(town, chatId);
      requireAdmin(chat, personId, "restrict_members");
      const member = memberOf(chat, userId);
      if (member.status === "creator") throw new NotPossible("the owner cannot be removed");
      const status = chat.kind === "group" ? "left" : "kicked";
      changeMember(town, chat, { userId, status, byId: personId });
      chat.requests.delete(userId);
      if (isInside(member)) announceLeave(town, chat, { userId, byId: personId });
      return null;
    },
    unban({ personId, chatId, userId }) {
      const chat = chatById(town, chatId);
      requireAdmin(chat, personId, "restrict_members");
      if (isBanned(memberOf(chat, userId), unixNow(town))) {
        changeMember(town, chat, { userId, status: "left", byId: personId });
      }
      return null;
    },
  } satisfies Partial<Actors>;
}

/** Who goes, and what an owner does with the chat. */
export function ownerActors(town: Town) {
  return {
    leave({ personId, chatId }) {
      const chat = chatById(town, chatId);
      if (!isInside(chat.members.get(personId))) throw new NotPossible("not a member");
      leaveChat(town, chat, personId);
      return null;
    },
    migrate({ personId, chatId, quietly = false }) {
      const chat = chatById(town, chatId);
      if (memberOf(chat, personId).status !== "creator") throw new NotPossible("only the owner");
      return { chatId: migrateChat(town, chat, { byId: personId, quietly }).id };
    },
    transferOwnership({ personId, chatId, userId }) {
      const chat = chatById(town, chatId);
      personById(town, userId);
      if (memberOf(chat, personId).status !== "creator") throw new NotPossible("only the owner");
      if (chat.kind === "group") throw new NotPossible("a basic group is not handed over");
      if (!isInside(chat.members.get(userId))) throw new NotPossible("not a member");
      const rights = ALL_RIGHTS.filter((right) => right !== "anonymous");
      // The old owner first: a chat never has two.
      changeMember(town, chat, {
        userId: personId,
        byId: personId,
        status: "administrator",
        rights,
      });
      changeMember(town, chat, { userId, byId: personId, status: "creator" });
      return null;
    },
    setAnonymous({ personId, chatId, anonymous }) {
      const chat = chatById(town, chatId);
      const member = memberOf(chat, personId);
      if (!isAdmin(member)) throw new NotPossible("only administrators act for the group");
      member.anonymous = anonymous;
      town.changed();
      return null;
    },
    deleteChat({ personId, chatId }) {
      const chat = chatById(town, chatId);
      if (memberOf(chat, personId).status !== "creator") throw new NotPossible("only the owner");
      deleteChat(town, chat);
      return null;
    },
  } satisfies Partial<Actors>;
}

/** Who asks to come in, and who answers. */
export function joinActors(town: Town) {
  return {
    previewInvite: ({ personId, link }) => previewInvite(town, personId, link),
    join: ({ personId, link }) => joinByLink(town, personId, link),
    cancelJoinRequest({ personId, chatId }) {
      withdrawRequest(town, chatById(town, chatId), personId);
      return null;
    },
    approveRequest({ personId, chatId, userId }) {
      const chat = chatById(town, chatId);
      requireAdmin(chat, personId, "invite_users");
      try {
        answerRequest(town, chat, { userId, approve: true, byId: personId });
      } catch (error) {
        if (error instanceof ApiError) throw new NotPossible(error.message);
        throw error;
      }
      return null;
    },
  } satisfies Partial<Actors>;
}

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

/** Opens addresses and mini apps on the phone of a person. */
export type Opener = {
  link(personId: number, url: string, phone?: PhoneId): OpenedLink;
  webApp(personId: number, app: { bot: BotRole; url: string; phone?: PhoneId }): PressedButton;
};

/** What people write and tap. */
export function conversationActors(town: Town, opener: Opener) {
  return {
    sendMessage({ personId, to, text, replyTo }) {
      const formatted = formatText(text, "");
      if (formatted.text === "") throw new NotPossible("an empty message is not sent");
      const content = formatted.entities.length === 0 ? { text: formatted.text } : { ...formatted };
      if ("personId" in to) {
        const talk = { fromId: personId, toId: to.personId };
        return { messageId: postInTalk(town, talk, content).message_id };
      }
      if ("chatId" in to) {
        const chat = chatById(town, to.chatId);
        checkMayPost(chat, personId);
        return { messageId: postInChat(town, chat, { authorId: personId, content }).message_id };
      }
      const dialog = dialogOf(town, personId, botOfRole(town, to.bot));
      if (dialog.blocked) throw new NotPossible("the bot is blocked: unblock it first");
      dialog.started = true;
      const asked = dialog.messages.find((message) => message.message_id === replyTo);
      dialog.asks = null;
      const reply = asked && { reply_to_message: { ...asked, reply_to_message: undefined } };
      return { messageId: postToBot(town, dialog, { ...content, ...reply }).message_id };
    },
    pressButton(input) {
      const { personId, phone } = input;
      const { message, bot } = findMessage(town, personId, input);
      const button = message.reply_markup?.inline_keyboard[input.row]?.[input.column];
      if (button === undefined) throw new NotPossible("there is no such button");
      return press(town, { personId, message, button, bot, opener, ...(phone && { phone }) });
    },
    sendPreparedMessage({ personId, bot: role, id, to }) {
      const prepared = town.state.prepared.get(id);
      const bot = botOfRole(town, role);
      const nowMs = town.clock.now().getTime();
      if (
        prepared === undefined ||
        prepared.expiresAtMs <= nowMs ||
        prepared.botId !== bot.id ||
        prepared.personId !== personId
      ) {
        return { error: "MESSAGE_EXPIRED" as const };
      }
      const via_bot = { id: bot.id, is_bot: true, first_name: bot.name, username: bot.username };
      const { caption, caption_entities, ...rest } = prepared.content;
      // A picture by address is shown as its caption: phones of the demo load nothing from outside.
      const text = caption === undefined ? {} : { text: caption, entities: caption_entities ?? [] };
      const content = { ...rest, ...text, via_bot };
      if ("personId" in to) postInTalk(town, { fromId: personId, toId: to.personId }, content);
      else if ("chatId" in to) {
        const chat = chatById(town, to.chatId);
        checkMayPost(chat, personId);
        postInChat(town, chat, { authorId: personId, content });
      } else postToBot(town, dialogOf(town, personId, botOfRole(town, to.bot)), content);
      return { sent: true as const };
    },
  } satisfies Partial<Actors>;
}

function checkMayPost(chat: ChatRecord, personId: number): void {
  const member = chat.members.get(personId);
  const allowed = chat.kind === "channel" ? hasRight(member, "post_messages") : isInside(member);
  if (!allowed || chat.migratedTo !== null) throw new NotPossible("may not write here");
}

function findMessage(
  town: Town,
  personId: number,
  at: { in: Place; messageId: number },
): { message: Message; bot: Bot | undefined } {
  const place = at.in;
  const messages =
    "bot" in place
      ? dialogOf(town, personId, botOfRole(town, place.bot)).messages
      : "chatId" in place
        ? chatById(town, place.chatId).messages
        : (town.state.talks.get(talkKey(personId, place.personId)) ?? []);
  const message = messages.find((each) => each.message_id === at.messageId);
  if (message === undefined) throw new NotPossible("there is no such message");
  const author = message.via_bot ?? message.from;
  const own = author === undefined ? undefined : botById(town, author.id);
  return {
    message,
    bot: "bot" in place ? botOfRole(town, place.bot) : (own ?? adminBot(town, place)),
  };
}

/** A channel's posts carry no author: the bot that administers it gets what is pressed. */
function adminBot(town: Town, place: Place): Bot | undefined {
  if (!("chatId" in place)) return undefined;
  const { members } = chatById(town, place.chatId);
  return town.state.bots.find((bot) => members.get(bot.id)?.status === "administrator");
}

/** Queries nobody will answer any more. */
const KEPT_CALLBACKS = 500;

function forgetOldest(callbacks: Bot["callbacks"]): void {
  const oldest = callbacks.keys().next();
  if (callbacks.size >= KEPT_CALLBACKS && !oldest.done) callbacks.delete(oldest.value);
}

type Press = {
  personId: number;
  message: Message;
  button: InlineKeyboardButton;
  bot: Bot | undefined;
  opener: Opener;
  phone?: PhoneId;
};

function press(town: Town, pressed: Press): PressedButton {
  const { button, personId, bot, message, opener, phone } = pressed;
  if ("url" in button) return { kind: "link", opened: opener.link(personId, button.url, phone) };
  if ("copy_text" in button) return { kind: "copy", text: button.copy_text.text };
  if (bot === undefined) return { kind: "none" };
  if ("web_app" in button) {
    const role = bot.roles[0] ?? "seller";
    return opener.webApp(personId, { bot: role, url: button.web_app.url, ...(phone && { phone }) });
  }
  if ("pay" in button) {
    const slug = town.state.stars.shown.get(`${message.chat.id}:${message.message_id}`) ?? "";
    return { kind: "invoice", invoice: invoiceView(town, personId, slug) };
  }
  if (!("callback_data" in button)) return { kind: "none" };
  const id = secretToken(12, town.chance);
  forgetOldest(bot.callbacks);
  bot.callbacks.set(id, { personId, askedAtMs: town.clock.now().getTime() });
  town.updates.add(bot, {
    type: "callback_query",
    content: {
      id,
      from: personAsUser(personById(town, personId)),
      message,
      chat_instance: chatInstance(message.chat.id, bot.id),
      data: button.callback_data,
    },
  });
  return { kind: "callback" };
}

const JUST_NOW_MS = MINUTE_MS;

/** What people do with what they are asked to pay in Stars. */
export function starActors(town: Town) {
  return {
    previewInvoice: ({ personId, link }) => invoiceView(town, personId, slugOf(link)),
    backToTelegram({ personId }) {
      const sinceMs = town.clock.now().getTime() - JUST_NOW_MS;
      const asked = [...town.state.stars.invoices.values()].findLast(
        ({ status, createdAtMs }) => status === "pending" && createdAtMs > sinceMs,
      );
      return { invoice: asked === undefined ? null : invoiceView(town, personId, asked.slug) };
    },
    payInvoice: ({ personId, link }) => town.stars.pay(personId, slugOf(link)),
    cancelInvoice({ personId, link }) {
      personById(town, personId);
      const invoice = invoiceOf(town, slugOf(link));
      const { attempts } = town.state.stars;
      const waiting = [...attempts.values()].some(({ slug }) => slug === invoice.slug);
      const unpaid = invoice.status === "pending" || invoice.status === "failed";
      if (unpaid && !waiting) invoice.status = "cancelled";
      town.changed();
      return null;
    },
  } satisfies Partial<Actors>;
}

function slugOf(link: string): string {
  const slug = invoiceSlug(link);
  if (slug === null) throw new NotPossible("not an invoice");
  return slug;
}

export function invoiceView(town: Town, personId: number, slug: string): InvoiceView {
  const person = personById(town, personId);
  const invoice = invoiceOf(town, slug);
  const { title, description, amount, photoUrl, subscriptionPeriod } = invoice;
  const bot = botById(town, invoice.botId);
  return {
    slug,
    bot: bot?.roles[0] ?? "buyer",
    botName: bot?.name ?? "",
    title,
    description,
    amount,
    photoUrl,
    recurring: subscriptionPeriod !== null,
    stars: town.stars.wallet(person.id),
  };
}

export function allActors(
  town: Town,
  given: {
    opener: PhoneOpener;
    phones: SavedWorld["phones"];
    phoneOrigin: (id: PhoneId) => string;
    phoneDelays: PhoneDelays;
    mobileMoney: MobileMoney;
  },
): Actors {
  const { opener, phones, phoneOrigin, phoneDelays, mobileMoney } = given;
  return {
    ...personActors(town),
    ...memberActors(town),
    ...joinActors(town),
    ...ownerActors(town),
    ...botActors(town),
    ...conversationActors(town, opener),
    ...starActors(town),
    sendMoney: (sending) => mobileMoney.send(sending),
    addNumber: (number) => mobileMoney.addNumber(number),
    openLink: ({ personId, url, phone }) => opener.link(personId, url, phone),
    openMiniApp: (options) => opener.miniApp(options),
    switchPerson({ phone, personId }) {
      personById(town, personId);
      phones[phone] = personId;
      town.changed();
      return { id: phone, personId, appOrigin: phoneOrigin(phone), delayMs: phoneDelays[phone] };
    },
  };
}
