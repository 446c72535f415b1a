import type { Failure } from "../../outgoing/post.ts";
import { assert } from "@sesame/kernel";
import { sql } from "kysely";
import { type Db, many, maybe, PREPARED } from "../../postgres/database.ts";
import type { Secrets } from "./secrets.ts";

/** Said when something waits to be delivered. */
export const WEBHOOKS_CHANNEL = "sesame_webhooks";

export async function wakeWebhooks(tx: Db): Promise<void> {
  await sql`SELECT pg_notify(${WEBHOOKS_CHANNEL}, '')`.execute(tx);
}

export type EventToSend = {
  readonly id: bigint;
  readonly seller_id: bigint;
  readonly type: string;
  readonly subject: bigint;
  readonly at: Date;
};

/** An event whose body was not made yet, held until the commit. */
export async function lockEvent(tx: Db, id: bigint): Promise<EventToSend | null> {
  return maybe<EventToSend>(tx)`
    SELECT id, seller_id, type, subject, at FROM webhook_events
    WHERE id = ${id} AND body IS NULL FOR NO KEY UPDATE
  `;
}

/** A delivery for each of the seller's endpoints that asked for it. */
export async function sendOut(
  tx: Db,
  { id, body, now }: { id: bigint; body: string; now: Date },
): Promise<void> {
  await sql`UPDATE webhook_events SET body = ${body} WHERE id = ${id}`.execute(tx);
  await sql`
    INSERT INTO webhook_deliveries (endpoint_id, event_id, due_at, created_at)
    SELECT e.id, v.id, ${now}, ${now} FROM webhook_events v
    JOIN webhook_endpoints e ON e.seller_id = v.seller_id AND e.active AND v.type = ANY (e.events)
    WHERE v.id = ${id}
    ON CONFLICT (event_id, endpoint_id) DO NOTHING
  `.execute(tx);
  await wakeWebhooks(tx);
}

/** The test event, for one endpoint. → its delivery */
export async function insertPing(
  tx: Db,
  ping: { sellerId: bigint; endpointId: bigint; once: string; body: string; now: Date },
): Promise<bigint> {
  const { rows } = await sql<{ id: bigint }>`
    WITH event AS (
      INSERT INTO webhook_events (seller_id, type, subject, once_key, at, only_endpoint, body)
      VALUES (${ping.sellerId}, 'ping', ${ping.endpointId}, ${ping.once}, ${ping.now},
        ${ping.endpointId}, ${ping.body})
      RETURNING id
    )
    INSERT INTO webhook_deliveries (endpoint_id, event_id, due_at, created_at)
    SELECT ${ping.endpointId}, id, ${ping.now}, ${ping.now} FROM event RETURNING id
  `.execute(tx);
  assert(rows[0], "an insert answers its row");
  await wakeAtOnce(tx, ping.endpointId);
  return rows[0].id;
}

