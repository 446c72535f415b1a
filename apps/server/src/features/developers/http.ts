import {
  addEndpoint,
  changeApiProduct,
  changeEndpoint,
  createDeveloperKey,
  DELIVERIES_DAYS,
  ENDPOINT_CHANGED,
  ENDPOINT_CREATED,
  ENDPOINT_DELETED,
  ENDPOINTS_MAX,
  EVENT_NAMES,
  EVENT_TYPES,
  KEY_CREATED,
  KEY_CREATED_BEFORE,
  KEY_REVOKED,
  KEY_SCOPES,
  KEYS_MAX,
  listApiAccesses,
  listApiOrders,
  listApiProducts,
  listDeliveries,
  PING_SENT,
  pingEndpoint,
  REPLAY_SENT,
  readApiOrder,
  readApiProduct,
  readApiStatistics,
  readDelivery,
  readDevelopers,
  removeEndpoint,
  replayDelivery,
  revokeDeveloperKey,
  rotateSecret,
  SCOPE_NAMES,
  SECRET_ROTATED,
} from "@sesame/contract/developers";
import { assert, ok, refuse } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { actorOf } from "../../audit/audit.store.ts";
import { on } from "../../http/on.ts";
import { once } from "../../http/once.ts";
import type { Principal } from "../../http/principal.ts";
import type { HttpServer } from "../../http/server.ts";
import { editProduct, productOf, productsPage } from "../catalogue/index.ts";
import { refuseCapability } from "../plans/index.ts";
import { statisticsOf } from "../reports/index.ts";
import { accessToApi, orderToApi, productToApi, statisticsToApi } from "./api-on-wire.ts";
import { viewAccesses, viewOrder, viewOrders } from "./api.view.ts";
import {
  addEndpointIn,
  changeEndpointIn,
  deleteEndpointIn,
  rotateSecretIn,
} from "./change-endpoints.ts";
import { createKeyIn, revokeKeyIn } from "./keys.ts";
import { viewAttempts, viewDeliveries, viewDelivery } from "./deliveries.view.ts";
import { viewEndpoint, viewEndpoints } from "./endpoints.view.ts";
import { viewKey, viewKeys } from "./keys.view.ts";
import { attemptToWire, deliveryToWire, endpointToWire, keyToWire } from "./on-wire.ts";
import { openSecrets } from "./secrets.ts";
import { pingIn, replayIn } from "./send-again.ts";

const NO_ENDPOINT = refuse({ kind: "developers.endpoint-not-found" } as const);
const NO_DELIVERY = refuse({ kind: "developers.delivery-not-found" } as const);

/** The page of keys and endpoints, what is done there, and the API of the keys. */
export function registerDevelopersHttp(app: App, http: HttpServer): void {
  on(http, readDevelopers, async ({ caller: { personId } }) => {
    const now = app.clock.now();
    const [barred, keys, endpoints] = await Promise.all([
      refuseCapability(app.db, personId, "developer-api"),
      viewKeys(app.db, personId),
      viewEndpoints(app.db, personId),
    ]);
    return {
      open: barred === null,
      keys: keys.map(keyToWire),
      endpoints: endpoints.map((row) => endpointToWire(row, now)),
      scopes: KEY_SCOPES.map((key) => ({ key, label: SCOPE_NAMES[key] })),
      events: EVENT_TYPES.map((key) => ({ key, label: EVENT_NAMES[key] })),
      limits: { keys: KEYS_MAX, endpoints: ENDPOINTS_MAX, deliveries_days: DELIVERIES_DAYS },
    };
  });
  registerKeys(app, http);
  registerEndpoints(app, http);
  registerDeliveries(app, http);
  registerApi(app, http);
}

