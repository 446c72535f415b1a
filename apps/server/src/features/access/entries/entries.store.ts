import { sql } from "kysely";
import { type Db, maybe } from "../../../postgres/database.ts";

export type Door = "link" | "hand" | "folder";

export type EntryStatus =
  | "new"
  | "open"
  | "removing"
  | "removed"
  | "closed"
  | "granted"
  | "allowed"
  | "left";

/** Somebody came into a group without paid time. */
export type Entry = {
  readonly id: bigint;
  readonly group_id: bigint;
  readonly chat_id: bigint;
  readonly group_title: string;
  readonly seller_id: bigint;
  readonly person_id: bigint;
  readonly telegram_id: bigint;
  readonly name: string;
  readonly entered_at: Date;
  readonly door: Door;
  readonly host_telegram_id: bigint | null;
  readonly host_name: string | null;
  readonly by_administrator: boolean | null;
  readonly status: EntryStatus;
  readonly reported_at: Date | null;
};

const ENTRY = sql`
  SELECT e.id, e.group_id, g.chat_id, g.title AS group_title, g.seller_id, e.person_id,
    p.telegram_id, concat_ws(' ', p.first_name, p.last_name) AS name, e.entered_at, e.door,
    host.telegram_id AS host_telegram_id,
    nullif(concat_ws(' ', host.first_name, host.last_name), '') AS host_name,
    e.by_administrator, e.status, e.reported_at
  FROM unpaid_entries e
  JOIN groups g ON g.id = e.group_id
  JOIN people p ON p.id = e.person_id
  LEFT JOIN people host ON host.id = e.let_in_by
`;

export async function entryById(db: Db, id: bigint): Promise<Entry | null> {
  return maybe<Entry>(db)`${ENTRY} WHERE e.id = ${id}`;
}

/** The same, held until the transaction ends: one press decides. */
export async function lockEntry(tx: Db, id: bigint): Promise<Entry | null> {
  await sql`SELECT FROM unpaid_entries WHERE id = ${id} FOR UPDATE`.execute(tx);
  return entryById(tx, id);
}

/**
 * Writes an entry over the person's one before it. Null for one that is not newer: an update that
 * came twice, or late.
 */
export async function saveEntry(
  tx: Db,
  entry: {
    groupId: bigint;
    personId: bigint;
    enteredAt: Date;
    door: Door;
    letInBy: bigint | null;
    byAdministrator: boolean | null;
  },
): Promise<bigint | null> {
  const { rows } = await sql<{ id: bigint }>`
    INSERT INTO unpaid_entries AS e
      (group_id, person_id, entered_at, door, let_in_by, by_administrator, status)
    VALUES (${entry.groupId}, ${entry.personId}, ${entry.enteredAt}, ${entry.door},
      ${entry.letInBy}, ${entry.byAdministrator}, 'new')
    ON CONFLICT (group_id, person_id) DO UPDATE SET entered_at = excluded.entered_at,
      door = excluded.door, let_in_by = excluded.let_in_by,
      by_administrator = excluded.by_administrator, status = 'new', reported_at = NULL
      WHERE excluded.entered_at > e.entered_at
        OR (excluded.entered_at = e.entered_at AND e.status = 'left')
    RETURNING id
  `.execute(tx);
  return rows[0]?.id ?? null;
}

/** The person is out again: nothing is left to decide. */
export async function noteLeft(
  db: Db,
  exit: { groupId: bigint; telegramId: bigint; at: Date },
): Promise<void> {
  await sql`
    UPDATE unpaid_entries e SET status = 'left' FROM people p
    WHERE p.id = e.person_id AND p.telegram_id = ${exit.telegramId}
      AND e.group_id = ${exit.groupId} AND e.entered_at <= ${exit.at}
      AND e.status IN ('new', 'open', 'allowed', 'granted')
  `.execute(db);
}

