import type { AccessStatus } from "@sesame/contract/access";
import { sql } from "kysely";
import { type Db, many, maybe, PREPARED } from "../../postgres/database.ts";

export type ChangedAccess = {
  readonly id: bigint;
  readonly person_id: bigint;
  readonly group_id: bigint;
  readonly order_id: bigint | null;
  readonly status: AccessStatus;
  readonly ends_at: Date;
};

export type StatusChange = {
  readonly to: AccessStatus;
  /** Only from one of these: whoever came first decides. */
  readonly from: readonly AccessStatus[];
  readonly now: Date;
};

/** Changes one access. Null when it is not in one of the statuses any more. */
export async function changeStatus(
  tx: Db,
  accessId: bigint,
  change: StatusChange,
): Promise<ChangedAccess | null> {
  return maybe<ChangedAccess>(tx)`
    UPDATE accesses SET status = ${change.to}, updated_at = ${change.now},
      joined_at = CASE WHEN ${change.to} = 'inside' THEN coalesce(joined_at, ${change.now})
        ELSE joined_at END
    WHERE id = ${accessId} AND status = ANY(${[...change.from]}::text[])
    RETURNING id, person_id, group_id, order_id, status, ends_at
  `;
}

/** Whether there is anything for `endAccesses` to end. */
export async function hasEndedAccess(db: Db, now: Date): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`${PREPARED}
    SELECT EXISTS (
      SELECT FROM accesses
      WHERE status IN ('waiting', 'inside', 'left', 'banned') AND ends_at <= ${now}
    ) AS found
  `.execute(db);
  return rows[0]?.found ?? false;
}

/**
 * Ends memberships whose time is over by `now`, at most `limit`. Several sweeps may run at once: each
 * skips the rows that another has locked.
 */
export async function endAccesses(
  tx: Db,
  sweep: { now: Date; limit: number; at: Date },
): Promise<ChangedAccess[]> {
  return many<ChangedAccess>(tx)`
    UPDATE accesses SET status = 'ended', updated_at = ${sweep.at}
    WHERE id IN (
      SELECT id FROM accesses
      WHERE status IN ('waiting', 'inside', 'left', 'banned') AND ends_at <= ${sweep.now}
      ORDER BY ends_at
      LIMIT ${sweep.limit}
      FOR UPDATE SKIP LOCKED
    )
    RETURNING id, person_id, group_id, order_id, status, ends_at
  `;
}

/** Jobs that wait for the bot's rights in a group are due now. */
export async function wakeJobsOf(db: Db, groupId: bigint, now: Date): Promise<void> {
  await sql`
    UPDATE outbox o SET due_at = ${now}, failed_at = NULL, expired = false,
      first_due_at = ${now} FROM orders r
    WHERE o.topic = 'access.open' AND o.first_due_at IS NOT NULL AND o.lease IS NULL
      AND r.id = o.ref AND r.group_id = ${groupId}
  `.execute(db);
  await sql`
    UPDATE outbox o SET due_at = ${now}, failed_at = NULL, expired = false,
      first_due_at = ${now} FROM accesses a
    WHERE o.topic = 'access.close' AND o.first_due_at IS NOT NULL AND o.lease IS NULL
      AND a.id = o.ref AND a.group_id = ${groupId}
  `.execute(db);
  await sql`
    UPDATE outbox o SET due_at = ${now}, failed_at = NULL FROM unpaid_entries e
    WHERE o.topic IN ('access.decide-entry', 'access.remove-entry') AND e.id = o.ref
      AND e.group_id = ${groupId}
  `.execute(db);
}
