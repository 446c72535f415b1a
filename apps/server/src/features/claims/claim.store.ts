import type { ClaimKind, ClaimStatus, ClaimStep } from "@sesame/contract/claims";
import type { OrderKind } from "@sesame/contract/checkout";
import { sql } from "kysely";
import { type Db, many, maybe, PREPARED } from "../../postgres/database.ts";

export type ClaimAuthor = "buyer" | "seller" | "operator" | "system";

export type LockedClaim = {
  readonly id: bigint;
  readonly order_id: bigint;
  readonly buyer_id: bigint;
  readonly seller_id: bigint | null;
  readonly kind: ClaimKind;
  readonly status: ClaimStatus;
  readonly seller_due_at: Date;
  readonly title: string;
  readonly order_kind: OrderKind;
  readonly order_status: "pending" | "paid" | "failed" | "refunded";
};

const LOCKED = sql`
  SELECT c.id, c.order_id, c.buyer_id, c.seller_id, c.kind, c.status, c.seller_due_at, o.title,
    o.kind AS order_kind, o.status AS order_status
  FROM claims c JOIN orders o ON o.id = c.order_id
`;

/** Waits for whoever answers or decides it: before its order is locked. */
export async function lockClaim(tx: Db, id: bigint): Promise<LockedClaim | null> {
  return maybe<LockedClaim>(tx)`
    ${LOCKED} WHERE c.id = ${id} FOR NO KEY UPDATE OF c
  `;
}

/** Locks the open claim of an order, before the order. Its id. */
export async function lockOpenIn(tx: Db, orderId: bigint): Promise<bigint | null> {
  const { rows } = await sql<{ id: bigint }>`
    SELECT id FROM claims WHERE order_id = ${orderId} AND closed_at IS NULL FOR NO KEY UPDATE
  `.execute(tx);
  return rows[0]?.id ?? null;
}

export type NewClaim = {
  readonly orderId: bigint;
  readonly buyerId: bigint;
  readonly sellerId: bigint | null;
  readonly kind: ClaimKind;
  readonly status: "seller" | "operator";
  readonly dueAt: Date;
};

/** Null: one is open already. */
export async function insertClaim(tx: Db, claim: NewClaim, now: Date): Promise<bigint | null> {
  const { rows } = await sql<{ id: bigint }>`
    INSERT INTO claims (order_id, buyer_id, seller_id, kind, status, opened_at, seller_due_at)
    VALUES (${claim.orderId}, ${claim.buyerId}, ${claim.sellerId}, ${claim.kind}, ${claim.status},
      ${now}, ${claim.dueAt})
    ON CONFLICT (order_id) WHERE closed_at IS NULL DO NOTHING
    RETURNING id
  `.execute(tx);
  return rows[0]?.id ?? null;
}

export type NewEntry = {
  readonly claimId: bigint;
  readonly author: ClaimAuthor;
  readonly authorId: bigint | null;
  readonly step: ClaimStep;
  readonly words: string | null;
};

export async function addEntry(tx: Db, entry: NewEntry, now: Date): Promise<void> {
  await sql`
    INSERT INTO claim_entries (claim_id, author, author_id, step, words, at)
    VALUES (${entry.claimId}, ${entry.author}, ${entry.authorId}, ${entry.step}, ${entry.words},
      ${now})
  `.execute(tx);
}

