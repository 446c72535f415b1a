import { ERASED_NAME } from "@sesame/contract/identity";
import * as contract from "@sesame/contract/developers";
import { addMs, ok, refuse } from "@sesame/kernel";
import { type RawBuilder, sql } from "kysely";
import type { z } from "zod";
import type { App } from "../../app.ts";
import { type Actor, auditSeller } from "../../audit/audit.store.ts";
import { readTarget } from "../../outbound/post.ts";
import { type Db, many, one } from "../../postgres/database.ts";
import { refuseCapability } from "../plans/index.ts";
import { drawSecret, placeOf, type SecretsRow } from "./secrets.ts";
import { lockSeller } from "../../people/people.ts";
import { eraseFromEvents } from "../../outbound/events.store.ts";

type EndpointRow = z.output<typeof contract.endpointOnWire> & SecretsRow;

function selectEndpoints(db: Db, rest: RawBuilder<unknown>): Promise<EndpointRow[]> {
  return many<EndpointRow>(db)`
    SELECT id, seller_id, url, events, active, off_reason, secret, secret_key_id, old_secret,
      old_secret_key_id, old_secret_until, failing_since, created_at
    FROM webhook_endpoints WHERE deleted_at IS NULL AND ${rest}
  `;
}

/** Oldest first. */
export function listEndpoints(db: Db, sellerId: bigint): Promise<EndpointRow[]> {
  return selectEndpoints(db, sql`seller_id = ${sellerId} ORDER BY id`);
}

/** Null for an absent, deleted or another's endpoint alike; with `lock` locked until the commit. */
export async function findEndpoint(
  db: Db,
  { sellerId, id, lock = false }: { sellerId: bigint; id: bigint; lock?: boolean },
): Promise<EndpointRow | null> {
  const held = lock ? sql`FOR NO KEY UPDATE` : sql``;
  const [row] = await selectEndpoints(db, sql`seller_id = ${sellerId} AND id = ${id} ${held}`);
  return row ?? null;
}

/** For its seller: the end of an old secret that no longer signs is omitted. */
export function endpointShown(row: EndpointRow, now: Date) {
  const until = row.old_secret_until;
  return { ...row, old_secret_until: until && until > now ? until : null };
}

type EndpointFields = NonNullable<z.output<typeof contract.changeEndpoint.body>>;

export const NO_ENDPOINT = refuse({ kind: "developers.endpoint-not-found" });

export async function addEndpointIn(
  app: App,
  tx: Db,
  { sellerId, actor, fields }: { sellerId: bigint; actor: Actor; fields: EndpointFields },
) {
  const url = readUrl(app, fields.url);
  if (!url.ok) return url;
  const events = readEvents(fields.events);
  if (!events.ok) return events;
  await lockSeller(tx, sellerId);
  const barred = await refuseCapability(tx, sellerId, "developer-api");
  if (barred) return refuse(barred);
  if ((await listEndpoints(tx, sellerId)).length >= contract.ENDPOINTS_MAX) {
    return refuse({ kind: "developers.too-many-endpoints" });
  }
  const now = app.clock.now();
  // Its id is drawn before the insert: the secret is bound to it.
  const { id } = await one<{ id: bigint }>(tx)`
    SELECT nextval(pg_get_serial_sequence('webhook_endpoints', 'id')) AS id
  `;
  const sealed = app.vault.seal(drawSecret(app.random), placeOf({ id, seller_id: sellerId }));
  await sql`
    INSERT INTO webhook_endpoints (id, seller_id, url, events, secret, secret_key_id, created_at,
      changed_at)
    OVERRIDING SYSTEM VALUE
    VALUES (${id}, ${sellerId}, ${url.value}, ${events.value}::text[], ${sealed.bytes},
      ${sealed.keyId}, ${now}, ${now})
  `.execute(tx);
  // Without its address: that may be erased later, the log never (decision 101).
  const after = { endpoint: String(id), events: events.value };
  await auditSeller(tx, sellerId, { actor, action: "developer.endpoint-add", after }, now);
  return ok(id);
}

type Named = { readonly sellerId: bigint; readonly id: bigint; readonly actor: Actor };

/** Absent fields are unchanged. When switched off, waiting deliveries are given up; a replay is possible. */
export async function changeEndpointIn(
  app: App,
  tx: Db,
  { sellerId, id, actor, fields }: Named & { fields: EndpointFields },
) {
  const row = await findEndpoint(tx, { sellerId, id, lock: true });
  if (!row) return NO_ENDPOINT;
  const url = fields.url === undefined ? ok(row.url) : readUrl(app, fields.url);
  if (!url.ok) return url;
  const events = fields.events === undefined ? ok(row.events) : readEvents(fields.events);
  if (!events.ok) return events;
  const { active = row.active } = fields;
  if (typeof active !== "boolean") return refuse({ kind: "developers.switch-wrong" });
  const barred = await refuseCapability(tx, sellerId, "developer-api");
  if (barred) return refuse(barred);
  const now = app.clock.now();
  // A new address or a restart resets the failures.
  const anew = fields.url !== undefined || fields.active === true;
  await sql`
    UPDATE webhook_endpoints SET url = ${url.value}, events = ${events.value}::text[],
      active = ${active},
      off_reason = CASE WHEN ${fields.active !== undefined} THEN NULL ELSE off_reason END,
      failing_since = CASE WHEN ${anew} THEN NULL ELSE failing_since END,
      failures = CASE WHEN ${anew} THEN 0 ELSE failures END,
      rest_until = CASE WHEN ${anew} THEN NULL ELSE rest_until END, changed_at = ${now}
    WHERE id = ${id}
  `.execute(tx);
  if (fields.active === false) await giveUpDeliveries(tx, id, now);
  const before = { endpoint: String(id), events: row.events, active: row.active };
  const changed = { events: events.value, active, address_changed: url.value !== row.url };
  const entry = { actor, action: "developer.endpoint-change", before };
  await auditSeller(tx, sellerId, { ...entry, after: { ...before, ...changed } }, now);
  return ok(null);
}