/** Once more from the start of the schedule, under the same webhook-id. False: it waits already. */
export async function replay(
  tx: Db,
  { id, endpointId, now }: { id: bigint; endpointId: bigint; now: Date },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE webhook_deliveries SET status = 'pending', due_at = ${now}, step = 0, done_at = NULL
    WHERE id = ${id} AND endpoint_id = ${endpointId}
      AND (status <> 'pending' OR due_at > ${now})
  `.execute(tx);
  if (numAffectedRows === 0n) return false;
  await wakeAtOnce(tx, endpointId);
  return true;
}

/** Somebody waits for it: an endpoint that rests is tried now. */
async function wakeAtOnce(tx: Db, endpointId: bigint): Promise<void> {
  await sql`UPDATE webhook_endpoints SET rest_until = NULL WHERE id = ${endpointId}`.execute(tx);
  await wakeWebhooks(tx);
}

export type ClaimedDelivery = Secrets & {
  readonly delivery_id: bigint;
  readonly step: number;
  readonly uid: string;
  readonly body: string;
  /** The endpoint's. */
  readonly id: bigint;
  readonly seller_id: bigint;
  readonly url: string;
};

/**
 * The earliest delivery that is due of each free endpoint, at most `limit` endpoints, those that
 * waited longest for their turn first. A process that dies gives the turn back by the lease.
 */
export async function claimDeliveries(
  db: Db,
  claim: { failing: boolean; limit: number; now: Date; leaseEnd: Date },
): Promise<ClaimedDelivery[]> {
  const { failing, limit, now, leaseEnd } = claim;
  return many<ClaimedDelivery>(db)`${PREPARED}
    WITH free AS (
      SELECT e.id FROM webhook_endpoints e
      WHERE e.active AND (e.failures > 0) = ${failing}
        AND (e.busy_until IS NULL OR e.busy_until <= ${now})
        AND (e.rest_until IS NULL OR e.rest_until <= ${now})
        AND EXISTS (
          SELECT FROM webhook_deliveries d WHERE d.endpoint_id = e.id AND d.due_at <= ${now})
      -- Who has failed a few times may be well again: before those that rest, which are dead.
      ORDER BY e.rest_until NULLS FIRST, e.busy_until NULLS FIRST, e.id
      LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED
    ), taken AS (
      UPDATE webhook_endpoints e SET busy_until = ${leaseEnd} FROM free WHERE e.id = free.id
      RETURNING e.id, e.seller_id, e.url, e.secret, e.secret_key_id, e.old_secret,
        e.old_secret_key_id, e.old_secret_until
    )
    SELECT t.*, d.id AS delivery_id, d.step, v.uid, v.body
    FROM taken t
    CROSS JOIN LATERAL (
      SELECT d.id, d.step, d.event_id FROM webhook_deliveries d
      WHERE d.endpoint_id = t.id AND d.due_at <= ${now} ORDER BY d.due_at, d.id LIMIT 1
    ) d
    JOIN webhook_events v ON v.id = d.event_id
  `;
}

export type Attempt = {
  readonly at: Date;
  readonly durationMs: number;
  readonly statusCode: number | null;
  readonly failure: Failure | "secret" | null;
  readonly answer: string | null;
};

export async function recordAttempt(tx: Db, deliveryId: bigint, attempt: Attempt): Promise<void> {
  const { at, durationMs, statusCode, failure, answer } = attempt;
  await sql`
    INSERT INTO webhook_attempts (delivery_id, at, duration_ms, status_code, failure, answer)
    VALUES (${deliveryId}, ${at}, ${durationMs}, ${statusCode}, ${failure}, ${answer})
  `.execute(tx);
}

export async function markDelivered(tx: Db, id: bigint, now: Date): Promise<void> {
  await sql`
    UPDATE webhook_deliveries SET status = 'delivered', attempts = attempts + 1, due_at = NULL,
      done_at = ${now}
    WHERE id = ${id}
  `.execute(tx);
}

/** Tried again at `dueAt`; null: it was the last attempt. One given up meanwhile stays so. */
export async function markTried(
  tx: Db,
  id: bigint,
  { dueAt, now }: { dueAt: Date | null; now: Date },
): Promise<void> {
  await sql`
    UPDATE webhook_deliveries SET attempts = attempts + 1, step = step + 1,
      due_at = CASE WHEN due_at IS NOT NULL THEN ${dueAt}::timestamptz END,
      status = CASE WHEN due_at IS NOT NULL AND ${dueAt !== null} THEN 'pending' ELSE 'failed' END,
      done_at = CASE WHEN due_at IS NOT NULL AND ${dueAt !== null} THEN NULL
        ELSE ${now}::timestamptz END
    WHERE id = ${id} AND status <> 'delivered'
  `.execute(tx);
}

/** Forgets what is older, a batch at a time. True when there may be more. */
export async function forgetOld(db: Db, before: Date, limit: number): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`${PREPARED}
    WITH old AS (
      SELECT v.id FROM webhook_events v
      WHERE v.at < ${before} AND NOT EXISTS (
        SELECT FROM webhook_deliveries d WHERE d.event_id = v.id AND d.due_at IS NOT NULL)
      ORDER BY v.at LIMIT ${limit} FOR UPDATE SKIP LOCKED
    ), deliveries AS (
      DELETE FROM webhook_deliveries d USING old WHERE d.event_id = old.id
    ), events AS (
      DELETE FROM webhook_events v USING old WHERE v.id = old.id RETURNING 1
    )
    SELECT count(*)::int AS count FROM events
  `.execute(db);
  return rows[0]?.count === limit;
}
