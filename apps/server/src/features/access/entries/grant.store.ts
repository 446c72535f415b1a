import { sql } from "kysely";
import type { Db } from "../../../postgres/database.ts";

export type Grant = {
  readonly personId: bigint;
  readonly groupId: bigint;
  readonly minutes: number;
  readonly by: bigint;
  readonly requestKey: string;
  readonly now: Date;
};

export type GrantedMembership = {
  readonly id: bigint;
  readonly person_id: bigint;
  readonly group_id: bigint;
  readonly order_id: bigint | null;
  readonly ends_at: Date;
};

/**
 * Gives time to a person who is inside: the membership's end follows, and the gift is written for
 * ever beside it. Null when the same request gave it before. Locks: memberships, as settlement does.
 */
export async function grantTime(tx: Db, grant: Grant): Promise<GrantedMembership | null> {
  const given = await sql`
    SELECT FROM membership_grants WHERE request_key = ${grant.requestKey}
  `.execute(tx);
  if (given.rows.length > 0) return null;
  const { rows } = await sql<GrantedMembership>`
    INSERT INTO accesses AS x
      (person_id, group_id, status, ends_at, started_at, joined_at, updated_at)
    VALUES (${grant.personId}, ${grant.groupId}, 'inside',
      ${grant.now}::timestamptz + make_interval(secs => ${grant.minutes} * 60.0),
      ${grant.now}, ${grant.now}, ${grant.now})
    ON CONFLICT (person_id, group_id) DO UPDATE SET status = 'inside',
      -- In seconds: an interval in days would follow the session's summer time.
      ends_at = greatest(x.ends_at, ${grant.now}) + make_interval(secs => ${grant.minutes} * 60.0),
      started_at = CASE WHEN x.ends_at > ${grant.now} THEN x.started_at ELSE ${grant.now} END,
      joined_at = coalesce(x.joined_at, ${grant.now}), updated_at = ${grant.now}
    RETURNING id, person_id, group_id, order_id, ends_at
  `.execute(tx);
  const [membership] = rows;
  if (!membership) throw new Error("a membership was neither inserted nor updated");
  await sql`
    INSERT INTO membership_grants
      (person_id, group_id, minutes, until, granted_by, granted_at, reason, request_key)
    VALUES (${grant.personId}, ${grant.groupId}, ${grant.minutes}, ${membership.ends_at},
      ${grant.by}, ${grant.now}, 'let-in', ${grant.requestKey})
  `.execute(tx);
  return membership;
}
