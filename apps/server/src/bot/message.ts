import type { InlineKeyboardButton, CallbackQuery } from "grammy/types";
import type { App } from "../app.ts";
import { sql } from "kysely";
import { typeset } from "@sesame/contract";
import { textOf } from "@sesame/kernel";
import { DONE, type JobHandler, type JobOutcome } from "../jobs/outbox.ts";
import * as outbox from "../jobs/outbox.store.ts";
import type { Db } from "../postgres/database.ts";
import type { BotName, SendPriority } from "./gateway.ts";
import { noteReachable, telegramIdOf } from "../people/people.ts";

export type MessageButton =
  | { readonly text: string; readonly url: string }
  /** Opens the mini app; in private chats only. */
  | { readonly text: string; readonly webApp: string }
  | { readonly text: string; readonly callback: string };

/** A bot's message: short French, and the next steps as buttons, one per row. */
export type BotMessage = {
  readonly text: Html;
  readonly buttons?: readonly MessageButton[];
};

/** The arguments of sendMessage and editMessageText. */
export function messageArguments(message: BotMessage) {
  const keyboard = (message.buttons ?? []).map((button): [InlineKeyboardButton] => {
    const { text } = button;
    if ("url" in button) return [{ text, url: button.url }];
    if ("webApp" in button) return [{ text, web_app: { url: button.webApp } }];
    return [{ text, callback_data: button.callback }];
  });
  return {
    text: message.text,
    parse_mode: "HTML" as const,
    link_preview_options: { is_disabled: true },
    ...(keyboard.length === 0 ? {} : { reply_markup: { inline_keyboard: keyboard } }),
  };
}

/** Text for Telegram's HTML mode: people's texts are escaped. */
export type Html = string & { readonly __kind: "html" };

type Piece = Html | { readonly text: string } | number | readonly Html[];

/**
 * html`<b>${{ text: product.title }}</b>`: a plain string is a type error, only escaped text and
 * other Html are accepted. Our own words get no-break spaces, people's texts stay as they are.
 */
export function html(strings: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  const safe = pieces.map((piece) => {
    if (typeof piece !== "object" || !("text" in piece)) return [piece].flat().join("\n");
    const { text } = piece;
    const shown = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
    return shown.replaceAll('"', "&quot;");
  });
  return String.raw({ raw: strings.map(typeset) }, ...safe) as Html;
}

export const bold = (text: string): Html => html`<b>${{ text }}</b>`;

/** Telegram's limit is 200 characters. */
const TOAST_CHARS = 190;

/** Answers a press; a longer text stays until it is closed. */
export async function toast(app: App, { id }: CallbackQuery, text: string | null): Promise<void> {
  await app.telegram.gatewayOf("seller").call("answerCallbackQuery", {
    callback_query_id: id,
    ...(text === null
      ? {}
      : { text: typeset(text).slice(0, TOAST_CHARS), show_alert: text.length > 60 }),
  });
}

/** Replaces the pressed message by the current state. */
export async function showInstead(app: App, query: CallbackQuery, said: BotMessage): Promise<void> {
  if (!query.message) return;
  await app.telegram.gatewayOf("seller").call("editMessageText", {
    chat_id: query.from.id,
    message_id: query.message.message_id,
    ...messageArguments(said),
  });
}

const NOTIFY_TOPIC = "bot.notify";

export type Notification = {
  readonly bot: BotName;
  readonly personId: bigint;
  readonly message: BotMessage;
  readonly priority?: SendPriority;
};

/** A message, and the page that its button opens. */
export type Said = { readonly text: Html; readonly button: string; readonly path: string };

export function toPerson(
  { appButton }: App,
  personId: bigint,
  { text, button, path }: Said,
  bot: BotName = "seller",
): Notification {
  return { bot, personId, message: { text, buttons: [appButton(button, path)] } };
}

/** Notifies people, by jobs of the transaction that decided it. */
export async function notify(tx: Db, notifications: readonly Notification[], now: Date) {
  await outbox.enqueue(
    tx,
    notifications.map((notification) => ({
      topic: NOTIFY_TOPIC,
      ref: notification.personId,
      payload: { bot: notification.bot, message: JSON.stringify(notification.message) },
      priority: notification.priority ?? 1,
      dueAt: now,
    })),
  );
}

export const notifyJob = (app: App): JobHandler => ({
  topic: NOTIFY_TOPIC,
  batch: 30,
  concurrency: 10,
  maxAttempts: 12,
  run: (job) => runNotify(app, job),
});

async function runNotify({ db, clock, telegram }: App, job: outbox.Job): Promise<JobOutcome> {
  const bot: BotName = job.payload["bot"] === "seller" ? "seller" : "buyer";
  const chatId = await telegramIdOf(db, job.ref);
  if (chatId === null) return { kind: "failed", reason: "no such person" };
  const message = JSON.parse(textOf(job.payload["message"])) as BotMessage;
  const sent = await telegram
    .gatewayOf(bot)
    .call("sendMessage", { chat_id: Number(chatId), ...messageArguments(message) });
  const now = clock.now();
  // The parts under which a bot's chats are stored: both when one bot plays both.
  const chat = { bots: telegram.partsOf(bot), personId: job.ref, now };
  if (sent.ok) {
    await setReachable(db, { ...chat, reachable: true });
    return DONE;
  }
  const { kind, said } = sent.refusal;
  const silent = ["blocked", "user-unreachable", "user-unknown", "chat-gone"].includes(kind);
  if (!silent) return { kind: "failed", reason: said };
  await setReachable(db, { ...chat, reachable: false });
  if (job.attempts > 1 || kind === "user-unknown") return DONE;
  return { kind: "later", afterMs: outbox.WAIT_FOR_PERSON_MS, reason: said };
}

/**
 * Records whether the bots may write to a person. When they may again, messages that were waiting
 * for that are sent now.
 */
export async function setReachable(
  db: Db,
  chat: { bots: readonly BotName[]; personId: bigint; reachable: boolean; now: Date },
): Promise<void> {
  const { bots, personId, reachable, now } = chat;
  const changed = await noteReachable(db, chat);
  if (!reachable || !changed) return;
  const where = sql`payload->>'bot' = ANY (${[...bots]}::text[])`;
  await outbox.hastenJobs(db, { topics: [NOTIFY_TOPIC], about: sql`${personId}`, where, now });
}

/** Deletes a person's unsent notifications. */
export const eraseNotifications = (tx: Db, personId: bigint) =>
  outbox.forgetJobs(tx, NOTIFY_TOPIC, sql`${personId}`);
