import type { ChatMemberUpdated, User } from "grammy/types";
import type { App } from "../../app.ts";
import { meetPerson } from "../../bot/people.store.ts";
import { tell } from "../../bot/tell.ts";
import { enqueue } from "../../jobs/outbox.store.ts";
import { announceChange, recheckLater, RENEW_LINKS, RESUME_ACCESS } from "./announce.ts";
import { BASIC_GROUP, alreadyLinked, OWNER_BUTTONS } from "./messages.fr.ts";
import { dropClaim, moveClaim, saveClaim } from "./claim.store.ts";
import { moveGroup, recordEvent, updateStanding } from "./group.store.ts";
import { type GroupRow, groupByChat, sellerOfTelegram } from "./group.view.ts";
import { actorOf, linkNewChat } from "./ownership/link-pending.ts";
import { notifyChat } from "./ownership/notify-pending.ts";
import { type ChatFacts, factsOf, standingOf } from "./standing.ts";

/** The bot's own membership of a chat has changed (`my_chat_member`). */
export async function noteBotMembership(app: App, event: ChatMemberUpdated): Promise<void> {
  const { chat, from } = event;
  if (chat.type === "private") return;
  const facts = factsOf(chat, standingOf(event.new_chat_member));
  if (facts.kind === "group") return meetBasicGroup(app, facts, from);
  const before = await groupByChat(app.db, facts.chatId);
  if (before) return followLinkedChat(app, { facts, before, from });
  if (!facts.standing.present) return dropClaim(app.db, facts.chatId);
  await linkNewChat(app, facts, from);
}

/** A linked chat keeps its seller, whoever brings the bot back (decision 81). */
async function followLinkedChat(
  app: App,
  seen: { facts: ChatFacts; before: GroupRow; from: User },
): Promise<void> {
  const { facts, before, from } = seen;
  await applyFacts(app, facts);
  if (before.bot_present || !facts.standing.present) return;
  const now = app.clock.now();
  const actor = actorOf(from);
  const isSeller = actor !== null && (await sellerOfTelegram(app.db, actor)) === before.seller_id;
  await app.db.transaction().execute(async (tx) => {
    // Who administers it may have changed while the bot was away.
    await recheckLater(tx, before.id, now);
    if (actor === null || isSeller) return;
    const personId = await meetPerson(tx, from, now);
    const message = {
      text: alreadyLinked(facts),
      buttons: [app.appButton(OWNER_BUTTONS.groups, "/GroupeListe")],
    };
    await tell(tx, [{ bot: "seller", personId, message }], now);
  });
}

/** Writes what Telegram says of a linked chat, and tells whoever it concerns. */
export async function applyFacts(app: App, facts: ChatFacts): Promise<void> {
  const now = app.clock.now();
  await app.db.transaction().execute(async (tx) => {
    const change = await updateStanding(tx, facts, now);
    if (!change?.changed) return;
    const { id: groupId } = change;
    if (change.was_present && !change.is_present) {
      await recordEvent(tx, { groupId, event: "bot_removed", now });
    } else if (!change.was_present) {
      await recordEvent(tx, { groupId, event: "linked", now });
    } else if (change.was_able !== change.is_able) {
      await recordEvent(tx, { groupId, event: "rights_changed", now });
    } else if (change.renamed) {
      await recordEvent(tx, { groupId, event: "title_changed", now });
    }
    const works = change.is_present && change.is_able;
    if (works && !(change.was_present && change.was_able)) {
      await enqueue(tx, [{ topic: RESUME_ACCESS, ref: groupId, priority: 0, dueAt: now }]);
    }
    await announceChange(tx, { sellerId: change.seller_id, now });
  });
}

/** A chat has another id: it is followed everywhere, and waiting buyers get links of the new one. */
export async function followMigration(app: App, move: { from: bigint; to: bigint }): Promise<void> {
  const now = app.clock.now();
  await app.db.transaction().execute(async (tx) => {
    await moveClaim(tx, move);
    const moved = await moveGroup(tx, move);
    if (!moved) return;
    await recordEvent(tx, { groupId: moved.id, event: "migrated", now });
    await enqueue(tx, [{ topic: RENEW_LINKS, ref: moved.id, priority: 0, dueAt: now }]);
    await recheckLater(tx, moved.id, now);
    await announceChange(tx, { sellerId: moved.seller_id, now });
  });
}

/** Kept as a hint: once it is a supergroup, it is given to whom Telegram proves. */
async function meetBasicGroup(app: App, facts: ChatFacts, from: User): Promise<void> {
  if (!facts.standing.present) return dropClaim(app.db, facts.chatId);
  const claim = { facts, telegramId: actorOf(from), replaces: false, now: app.clock.now() };
  await saveClaim(app.db, claim);
  await notifyChat(app, facts, { state: "basic", text: BASIC_GROUP });
}
