import type { EventType } from "@sesame/contract/developers";
import { assert } from "@sesame/kernel";
import { sql } from "kysely";
import { type Db, maybe } from "../../postgres/database.ts";
import type { Sealed } from "../../secrets/vault.ts";

/** A row's number is known before it is written: its secret is bound to it. */
export async function drawEndpointId(tx: Db): Promise<bigint> {
  const { rows } = await sql<{ id: bigint }>`
    SELECT nextval(pg_get_serial_sequence('webhook_endpoints', 'id')) AS id
  `.execute(tx);
  assert(rows[0], "a sequence answers");
  return rows[0].id;
}

export type NewEndpoint = {
  readonly id: bigint;
  readonly sellerId: bigint;
  readonly url: string;
  readonly events: readonly EventType[];
  readonly sealed: Sealed;
  readonly now: Date;
};

export async function insertEndpoint(tx: Db, endpoint: NewEndpoint): Promise<void> {
  const { id, sellerId, url, events, sealed, now } = endpoint;
  await sql`
    INSERT INTO webhook_endpoints (id, seller_id, url, events, secret, secret_key_id, created_at,
      changed_at)
    OVERRIDING SYSTEM VALUE
    VALUES (${id}, ${sellerId}, ${url}, ${[...events]}::text[], ${sealed.bytes}, ${sealed.keyId},
      ${now}, ${now})
  `.execute(tx);
}

export type EndpointChange = {
  readonly url?: string;
  readonly events?: readonly EventType[];
  readonly active?: boolean;
};

/** Another address or a new start is judged anew: what failed before is forgotten. */
export async function updateEndpoint(
  tx: Db,
  { id, now }: { id: bigint; now: Date },
  change: EndpointChange,
): Promise<void> {
  const anew = change.url !== undefined || change.active === true;
  await sql`
    UPDATE webhook_endpoints SET url = coalesce(${change.url ?? null}, url),
      events = coalesce(${change.events ? [...change.events] : null}::text[], events),
      active = coalesce(${change.active ?? null}, active),
      off_reason = CASE WHEN ${change.active !== undefined} THEN NULL ELSE off_reason END,
      failing_since = CASE WHEN ${anew} THEN NULL ELSE failing_since END,
      failures = CASE WHEN ${anew} THEN 0 ELSE failures END,
      rest_until = CASE WHEN ${anew} THEN NULL ELSE rest_until END, changed_at = ${now}
    WHERE id = ${id}
  `.execute(tx);
}

export async function replaceSecret(
  tx: Db,
  { id, now, oldUntil }: { id: bigint; now: Date; oldUntil: Date },
  { next, old }: { next: Sealed; old: Sealed },
): Promise<void> {
  await sql`
    UPDATE webhook_endpoints SET secret = ${next.bytes}, secret_key_id = ${next.keyId},
      old_secret = ${old.bytes}, old_secret_key_id = ${old.keyId},
      old_secret_until = ${oldUntil}, changed_at = ${now}
    WHERE id = ${id}
  `.execute(tx);
}

/** Its deliveries stay in the record; those that wait are given up. */
export async function deleteEndpoint(tx: Db, id: bigint, now: Date): Promise<void> {
  await sql`
    UPDATE webhook_endpoints SET active = false, deleted_at = ${now}, changed_at = ${now}
    WHERE id = ${id}
  `.execute(tx);
  await giveUpDeliveries(tx, id, now);
}

export async function giveUpDeliveries(tx: Db, endpointId: bigint, now: Date): Promise<void> {
  await sql`
    UPDATE webhook_deliveries SET status = 'failed', due_at = NULL, done_at = ${now}
    WHERE endpoint_id = ${endpointId} AND due_at IS NOT NULL
  `.execute(tx);
}

/** It answered: whatever was wrong is over. */
export async function noteHealthy(tx: Db, id: bigint, now: Date): Promise<void> {
  await sql`
    UPDATE webhook_endpoints SET failures = 0, failing_since = NULL, rest_until = NULL,
      busy_until = ${now}
    WHERE id = ${id}
  `.execute(tx);
}

/** → since when nothing but failures; null when it is off already. */
export async function noteFailing(
  tx: Db,
  id: bigint,
  { now, restUntil, restAfter }: { now: Date; restUntil: Date; restAfter: number },
): Promise<{ failing_since: Date; seller_id: bigint; url: string } | null> {
  return maybe<{ failing_since: Date; seller_id: bigint; url: string }>(tx)`
    UPDATE webhook_endpoints SET failures = failures + 1, busy_until = ${now},
      failing_since = coalesce(failing_since, ${now}),
      rest_until = CASE WHEN failures + 1 >= ${restAfter} THEN ${restUntil}::timestamptz END
    WHERE id = ${id} AND active
    RETURNING failing_since, seller_id, url
  `;
}

export async function switchOff(
  tx: Db,
  { id, reason, now }: { id: bigint; reason: "failing" | "gone"; now: Date },
): Promise<void> {
  await sql`
    UPDATE webhook_endpoints SET active = false, off_reason = ${reason}, changed_at = ${now}
    WHERE id = ${id}
  `.execute(tx);
  await giveUpDeliveries(tx, id, now);
}

/** Its turn is given back, as if it had not been taken. */
export async function giveTurnBack(db: Db, id: bigint, now: Date): Promise<void> {
  await sql`UPDATE webhook_endpoints SET busy_until = ${now} WHERE id = ${id}`.execute(db);
}
