import { sql } from "kysely";
import { type Db, maybe, PREPARED } from "../../../postgres/database.ts";

/** How people can come into a group beside our links, and what its seller wants done about it. */
export type EntryRules = {
  /** Null: a channel, or Telegram has not said yet. */
  readonly members_can_add: boolean | null;
  readonly remove_added: boolean;
};

export async function entryRulesOf(db: Db, groupId: bigint): Promise<EntryRules> {
  const { rows } = await sql<EntryRules>`
    SELECT members_can_add, remove_added FROM group_entry_rules WHERE group_id = ${groupId}
  `.execute(db);
  return rows[0] ?? { members_can_add: null, remove_added: false };
}

/**
 * The last state of the group that its seller was told, in the transaction that decides what he is
 * told next: whoever tells him of this group locks its row first. Null for a group that is gone.
 */
export async function lockToldState(tx: Db, groupId: bigint): Promise<{ state: string } | null> {
  return maybe<{ state: string }>(tx)`
    SELECT coalesce(told_state, '') AS state FROM groups WHERE id = ${groupId} FOR NO KEY UPDATE
  `;
}

/** Writes what Telegram says; the group's row is locked. True when it is news. */
export async function saveMembersCanAdd(
  tx: Db,
  read: { groupId: bigint; membersCanAdd: boolean | null; dueAt: Date },
): Promise<boolean> {
  const before = await entryRulesOf(tx, read.groupId);
  await sql`
    INSERT INTO group_entry_rules AS r (group_id, members_can_add, due_at)
    VALUES (${read.groupId}, ${read.membersCanAdd}, ${read.dueAt})
    ON CONFLICT (group_id) DO UPDATE SET members_can_add = excluded.members_can_add,
      due_at = excluded.due_at,
      fault_notified_at = CASE WHEN excluded.members_can_add THEN r.fault_notified_at END
  `.execute(tx);
  return before.members_can_add !== read.membersCanAdd;
}

/** Marks the fault as told. False when there is none, or when it was told before. */
export async function takeFaultNotice(tx: Db, groupId: bigint, now: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE group_entry_rules SET fault_notified_at = ${now}
    WHERE group_id = ${groupId} AND members_can_add AND fault_notified_at IS NULL
  `.execute(tx);
  return numAffectedRows === 1n;
}

/** The seller's switch; the group is asked about at once when it never was. */
export async function setRemoveAdded(
  db: Db,
  choice: { groupId: bigint; removes: boolean; now: Date },
): Promise<void> {
  await sql`
    INSERT INTO group_entry_rules (group_id, remove_added, due_at)
    VALUES (${choice.groupId}, ${choice.removes}, ${choice.now})
    ON CONFLICT (group_id) DO UPDATE SET remove_added = excluded.remove_added
  `.execute(db);
}

/**
 * Takes groups whose default permissions are to be read again, until `retryAt`. A deadline later
 * than `latest` was written by a clock that has been set back since: due too.
 */
export async function leaseDueGroups(
  db: Db,
  lease: { now: Date; latest: Date; retryAt: Date; limit: number },
): Promise<bigint[]> {
  const { rows } = await sql<{ group_id: bigint }>`${PREPARED}
    WITH due AS (
      SELECT g.id FROM groups g LEFT JOIN group_entry_rules r ON r.group_id = g.id
      WHERE g.bot_present AND g.kind = 'supergroup'
        AND (r.due_at IS NULL OR r.due_at <= ${lease.now} OR r.due_at > ${lease.latest})
      ORDER BY r.due_at NULLS FIRST
      LIMIT ${lease.limit}
      FOR NO KEY UPDATE OF g SKIP LOCKED
    )
    INSERT INTO group_entry_rules (group_id, due_at)
    SELECT due.id, ${lease.retryAt} FROM due
    ON CONFLICT (group_id) DO UPDATE SET due_at = excluded.due_at
    RETURNING group_id
  `.execute(db);
  return rows.map((row) => row.group_id);
}
