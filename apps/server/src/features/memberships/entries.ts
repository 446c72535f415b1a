import { sql } from "kysely";
import { type Db, maybe, one } from "../../postgres/database.ts";

/** What becomes of it is decided by a job, which may have it removed and reported. */
export const DECIDE_ENTRY = "access.decide-entry";
export const REMOVE_ENTRY = "access.remove-entry";
/** `ref` is the group. */
export const REPORT_ENTRIES = "access.report-entries";

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
};

export const ENTRY = sql`
  SELECT e.id, e.group_id, g.chat_id, g.title AS group_title, g.seller_id, e.person_id,
    p.telegram_id, person_name(p.first_name, p.last_name) AS name, e.entered_at, e.door,
    host.telegram_id AS host_telegram_id,
    nullif(person_name(host.first_name, host.last_name), '') AS host_name,
    e.by_administrator, e.status
  FROM unpaid_entries e
  JOIN groups g ON g.id = e.group_id
  JOIN people p ON p.id = e.person_id
  LEFT JOIN people host ON host.id = e.let_in_by
`;

export async function entryById(db: Db, id: bigint): Promise<Entry | null> {
  return maybe<Entry>(db)`${ENTRY} WHERE e.id = ${id}`;
}

type EntryChange = {
  readonly to: EntryStatus;
  readonly from: readonly EntryStatus[];
  readonly byAdministrator?: boolean;
};

/** Changes one entry. False when it is not in one of the statuses any more, or came in anew since. */
export async function changeEntry(
  tx: Db,
  entry: Entry,
  { to, from, byAdministrator }: EntryChange,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE unpaid_entries SET status = ${to},
      by_administrator = coalesce(${byAdministrator ?? null}, by_administrator)
    WHERE id = ${entry.id} AND entered_at = ${entry.entered_at}
      AND status = ANY(${[...from]}::text[])
  `.execute(tx);
  return numAffectedRows === 1n;
}

/**
 * Whether a person whose paid time is over stays inside: on the white list, or let in since by
 * somebody who may, or who Telegram has not named yet.
 */
export async function mayStay(
  db: Db,
  membership: { group_id: bigint; person_id: bigint; ends_at: Date },
): Promise<boolean> {
  const { yes } = await one<{ yes: boolean }>(db)`
    SELECT EXISTS (
      SELECT FROM allowed_members
      WHERE group_id = ${membership.group_id} AND person_id = ${membership.person_id}
      UNION ALL
      SELECT FROM unpaid_entries
      WHERE group_id = ${membership.group_id} AND person_id = ${membership.person_id}
        AND status IN ('new', 'open') AND entered_at >= ${membership.ends_at}
    ) AS yes
  `;
  return yes;
}

/** Where the person came in without paid time, or let others in. Time that was given is a book. */
export async function eraseEntries(tx: Db, id: bigint): Promise<void> {
  await sql`DELETE FROM unpaid_entries WHERE person_id = ${id}`.execute(tx);
  await sql`UPDATE unpaid_entries SET let_in_by = NULL WHERE let_in_by = ${id}`.execute(tx);
  await sql`DELETE FROM allowed_members WHERE person_id = ${id}`.execute(tx);
}
