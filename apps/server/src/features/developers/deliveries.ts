import {
  type attemptOnWire,
  type deliveryOnWire,
  type listDeliveries,
  isEventType,
  PING,
} from "@sesame/contract/developers";
import { assert, ok, refuse } from "@sesame/kernel";
import { type RawBuilder, sql } from "kysely";
import type { z } from "zod";
import type { App } from "../../app.ts";
import { DONE, type JobHandler, type JobOutcome } from "../../jobs/outbox.ts";
import type { Job } from "../../jobs/outbox.store.ts";
import { notePing, SEND_OUT, writeEvent } from "../../outbound/events.store.ts";
import { type Db, many, maybe, one } from "../../postgres/database.ts";
import { refuseCapability } from "../plans/index.ts";
import { readEventData } from "./api.ts";
import { findEndpoint, NO_ENDPOINT } from "./endpoints.ts";

/** Notifies that a delivery is waiting. */
export const WEBHOOKS_CHANNEL = "sesame_webhooks";

const wakeWebhooks = (tx: Db) => sql`SELECT pg_notify(${WEBHOOKS_CHANNEL}, '')`.execute(tx);

export function developersJobs(app: App): JobHandler[] {
  const run = (job: Job) => sendEventOut(app, job);
  return [{ topic: SEND_OUT, batch: 50, concurrency: 4, maxAttempts: 20, run }];
}

type EventRow = { id: bigint; seller_id: bigint; type: string; subject: bigint; at: Date };

/** Creates an event's body, once, and a delivery for each endpoint subscribed to it. */
async function sendEventOut(app: App, job: Job): Promise<JobOutcome> {
  const now = app.clock.now();
  await app.db.transaction().execute(async (tx) => {
    const event = await maybe<EventRow>(tx)`
      SELECT id, seller_id, type, subject, at FROM webhook_events
      WHERE id = ${job.ref} AND body IS NULL FOR NO KEY UPDATE
    `;
    if (!event) return;
    const { id, seller_id: sellerId, type, subject, at } = event;
    assert(isEventType(type), "an event is of the list");
    const data = await readEventData(app, tx, { type, sellerId, subject });
    // Deleted meanwhile: a product archived right after its change.
    if (!data) return;
    const body = writeBody({ type, at, data });
    await writeEvent(tx, id, body);
    await sql`
      INSERT INTO webhook_deliveries (endpoint_id, event_id, due_at, created_at)
      SELECT e.id, v.id, ${now}, ${now} FROM webhook_events v
      JOIN webhook_endpoints e ON e.seller_id = v.seller_id AND e.active AND v.type = ANY (e.events)
      WHERE v.id = ${id}
      ON CONFLICT (event_id, endpoint_id) DO NOTHING
    `.execute(tx);
    await wakeWebhooks(tx);
  });
  return DONE;
}

function writeBody({ type, at, data }: { type: string; at: Date; data: object }): string {
  return JSON.stringify({ type, timestamp: at.toISOString(), data });
}

type Named = { readonly sellerId: bigint; readonly id: bigint };

/** A test event for one endpoint. → its delivery */
export async function pingIn(app: App, tx: Db, { sellerId, id }: Named) {
  const endpoint = await findEndpoint(tx, { sellerId, id, lock: true });
  if (!endpoint) return NO_ENDPOINT;
  const barred = await refuseCapability(tx, sellerId, "developer-api");
  if (barred) return refuse(barred);
  if (!endpoint.active) return refuse({ kind: "developers.endpoint-off" });
  const now = app.clock.now();
  const body = writeBody({ type: PING, at: now, data: { endpoint_id: String(id) } });
  const once = `${id}:${Buffer.from(app.random.bytes(12)).toString("hex")}`;
  const event = await notePing(tx, { sellerId, subject: id, type: PING, once }, { body, now });
  const sent = await one<{ id: bigint }>(tx)`
    INSERT INTO webhook_deliveries (endpoint_id, event_id, due_at, created_at)
    VALUES (${id}, ${event}, ${now}, ${now}) RETURNING id
  `;
  await wakeAtOnce(tx, id);
  return ok(String(sent.id));
}