/** Its deliveries stay in the record; waiting ones are given up. */
export async function deleteEndpointIn(app: App, tx: Db, { sellerId, id, actor }: Named) {
  const row = await findEndpoint(tx, { sellerId, id, lock: true });
  if (!row) return NO_ENDPOINT;
  const now = app.clock.now();
  await sql`
    UPDATE webhook_endpoints SET active = false, deleted_at = ${now}, changed_at = ${now}
    WHERE id = ${id}
  `.execute(tx);
  await giveUpDeliveries(tx, id, now);
  const before = { endpoint: String(id) };
  await auditSeller(tx, sellerId, { actor, action: "developer.endpoint-delete", before }, now);
  return ok(null);
}

export async function giveUpDeliveries(tx: Db, endpointId: bigint, now: Date): Promise<void> {
  await sql`
    UPDATE webhook_deliveries SET status = 'failed', due_at = NULL, done_at = ${now}
    WHERE endpoint_id = ${endpointId} AND due_at IS NOT NULL
  `.execute(tx);
}

/** A new secret; the former one also signs for a day. */
export async function rotateSecretIn(app: App, tx: Db, { sellerId, id, actor }: Named) {
  const row = await findEndpoint(tx, { sellerId, id, lock: true });
  if (!row) return NO_ENDPOINT;
  const barred = await refuseCapability(tx, sellerId, "developer-api");
  if (barred) return refuse(barred);
  const now = app.clock.now();
  const next = app.vault.seal(drawSecret(app.random), placeOf(row));
  await sql`
    UPDATE webhook_endpoints SET secret = ${next.bytes}, secret_key_id = ${next.keyId},
      old_secret = ${row.secret}, old_secret_key_id = ${row.secret_key_id},
      old_secret_until = ${addMs(now, contract.OLD_SECRET_MS)}, changed_at = ${now}
    WHERE id = ${id}
  `.execute(tx);
  const after = { endpoint: String(id) };
  await auditSeller(tx, sellerId, { actor, action: "developer.endpoint-secret", after }, now);
  return ok(null);
}

function readUrl({ config }: App, url: unknown) {
  const text = typeof url === "string" ? url.trim() : "";
  if (text.length > contract.ENDPOINT_URL_MAX) return refuse({ kind: "developers.url-too-long" });
  const target = readTarget(text, { loopback: config.demo });
  if (target === "wrong") return refuse({ kind: "developers.url-wrong" });
  if (target === "private") return refuse({ kind: "developers.url-private" });
  const { href } = target.url;
  return href.length > contract.ENDPOINT_URL_MAX
    ? refuse({ kind: "developers.url-too-long" })
    : ok(href);
}

function readEvents(events: unknown) {
  const list: readonly unknown[] = Array.isArray(events) ? events : [];
  const known = list.filter(contract.isEventType);
  const sound = known.length > 0 && known.length === list.length;
  return sound ? ok([...new Set(known)]) : refuse({ kind: "developers.events-wrong" });
}

/** Ends the keys and endpoints of a seller, and deletes their names and addresses. */
export async function eraseDeveloper(tx: Db, id: bigint, now: Date): Promise<void> {
  await sql`
    UPDATE developer_keys SET name = ${ERASED_NAME}, revoked_at = coalesce(revoked_at, ${now})
    WHERE seller_id = ${id}
  `.execute(tx);
  // The endpoints first: the lock order of recording an attempt.
  await sql`
    UPDATE webhook_endpoints SET active = false, deleted_at = coalesce(deleted_at, ${now}),
      url = '', changed_at = ${now}
    WHERE seller_id = ${id}
  `.execute(tx);
  await sql`
    UPDATE webhook_deliveries d SET status = 'failed', due_at = NULL, done_at = ${now}
    FROM webhook_endpoints e
    WHERE e.id = d.endpoint_id AND e.seller_id = ${id} AND d.due_at IS NOT NULL
  `.execute(tx);
  await sql`
    UPDATE webhook_attempts t SET answer = NULL FROM webhook_deliveries d, webhook_endpoints e
    WHERE d.id = t.delivery_id AND e.id = d.endpoint_id AND e.seller_id = ${id}
      AND t.answer IS NOT NULL
  `.execute(tx);
}

/** Erases a buyer from webhook bodies, and from the answers to them, which may contain his name. */
export async function eraseFromWebhooks(tx: Db, id: bigint): Promise<void> {
  const erased = await eraseFromEvents(tx, id);
  await sql`
    UPDATE webhook_attempts t SET answer = NULL FROM webhook_deliveries d
    WHERE d.event_id = ANY (${erased}::bigint[]) AND t.delivery_id = d.id AND t.answer IS NOT NULL
  `.execute(tx);
}
