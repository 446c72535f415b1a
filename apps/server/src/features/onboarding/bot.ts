import type { AccessOnWire } from "@sesame/contract/access";
import { telegramAddress, whatsappAddress } from "@sesame/contract/support";
import type { Clock } from "@sesame/kernel";
import type { Message, Update, User } from "grammy/types";
import type { AppButton } from "../../bot/app-button.ts";
import type { Telegram } from "../../bot/bots.ts";
import type { SayInstant } from "../../bot/messages.fr.ts";
import type { BotName } from "../../bot/gateway.ts";
import { type BotMessage, type MessageButton, messageArguments } from "../../bot/message.ts";
import { findPerson, meetPerson, setReachable } from "../../bot/people.store.ts";
import type { UpdateHandler } from "../../bot/update-desk.ts";
import type { Db } from "../../postgres/database.ts";
import {
  BUTTONS,
  buyerHelp,
  buyerStart,
  type Card,
  card,
  joinGroup,
  myAccesses,
  noAccess,
  notUnderstood,
  paySupport,
  privacy,
  renewGroup,
  sellerHelp,
  sellerStart,
  terms,
} from "./messages.fr.ts";

export type Support = { readonly telegram: string | null; readonly whatsapp: string | null };

export type ConversationDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly telegram: Telegram;
  readonly appButton: AppButton;
  readonly sayInstant: SayInstant;
  accessesOf(personId: bigint): Promise<AccessOnWire[]>;
  /** The product a reference names; null when there is none on sale. */
  cardOf(reference: string): Promise<Card | null>;
  /** Ways to reach people, as the operator set them. */
  support(): Promise<Support>;
  /** Of the sellers' bot: its answer to agents and operators; null from it: none of theirs. */
  readonly replyToStaff: ((message: Message) => Promise<BotMessage | null>) | null;
  /** What the sellers' bot shows agents and operators beside the rest; nothing to others. */
  staffButtons(user: User): readonly MessageButton[];
};

/** What a bot answers in private (decision 100), and whether it may write there. */
export function createConversation(deps: ConversationDeps, bot: BotName): UpdateHandler {
  return async (update: Update) => {
    if (update.message?.chat.type === "private") return answerMessage(deps, bot, update.message);
    const member = update.my_chat_member;
    if (member?.chat.type === "private") {
      await noteChat(deps, bot, member.from, member.new_chat_member.status === "member");
    }
  };
}

async function noteChat(
  deps: ConversationDeps,
  bot: BotName,
  ...[user, reachable]: [User, boolean]
): Promise<void> {
  const { db } = deps;
  const now = deps.clock.now();
  // Who leaves gives us no name: he may have erased it just before.
  const personId = reachable ? await meetPerson(db, user, now) : await findPerson(db, user.id);
  if (personId === null) return;
  const bots = deps.telegram.partsOf(bot);
  await setReachable(db, { bots, personId, reachable, now });
}

async function answerMessage(
  deps: ConversationDeps,
  bot: BotName,
  message: Message,
): Promise<void> {
  const { from } = message;
  if (!from || from.is_bot) return;
  await noteChat(deps, bot, from, true);
  // Allowing the bot to write is no question: what waited to be said has just been set going.
  if (message.write_access_allowed || message.text === undefined) return;
  const reply =
    (await deps.replyToStaff?.(message)) ??
    (await replyTo(deps, bot, { from, text: message.text }));
  await deps.telegram
    .gatewayOf(bot)
    .call("sendMessage", { chat_id: message.chat.id, ...messageArguments(reply) });
}

type Said = { readonly from: User; readonly text: string };

async function replyTo(deps: ConversationDeps, bot: BotName, said: Said): Promise<BotMessage> {
  const parts = deps.telegram.partsOf(bot);
  const [, command, payload] = /^\/(\w+)(?:@\w+)?(?:\s+(\S+))?/.exec(said.text) ?? [];
  switch (command) {
    case "start":
      return start(deps, said, { parts, payload });
    case "aide":
    case "help": {
      const text = parts.includes("seller") ? sellerHelp : buyerHelp;
      return { text, buttons: [...openButtons(deps, parts), ...(await helpButtons(deps, parts))] };
    }
    case "mesacces":
      return listAccesses(deps, said.from);
    case "paysupport":
      return { text: paySupport, buttons: await helpButtons(deps, parts) };
    case "terms":
      return { text: terms, buttons: [deps.appButton(BUTTONS.terms, "/conditions")] };
    case "privacy":
      return { text: privacy, buttons: privacyButtons(deps, parts) };
    default:
      return { text: notUnderstood, buttons: openButtons(deps, parts) };
  }
}

async function start(
  deps: ConversationDeps,
  said: Said,
  how: { parts: readonly BotName[]; payload: string | undefined },
): Promise<BotMessage> {
  const { parts, payload } = how;
  const product = payload && parts.includes("buyer") ? await deps.cardOf(payload) : null;
  if (product && payload) {
    const buy = { text: BUTTONS.buy, url: deps.telegram.names.shareLink(payload) };
    return { text: card(product), buttons: [buy] };
  }
  const text = parts.includes("seller") ? sellerStart(said.from) : buyerStart(said.from);
  return { text, buttons: [...openButtons(deps, parts), ...deps.staffButtons(said.from)] };
}

const ACCESSES_SHOWN = 10;

async function listAccesses(deps: ConversationDeps, from: User): Promise<BotMessage> {
  const personId = await meetPerson(deps.db, from, deps.clock.now());
  const accesses = (await deps.accessesOf(personId)).slice(0, ACCESSES_SHOWN);
  if (accesses.length === 0) return { text: noAccess };
  const buttons = accesses.flatMap((access): MessageButton[] => {
    const { name } = access.group;
    if (access.invite_link) return [{ text: joinGroup(name), url: access.invite_link }];
    if (!access.renew_reference) return [];
    const url = deps.telegram.names.shareLink(access.renew_reference);
    return [{ text: renewGroup(name), url }];
  });
  return { text: myAccesses(accesses, deps.sayInstant), buttons };
}

function openButtons(deps: ConversationDeps, parts: readonly BotName[]): MessageButton[] {
  return [
    ...(parts.includes("seller") ? [deps.appButton(BUTTONS.open, "/")] : []),
    ...(parts.includes("buyer") ? [deps.appButton(BUTTONS.myAccess, "/mes-acces")] : []),
  ];
}

/** A seller has conversations with the desk; everybody the contacts the operator gave. */
async function helpButtons(
  deps: ConversationDeps,
  parts: readonly BotName[],
): Promise<MessageButton[]> {
  const { telegram, whatsapp } = await deps.support();
  return [
    ...(parts.includes("seller") ? [deps.appButton(BUTTONS.desk, "/CustomerSupport")] : []),
    ...(telegram ? [{ text: BUTTONS.support, url: telegramAddress(telegram) }] : []),
    ...(whatsapp ? [{ text: BUTTONS.whatsapp, url: whatsappAddress(whatsapp) }] : []),
  ];
}

/** The page on privacy, and where one has or erases what is kept of him (decision 101). */
function privacyButtons(deps: ConversationDeps, parts: readonly BotName[]): MessageButton[] {
  return [
    deps.appButton(BUTTONS.privacy, "/confidentialite"),
    ...(parts.includes("seller") ? [deps.appButton(BUTTONS.yourData, "/mes-donnees")] : []),
    ...(parts.includes("buyer") ? [deps.appButton(BUTTONS.myAccess, "/mes-acces")] : []),
  ];
}