export async function countWords(tx: Db, claimId: bigint, author: ClaimAuthor): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM claim_entries
    WHERE claim_id = ${claimId} AND author = ${author} AND step = 'said'
  `.execute(tx);
  return rows[0]?.count ?? 0;
}

export async function handToOperator(tx: Db, id: bigint): Promise<void> {
  await sql`UPDATE claims SET status = 'operator' WHERE id = ${id}`.execute(tx);
}

export async function closeClaim(
  tx: Db,
  closed: { id: bigint; as: Exclude<ClaimStatus, "seller" | "operator">; now: Date },
): Promise<void> {
  await sql`
    UPDATE claims SET status = ${closed.as}, closed_at = ${closed.now} WHERE id = ${closed.id}
  `.execute(tx);
  // The alert of its day ends with the last one of that day; those of 0.1.0 had one each.
  await sql`
    UPDATE desk_alerts a SET resolved_at = ${closed.now}
    FROM claims c
    WHERE c.id = ${closed.id} AND c.kind = 'paid-not-confirmed'
      AND a.kind = 'claim.paid-not-confirmed' AND a.resolved_at IS NULL
      AND (a.subject = 'claim:' || c.id OR (
        a.subject = 'claims:' || to_char(c.opened_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')
        AND NOT EXISTS (SELECT FROM claims other
          WHERE other.kind = 'paid-not-confirmed' AND other.closed_at IS NULL
            AND (other.opened_at AT TIME ZONE 'UTC')::date
              = (c.opened_at AT TIME ZONE 'UTC')::date)))
  `.execute(tx);
}

/**
 * A buyer says that he paid: somebody looks, whatever the provider answers. One alert for all
 * complaints of a day: it names the newest, and counts them.
 */
export async function raisePaidNotConfirmed(
  tx: Db,
  claim: { id: bigint; orderId: bigint },
  now: Date,
): Promise<void> {
  const details = { order_id: String(claim.orderId), claim_id: String(claim.id), count: 1 };
  await sql`
    INSERT INTO desk_alerts AS a (kind, subject, details, created_at)
    VALUES ('claim.paid-not-confirmed', ${alertSubject(now)}, ${JSON.stringify(details)}::jsonb,
      ${now})
    ON CONFLICT (kind, subject) DO UPDATE SET
      details = excluded.details
        || jsonb_build_object('count', coalesce((a.details ->> 'count')::int, 0) + 1),
      resolved_at = NULL, resolved_by = NULL, resolution = NULL
  `.execute(tx);
}

/** By the day, in UTC: it groups, and is shown nowhere. */
function alertSubject(openedAt: Date): string {
  return `claims:${openedAt.toISOString().slice(0, 10)}`;
}

/**
 * Makes a person's complaints about unpaid orders take turns, and says since when there are `max` of
 * them after `since`; null: fewer. One whose order was paid after all does not count.
 */
export async function lockUnconfirmed(
  tx: Db,
  { buyerId, since, max }: { buyerId: bigint; since: Date; max: number },
): Promise<Date | null> {
  await sql`
    SELECT pg_advisory_xact_lock(hashtextextended(${`claims:${buyerId}`}, 0))
  `.execute(tx);
  const { rows } = await sql<{ opened_at: Date }>`
    SELECT c.opened_at FROM orders o JOIN claims c ON c.order_id = o.id
    WHERE o.buyer_id = ${buyerId} AND o.status <> 'paid' AND c.kind = 'paid-not-confirmed'
      AND c.opened_at > ${since}
    ORDER BY c.opened_at DESC OFFSET ${max - 1} LIMIT 1
  `.execute(tx);
  return rows[0]?.opened_at ?? null;
}

const isUnannounced = sql`kind = 'paid-not-confirmed' AND operators_notified_at IS NULL`;

/**
 * Complaints about unpaid orders that operators were not told of yet, all together; none when some
 * were announced after `since`, or another worker announces them now.
 */
export async function takeUnannounced(tx: Db, { since, now }: Announcing): Promise<bigint[]> {
  const { rows: turn } = await sql<{ waiting: boolean }>`
    SELECT EXISTS (SELECT FROM claims WHERE ${isUnannounced})
      AND pg_try_advisory_xact_lock(hashtextextended('announce complaints', 0)) AS waiting
  `.execute(tx);
  if (!turn[0]?.waiting) return [];
  const { rows } = await sql<{ id: bigint; open: boolean }>`
    UPDATE claims SET operators_notified_at = ${now}
    WHERE ${isUnannounced}
      AND NOT EXISTS (SELECT FROM claims told WHERE told.kind = 'paid-not-confirmed'
        AND told.operators_notified_at > ${since})
    RETURNING id, closed_at IS NULL AS open
  `.execute(tx);
  return rows.filter(({ open }) => open).map(({ id }) => id);
}

export type Announcing = { readonly since: Date; readonly now: Date };

/** What the buyer wrote with it. */
export async function findFirstWords(tx: Db, claimId: bigint): Promise<string | null> {
  const { rows } = await sql<{ words: string | null }>`
    SELECT words FROM claim_entries WHERE claim_id = ${claimId} ORDER BY id LIMIT 1
  `.execute(tx);
  return rows[0]?.words ?? null;
}

/** Its providers are asked at once, also those that were given up. */
export async function askAtOnce(
  tx: Db,
  orderId: bigint,
  at: { now: Date; giveUpAt: Date },
): Promise<void> {
  await sql`
    INSERT INTO payment_checks AS c (payment_id, due_at, give_up_at)
    SELECT p.id, ${at.now}, ${at.giveUpAt} FROM payments p
    WHERE p.order_id = ${orderId} AND p.status <> 'paid'
    ORDER BY p.id
    ON CONFLICT (payment_id) DO UPDATE SET due_at = excluded.due_at,
      give_up_at = greatest(c.give_up_at, excluded.give_up_at)
  `.execute(tx);
}

type SweptId = { readonly id: bigint };

/** The seller has not answered, and his time is over by `at`. */
const isOverBy = (at: Date) =>
  sql`closed_at IS NULL AND status = 'seller' AND seller_due_at <= ${at}`;

const SETTLED = sql`
  FROM claims c JOIN orders o ON o.id = c.order_id
  LEFT JOIN accesses a ON a.person_id = o.buyer_id AND a.group_id = o.group_id
  WHERE c.closed_at IS NULL AND (
    o.status = 'refunded'
    OR (c.kind = 'no-access' AND a.status = 'inside')
    OR (c.kind = 'paid-not-confirmed' AND o.status = 'paid'))
`;

/** Whether a sweep has anything to take. */
export async function hasDueClaim(db: Db, sweep: { now: Date; dueBefore: Date }): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`${PREPARED}
    SELECT EXISTS (SELECT FROM claims WHERE ${isUnannounced})
      OR EXISTS (SELECT FROM claims WHERE ${isOverBy(sweep.now)})
      OR EXISTS (SELECT FROM claims WHERE ${isOverBy(sweep.dueBefore)} AND reminded_at IS NULL)
      OR EXISTS (SELECT ${SETTLED}) AS found
  `.execute(db);
  return rows[0]?.found ?? false;
}

/** Claims their sellers left unanswered, taken from them; others' sweeps take others. */
export async function takeOverdue(tx: Db, sweep: { now: Date; limit: number }): Promise<bigint[]> {
  const { rows } = await sql<SweptId>`
    UPDATE claims SET status = 'operator' WHERE id IN (
      SELECT id FROM claims
      WHERE ${isOverBy(sweep.now)}
      ORDER BY seller_due_at LIMIT ${sweep.limit} FOR NO KEY UPDATE SKIP LOCKED)
    RETURNING id
  `.execute(tx);
  return rows.map(({ id }) => id);
}

/** Claims whose seller has a day left and was not told so yet. */
export async function takeUnreminded(
  tx: Db,
  sweep: { now: Date; dueBefore: Date; limit: number },
): Promise<bigint[]> {
  const { rows } = await sql<SweptId>`
    UPDATE claims SET reminded_at = ${sweep.now} WHERE id IN (
      SELECT id FROM claims
      WHERE ${isOverBy(sweep.dueBefore)} AND reminded_at IS NULL
      ORDER BY seller_due_at LIMIT ${sweep.limit} FOR NO KEY UPDATE SKIP LOCKED)
    RETURNING id
  `.execute(tx);
  return rows.map(({ id }) => id);
}

export type Settled = { readonly id: bigint; readonly by: "access" | "payment" | "refund" };

/** Open claims that what happened since has answered: locked. */
export async function takeSettled(tx: Db, limit: number): Promise<Settled[]> {
  return many<Settled>(tx)`
    SELECT c.id, CASE WHEN o.status = 'refunded' THEN 'refund'
      WHEN c.kind = 'no-access' THEN 'access' ELSE 'payment' END AS by
    ${SETTLED}
    ORDER BY c.id LIMIT ${limit} FOR NO KEY UPDATE OF c SKIP LOCKED
  `;
}
