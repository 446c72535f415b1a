import { ERASED_NAME } from "@sesame/contract/identity";
import { sql } from "kysely";
import { enqueue } from "../jobs/outbox.store.ts";
import { type Db, many, one } from "../postgres/database.ts";

/** The job that creates an event's body and a delivery for each endpoint subscribed to it. */
export const SEND_OUT = "developers.send-out";

export type OutboundEvent = {
  readonly sellerId: bigint;
  /** One of the contract's EVENT_TYPES. */
  readonly type: string;
  /** The row it is about. */
  readonly subject: bigint;
  /** Identifies the event, however often it is recorded; by default its subject. */
  readonly once?: string;
};

/**
 * A premium seller with an open account and a subscribed endpoint. For most sellers: one index
 * lookup.
 */
const WANTED = sql`EXISTS (
  SELECT FROM webhook_endpoints e
  JOIN sellers s ON s.id = e.seller_id AND s.plan = 'premium' AND s.closed_at IS NULL
  WHERE e.seller_id = u.seller_id AND e.active AND u.type = ANY (e.events))`;

/** Records events for sellers' own programs, in the transaction of the event. */
export async function noteOutbound(tx: Db, events: readonly OutboundEvent[], now: Date) {
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

/** Records events of accesses, for the sellers of their groups. */
export async function noteAccesses(
  tx: Db,
  { type, ids }: { type: "access.started" | "access.ended"; ids: readonly bigint[] },
  now: Date,
): Promise<void> {
  if (ids.length === 0) return;
  // One for each order or gift that opened it, or for each end: a renewal begins another.
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

/** Records events of orders, for their sellers; the platform's own orders have none. */
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
  const noted = await many<{ id: bigint }>(tx)`
    INSERT INTO webhook_events (seller_id, type, subject, once_key, at)
    SELECT u.seller_id, u.type, u.subject, u.once_key, ${now} FROM (${events}) AS u
    WHERE ${WANTED} ORDER BY u.subject
    ON CONFLICT (seller_id, type, once_key) DO NOTHING
    RETURNING id
  `;
  const priority = 3;
  await enqueue(
    tx,
    noted.map(({ id: ref }) => ({ topic: SEND_OUT, ref, priority, dueAt: now })),
  );
}

/** A test event, for one endpoint only: its subject. → its id */
export async function notePing(
  tx: Db,
  { sellerId, type, subject, once }: OutboundEvent,
  { body, now }: { body: string; now: Date },
): Promise<bigint> {
  const { id } = await one<{ id: bigint }>(tx)`
    INSERT INTO webhook_events (seller_id, type, subject, once_key, at, only_endpoint, body)
    VALUES (${sellerId}, ${type}, ${subject}, ${once}, ${now}, ${subject}, ${body})
    RETURNING id
  `;
  return id;
}

/** Stores an event's body, once. */
export async function writeEvent(tx: Db, id: bigint, body: string): Promise<void> {
  await sql`UPDATE webhook_events SET body = ${body} WHERE id = ${id}`.execute(tx);
}

export async function forgetEvents(tx: Db, ids: readonly bigint[]): Promise<void> {
  await sql`DELETE FROM webhook_events WHERE id = ANY (${[...ids]}::bigint[])`.execute(tx);
}

/** A pattern of a JSON text. */
const JSON_TEXT = String.raw`"([^"\\]|\\.)*"`;
const ERASED = String.raw`\1"${ERASED_NAME}"`;

/**
 * Erases a buyer's name from stored event bodies, which may be replayed. → the ids of the events that
 * contained it
 */
export async function eraseFromEvents(tx: Db, id: bigint): Promise<bigint[]> {
  const erased = await many<{ id: bigint }>(tx)`
    UPDATE webhook_events e
    SET body = regexp_replace(e.body,
      '("telegram_id":"' || p.telegram_id || '","name":)' || ${JSON_TEXT}, ${ERASED}, 'g')
    FROM people p
    WHERE p.id = ${id}
      AND e.seller_id IN (SELECT o.seller_id FROM orders o WHERE o.buyer_id = ${id})
      AND position('"telegram_id":"' || p.telegram_id || '"' IN e.body) > 0
    RETURNING e.id
  `;
  return erased.map((event) => event.id);
}
