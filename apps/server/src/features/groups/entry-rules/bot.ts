import { groupRefusals, stateOfGroup } from "@sesame/contract/groups";
import { sayRefusal } from "@sesame/contract";
import type { CallbackQuery } from "grammy/types";
import type { App } from "../../../app.ts";
import { type BotMessage, messageArguments } from "../../../bot/message.ts";
import { linkedMessage } from "../jobs.ts";
import { type GroupRow, groupById, groupFacts, sellerOfTelegram } from "../group.view.ts";
import { chooseRemoveAdded, closeMemberAdds } from "./change-entry-rules.ts";
import { entryRulesMessage } from "./entry-rules-message.ts";
import { RULE_ANSWERS } from "../messages.fr.ts";

const ACTION = /^group:(?:close-adds:(\d{1,18})|remove-added:(\d{1,18}):(on|off))$/;

/** The seller taps what closes the group to members' adds, or turns the removal on or off. */
export async function answerEntryRules(app: App, query: CallbackQuery): Promise<void> {
  const match = ACTION.exec(query.data ?? "");
  if (!match) return;
  const groupId = BigInt(match[1] ?? match[2] ?? 0);
  const seller = await sellerOfTelegram(app.db, query.from.id);
  const group = await groupById(app.db, groupId);
  if (!group || group.seller_id !== seller) return answer(app, query, RULE_ANSWERS.notYours);
  const choice = match[3];
  if (choice === undefined) {
    const closed = await closeMemberAdds(app, groupId);
    await answer(
      app,
      query,
      closed.ok ? RULE_ANSWERS.closed : sayRefusal(closed.refusal, groupRefusals).body.message,
    );
  } else {
    await chooseRemoveAdded(app, group, choice === "on");
    await answer(app, query, choice === "on" ? RULE_ANSWERS.removing : RULE_ANSWERS.keeping);
  }
  await showAgain(app, query, groupId);
}

/** A stale tap is shown what holds now. */
async function showAgain(app: App, query: CallbackQuery, groupId: bigint): Promise<void> {
  const group = await groupById(app.db, groupId);
  if (!group || !query.message) return;
  await app.telegram.gatewayOf("seller").call("editMessageText", {
    chat_id: query.from.id,
    message_id: query.message.message_id,
    ...messageArguments(await messageNow(app, group)),
  });
}

function messageNow(app: App, group: GroupRow): Promise<BotMessage> {
  return stateOfGroup(groupFacts(group)) === "connected"
    ? linkedMessage(app, app.db, group)
    : entryRulesMessage(app.db, group);
}

/** Telegram takes 200 characters. */
const TOAST_CHARS = 190;

async function answer(app: App, query: CallbackQuery, text: string): Promise<void> {
  await app.telegram.gatewayOf("seller").call("answerCallbackQuery", {
    callback_query_id: query.id,
    text: text.slice(0, TOAST_CHARS),
    show_alert: text.length > 60,
  });
}
