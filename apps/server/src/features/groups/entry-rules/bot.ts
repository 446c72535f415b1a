import { groupRefusals, stateOfGroup } from "@sesame/contract/groups";
import { sayRefusal } from "@sesame/contract";
import type { CallbackQuery } from "grammy/types";
import { type BotMessage, messageArguments } from "../../../bot/message.ts";
import { linkedMessage } from "../jobs.ts";
import type { GroupsDeps } from "../deps.ts";
import { type GroupRow, groupById, groupFacts, sellerOfTelegram } from "../group.view.ts";
import { closeMemberAdds } from "./close-member-adds.ts";
import { chooseRemoveAdded } from "./choose-remove-added.ts";
import { entryRulesMessage } from "./entry-rules-message.ts";
import { RULE_ANSWERS } from "../messages.fr.ts";

const ACTION = /^group:(?:close-adds:(\d{1,18})|remove-added:(\d{1,18}):(on|off))$/;

/** The seller taps what closes the group to members' adds, or turns the removal on or off. */
export async function answerEntryRules(deps: GroupsDeps, query: CallbackQuery): Promise<void> {
  const match = ACTION.exec(query.data ?? "");
  if (!match) return;
  const groupId = BigInt(match[1] ?? match[2] ?? 0);
  const seller = await sellerOfTelegram(deps.db, BigInt(query.from.id));
  const group = await groupById(deps.db, groupId);
  if (!group || group.seller_id !== seller) return answer(deps, query, RULE_ANSWERS.notYours);
  const choice = match[3];
  if (choice === undefined) {
    const closed = await closeMemberAdds(deps, groupId);
    await answer(
      deps,
      query,
      closed.ok ? RULE_ANSWERS.closed : sayRefusal(closed.refusal, groupRefusals).body.message,
    );
  } else {
    await chooseRemoveAdded(deps, group, choice === "on");
    await answer(deps, query, choice === "on" ? RULE_ANSWERS.removing : RULE_ANSWERS.keeping);
  }
  await showAgain(deps, query, groupId);
}

/** A stale tap is shown what holds now. */
async function showAgain(deps: GroupsDeps, query: CallbackQuery, groupId: bigint): Promise<void> {
  const group = await groupById(deps.db, groupId);
  if (!group || !query.message) return;
  await deps.telegram.gatewayOf("seller").call("editMessageText", {
    chat_id: query.from.id,
    message_id: query.message.message_id,
    ...messageArguments(await messageNow(deps, group)),
  });
}

function messageNow(deps: GroupsDeps, group: GroupRow): Promise<BotMessage> {
  return stateOfGroup(groupFacts(group)) === "connected"
    ? linkedMessage(deps, deps.db, group)
    : entryRulesMessage(deps.db, group);
}

/** Telegram takes 200 characters. */
const TOAST_CHARS = 190;

async function answer(deps: GroupsDeps, query: CallbackQuery, text: string): Promise<void> {
  await deps.telegram.gatewayOf("seller").call("answerCallbackQuery", {
    callback_query_id: query.id,
    text: text.slice(0, TOAST_CHARS),
    show_alert: text.length > 60,
  });
}
