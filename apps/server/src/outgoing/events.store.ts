import { sql } from "kysely";
import type { Db } from "../postgres/database.ts";

/** Makes an event's body and a delivery for each endpoint that asked for it. */
export const SEND_OUT = "developers.send-out";

export type OutgoingEvent = {
  readonly sellerId: bigint;
  /** One of the contract's EVENT_TYPES. */
  readonly type: string;
  /** The row it is about. */
  readonly subject: bigint;
  /** What makes it one event, however often it is noted; its subject alone when absent. */
  readonly once?: string;
};

/**
 * A premium seller, whose account is not closed, has an endpoint that asked for it. For most
 * sellers: one look at an index.
 */
const WANTED = sql`EXISTS (
  SELECT FROM webhook_endpoints e
  JOIN sellers s ON s.id = e.seller_id AND s.plan = 'premium' AND s.closed_at IS NULL
  WHERE e.seller_id = u.seller_id AND e.active AND u.type = ANY (e.events))`;

/** Notes events for sellers' own programs, in the transaction of what happened. */
export async function noteOutgoing(
  tx: Db,
  events: readonly OutgoingEvent[],
  now: Date,
): Promise<void> {
  if (events.length === 0) return;
  await noteFrom(
    tx,
    sql`SELECT * FROM unnest(
      ${events.map(({ sellerId }) => sellerId)}::bigint[],
      ${events.map(({ type }) => type)}::text[],
      ${events.map(({ subject }) => subject)}::bigint[],
      ${events.map(({ subject, once }) => once ?? String(subject))}::text[]
    ) AS v(seller_id, type, subject, once_key)`,
    now,
  );
}

/** Notes what became of accesses, whose sellers their groups know. */
export async function noteAccesses(
  tx: Db,
  { type, ids }: { type: "access.started" | "access.ended"; ids: readonly bigint[] },
  now: Date,
): Promise<void> {
  if (ids.length === 0) return;
  // One per order or gift that opened it, or per end: a renewal begins another.
  const opened = sql`concat(a.order_id, (SELECT ':grant:' || max(x.id) FROM membership_grants x
    WHERE x.person_id = a.person_id AND x.group_id = a.group_id AND x.granted_at >= a.started_at))`;
  const once = type === "access.started" ? opened : sql`extract(epoch FROM a.ends_at)`;
  await noteFrom(
    tx,
    sql`SELECT g.seller_id, ${type}::text AS type, a.id AS subject,
        concat(a.id, ':', ${once}) AS once_key
      FROM accesses a JOIN groups g ON g.id = a.group_id WHERE a.id = ANY (${[...ids]}::bigint[])`,
    now,
  );
}

/** Notes what became of orders, whose sellers they know; the platform's own are nobody's. */
export async function noteOrders(
  tx: Db,
  { type, ids }: { type: "order.paid" | "order.refunded"; ids: readonly bigint[] },
  now: Date,
): Promise<void> {
  if (ids.length === 0) return;
  await noteFrom(
    tx,
    sql`SELECT o.seller_id, ${type}::text AS type, o.id AS subject, o.id::text AS once_key
      FROM orders o WHERE o.id = ANY (${[...ids]}::bigint[]) AND o.seller_id IS NOT NULL`,
    now,
  );
}

async function noteFrom(tx: Db, events: ReturnType<typeof sql>, now: Date): Promise<void> {
  await sql`
    WITH said AS (
      INSERT INTO webhook_events (seller_id, type, subject, once_key, at)
      SELECT u.seller_id, u.type, u.subject, u.once_key, ${now} FROM (${events}) AS u
      WHERE ${WANTED} ORDER BY u.subject
      ON CONFLICT (seller_id, type, once_key) DO NOTHING
      RETURNING id
    )
    INSERT INTO outbox (topic, ref, priority, due_at)
    SELECT ${SEND_OUT}, id, 3, ${now} FROM said
  `.execute(tx);
}
