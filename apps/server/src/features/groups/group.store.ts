import type { GroupEvent } from "@sesame/contract/groups";
import { addMs, HOUR_MS } from "@sesame/kernel";
import { sql } from "kysely";
import { type Db, maybe } from "../../postgres/database.ts";
import type { ChatFacts } from "./standing.ts";

/** How often Telegram is asked about a linked chat by itself. */
export const RECHECK_EVERY_MS = HOUR_MS;

/** Linking and moving a chat take turns: both decide whose row an id is. Ids in one order. */
async function lockChats(tx: Db, chatIds: readonly bigint[]): Promise<void> {
  for (const chatId of [...chatIds].sort((a, b) => (a < b ? -1 : 1))) {
    await sql`
      SELECT pg_advisory_xact_lock(hashtextextended('groups.chat', ${chatId}))
    `.execute(tx);
  }
}

/** A chat becomes a seller's. Null when it is somebody's already: the first keeps it (decision 81). */
export async function insertGroup(
  tx: Db,
  link: { facts: ChatFacts; sellerId: bigint; now: Date },
): Promise<bigint | null> {
  const { facts, sellerId, now } = link;
  const { rights, present } = facts.standing;
  await lockChats(tx, [facts.chatId]);
  const { rows } = await sql<{ id: bigint }>`
    INSERT INTO groups (chat_id, kind, title, public_username, seller_id, bot_present,
      can_manage, can_invite, can_restrict, linked_at, checked_at, recheck_due_at, last_event,
      last_event_at)
    VALUES (${facts.chatId}, ${facts.kind}, ${facts.title}, ${facts.publicUsername}, ${sellerId},
      ${present}, ${rights.manage_chat}, ${rights.invite_users}, ${rights.restrict_members},
      ${now}, ${now}, ${addMs(now, RECHECK_EVERY_MS)}, 'linked', ${now})
    ON CONFLICT (chat_id) DO NOTHING
    RETURNING id
  `.execute(tx);
  return rows[0]?.id ?? null;
}

export type StandingChange = {
  readonly id: bigint;
  readonly seller_id: bigint;
  readonly was_present: boolean;
  readonly is_present: boolean;
  readonly was_able: boolean;
  readonly is_able: boolean;
  readonly renamed: boolean;
  readonly changed: boolean;
};

/** What Telegram says of a linked chat; tells what it changes. Null for a chat that is nobody's. */
export async function updateStanding(
  tx: Db,
  facts: ChatFacts,
  now: Date,
): Promise<StandingChange | null> {
  const { rights, present } = facts.standing;
  return maybe<StandingChange>(tx)`
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
}

export async function recordEvent(
  tx: Db,
  event: { groupId: bigint; event: GroupEvent; now: Date },
): Promise<void> {
  await sql`
    UPDATE groups SET last_event = ${event.event}, last_event_at = ${event.now}
    WHERE id = ${event.groupId}
  `.execute(tx);
}

export async function setMemberCount(db: Db, groupId: bigint, count: number): Promise<void> {
  await sql`UPDATE groups SET member_count = ${count} WHERE id = ${groupId}`.execute(db);
}

/** Somebody came or went; the next re-check corrects a drift. */
export async function addMembers(db: Db, groupId: bigint, delta: 1 | -1): Promise<void> {
  await sql`
    UPDATE groups SET member_count = greatest(0, member_count + ${delta}) WHERE id = ${groupId}
  `.execute(db);
}

export async function renameGroup(
  tx: Db,
  name: { chatId: bigint; title: string },
): Promise<{ id: bigint; seller_id: bigint } | null> {
  return maybe<{ id: bigint; seller_id: bigint }>(tx)`
    UPDATE groups SET title = ${name.title} WHERE chat_id = ${name.chatId} AND title <> ${name.title}
    RETURNING id, seller_id
  `;
}

/** Says once what the seller must know of a state. False when it was the last thing he was told. */
export async function markTold(db: Db, groupId: bigint, state: string): Promise<boolean> {
  const { rows } = await sql<{ id: bigint }>`
    UPDATE groups SET told_state = ${state}
    WHERE id = ${groupId} AND told_state IS DISTINCT FROM ${state}
    RETURNING id
  `.execute(db);
  return rows.length > 0;
}

/**
 * A chat has another id. A row already made for the new id, and not sold from yet, gives way to the
 * older one. → the group that moved, or null.
 */
export async function moveGroup(
  tx: Db,
  move: { from: bigint; to: bigint },
): Promise<{ id: bigint; seller_id: bigint } | null> {
  await lockChats(tx, [move.from, move.to]);
  const known = await sql<{ id: bigint }>`
    SELECT id FROM groups WHERE chat_id = ${move.from} FOR UPDATE
  `.execute(tx);
  if (known.rows.length === 0) return null;
  const unused = sql`
    SELECT g.id FROM groups g WHERE g.chat_id = ${move.to}
      AND NOT EXISTS (SELECT FROM products p WHERE p.group_id = g.id)
  `;
  await sql`DELETE FROM group_admins WHERE group_id IN (${unused})`.execute(tx);
  await sql`DELETE FROM groups WHERE id IN (${unused})`.execute(tx);
  return maybe<{ id: bigint; seller_id: bigint }>(tx)`
    UPDATE groups SET chat_id = ${move.to}, kind = 'supergroup' WHERE chat_id = ${move.from}
      AND NOT EXISTS (SELECT FROM groups other WHERE other.chat_id = ${move.to})
    RETURNING id, seller_id
  `;
}
