import type { ChatMemberUpdated, User } from "grammy/types";
import { sql } from "kysely";
import type { App } from "../../app.ts";
import { meetPerson } from "../../people/people.ts";
import { tell } from "../../bot/message.ts";
import { enqueue } from "../../jobs/outbox.store.ts";
import { maybe } from "../../postgres/database.ts";
import {
  announceChange,
  type GroupRow,
  groupByChat,
  lockChats,
  recheckLater,
  recordEvent,
  RENEW_LINKS,
  RESUME_ACCESS,
  sellerOfTelegram,
} from "./groups.ts";
import { alreadyLinked, BASIC_GROUP, OWNER_BUTTONS } from "./messages.fr.ts";
import { type ChatFacts, factsOf, standingOf } from "./standing.ts";
import { actorOf, dropClaim, linkNewChat, notifyChat, saveClaim } from "./waiting.ts";

/** The bot's own membership of a chat has changed (`my_chat_member`). */
export async function noteBotMembership(app: App, event: ChatMemberUpdated): Promise<void> {
  const { chat, from } = event;
  if (chat.type === "private") return;
  const facts = factsOf(chat, standingOf(event.new_chat_member));
  const { kind, chatId, standing } = facts;
  if (kind === "group") {
    if (!standing.present) return dropClaim(app.db, chatId);
    // Kept as a hint: once it is a supergroup, it is given to whom Telegram proves.
    await saveClaim(app, facts, { telegramId: actorOf(from), replaces: false });
    return notifyChat(app, facts, { state: "basic", text: BASIC_GROUP });
  }
  const before = await groupByChat(app.db, chatId);
  if (before) return followLinkedChat(app, { facts, before, from });
  if (!standing.present) return dropClaim(app.db, chatId);
  await linkNewChat(app, facts, from);
}

/** A linked chat keeps its seller, whoever brings the bot back (decision 81). */
async function followLinkedChat(
  app: App,
  { facts, before, from }: { facts: ChatFacts; before: GroupRow; from: User },
): Promise<void> {
  await applyFacts(app, facts);
  if (before.facts.botPresent || !facts.standing.present) return;
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

type StandingChange = {
  readonly id: bigint;
  readonly seller_id: bigint;
  readonly was_present: boolean;
  readonly is_present: boolean;
  readonly was_able: boolean;
  readonly is_able: boolean;
  readonly renamed: boolean;
  readonly changed: boolean;
};

/** Writes what Telegram says of a linked chat, and tells whoever it concerns. */
export async function applyFacts(app: App, facts: ChatFacts): Promise<void> {
  const now = app.clock.now();
  const { rights, present } = facts.standing;
  await app.db.transaction().execute(async (tx) => {
    const change = await maybe<StandingChange>(tx)`
      WITH old AS (SELECT * FROM groups WHERE chat_id = ${facts.chatId} FOR UPDATE)
      UPDATE groups g SET title = ${facts.title}, public_username = ${facts.publicUsername},
        bot_present = ${present}, can_manage = ${rights.manage_chat},
        can_invite = ${rights.invite_users}, can_restrict = ${rights.restrict_members},
        checked_at = ${now}
      FROM old WHERE g.id = old.id
      RETURNING g.id, g.seller_id, old.bot_present AS was_present, g.bot_present AS is_present,
        old.can_manage AND old.can_invite AND old.can_restrict AS was_able,
        g.can_manage AND g.can_invite AND g.can_restrict AS is_able,
        old.title <> g.title AS renamed,
        (old.bot_present, old.can_manage, old.can_invite, old.can_restrict, old.title,
          old.public_username)
        IS DISTINCT FROM (g.bot_present, g.can_manage, g.can_invite, g.can_restrict, g.title,
          g.public_username) AS changed
    `;
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

/**
 * A chat has another id: it is followed everywhere, and waiting buyers get links of the new one. A row
 * already made for the new id, and not sold from yet, gives way to the older one.
 */
export async function followMigration(
  app: App,
  { from, to }: { from: bigint; to: bigint },
): Promise<void> {
  const now = app.clock.now();
  await app.db.transaction().execute(async (tx) => {
    // What is known of the new chat already stays: another update of Telegram may be writing it now.
    await sql`
      WITH gone AS (DELETE FROM group_claims WHERE chat_id = ${from} RETURNING *)
      INSERT INTO group_claims (chat_id, telegram_id, kind, title, public_username, can_manage,
        can_invite, can_restrict, told_state, created_at)
      SELECT ${to}, telegram_id, 'supergroup', title, public_username, can_manage, can_invite,
        can_restrict, told_state, created_at
      FROM gone
      ON CONFLICT (chat_id) DO NOTHING
    `.execute(tx);
    await lockChats(tx, [from, to]);
    const known = await maybe(tx)`SELECT id FROM groups WHERE chat_id = ${from} FOR UPDATE`;
    if (!known) return;
    const unused = sql`
      SELECT g.id FROM groups g WHERE g.chat_id = ${to}
        AND NOT EXISTS (SELECT FROM products p WHERE p.group_id = g.id)
    `;
    await sql`DELETE FROM group_admins WHERE group_id IN (${unused})`.execute(tx);
    await sql`DELETE FROM groups WHERE id IN (${unused})`.execute(tx);
    const moved = await maybe<{ id: bigint; seller_id: bigint }>(tx)`
      UPDATE groups SET chat_id = ${to}, kind = 'supergroup' WHERE chat_id = ${from}
        AND NOT EXISTS (SELECT FROM groups other WHERE other.chat_id = ${to})
      RETURNING id, seller_id
    `;
    if (!moved) return;
    await recordEvent(tx, { groupId: moved.id, event: "migrated", now });
    await enqueue(tx, [{ topic: RENEW_LINKS, ref: moved.id, priority: 0, dueAt: now }]);
    await recheckLater(tx, moved.id, now);
    await announceChange(tx, { sellerId: moved.seller_id, now });
  });
}