/** Sends the same event again, from the start of the schedule, with the same webhook-id. */
export async function replayIn(app: App, tx: Db, { sellerId, id }: Named) {
  const row = await findDelivery(tx, sellerId, id);
  if (!row) return refuse({ kind: "developers.delivery-not-found" });
  const barred = await refuseCapability(tx, sellerId, "developer-api");
  if (barred) return refuse(barred);
  if (!row.endpoint_active) return refuse({ kind: "developers.endpoint-off" });
  const now = app.clock.now();
  const { numAffectedRows } = await sql`
    UPDATE webhook_deliveries SET status = 'pending', due_at = ${now}, step = 0, done_at = NULL
    WHERE id = ${id} AND endpoint_id = ${row.endpoint_id}
      AND (status <> 'pending' OR due_at > ${now})
  `.execute(tx);
  if (numAffectedRows === 0n) return refuse({ kind: "developers.under-way" });
  await wakeAtOnce(tx, row.endpoint_id);
  return ok(null);
}

/** Somebody waits for it: a resting endpoint is tried now. */
async function wakeAtOnce(tx: Db, endpointId: bigint): Promise<void> {
  await sql`UPDATE webhook_endpoints SET rest_until = NULL WHERE id = ${endpointId}`.execute(tx);
  await wakeWebhooks(tx);
}

export function webhookId(uid: string): string {
  return `msg_${uid.replaceAll("-", "")}`;
}

type DeliveryRow = z.output<typeof deliveryOnWire> & {
  readonly id: bigint;
  readonly endpoint_id: bigint;
  readonly endpoint_active: boolean;
  readonly body: string;
};

/** `chosen`: rows of webhook_deliveries, all of one seller. */
async function selectDeliveries(db: Db, chosen: RawBuilder<unknown>): Promise<DeliveryRow[]> {
  const rows = await many<Omit<DeliveryRow, "webhook_id"> & { readonly uid: string }>(db)`
    SELECT d.id, v.uid, v.type, v.body, d.endpoint_id, e.url, e.active AS endpoint_active,
      d.status, d.attempts, d.created_at, d.due_at AS next_at,
      CASE WHEN last.id IS NULL THEN NULL ELSE json_build_object('at', last.at,
        'status_code', last.status_code, 'failure', last.failure, 'duration_ms', last.duration_ms
      ) END AS last
    FROM (${chosen}) AS d
    JOIN webhook_events v ON v.id = d.event_id
    JOIN webhook_endpoints e ON e.id = d.endpoint_id
    LEFT JOIN LATERAL (
      SELECT * FROM webhook_attempts t WHERE t.delivery_id = d.id ORDER BY t.id DESC LIMIT 1
    ) last ON true
    ORDER BY d.id DESC
  `;
  return rows.map((row) => ({ ...row, webhook_id: webhookId(row.uid) }));
}

/** Newest first, of each of the seller's endpoints, so that no others' deliveries are read. */
export function listSellerDeliveries(
  db: Db,
  sellerId: bigint,
  { cursor, limit, endpoint }: z.output<typeof listDeliveries.query>,
): Promise<DeliveryRow[]> {
  const older = cursor === null ? sql`` : sql`AND d.id < ${cursor}`;
  const ofOne = endpoint === undefined ? sql`` : sql`AND e.id = ${endpoint}`;
  return selectDeliveries(
    db,
    sql`SELECT d.* FROM webhook_endpoints e CROSS JOIN LATERAL (
        SELECT * FROM webhook_deliveries d WHERE d.endpoint_id = e.id ${older}
        ORDER BY d.id DESC LIMIT ${limit}
      ) AS d
      WHERE e.seller_id = ${sellerId} ${ofOne} ORDER BY d.id DESC LIMIT ${limit}`,
  );
}

/** Null for an absent or another's delivery alike. */
async function findDelivery(db: Db, sellerId: bigint, id: bigint): Promise<DeliveryRow | null> {
  const [row] = await selectDeliveries(
    db,
    sql`SELECT d.* FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id
      WHERE d.id = ${id} AND e.seller_id = ${sellerId}`,
  );
  return row ?? null;
}

/** The body sent, and the answer to each attempt. */
export async function deliveryShown(db: Db, { sellerId, id }: Named, message?: string) {
  const delivery = await findDelivery(db, sellerId, id);
  if (!delivery) return refuse({ kind: "developers.delivery-not-found" });
  const log = await many<z.output<typeof attemptOnWire>>(db)`
    SELECT at, duration_ms, status_code, failure, answer FROM webhook_attempts
    WHERE delivery_id = ${id} ORDER BY id DESC LIMIT 50
  `;
  return { message: message ?? delivery.type, delivery, body: delivery.body, log };
}