function registerKeys(app: App, http: HttpServer): void {
  on(http, createDeveloperKey, async ({ body, caller, call }) => {
    const { personId: sellerId } = caller;
    const asked = { sellerId, actor: actorOf(caller), name: body?.name, scopes: body?.scopes };
    // The key itself stays in this call: its repetition is answered without it.
    let secret: string | null = null;
    const created = await once(app, call, async (tx) => {
      const key = await createKeyIn(app, tx, asked);
      if (!key.ok) return key;
      secret = key.value.secret;
      return ok(String(key.value.id));
    });
    if (!created.ok) return created;
    const row = await viewKey(app.db, sellerId, BigInt(created.value));
    assert(row, "the key was created");
    const message = secret === null ? KEY_CREATED_BEFORE : KEY_CREATED;
    return { message, key: keyToWire(row), secret };
  });
  on(http, revokeDeveloperKey, async ({ params: { id }, caller, call }) => {
    const revoked = await once(app, call, (tx) => revokeKeyIn(app, tx, namedBy(caller, id)));
    return revoked.ok ? { message: KEY_REVOKED } : revoked;
  });
}

/** Where a seller's events go. What `once` keeps is never a secret. */
function registerEndpoints(app: App, http: HttpServer): void {
  on(http, addEndpoint, async ({ body, caller, call }) => {
    const { personId: sellerId } = caller;
    const added = await once(app, call, async (tx) => {
      const asked = { sellerId, actor: actorOf(caller), fields: body ?? {} };
      const id = await addEndpointIn(app, tx, asked);
      return id.ok ? ok(String(id.value)) : id;
    });
    if (!added.ok) return added;
    return withSecret(app, { sellerId, id: BigInt(added.value) }, ENDPOINT_CREATED);
  });
  on(http, rotateSecret, async ({ params, caller, call }) => {
    const named = namedBy(caller, params.id);
    const rotated = await once(app, call, (tx) => rotateSecretIn(app, tx, named));
    return rotated.ok ? withSecret(app, named, SECRET_ROTATED) : rotated;
  });
  on(http, changeEndpoint, async ({ params, body, caller, call }) => {
    const named = { ...namedBy(caller, params.id), fields: body ?? {} };
    const changed = await once(app, call, (tx) => changeEndpointIn(app, tx, named));
    if (!changed.ok) return changed;
    const row = await viewEndpoint(app.db, named);
    if (!row) return NO_ENDPOINT;
    return { message: ENDPOINT_CHANGED, endpoint: endpointToWire(row, app.clock.now()) };
  });
  on(http, removeEndpoint, async ({ params: { id }, caller, call }) => {
    const removed = await once(app, call, (tx) => deleteEndpointIn(app, tx, namedBy(caller, id)));
    return removed.ok ? { message: ENDPOINT_DELETED } : removed;
  });
}

/** What was sent, what was answered, and once more by hand. */
function registerDeliveries(app: App, http: HttpServer): void {
  on(http, listDeliveries, async ({ query, caller }) => {
    const { cursor = "", limit, endpoint: endpointId = null } = query;
    if (!/^\d{0,18}$/.test(cursor)) return refuse({ kind: "request.malformed" });
    const before = cursor === "" ? null : BigInt(cursor);
    const asked = { before, limit: limit + 1, endpointId };
    const rows = await viewDeliveries(app.db, caller.personId, asked);
    const { data: deliveries, next_cursor } = pageOf(rows, limit, deliveryToWire);
    return { deliveries, next_cursor };
  });
  on(http, readDelivery, async ({ params, caller }) => {
    return (await deliveryOf(app, caller, params.id)) ?? NO_DELIVERY;
  });
  // Forgotten since, when this is the repetition of a call of before.
  on(http, replayDelivery, async ({ params: { id }, caller, call }) => {
    const sent = await once(app, call, (tx) => replayIn(app, tx, namedBy(caller, id)));
    if (!sent.ok) return sent;
    const answer = await deliveryOf(app, caller, id);
    return answer ? { ...answer, message: REPLAY_SENT } : NO_DELIVERY;
  });
  on(http, pingEndpoint, async ({ params: { id }, caller, call }) => {
    const sent = await once(app, call, (tx) => pingIn(app, tx, namedBy(caller, id)));
    if (!sent.ok) return sent;
    const answer = await deliveryOf(app, caller, BigInt(sent.value));
    return answer ? { ...answer, message: PING_SENT } : NO_DELIVERY;
  });
}

