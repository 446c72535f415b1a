import { type RawBuilder, sql } from "kysely";
import { type Db, many } from "../../postgres/database.ts";

export type DeliveryRow = {
  readonly id: bigint;
  readonly uid: string;
  readonly type: string;
  readonly body: string;
  readonly endpoint_id: bigint;
  readonly url: string;
  readonly endpoint_active: boolean;
  readonly status: "pending" | "delivered" | "failed";
  readonly attempts: number;
  readonly created_at: Date;
  readonly due_at: Date | null;
  readonly last_at: Date | null;
  readonly last_status: number | null;
  readonly last_failure: string | null;
  readonly last_ms: number | null;
};

/** `chosen`: rows of webhook_deliveries, all of one seller's. */
async function select(db: Db, chosen: RawBuilder<unknown>): Promise<DeliveryRow[]> {
  return many<DeliveryRow>(db)`
    SELECT d.id, v.uid, v.type, v.body, d.endpoint_id, e.url, e.active AS endpoint_active,
      d.status, d.attempts, d.created_at, d.due_at, last.at AS last_at,
      last.status_code AS last_status, last.failure AS last_failure, last.duration_ms AS last_ms
    FROM (${chosen}) AS d
    JOIN webhook_events v ON v.id = d.event_id
    JOIN webhook_endpoints e ON e.id = d.endpoint_id
    LEFT JOIN LATERAL (
      SELECT * FROM webhook_attempts t WHERE t.delivery_id = d.id ORDER BY t.id DESC LIMIT 1
    ) last ON true
    ORDER BY d.id DESC
  `;
}

export type DeliveriesPage = {
  readonly before: bigint | null;
  readonly limit: number;
  readonly endpointId: bigint | null;
};

/** Newest first: of each of his endpoints, so that others' deliveries are not walked through. */
export function viewDeliveries(
  db: Db,
  sellerId: bigint,
  { before, limit, endpointId }: DeliveriesPage,
): Promise<DeliveryRow[]> {
  const older = before === null ? sql`` : sql`AND d.id < ${before}`;
  const ofOne = endpointId === null ? sql`` : sql`AND e.id = ${endpointId}`;
  return select(
    db,
    sql`SELECT d.* FROM webhook_endpoints e CROSS JOIN LATERAL (
        SELECT * FROM webhook_deliveries d WHERE d.endpoint_id = e.id ${older}
        ORDER BY d.id DESC LIMIT ${limit}
      ) AS d
      WHERE e.seller_id = ${sellerId} ${ofOne} ORDER BY d.id DESC LIMIT ${limit}`,
  );
}

/** Null for an absent or foreign one alike. */
export async function viewDelivery(
  db: Db,
  sellerId: bigint,
  id: bigint,
): Promise<DeliveryRow | null> {
  const [row] = await select(
    db,
    sql`SELECT d.* FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id
      WHERE d.id = ${id} AND e.seller_id = ${sellerId}`,
  );
  return row ?? null;
}

export type AttemptRow = {
  readonly at: Date;
  readonly duration_ms: number;
  readonly status_code: number | null;
  readonly failure: string | null;
  readonly answer: string | null;
};

/** Newest first. */
export async function viewAttempts(db: Db, deliveryId: bigint): Promise<AttemptRow[]> {
  return many<AttemptRow>(db)`
    SELECT at, duration_ms, status_code, failure, answer FROM webhook_attempts
    WHERE delivery_id = ${deliveryId} ORDER BY id DESC LIMIT 50
  `;
}
