import {
  type DevelopersRefusal,
  ENDPOINT_URL_MAX,
  ENDPOINTS_MAX,
  type EventType,
  isEventType,
  OLD_SECRET_MS,
} from "@sesame/contract/developers";
import type { PlansRefusal } from "@sesame/contract/plans";
import { addMs, ok, type Result, refuse } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { type Actor, audit } from "../../audit/audit.store.ts";
import { readTarget } from "../../outgoing/target.ts";
import type { Db } from "../../postgres/database.ts";
import { refuseCapability } from "../plans/index.ts";
import {
  deleteEndpoint,
  drawEndpointId,
  type EndpointChange,
  giveUpDeliveries,
  insertEndpoint,
  replaceSecret,
  updateEndpoint,
} from "./endpoints.store.ts";
import { viewEndpoint, viewEndpoints } from "./endpoints.view.ts";
import { lockSeller } from "./keys.store.ts";
import { placeOf } from "./secrets.ts";
import { drawSecret } from "./sign.ts";

type Refused = DevelopersRefusal | PlansRefusal;

export type EndpointFields = {
  readonly url?: unknown;
  readonly events?: unknown;
  readonly active?: unknown;
};

export type EndpointRequest = {
  readonly sellerId: bigint;
  readonly actor: Actor;
  readonly fields: EndpointFields;
};

const NOT_FOUND = refuse({ kind: "developers.endpoint-not-found" } as const);

export async function addEndpointIn(
  app: App,
  tx: Db,
  { sellerId, actor, fields }: EndpointRequest,
): Promise<Result<bigint, Refused>> {
  const url = readUrl(app, fields.url);
  if (!url.ok) return url;
  const events = readEvents(fields.events);
  if (!events.ok) return events;
  await lockSeller(tx, sellerId);
  const barred = await refuseCapability(tx, sellerId, "developer-api");
  if (barred) return refuse(barred);
  if ((await viewEndpoints(tx, sellerId)).length >= ENDPOINTS_MAX) {
    return refuse({ kind: "developers.too-many-endpoints" });
  }
  const now = app.clock.now();
  const id = await drawEndpointId(tx);
  const sealed = app.vault.seal(drawSecret(app.chance), placeOf({ id, seller_id: sellerId }));
  await insertEndpoint(tx, { id, sellerId, url: url.value, events: events.value, sealed, now });
  // Not its address: that may be erased one day, the log never (decision 101).
  const after = { endpoint: String(id), events: events.value };
  const subject = `seller:${sellerId}`;
  await audit(tx, { actor, action: "developer.endpoint-add", subject, after }, now);
  return ok(id);
}

type Named = { readonly sellerId: bigint; readonly id: bigint; readonly actor: Actor };

/** What is absent stays. Switched off: what waits for it is given up, and can be sent again. */
export async function changeEndpointIn(
  app: App,
  tx: Db,
  { sellerId, id, actor, fields }: Named & { fields: EndpointFields },
): Promise<Result<null, Refused>> {
  const row = await viewEndpoint(tx, { sellerId, id, lock: true });
  if (!row) return NOT_FOUND;
  const read = readChange(app, fields);
  if (!read.ok) return read;
  const barred = await refuseCapability(tx, sellerId, "developer-api");
  if (barred) return refuse(barred);
  const now = app.clock.now();
  await updateEndpoint(tx, { id, now }, read.value);
  if (read.value.active === false) await giveUpDeliveries(tx, id, now);
  const { url, events, active } = row;
  const { url: address = url, ...rest } = read.value;
  const before = { endpoint: String(id), events, active };
  const after = { ...before, ...rest, address_changed: address !== url };
  const subject = `seller:${sellerId}`;
  await audit(tx, { actor, action: "developer.endpoint-change", subject, before, after }, now);
  return ok(null);
}

export async function deleteEndpointIn(
  app: App,
  tx: Db,
  { sellerId, id, actor }: Named,
): Promise<Result<null, Refused>> {
  const row = await viewEndpoint(tx, { sellerId, id, lock: true });
  if (!row) return NOT_FOUND;
  const now = app.clock.now();
  await deleteEndpoint(tx, id, now);
  const before = { endpoint: String(id) };
  const subject = `seller:${sellerId}`;
  await audit(tx, { actor, action: "developer.endpoint-delete", subject, before }, now);
  return ok(null);
}

/** A new secret; the one before signs beside it for a day. */
export async function rotateSecretIn(
  app: App,
  tx: Db,
  { sellerId, id, actor }: Named,
): Promise<Result<null, Refused>> {
  const row = await viewEndpoint(tx, { sellerId, id, lock: true });
  if (!row) return NOT_FOUND;
  const barred = await refuseCapability(tx, sellerId, "developer-api");
  if (barred) return refuse(barred);
  const now = app.clock.now();
  const next = app.vault.seal(drawSecret(app.chance), placeOf(row));
  const old = { bytes: row.secret, keyId: row.secret_key_id };
  await replaceSecret(tx, { id, now, oldUntil: addMs(now, OLD_SECRET_MS) }, { next, old });
  const after = { endpoint: String(id) };
  const subject = `seller:${sellerId}`;
  await audit(tx, { actor, action: "developer.endpoint-secret", subject, after }, now);
  return ok(null);
}

function readChange(
  app: App,
  { url, events, active }: EndpointFields,
): Result<EndpointChange, DevelopersRefusal> {
  const address = url === undefined ? ok(undefined) : readUrl(app, url);
  if (!address.ok) return address;
  const list = events === undefined ? ok(undefined) : readEvents(events);
  if (!list.ok) return list;
  if (active !== undefined && typeof active !== "boolean") {
    return refuse({ kind: "developers.switch-wrong" });
  }
  return ok({
    ...(address.value === undefined ? {} : { url: address.value }),
    ...(list.value === undefined ? {} : { events: list.value }),
    ...(active === undefined ? {} : { active }),
  });
}

function readUrl({ config }: App, url: unknown): Result<string, DevelopersRefusal> {
  const text = typeof url === "string" ? url.trim() : "";
  if (text.length > ENDPOINT_URL_MAX) return refuse({ kind: "developers.url-too-long" });
  const target = readTarget(text, { loopback: config.demo });
  if (target === "wrong") return refuse({ kind: "developers.url-wrong" });
  if (target === "private") return refuse({ kind: "developers.url-private" });
  const { href } = target.url;
  return href.length > ENDPOINT_URL_MAX ? refuse({ kind: "developers.url-too-long" }) : ok(href);
}

function readEvents(events: unknown): Result<EventType[], DevelopersRefusal> {
  const list: readonly unknown[] = Array.isArray(events) ? events : [];
  const known = list.filter(isEventType);
  const sound = known.length > 0 && known.length === list.length;
  return sound ? ok([...new Set(known)]) : refuse({ kind: "developers.events-wrong" });
}
