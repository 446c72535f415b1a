import type { User } from "grammy/types";
import type { App } from "../../../app.ts";
import type { Html } from "../../../bot/html.ts";
import { type BotMessage, messageArguments } from "../../../bot/message.ts";
import { meetPerson } from "../../../bot/people.store.ts";
import { tell } from "../../../bot/tell.ts";
import { BUTTONS, finishInApp } from "../messages.fr.ts";
import { findClaim, markClaimTold } from "../claim.store.ts";
import type { ChatFacts } from "../standing.ts";

/** A message about a chat that waits, and the name under which it is said once. */
export type PendingNotice = { readonly state: string; readonly message: BotMessage };

/** Says it to a person in private, once. */
export async function notifyPerson(
  app: App,
  facts: ChatFacts,
  notice: PendingNotice & { readonly to: User },
): Promise<void> {
  const now = app.clock.now();
  await app.db.transaction().execute(async (tx) => {
    if (!(await markClaimTold(tx, facts.chatId, notice.state))) return;
    const personId = await meetPerson(tx, notice.to, now);
    await tell(tx, [{ bot: "seller", personId, message: notice.message }], now);
  });
}

/** Says it in the chat, once. Where the bot may not speak, the reason is found in the app. */
export async function notifyChat(
  app: App,
  facts: ChatFacts,
  notice: { readonly state: string; readonly text: Html },
): Promise<void> {
  if (await isTold(app, facts, notice.state)) return;
  await sendInChat(app, facts, notice.text);
  await markClaimTold(app.db, facts.chatId, notice.state);
}

/** Asks a proven person who is no seller yet to open the app: in private if possible, else there. */
export async function inviteToApp(app: App, facts: ChatFacts, from: User): Promise<void> {
  const state = `invited:${from.id}`;
  if (await isTold(app, facts, state)) return;
  const message = {
    text: finishInApp(facts),
    buttons: [app.appButton(BUTTONS.openApp, "/")],
  };
  const sent = await app.telegram
    .gatewayOf("seller")
    .call("sendMessage", { chat_id: from.id, ...messageArguments(message) });
  if (!sent.ok) await sendInChat(app, facts, message.text);
  await markClaimTold(app.db, facts.chatId, state);
}

async function isTold(app: App, facts: ChatFacts, state: string): Promise<boolean> {
  return (await findClaim(app.db, facts.chatId))?.told_state === state;
}

async function sendInChat(app: App, facts: ChatFacts, text: Html): Promise<void> {
  if (facts.kind === "channel") return;
  const bot = app.telegram.names.seller();
  const buttons = bot ? [{ text: BUTTONS.openApp, url: `https://t.me/${bot}?start=relier` }] : [];
  await app.telegram.gatewayOf("seller").call("sendMessage", {
    chat_id: Number(facts.chatId),
    ...messageArguments({ text, buttons }),
  });
}
