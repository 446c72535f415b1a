import type { Plan } from "@sesame/contract/plans";
import { sql } from "kysely";
import { type Db, many, PREPARED } from "../../postgres/database.ts";

/** The seller's plan, locked until the transaction ends; null before he has chosen. */
export async function lockPlan(tx: Db, sellerId: bigint): Promise<Plan | null> {
  const { rows } = await sql<{ plan: Plan | null }>`
    SELECT plan FROM sellers WHERE id = ${sellerId} FOR NO KEY UPDATE
  `.execute(tx);
  return rows[0]?.plan ?? null;
}

export async function setFreePlan(tx: Db, sellerId: bigint, now: Date): Promise<void> {
  await sql`
    UPDATE sellers SET plan = 'free', updated_at = ${now} WHERE id = ${sellerId}
  `.execute(tx);
}

/** Locked, when his premium ended before `endedBefore`; null when he has renewed meanwhile. */
export async function lockEnded(
  tx: Db,
  of: { sellerId: bigint; endedBefore: Date },
): Promise<{ premiumUntil: Date } | null> {
  const { rows } = await sql<{ premium_until: Date }>`
    SELECT premium_until FROM sellers
    WHERE id = ${of.sellerId} AND plan = 'premium' AND premium_until <= ${of.endedBefore}
    FOR NO KEY UPDATE
  `.execute(tx);
  return rows[0] ? { premiumUntil: rows[0].premium_until } : null;
}

/** The balance follows (plan_change): first of all that posts in its transaction. */
export async function fallBackToFree(tx: Db, sellerId: bigint, now: Date): Promise<void> {
  await sql`SELECT plan_change(${sellerId}, 'free', NULL, ${now})`.execute(tx);
}

export type Reminded = {
  readonly seller_id: bigint;
  readonly premium_until: Date;
  readonly kind: "7-days" | "3-days" | "1-day" | "grace";
};

type DueReminders = { readonly now: Date; readonly endedBefore: Date; readonly limit: number };

/**
 * Reminders of premiums about to end that were not sent yet, at most `limit`. After an outage of ours
 * several may be due: only the last is sent. None is sent whose time had passed before the end was
 * set, or after the days of grace.
 */
function dueReminders({ now, endedBefore, limit }: DueReminders) {
  return sql`
    SELECT s.id AS seller_id, s.premium_until, due.kind
    FROM sellers s
    CROSS JOIN LATERAL (
      SELECT k.kind FROM (VALUES ('grace', 0), ('1-day', 86400), ('3-days', 259200),
        ('7-days', 604800)) AS k(kind, seconds)
      WHERE s.premium_until - make_interval(secs => k.seconds) <= ${now}
        AND (s.premium_set_at IS NULL
          OR s.premium_until - make_interval(secs => k.seconds) > s.premium_set_at)
      ORDER BY k.seconds LIMIT 1
    ) AS due
    WHERE s.plan = 'premium' AND s.closed_at IS NULL
      AND s.premium_until <= ${now}::timestamptz + interval '604800 seconds'
      AND s.premium_until > ${endedBefore}
      AND NOT EXISTS (
        SELECT FROM plan_reminders r
        WHERE r.seller_id = s.id AND r.premium_until = s.premium_until AND r.kind = due.kind
      )
    ORDER BY s.premium_until
    LIMIT ${limit}
  `;
}

export async function hasDueReminder(db: Db, of: DueReminders): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`${PREPARED}
    SELECT EXISTS (${dueReminders(of)}) AS found
  `.execute(db);
  return rows[0]?.found ?? false;
}

export async function noteReminders(tx: Db, of: DueReminders): Promise<Reminded[]> {
  return many<Reminded>(tx)`
    INSERT INTO plan_reminders (seller_id, premium_until, kind, told_at)
    SELECT seller_id, premium_until, kind, ${of.now} FROM (${dueReminders(of)}) AS due
    ON CONFLICT DO NOTHING
    RETURNING seller_id, premium_until, kind
  `;
}

export async function noteEnd(
  tx: Db,
  of: { sellerId: bigint; premiumUntil: Date; now: Date },
): Promise<void> {
  await sql`
    INSERT INTO plan_reminders (seller_id, premium_until, kind, told_at)
    VALUES (${of.sellerId}, ${of.premiumUntil}, 'ended', ${of.now})
    ON CONFLICT DO NOTHING
  `.execute(tx);
}

/** The groups in the order the seller wants them; the others keep the order of their age. */
export async function rankGroups(
  tx: Db,
  of: { sellerId: bigint; groups: readonly bigint[] },
): Promise<void> {
  await sql`
    UPDATE groups g SET quota_rank = chosen.rank
    FROM groups own
    LEFT JOIN unnest(${[...of.groups]}::bigint[]) WITH ORDINALITY AS chosen(id, rank)
      ON chosen.id = own.id
    WHERE g.id = own.id AND own.seller_id = ${of.sellerId}
  `.execute(tx);
}
