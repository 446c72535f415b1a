import { ok, Outage, refuse } from "@sesame/kernel";
import type { ChatFullInfo, ChatMemberUpdated, User } from "grammy/types";
import { sql } from "kysely";
import type { App } from "../../app.ts";
import { type TelegramRefusal } from "../../bot/gateway.ts";
import { notify, toPerson } from "../../bot/message.ts";
import { enqueue } from "../../jobs/outbox.store.ts";
import { meetPerson, telegramIdOf } from "../../people/people.ts";
import { type Db, maybe } from "../../postgres/database.ts";
import { noteMembersCanAdd } from "./entry-rules.ts";
import * as groups from "./groups.ts";
import { alreadyLinked, BASIC_GROUP, type GroupEvent, OWNER_BUTTONS } from "./messages.fr.ts";
import * as pending from "./waiting.ts";

/** The bot's own membership of a chat has changed (`my_chat_member`). */
export async function noteBotMembership(app: App, event: ChatMemberUpdated): Promise<void> {
  const { chat, from } = event;
  if (chat.type === "private") return;
  const facts = groups.factsOf(chat, groups.standingOf(event.new_chat_member));
  const { kind, chatId, standing } = facts;
  if (kind === "group") {
    if (!standing.present) return pending.dropPendingGroup(app.db, chatId);
    // Stored as a hint: once it is a supergroup, it is linked to the person Telegram proves.
    await pending.savePendingGroup(app, facts, {
      telegramId: pending.actorOf(from),
      replaces: false,
    });
    return pending.notifyChat(app, facts, "basic", BASIC_GROUP);
  }
  const before = await groups.groupByChat(app.db, chatId);
  if (before) return followLinkedChat(app, facts, before, from);
  if (!standing.present) return pending.dropPendingGroup(app.db, chatId);
  await pending.linkNewChat(app, facts, from);
}

/** A linked chat keeps its seller, whoever adds the bot again (decision 81). */
async function followLinkedChat(
  app: App,
  facts: groups.ChatFacts,
  before: groups.GroupRow,
  from: User,
) {
  await applyFacts(app, facts);
  if (before.facts.botPresent || !facts.standing.present) return;
  const now = app.clock.now();
  const actor = pending.actorOf(from);
  const isSeller =
    actor !== null && (await groups.sellerOfTelegram(app.db, actor)) === before.seller_id;
  await app.db.transaction().execute(async (tx) => {
    // The administrators may have changed while the bot was away.
    await groups.recheckLater(tx, before.id, now);
    if (actor === null || isSeller) return;
    const personId = await meetPerson(tx, from, now);
    const said = { text: alreadyLinked(facts), button: OWNER_BUTTONS.groups, path: "/GroupeListe" };
    await notify(tx, [toPerson(app, personId, said)], now);
  });
}

const ABLE = (row: "g" | "old") =>
  sql.raw(`(${row}.can_manage AND ${row}.can_invite AND ${row}.can_restrict)`);

type StandingChange = {
  readonly id: bigint;
  readonly seller_id: bigint;
  readonly event: GroupEvent | null;
  readonly works_again: boolean;
  readonly changed: boolean;
};

