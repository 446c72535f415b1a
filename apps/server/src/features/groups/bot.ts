import { sayRefusal } from "@sesame/contract";
import { groupRefusals } from "@sesame/contract/groups";
import type { CallbackQuery, Message, Update } from "grammy/types";
import type { App } from "../../app.ts";
import { showInstead, toast } from "../../bot/message.ts";
import type { UpdateHandler } from "../../bot/update-loop.ts";
import { maybe } from "../../postgres/database.ts";
import { chooseRemoveAdded, entryRulesMessage } from "./entry-rules.ts";
import { announceChange, groupById, recordEvent, sellerOfTelegram } from "./groups.ts";
import { linkedMessage } from "./jobs.ts";
import * as chats from "./linked-chat.ts";
import { CHECKED, RULE_ANSWERS } from "./messages.fr.ts";
import { linkByPayload } from "./waiting.ts";

/** The sellers' bot's reactions to chats: links them, follows their changes, answers button presses. */
export function groupUpdates(app: App): UpdateHandler {
  return async (update: Update) => {
    if (update.my_chat_member) return chats.noteBotMembership(app, update.my_chat_member);
    if (update.chat_member) return chats.noteAdministrator(app, update.chat_member);
    if (update.message) return noteMessage(app, update.message);
    if (update.callback_query) return answerPress(app, update.callback_query);
  };
}

async function noteMessage(app: App, message: Message): Promise<void> {
  const { chat } = message;
  const here = BigInt(chat.id);
  if (message.migrate_to_chat_id !== undefined) {
    return chats.followMigration(app, { from: here, to: BigInt(message.migrate_to_chat_id) });
  }
  if (message.migrate_from_chat_id !== undefined) {
    return chats.followMigration(app, { from: BigInt(message.migrate_from_chat_id), to: here });
  }
  if (message.new_chat_title !== undefined) return rename(app, here, message.new_chat_title);
  if (chat.type === "supergroup") await linkByPayload(app, message);
}

async function rename(app: App, chatId: bigint, title: string): Promise<void> {
  const now = app.clock.now();
  await app.db.transaction().execute(async (tx) => {
    const group = await maybe<{ id: bigint; seller_id: bigint }>(tx)`
      UPDATE groups SET title = ${title} WHERE chat_id = ${chatId} AND title <> ${title}
      RETURNING id, seller_id
    `;
    if (!group) return;
    await recordEvent(tx, group.id, "title_changed", now);
    await announceChange(tx, { sellerId: group.seller_id, now });
  });
}

const PRESS = /^group:(?:(check|close-adds):(\d{1,18})|remove-added:(\d{1,18}):(on|off))$/;

/** "Vérifier"; the button that stops members adding members; the switch of the removal. */
async function answerPress(app: App, query: CallbackQuery): Promise<void> {
  const [pressed, verb, named, of, choice] = PRESS.exec(query.data ?? "") ?? [];
  if (pressed === undefined) return;
  const sellerId = await sellerOfTelegram(app.db, query.from.id);
  const group = await groupById(app.db, BigInt(named ?? of ?? 0));
  const isTheirs = group !== null && group.seller_id === sellerId;
  if (verb === "check") {
    if (!isTheirs) return;
    await chats.recheckGroup(app, group.id);
    const after = await groupById(app.db, group.id);
    return after ? toast(app, query, CHECKED[after.state]) : undefined;
  }
  if (!isTheirs) return toast(app, query, RULE_ANSWERS.notYours);
  if (choice === undefined) {
    const closed = await chats.closeMemberAdds(app, group.id);
    const no = closed.ok ? null : sayRefusal(closed.refusal, groupRefusals).body.message;
    await toast(app, query, no ?? RULE_ANSWERS.closed);
  } else {
    await chooseRemoveAdded(app, group, choice === "on");
    await toast(app, query, choice === "on" ? RULE_ANSWERS.removing : RULE_ANSWERS.keeping);
  }
  // An outdated press gets the current state.
  const now = await groupById(app.db, group.id);
  if (!now) return;
  const linked = now.state === "connected";
  const shown = linked ? linkedMessage(app, app.db, now) : entryRulesMessage(app.db, now);
  await showInstead(app, query, await shown);
}
