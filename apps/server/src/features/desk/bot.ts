import { type DeskAction, REJECT_CODES } from "@sesame/contract/desk";
import { addMs, MINUTE_MS } from "@sesame/kernel";
import type { CallbackQuery, Message } from "grammy/types";
import { html } from "../../bot/html.ts";
import type { BotMessage, MessageButton } from "../../bot/message.ts";
import { meetPerson } from "../../bot/people.store.ts";
import type { UpdateHandler } from "../../bot/update-desk.ts";
import { decideByAnswer, decideByTap, sayDecision } from "./bot-decide.ts";
import { DESK_BOT, DESK_PATH, type Reader, seeRequests } from "./bot-messages.ts";
import {
  type Agent,
  type Asking,
  closeQuestion,
  findMessage,
  findQuestion,
  noteQuestion,
} from "./bot-messages.store.ts";
import { readerOf, refresh, say } from "./bot-tell.ts";
import {
  board,
  BUTTONS,
  PLACEHOLDERS,
  question,
  reasonButton,
  showButton,
} from "./bot-texts.fr.ts";
import type { DeskBotDeps } from "./deps.ts";
import { countQueue, listQueue } from "./queue.view.ts";

/** What agents and operators do in the seller bot; to anybody else it answers nothing. */
export function deskUpdates(deps: DeskBotDeps): UpdateHandler {
  return async (update) => {
    if (update.callback_query) await answerTap(deps, update.callback_query);
  };
}

type Staff = Agent & { readonly reader: Reader };

/** By the Telegram id that Telegram vouches for; null for anybody who is not of the staff. */
async function staffMember(deps: DeskBotDeps, user: CallbackQuery["from"]): Promise<Staff | null> {
  const telegram_id = BigInt(user.id);
  if (!readerOf(deps, { id: 0n, telegram_id })) return null;
  const id = await meetPerson(deps.db, user, deps.clock.now());
  const reader = readerOf(deps, { id, telegram_id });
  return reader && { id, telegram_id, reader };
}

const TAP = /^desk:([a-z]+(?:-[a-z]+)*):(\d{1,18})$/;

type Tap = {
  readonly query: CallbackQuery;
  readonly staff: Staff;
  readonly action: string;
  readonly id: bigint;
};

async function answerTap(deps: DeskBotDeps, query: CallbackQuery): Promise<void> {
  const [, action, id] = TAP.exec(query.data ?? "") ?? [];
  if (action === undefined || id === undefined) return;
  const staff = await staffMember(deps, query.from);
  if (!staff) return;
  const tap = { query, staff, action, id: BigInt(id) };
  const asks = QUESTIONS.get(action);
  if (asks) return askFor(deps, tap, asks);
  if (action === "reasons") return offerReasons(deps, tap);
  if (action === "show") {
    await say(deps, staff, { withdrawalIds: [tap.id], others: 0 });
    return toast(deps, query, null);
  }
  if (action === "back") {
    await showAgain(deps, tap, { always: true });
    return toast(deps, query, null);
  }
  await decideTapped(deps, tap);
}

/** What is asked for in writing. */
const QUESTIONS: ReadonlyMap<string, Asking> = new Map([
  ["paid", "reference"],
  ["failed", "failure"],
  ["reject-other", "reject-reason"],
]);
const NEEDS: Readonly<Record<Asking, DeskAction>> = {
  reference: "paid",
  failure: "failed",
  "reject-reason": "reject",
};

async function decideTapped(deps: DeskBotDeps, tap: Tap): Promise<void> {
  const { query, staff, action, id } = tap;
  const act = { id, actor: staff.reader, key: `tap:${query.id}`, content: query.data ?? "" };
  const outcome = decideByTap(deps, act, action);
  if (!outcome) return;
  const decided = await outcome;
  await toast(deps, query, { text: sayDecision(decided), alert: !decided.ok });
  const wasList = await showAgain(deps, tap, { always: false });
  if (!decided.ok) return;
  if (action === "claim" && wasList) {
    await say(deps, staff, { withdrawalIds: [id], others: 0 });
  }
  if (action === "approve-manual" && decided.value.status === "approved") {
    await ask(deps, tap, "reference");
  }
}

/** Brings the tapped message up to date. → whether it speaks of several requests */
async function showAgain(
  deps: DeskBotDeps,
  { query, staff }: Tap,
  how: { always: boolean },
): Promise<boolean> {
  const messageId = query.message?.message_id;
  if (messageId === undefined) return false;
  const sent = await findMessage(deps.db, { personId: staff.id, messageId });
  if (!sent) return false;
  await refresh(deps, how.always ? { ...sent, shown: Buffer.alloc(0) } : sent);
  return sent.withdrawal_ids.length > 1;
}

/** Telegram takes 200 characters. */
const TOAST_CHARS = 190;

