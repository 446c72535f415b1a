import type { ChatMemberUpdated, User } from "grammy/types";
import { meetPerson } from "../../bot/people.store.ts";
import { tell } from "../../bot/tell.ts";
import { enqueue } from "../../jobs/outbox.store.ts";
import { announceChange, recheckLater, RESUME_ACCESS } from "./announce.ts";
import { BASIC_GROUP, alreadyLinked, OWNER_BUTTONS } from "./messages.fr.ts";
import { dropClaim, saveClaim } from "./claim.store.ts";
import type { GroupsDeps } from "./deps.ts";
import { recordEvent, updateStanding } from "./group.store.ts";
import { type GroupRow, groupByChat, sellerOfTelegram } from "./group.view.ts";
import { actorOf, linkNewChat } from "./ownership/link-pending.ts";
import { notifyChat } from "./ownership/notify-pending.ts";
import { type ChatFacts, factsOf, standingOf } from "./standing.ts";

/** The bot's own membership of a chat has changed (`my_chat_member`). */
export async function noteBotMembership(deps: GroupsDeps, event: ChatMemberUpdated): Promise<void> {
  const { chat, from } = event;
  if (chat.type === "private") return;
  const facts = factsOf(chat, standingOf(event.new_chat_member));
  if (facts.kind === "group") return meetBasicGroup(deps, facts, from);
  const before = await groupByChat(deps.db, facts.chatId);
  if (before) return followLinkedChat(deps, { facts, before, from });
  if (!facts.standing.present) return dropClaim(deps.db, facts.chatId);
  await linkNewChat(deps, facts, from);
}

/** A linked chat keeps its seller, whoever brings the bot back (decision 81). */
async function followLinkedChat(
  deps: GroupsDeps,
  seen: { facts: ChatFacts; before: GroupRow; from: User },
): Promise<void> {
  const { facts, before, from } = seen;
  await applyFacts(deps, facts);
  if (before.bot_present || !facts.standing.present) return;
  const now = deps.clock.now();
  const actor = actorOf(from);
  const isSeller = actor !== null && (await sellerOfTelegram(deps.db, actor)) === before.seller_id;
  await deps.db.transaction().execute(async (tx) => {
    // Who administers it may have changed while the bot was away.
    await recheckLater(tx, before.id, now);
    if (actor === null || isSeller) return;
    const personId = await meetPerson(tx, from, now);
    const message = {
      text: alreadyLinked(facts),
      buttons: [deps.appButton(OWNER_BUTTONS.groups, "/GroupeListe")],
    };
    await tell(tx, [{ bot: "seller", personId, message }], now);
  });
}

/** Writes what Telegram says of a linked chat, and tells whoever it concerns. */
export async function applyFacts(deps: GroupsDeps, facts: ChatFacts): Promise<void> {
  const now = deps.clock.now();
  await deps.db.transaction().execute(async (tx) => {
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

/** Kept as a hint: once it is a supergroup, it is given to whom Telegram proves. */
async function meetBasicGroup(deps: GroupsDeps, facts: ChatFacts, from: User): Promise<void> {
  if (!facts.standing.present) return dropClaim(deps.db, facts.chatId);
  const claim = { facts, telegramId: actorOf(from), replaces: false, now: deps.clock.now() };
  await saveClaim(deps.db, claim);
  await notifyChat(deps, facts, { state: "basic", text: BASIC_GROUP });
}