/** Changes one entry. False when it is not in one of the statuses any more. */
export async function changeEntry(
  tx: Db,
  id: bigint,
  change: {
    to: EntryStatus;
    from: readonly EntryStatus[];
    enteredAt: Date;
    byAdministrator?: boolean;
  },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE unpaid_entries SET status = ${change.to},
      by_administrator = coalesce(${change.byAdministrator ?? null}, by_administrator)
    WHERE id = ${id} AND entered_at = ${change.enteredAt}
      AND status = ANY(${[...change.from]}::text[])
  `.execute(tx);
  return numAffectedRows === 1n;
}

/** Takes the entries of a group that its seller has not been notified of. */
export async function takeUnreported(tx: Db, groupId: bigint, now: Date): Promise<Entry[]> {
  const { rows } = await sql<{ id: bigint }>`
    UPDATE unpaid_entries SET reported_at = ${now}
    WHERE group_id = ${groupId} AND reported_at IS NULL
      AND (status IN ('open', 'removing', 'removed') OR (status = 'closed' AND door <> 'link'))
    RETURNING id
  `.execute(tx);
  const ids = rows.map(({ id }) => id);
  const entries = await sql<Entry>`
    ${ENTRY} WHERE e.id = ANY(${ids}::bigint[]) ORDER BY e.entered_at DESC, e.id DESC
  `.execute(tx);
  return entries.rows;
}

/** When the seller was last notified of entries into a group, before the ones that wait. */
export async function lastReport(tx: Db, groupId: bigint): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    SELECT max(reported_at) AS at FROM unpaid_entries WHERE group_id = ${groupId}
  `.execute(tx);
  return rows[0]?.at ?? null;
}

/** People of a group who wait for their seller's decision, the newest first, from `before` on. */
export async function openEntries(
  db: Db,
  page: { groupId: bigint; before: bigint | null; limit: number },
): Promise<{ entries: Entry[]; total: number }> {
  const { rows } = await sql<Entry>`
    ${ENTRY} WHERE e.group_id = ${page.groupId} AND e.status = 'open'
      AND (${page.before}::bigint IS NULL OR e.id < ${page.before})
    ORDER BY e.id DESC LIMIT ${page.limit}
  `.execute(db);
  const count = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM unpaid_entries
    WHERE group_id = ${page.groupId} AND status = 'open'
      AND (${page.before}::bigint IS NULL OR id < ${page.before})
  `.execute(db);
  return { entries: rows, total: count.rows[0]?.count ?? 0 };
}

/** Puts a person on the white list of a group: neither removed nor reported. */
export async function allowMember(
  tx: Db,
  member: { groupId: bigint; personId: bigint; by: bigint; now: Date },
): Promise<void> {
  await sql`
    INSERT INTO allowed_members (group_id, person_id, allowed_by, allowed_at)
    VALUES (${member.groupId}, ${member.personId}, ${member.by}, ${member.now})
    ON CONFLICT DO NOTHING
  `.execute(tx);
}

export async function disallowMember(
  tx: Db,
  member: { groupId: bigint; personId: bigint },
): Promise<void> {
  await sql`
    DELETE FROM allowed_members
    WHERE group_id = ${member.groupId} AND person_id = ${member.personId}
  `.execute(tx);
}

export async function isAllowed(
  db: Db,
  member: { groupId: bigint; personId: bigint },
): Promise<boolean> {
  const { rows } = await sql<{ yes: boolean }>`
    SELECT EXISTS (
      SELECT FROM allowed_members
      WHERE group_id = ${member.groupId} AND person_id = ${member.personId}
    ) AS yes
  `.execute(db);
  return rows[0]?.yes ?? false;
}

/**
 * Whether a person whose paid time is over stays inside: on the white list, or let in since by
 * somebody who may, or who Telegram has not named yet.
 */
export async function mayStay(
  db: Db,
  membership: { group_id: bigint; person_id: bigint; ends_at: Date },
): Promise<boolean> {
  const { rows } = await sql<{ yes: boolean }>`
    SELECT EXISTS (
      SELECT FROM allowed_members
      WHERE group_id = ${membership.group_id} AND person_id = ${membership.person_id}
      UNION ALL
      SELECT FROM unpaid_entries
      WHERE group_id = ${membership.group_id} AND person_id = ${membership.person_id}
        AND status IN ('new', 'open') AND entered_at >= ${membership.ends_at}
    ) AS yes
  `.execute(db);
  return rows[0]?.yes ?? false;
}