async function toast(
  deps: DeskBotDeps,
  query: CallbackQuery,
  said: { text: string; alert: boolean } | null,
): Promise<void> {
  await deps.telegram.gatewayOf(DESK_BOT).call("answerCallbackQuery", {
    callback_query_id: query.id,
    ...(said
      ? { text: said.text.slice(0, TOAST_CHARS).toWellFormed(), show_alert: said.alert }
      : {}),
  });
}

/** Why the agent may not do this now, in French; null when he may. */
async function whyNot(
  deps: DeskBotDeps,
  { staff, id }: Tap,
  action: DeskAction,
): Promise<string | null> {
  const [seen] = await seeRequests(deps, staff.reader, [id]);
  return seen?.request.may[action].reason ?? null;
}

async function offerReasons(deps: DeskBotDeps, tap: Tap): Promise<void> {
  const why = await whyNot(deps, tap, "reject");
  await toast(deps, tap.query, why === null ? null : { text: why, alert: true });
  const { message } = tap.query;
  if (why !== null || !message) return;
  const row = (text: string, action: string) => [
    { text, callback_data: `desk:${action}:${tap.id}` },
  ];
  await deps.telegram.gatewayOf(DESK_BOT).call("editMessageReplyMarkup", {
    chat_id: message.chat.id,
    message_id: message.message_id,
    reply_markup: {
      inline_keyboard: [
        ...REJECT_CODES.map((code) => row(reasonButton(code), `reject-${code}`)),
        row(BUTTONS.back, "back"),
      ],
    },
  });
}

async function askFor(deps: DeskBotDeps, tap: Tap, asks: Asking): Promise<void> {
  const why = await whyNot(deps, tap, NEEDS[asks]);
  await toast(deps, tap.query, why === null ? null : { text: why, alert: true });
  if (why === null) await ask(deps, tap, asks);
}

/** The agent answers with a message. */
async function ask(deps: DeskBotDeps, { staff, id }: Tap, asks: Asking): Promise<void> {
  const [seen] = await seeRequests(deps, staff.reader, [id]);
  if (!seen) return;
  const sent = await deps.telegram.gatewayOf(DESK_BOT).call("sendMessage", {
    chat_id: Number(staff.telegram_id),
    text: question(asks, seen.request),
    parse_mode: "HTML",
    reply_markup: { force_reply: true, input_field_placeholder: PLACEHOLDERS[asks] },
  });
  if (!sent.ok) return;
  const at = { personId: staff.id, messageId: sent.value.message_id, now: deps.clock.now() };
  await noteQuestion(deps.db, { ...at, withdrawalId: id, asks });
}

/** A message that does not reply to the question is its answer for this long. */
const ANSWERED_WITHIN_MS = 15 * MINUTE_MS;

/** What the bot says to a message of the staff's; null when it is none of the desk's. */
export async function replyToStaff(
  deps: DeskBotDeps,
  message: Message,
): Promise<BotMessage | null> {
  const { from, text } = message;
  const staff = from && text !== undefined ? await staffMember(deps, from) : null;
  if (!staff || text === undefined) return null;
  if (/^\/bureau(?:@\w+)?\s*$/.test(text)) return boardOf(deps, staff);
  if (text.startsWith("/")) return null;
  const now = deps.clock.now();
  const repliesTo = message.reply_to_message?.message_id ?? null;
  const since = addMs(now, -ANSWERED_WITHIN_MS);
  const asked = await findQuestion(deps.db, { personId: staff.id, repliesTo, since });
  if (!asked) return null;
  const act = {
    id: asked.withdrawal_id,
    actor: staff.reader,
    key: `message:${message.message_id}`,
    content: text,
  };
  const decided = await decideByAnswer(deps, act, asked.asks);
  if (decided.ok) {
    await closeQuestion(deps.db, { personId: staff.id, messageId: Number(asked.message_id), now });
  }
  return { text: html`${{ text: sayDecision(decided) }}` };
}

export function staffButtons(deps: DeskBotDeps, user: { readonly id: number }): MessageButton[] {
  const isStaff = readerOf(deps, { id: 0n, telegram_id: BigInt(user.id) }) !== null;
  return isStaff ? [deps.appButton(BUTTONS.desk, DESK_PATH)] : [];
}

const SHOWN_ON_BOARD = 5;

async function boardOf(deps: DeskBotDeps, staff: Staff): Promise<BotMessage> {
  const now = deps.clock.now();
  const counts = await countQueue(deps.db, { personId: staff.id, now });
  const first = await listQueue(deps.db, {
    view: "pending",
    late: false,
    now,
    limit: SHOWN_ON_BOARD,
    after: null,
  });
  const ids = first.map(({ id }) => id);
  const seen = await seeRequests(deps, staff.reader, ids);
  const shows = seen.map(({ request }) => ({
    text: showButton(request),
    callback: `desk:show:${request.id}`,
  }));
  return { text: board(counts), buttons: [...shows, deps.appButton(BUTTONS.desk, DESK_PATH)] };
}
