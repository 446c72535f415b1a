import type { CallbackQuery } from "grammy/types";
import type { App } from "../../../app.ts";
import { type BotMessage, messageArguments } from "../../../bot/message.ts";
import { groupById, sellerOfTelegram } from "../../groups/index.ts";
import { allowEntry, type Decided, giveTime, removeByHand } from "./decide-by-hand.ts";
import { type Entry, entryById } from "./entries.store.ts";
import {
  cardMessage,
  GRANT_MINUTES,
  listMessage,
  outcomeMessage,
  timeMessage,
} from "./entry-card.ts";
import * as messages from "../messages.fr.ts";

const { ENTRY_ANSWERS } = messages;
const ACTION = /^entry:(card|time|remove|allow|give|list):(\d{1,18})(?::(\d{1,18}))?$/;

type Press = { readonly query: CallbackQuery; readonly entry: Entry; readonly by: bigint };

/** The seller decides about people who came in without paid time. */
export async function answerEntryPress(app: App, query: CallbackQuery): Promise<void> {
  const [, verb, id, more] = ACTION.exec(query.data ?? "") ?? [];
  if (verb === undefined || id === undefined) return;
  if (verb === "list") return showList(app, query, { groupId: BigInt(id), before: more });
  const entry = await entryById(app.db, BigInt(id));
  if (!entry || entry.seller_id !== (await sellerOfTelegram(app.db, query.from.id))) {
    return toast(app, query, ENTRY_ANSWERS.notYours);
  }
  const press = { query, entry, by: entry.seller_id };
  switch (verb) {
    case "card":
    case "time": {
      if (entry.status !== "open") return answerStale(app, press, { kind: "decided" });
      const message = verb === "card" ? cardMessage(entry) : timeMessage(entry);
      return show(app, press, { message });
    }
    case "give":
      return give(app, press, Number(more));
    case "remove":
      return answerDecision(app, press, {
        decided: await removeByHand(app, entry),
        toast: ENTRY_ANSWERS.removing,
        text: messages.removing(entry),
      });
    case "allow":
      return answerDecision(app, press, {
        decided: await allowEntry(app, entry),
        toast: ENTRY_ANSWERS.allowed,
        text: messages.allowed(entry),
      });
  }
}

async function give(app: App, press: Press, minutes: number): Promise<void> {
  if (!GRANT_MINUTES.some((offered) => offered === minutes)) return;
  const { entry } = press;
  const given = await giveTime(app, entry, { minutes, by: press.by });
  if (given.kind !== "granted") return answerStale(app, press, given);
  const text = messages.granted(entry, { minutes, until: given.until }, app.sayInstant);
  await show(app, press, { message: outcomeMessage(entry, text), said: ENTRY_ANSWERS.granted });
}

async function answerDecision(
  app: App,
  press: Press,
  { decided, toast: said, text }: { decided: Decided; toast: string; text: BotMessage["text"] },
): Promise<void> {
  if (decided.kind !== "done") return answerStale(app, press, decided);
  await show(app, press, { message: outcomeMessage(press.entry, text), said });
}

/** Somebody else, or something else, was first: what holds now is shown. */
async function answerStale(
  app: App,
  press: Press,
  { kind }: { kind: "decided" | "left" | "has-time" },
): Promise<void> {
  const said = {
    decided: ENTRY_ANSWERS.decided,
    left: ENTRY_ANSWERS.left,
    "has-time": ENTRY_ANSWERS.hasTime,
  };
  const of = { groupId: press.entry.group_id, title: press.entry.group_title, before: null };
  await show(app, press, { message: await listMessage(app, of), said: said[kind] });
}

async function showList(
  app: App,
  query: CallbackQuery,
  { groupId, before }: { groupId: bigint; before: string | undefined },
): Promise<void> {
  const group = await groupById(app.db, groupId);
  if (!group || group.seller_id !== (await sellerOfTelegram(app.db, query.from.id))) {
    return toast(app, query, ENTRY_ANSWERS.notYours);
  }
  const from = before === undefined || before === "0" ? null : BigInt(before);
  const message = await listMessage(app, { groupId, title: group.title, before: from });
  await toast(app, query, null);
  await edit(app, query, message);
}

/** Answers a press, and shows what holds now in place of what was pressed. */
async function show(
  app: App,
  { query }: Press,
  { message, said }: { message: BotMessage; said?: string },
): Promise<void> {
  await toast(app, query, said ?? null);
  await edit(app, query, message);
}

async function edit(app: App, query: CallbackQuery, message: BotMessage): Promise<void> {
  if (!query.message) return;
  await app.telegram.gatewayOf("seller").call("editMessageText", {
    chat_id: query.from.id,
    message_id: query.message.message_id,
    ...messageArguments(message),
  });
}

async function toast(app: App, query: CallbackQuery, text: string | null): Promise<void> {
  await app.telegram.gatewayOf("seller").call("answerCallbackQuery", {
    callback_query_id: query.id,
    ...(text === null ? {} : { text }),
  });
}
