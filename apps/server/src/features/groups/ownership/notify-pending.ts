import type { User } from "grammy/types";
import type { Html } from "../../../bot/html.ts";
import { type BotMessage, messageArguments } from "../../../bot/message.ts";
import { meetPerson } from "../../../bot/people.store.ts";
import { tell } from "../../../bot/tell.ts";
import { BUTTONS, finishInApp } from "../messages.fr.ts";
import { findClaim, markClaimTold } from "../claim.store.ts";
import type { GroupsDeps } from "../deps.ts";
import type { ChatFacts } from "../standing.ts";

/** A message about a chat that waits, and the name under which it is said once. */
export type PendingNotice = { readonly state: string; readonly message: BotMessage };

/** Says it to a person in private, once. */
export async function notifyPerson(
  deps: GroupsDeps,
  facts: ChatFacts,
  notice: PendingNotice & { readonly to: User },
): Promise<void> {
  const now = deps.clock.now();
  await deps.db.transaction().execute(async (tx) => {
    if (!(await markClaimTold(tx, facts.chatId, notice.state))) return;
    const personId = await meetPerson(tx, notice.to, now);
    await tell(tx, [{ bot: "seller", personId, message: notice.message }], now);
  });
}

/** Says it in the chat, once. Where the bot may not speak, the reason is found in the app. */
export async function notifyChat(
  deps: GroupsDeps,
  facts: ChatFacts,
  notice: { readonly state: string; readonly text: Html },
): Promise<void> {
  if (await isTold(deps, facts, notice.state)) return;
  await sendInChat(deps, facts, notice.text);
  await markClaimTold(deps.db, facts.chatId, notice.state);
}

/** Asks a proven person who is no seller yet to open the app: in private if possible, else there. */
export async function inviteToApp(deps: GroupsDeps, facts: ChatFacts, from: User): Promise<void> {
  const state = `invited:${from.id}`;
  if (await isTold(deps, facts, state)) return;
  const message = {
    text: finishInApp(facts),
    buttons: [deps.appButton(BUTTONS.openApp, "/")],
  };
  const sent = await deps.telegram
    .gatewayOf("seller")
    .call("sendMessage", { chat_id: from.id, ...messageArguments(message) });
  if (!sent.ok) await sendInChat(deps, facts, message.text);
  await markClaimTold(deps.db, facts.chatId, state);
}

async function isTold(deps: GroupsDeps, facts: ChatFacts, state: string): Promise<boolean> {
  return (await findClaim(deps.db, facts.chatId))?.told_state === state;
}

async function sendInChat(deps: GroupsDeps, facts: ChatFacts, text: Html): Promise<void> {
  if (facts.kind === "channel") return;
  const bot = deps.telegram.names.seller();
  const buttons = bot ? [{ text: BUTTONS.openApp, url: `https://t.me/${bot}?start=relier` }] : [];
  await deps.telegram.gatewayOf("seller").call("sendMessage", {
    chat_id: Number(facts.chatId),
    ...messageArguments({ text, buttons }),
  });
}