/** The developer API: what a seller's own programs read, by key. */
function registerApi(app: App, http: HttpServer): void {
  on(http, listApiProducts, async ({ query: { cursor: before = null, limit }, caller }) => {
    const rows = await productsPage(app, caller.personId, { before, limit: limit + 1 });
    return pageOf(rows, limit, productToApi);
  });
  on(http, readApiProduct, async ({ params, caller }) => {
    const found = await productOf(app, caller.personId, params.id);
    return found.ok ? productToApi(found.value) : found;
  });
  on(http, changeApiProduct, async ({ params, body, caller }) => {
    const named = { sellerId: caller.personId, productId: params.id };
    const status = body?.status;
    // About another's product, even a wrong body tells nothing.
    const found = await productOf(app, named.sellerId, named.productId);
    if (!found.ok) return found;
    if (status !== "active" && status !== "inactive") return refuse({ kind: "request.malformed" });
    const edited = await editProduct(app, { ...named, form: { fields: { status }, image: null } });
    return edited.ok ? productToApi(edited.value) : edited;
  });
  on(http, listApiOrders, async ({ query, caller }) => {
    const { cursor: before = null, limit, status = null, product_id: productId = null } = query;
    const asked = { before, limit: limit + 1, filter: { status, productId } };
    return pageOf(await viewOrders(app.db, caller.personId, asked), limit, orderToApi);
  });
  on(http, readApiOrder, async ({ params, caller }) => {
    const row = await viewOrder(app.db, caller.personId, params.id);
    return row ? orderToApi(row) : refuse({ kind: "request.not-yours" });
  });
  on(http, readApiStatistics, async ({ query: { period }, caller }) =>
    statisticsToApi(await statisticsOf(app, caller.personId, period)),
  );
  on(http, listApiAccesses, async ({ query, caller }) => {
    const { cursor: before = null, limit, status = null, group_id: groupId = null } = query;
    const asked = { before, limit: limit + 1, filter: { status, groupId } };
    return pageOf(await viewAccesses(app.db, caller.personId, asked), limit, accessToApi);
  });
}

function namedBy(caller: Principal, id: bigint) {
  return { sellerId: caller.personId, id, actor: actorOf(caller) };
}

/**
 * Its secret is shown to its seller when he has just made or changed it. Not found: deleted since,
 * and this is the repetition of a call of before.
 */
async function withSecret(app: App, of: { sellerId: bigint; id: bigint }, message: string) {
  const row = await viewEndpoint(app.db, of);
  if (!row) return NO_ENDPOINT;
  const now = app.clock.now();
  const [secret] = openSecrets(app.vault, { row, now }) ?? [];
  assert(secret, "a secret sealed just now opens");
  return { message, endpoint: endpointToWire(row, now), secret };
}

async function deliveryOf({ db }: App, { personId }: Principal, id: bigint) {
  const row = await viewDelivery(db, personId, id);
  if (!row) return null;
  const log = (await viewAttempts(db, id)).map(attemptToWire);
  return { message: row.type, delivery: deliveryToWire(row), body: row.body, log };
}

/** One row more than asked for says that more follow; the last one shown is the next cursor. */
function pageOf<Row extends { readonly id: bigint | string }, T>(
  rows: readonly Row[],
  limit: number,
  write: (row: Row) => T,
) {
  const shown = rows.slice(0, limit);
  const next = rows.length > limit ? String(shown.at(-1)?.id) : null;
  return { data: shown.map(write), next_cursor: next };
}