/** Stores Telegram's facts of a linked chat, and notifies the people concerned. */
async function applyFacts(app: App, facts: groups.ChatFacts): Promise<void> {
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
      RETURNING g.id, g.seller_id,
        CASE WHEN old.bot_present AND NOT g.bot_present THEN 'bot_removed'
          WHEN NOT old.bot_present THEN 'linked'
          WHEN ${ABLE("old")} <> ${ABLE("g")} THEN 'rights_changed'
          WHEN old.title <> g.title THEN 'title_changed' END AS event,
        g.bot_present AND ${ABLE("g")} AND NOT (old.bot_present AND ${ABLE("old")}) AS works_again,
        (old.bot_present, old.can_manage, old.can_invite, old.can_restrict, old.title,
          old.public_username)
        IS DISTINCT FROM (g.bot_present, g.can_manage, g.can_invite, g.can_restrict, g.title,
          g.public_username) AS changed
    `;
    if (!change?.changed) return;
    const { id: groupId, event } = change;
    if (event) await groups.recordEvent(tx, groupId, event, now);
    if (change.works_again) {
      await enqueue(tx, [{ topic: groups.RESUME_ACCESS, ref: groupId, priority: 0, dueAt: now }]);
    }
    await groups.announceChange(tx, { sellerId: change.seller_id, now });
  });
}

/**
 * A chat has another id: it is replaced everywhere, and waiting buyers get new links. A row that
 * exists for the new id, without sales, is merged into the older one.
 */
export async function followMigration(app: App, { from, to }: { from: bigint; to: bigint }) {
  const now = app.clock.now();
  await app.db.transaction().execute(async (tx) => {
    // Known facts of the new chat stay: another update of Telegram may be writing them now.
    await sql`
      WITH gone AS (DELETE FROM pending_groups WHERE chat_id = ${from} RETURNING *)
      INSERT INTO pending_groups (chat_id, telegram_id, kind, title, public_username, can_manage,
        can_invite, can_restrict, notified_state, created_at)
      SELECT ${to}, telegram_id, 'supergroup', title, public_username, can_manage, can_invite,
        can_restrict, notified_state, created_at
      FROM gone
      ON CONFLICT (chat_id) DO NOTHING
    `.execute(tx);
    await groups.lockChats(tx, [from, to]);
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
    await groups.recordEvent(tx, moved.id, "migrated", now);
    await enqueue(tx, [{ topic: groups.RENEW_LINKS, ref: moved.id, priority: 0, dueAt: now }]);
    await groups.recheckLater(tx, moved.id, now);
    await groups.announceChange(tx, { sellerId: moved.seller_id, now });
  });
}

/** Reads a linked chat from Telegram again: rights, title, members, admins (decision 28). */
export async function recheckGroup(app: App, groupId: bigint): Promise<void> {
  const group = await groups.groupById(app.db, groupId);
  if (!group) return;
  const moved = await refreshAt(app, group);
  if (moved === null) return;
  // Telegram answered with the new id: once more with that.
  await followMigration(app, { from: group.chat_id, to: moved });
  const after = await groups.groupById(app.db, groupId);
  if (after && after.chat_id === moved) await refreshAt(app, after);
}

/** → the id the chat has moved to, or null when it has been refreshed. */
async function refreshAt(app: App, group: groups.GroupRow): Promise<bigint | null> {
  const telegram = app.telegram.gatewayOf("seller");
  const chat_id = Number(group.chat_id);
  const asked = await telegram.call("getChat", { chat_id });
  if (!asked.ok) return noteRefusal(app, group, asked.refusal);
  const chat = asked.value;
  const member = await telegram.askMember(group.chat_id, app.telegram.names.idOf("seller"));
  if (!member.ok) return noteRefusal(app, group, member.refusal);
  if (chat.type !== "supergroup" && chat.type !== "channel") return null;
  await applyFacts(app, groups.factsOf(chat, groups.standingOf(member.value)));
  await noteMembersCanAdd(app, group.id, membersCanAdd(chat));
  const count = await telegram.call("getChatMemberCount", { chat_id });
  if (count.ok) {
    await sql`UPDATE groups SET member_count = ${count.value} WHERE id = ${group.id}`.execute(
      app.db,
    );
  }
  await recheckAdministrators(app, group);
  return null;
}

async function noteRefusal(app: App, group: groups.GroupRow, refusal: TelegramRefusal) {
  if (refusal.kind === "migrated") return refusal.to;
  // The chat exists, but does not find the bot: the last update's facts stay.
  if (refusal.kind === "user-unknown") return null;
  if (refusal.kind === "chat-gone") {
    const { chat_id: chatId, kind, title, facts } = group;
    const { publicUsername } = facts;
    await applyFacts(app, { chatId, kind, title, publicUsername, standing: groups.ABSENT });
    return null;
  }
  throw new Outage(`telegram: ${refusal.said}`, { party: "telegram", retryable: true });
}

/** Telegram's default permission; null for a channel, where only administrators add. */
export function membersCanAdd(chat: ChatFullInfo): boolean | null {
  if (chat.type !== "supergroup" || !chat.permissions) return null;
  return chat.permissions.can_invite_users === true;
}

const AT_ONCE = 5;

/** Every chat of a seller. Throws only when Telegram answered for none of them. */
export async function recheckGroups(app: App, rechecked: readonly groups.GroupRow[]) {
  const waiting = [...rechecked];
  const failures: unknown[] = [];
  const worker = async () => {
    for (let group = waiting.shift(); group; group = waiting.shift()) {
      await recheckGroup(app, group.id).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  const [first] = failures;
  if (failures.length > 0 && failures.length === rechecked.length) throw first;
}

/**
 * Removes the members' permission to add members, and leaves every other default permission as it
 * is. A repeat changes nothing. Throws an Outage.
 */
export async function closeMemberAdds(app: App, groupId: bigint) {
  const group = await groups.groupById(app.db, groupId);
  if (!group) return refuse({ kind: "groups.not-found" });
  if (group.kind === "channel") return refuse({ kind: "groups.channel-has-no-adds" });
  const telegram = app.telegram.gatewayOf("seller");
  const chat_id = Number(group.chat_id);
  const chat = await telegram.call("getChat", { chat_id });
  if (chat.ok && membersCanAdd(chat.value) === false) {
    await noteMembersCanAdd(app, groupId, false);
    return ok(null);
  }
  const permissions = chat.ok ? chat.value.permissions : undefined;
  const closed =
    permissions !== undefined &&
    (await telegram.call("setChatPermissions", {
      chat_id,
      permissions: { ...permissions, can_invite_users: false },
      // Otherwise Telegram would derive some permissions from others.
      use_independent_chat_permissions: true,
    }));
  if (!closed || !closed.ok) {
    // A cause of the refusal (a lost right, a moved chat) is stored, and notified if it is new.
    await recheckGroup(app, groupId);
    return refuse({ kind: "groups.cannot-set-permissions" });
  }
  await noteMembersCanAdd(app, groupId, false);
  return ok(null);
}

/**
 * Reads the administrators of a linked chat, and whether its seller may still own it: sales pause,
 * or resume (decision 110). An answer that proves nothing changes nothing.
 */
async function recheckAdministrators(app: App, group: groups.GroupRow): Promise<void> {
  const { id: groupId, seller_id: sellerId, chat_id: chatId } = group;
  const askedAt = app.clock.now();
  const telegramId = await telegramIdOf(app.db, sellerId);
  const people = telegramId === null ? [] : [telegramId];
  const administrators = await groups.askAdministrators(app, chatId, people);
  if (!administrators) return;
  const isOwner = telegramId !== null && groups.mayOwn(administrators.find(telegramId));
  const now = app.clock.now();
  await app.db.transaction().execute(async (tx) => {
    if (administrators.complete) await replaceAdministrators(tx, groupId, administrators.all);
    if (!isOwner) return pauseSales(tx, group, now);
    // The answer, requested at `askedAt`, shows the seller's rights again; a later loss stays.
    const resumed = await sql`
      UPDATE groups SET seller_lost_rights_at = NULL
      WHERE id = ${groupId} AND seller_id = ${sellerId} AND seller_lost_rights_at <= ${askedAt}
    `.execute(tx);
    if (resumed.numAffectedRows === 1n) await groups.announceChange(tx, { sellerId, now });
  });
}

/** The creator and the administrators cannot buy their own group (decision 80). */
export async function replaceAdministrators(
  tx: Db,
  groupId: bigint,
  administrators: readonly groups.Administrator[],
): Promise<void> {
  const ids = administrators.map(({ telegramId }) => telegramId);
  const creators = administrators.map(({ isCreator }) => isCreator);
  await sql`
    DELETE FROM group_admins
    WHERE group_id = ${groupId} AND telegram_id <> ALL(${ids}::bigint[])
  `.execute(tx);
  // A chat merged into an older row is gone by now.
  await sql`
    WITH g AS (SELECT id FROM groups WHERE id = ${groupId} FOR KEY SHARE)
    INSERT INTO group_admins AS a (group_id, telegram_id, is_creator)
    SELECT g.id, u.telegram_id, u.is_creator
    FROM g, unnest(${ids}::bigint[], ${creators}::boolean[]) AS u(telegram_id, is_creator)
    ORDER BY u.telegram_id
    ON CONFLICT (group_id, telegram_id) DO UPDATE SET is_creator = excluded.is_creator
      WHERE a.is_creator <> excluded.is_creator
  `.execute(tx);
}

/** The group's seller may no longer own it: its sales pause. No effect when that was known. */
async function pauseSales(
  tx: Db,
  { id: groupId, seller_id: sellerId }: groups.GroupRow,
  now: Date,
): Promise<void> {
  const { numAffectedRows } = await sql`
    UPDATE groups SET seller_lost_rights_at = ${now}
    WHERE id = ${groupId} AND seller_id = ${sellerId} AND seller_lost_rights_at IS NULL
  `.execute(tx);
  if (numAffectedRows === 1n) await groups.announceChange(tx, { sellerId, now });
}

/**
 * Changes of the creator and the administrators of a chat (decisions 80, 110). A seller who loses the
 * rights that linking needs sells no more from this moment; regained rights are read from Telegram.
 */
export async function noteAdministrator(app: App, event: ChatMemberUpdated): Promise<void> {
  const { user } = event.new_chat_member;
  if (user.is_bot) return;
  const was = groups.administratorOf(event.old_chat_member);
  const is = groups.administratorOf(event.new_chat_member);
  if (isSame(was, is)) return;
  const chatId = BigInt(event.chat.id);
  const telegramId = BigInt(user.id);
  const group = await groups.groupByChat(app.db, chatId);
  if (!group) return pending.linkWaitingChat(app, chatId, telegramId);
  const { id: groupId } = group;
  const isSeller = (await groups.sellerOfTelegram(app.db, telegramId)) === group.seller_id;
  const now = app.clock.now();
  await app.db.transaction().execute(async (tx) => {
    // One update about one person.
    const write = is
      ? sql`
          INSERT INTO group_admins (group_id, telegram_id, is_creator)
          VALUES (${groupId}, ${telegramId}, ${is.isCreator})
          ON CONFLICT (group_id, telegram_id) DO UPDATE SET is_creator = excluded.is_creator
        `
      : sql`DELETE FROM group_admins WHERE group_id = ${groupId} AND telegram_id = ${telegramId}`;
    await write.execute(tx);
    if (!isSeller) return;
    if (!groups.mayOwn(is)) await pauseSales(tx, group, now);
    await groups.recheckLater(tx, groupId, now);
  });
}

function isSame(was: groups.Administrator | null, is: groups.Administrator | null): boolean {
  if (was === null || is === null) return was === is;
  return was.isCreator === is.isCreator && was.missing.join() === is.missing.join();
}
