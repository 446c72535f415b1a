import { sql } from "kysely";
import { type Db, PREPARED } from "../../../postgres/database.ts";
import type { Administrator } from "./administrators.ts";

/** The creator and the administrators cannot buy their own group (decision 80). */
export async function replaceAdministrators(
  tx: Db,
  groupId: bigint,
  administrators: readonly Administrator[],
): Promise<void> {
  const ids = administrators.map(({ telegramId }) => telegramId);
  const creators = administrators.map(({ isCreator }) => isCreator);
  await sql`
    DELETE FROM group_admins
    WHERE group_id = ${groupId} AND telegram_id <> ALL(${ids}::bigint[])
  `.execute(tx);
  // A chat that was moved into an older row's place is gone by now.
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

/** What one update says of one person. */
export async function saveAdministrator(
  tx: Db,
  person: { groupId: bigint; telegramId: bigint; isAdmin: boolean; isCreator: boolean },
): Promise<void> {
  const { groupId, telegramId, isAdmin, isCreator } = person;
  if (!isAdmin) {
    await sql`
      DELETE FROM group_admins WHERE group_id = ${groupId} AND telegram_id = ${telegramId}
    `.execute(tx);
    return;
  }
  await sql`
    INSERT INTO group_admins (group_id, telegram_id, is_creator)
    VALUES (${groupId}, ${telegramId}, ${isCreator})
    ON CONFLICT (group_id, telegram_id) DO UPDATE SET is_creator = excluded.is_creator
  `.execute(tx);
}

/** The group's seller may own it no more: its sales pause. False when that was known. */
export async function pauseSales(
  tx: Db,
  lost: { groupId: bigint; sellerId: bigint; now: Date },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE groups SET seller_lost_rights_at = ${lost.now}
    WHERE id = ${lost.groupId} AND seller_id = ${lost.sellerId} AND seller_lost_rights_at IS NULL
  `.execute(tx);
  return numAffectedRows === 1n;
}

/** Telegram, asked at `askedAt`, gave the seller their rights back; a later loss stands. */
export async function resumeSales(
  tx: Db,
  regained: { groupId: bigint; sellerId: bigint; askedAt: Date },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE groups SET seller_lost_rights_at = NULL
    WHERE id = ${regained.groupId} AND seller_id = ${regained.sellerId}
      AND seller_lost_rights_at <= ${regained.askedAt}
  `.execute(tx);
  return numAffectedRows === 1n;
}

const isRecheckDue = (now: Date) => sql`bot_present AND recheck_due_at <= ${now}`;

export async function hasDueRecheck(db: Db, now: Date): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`${PREPARED}
    SELECT EXISTS (SELECT FROM groups WHERE ${isRecheckDue(now)}) AS found
  `.execute(db);
  return rows[0]?.found ?? false;
}

/** Linked groups whose turn it is to be asked about; their next turn is set. */
export async function takeDueRechecks(
  tx: Db,
  due: { now: Date; next: Date; limit: number },
): Promise<bigint[]> {
  const { rows } = await sql<{ id: bigint }>`
    UPDATE groups SET recheck_due_at = ${due.next} WHERE id IN (
      SELECT id FROM groups WHERE ${isRecheckDue(due.now)}
      ORDER BY recheck_due_at LIMIT ${due.limit} FOR UPDATE SKIP LOCKED
    ) RETURNING id
  `.execute(tx);
  return rows.map(({ id }) => id);
}
