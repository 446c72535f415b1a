import type { PublicProductOnWire } from "@sesame/contract/catalogue";
import { telegramAddress, whatsappAddress } from "@sesame/contract/cases";
import type { Message, Update, User } from "grammy/types";
import type { App } from "../../app.ts";
import type { BotName } from "../../bot/gateway.ts";
import {
  type BotMessage,
  html,
  type MessageButton,
  messageArguments,
  setReachable,
} from "../../bot/message.ts";
import { findPerson, meetPerson } from "../../people/people.ts";
import type { UpdateHandler } from "../../bot/update-loop.ts";
import { readContacts } from "../../settings.ts";
import { accessesOf } from "../memberships/index.ts";
import { publicProduct } from "../catalogue/index.ts";
import { replyToStaff, staffBoard } from "../treasury/index.ts";
import * as messages from "./messages.fr.ts";
import { sayDuration } from "@sesame/contract";

/** A bot's answers in private (decision 100), and whether it may write there. */
export function createConversation(app: App, bot: BotName): UpdateHandler {
  return async (update: Update) => {
    if (update.message?.chat.type === "private") return answerMessage(app, bot, update.message);
    const member = update.my_chat_member;
    if (member?.chat.type === "private") {
      await noteChat(app, bot, member.from, member.new_chat_member.status === "member");
    }
  };
}

async function noteChat(app: App, bot: BotName, ...[user, reachable]: [User, boolean]) {
  const { db } = app;
  const now = app.clock.now();
  // A person who leaves is not stored with a name: he may have erased it just before.
  const personId = reachable ? await meetPerson(db, user, now) : await findPerson(db, user.id);
  if (personId === null) return;
  const bots = app.telegram.partsOf(bot);
  await setReachable(db, { bots, personId, reachable, now });
}

async function answerMessage(app: App, bot: BotName, message: Message): Promise<void> {
  const { from } = message;
  if (!from || from.is_bot) return;
  await noteChat(app, bot, from, true);
  // Allowing the bot to write needs no answer: waiting messages have just been sent.
  if (message.write_access_allowed || message.text === undefined) return;
  const reply =
    (bot === "seller" ? await replyToStaff(app, message) : null) ??
    (await replyTo(app, bot, { from, text: message.text }));
  await app.telegram
    .gatewayOf(bot)
    .call("sendMessage", { chat_id: message.chat.id, ...messageArguments(reply) });
}

type Said = { readonly from: User; readonly text: string };

async function replyTo(app: App, bot: BotName, said: Said): Promise<BotMessage> {
  const parts = app.telegram.partsOf(bot);
  const [, command, payload] = /^\/(\w+)(?:@\w+)?(?:\s+(\S+))?/.exec(said.text) ?? [];
  switch (command) {
    case "start":
      return start(app, said, { bot, parts, payload });
    case "aide":
    case "help": {
      const text = parts.includes("seller") ? messages.sellerHelp : messages.buyerHelp;
      return { text, buttons: [...openButtons(app, parts), ...(await helpButtons(app, parts))] };
    }
    case "mesacces":
      return listAccesses(app, said.from);
    case "paysupport":
      return { text: messages.paySupport, buttons: await helpButtons(app, parts) };
    case "terms":
      return {
        text: messages.terms,
        buttons: [app.appButton(messages.BUTTONS.terms, "/conditions")],
      };
    case "privacy":
      return { text: messages.privacy, buttons: privacyButtons(app, parts) };
    default:
      return { text: messages.notUnderstood, buttons: openButtons(app, parts) };
  }
}

async function start(
  app: App,
  said: Said,
  how: { bot: BotName; parts: readonly BotName[]; payload: string | undefined },
): Promise<BotMessage> {
  const { bot, parts, payload } = how;
  const product =
    payload && parts.includes("buyer")
      ? cardOf(await publicProduct(app, { reference: payload }))
      : null;
  if (product && payload) {
    const buy = { text: messages.BUTTONS.buy, url: app.telegram.names.shareLink(payload) };
    return { text: messages.card(product), buttons: [buy] };
  }
  const text = parts.includes("seller")
    ? messages.sellerStart(said.from)
    : messages.buyerStart(said.from);
  const board = bot === "seller" ? await staffBoard(app, said.from) : null;
  return {
    text: board ? html`${text}\n\n${board.text}` : text,
    buttons: [...openButtons(app, parts), ...(board?.buttons ?? [])],
  };
}

/** Null when there is none on sale. */
function cardOf(product: PublicProductOnWire | null): messages.Card | null {
  if (product?.status !== "active") return null;
  const { title, price, description, duration, group } = product;
  const access = group && { duration: sayDuration(duration), group: group.name };
  return { title, price, description, access };
}

const ACCESSES_SHOWN = 10;

async function listAccesses(app: App, from: User): Promise<BotMessage> {
  const personId = await meetPerson(app.db, from, app.clock.now());
  const accesses = (await accessesOf(app, personId)).slice(0, ACCESSES_SHOWN);
  if (accesses.length === 0) return { text: messages.noAccess };
  const buttons = accesses.flatMap((access): MessageButton[] => {
    const { name } = access.group;
    if (access.invite_link) return [{ text: messages.joinGroup(name), url: access.invite_link }];
    if (!access.renew_reference) return [];
    const url = app.telegram.names.shareLink(access.renew_reference);
    return [{ text: messages.renewGroup(name), url }];
  });
  return { text: messages.myAccesses(accesses, app.sayInstant), buttons };
}

function openButtons(app: App, parts: readonly BotName[]): MessageButton[] {
  return [
    ...(parts.includes("seller") ? [app.appButton(messages.BUTTONS.open, "/")] : []),
    ...(parts.includes("buyer") ? [app.appButton(messages.BUTTONS.myAccess, "/mes-acces")] : []),
  ];
}

/** A seller gets the support tickets; everybody gets the operator's contacts. */
async function helpButtons(app: App, parts: readonly BotName[]): Promise<MessageButton[]> {
  const { supportTelegram: telegram, supportWhatsapp: whatsapp } = await readContacts(app);
  return [
    ...(parts.includes("seller")
      ? [app.appButton(messages.BUTTONS.conversations, "/CustomerSupport")]
      : []),
    ...(telegram ? [{ text: messages.BUTTONS.support, url: telegramAddress(telegram) }] : []),
    ...(whatsapp ? [{ text: messages.BUTTONS.whatsapp, url: whatsappAddress(whatsapp) }] : []),
  ];
}

/** The page on privacy, and the page to export or erase personal data (decision 101). */
function privacyButtons(app: App, parts: readonly BotName[]): MessageButton[] {
  return [
    app.appButton(messages.BUTTONS.privacy, "/confidentialite"),
    ...(parts.includes("seller") ? [app.appButton(messages.BUTTONS.yourData, "/mes-donnees")] : []),
    ...(parts.includes("buyer") ? [app.appButton(messages.BUTTONS.myAccess, "/mes-acces")] : []),
  ];
}
