import * as contract from "@sesame/contract/developers";
import { assert, ok } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { actorOf } from "../../audit/audit.store.ts";
import { on, once } from "../../http/on.ts";
import type { Principal, HttpServer } from "../../http/server.ts";
import { refuseCapability } from "../plans/index.ts";
import { pageOf, registerApi } from "./api.ts";
import { deliveryShown, listSellerDeliveries, pingIn, replayIn } from "./deliveries.ts";
import {
  addEndpointIn,
  changeEndpointIn,
  deleteEndpointIn,
  endpointShown,
  findEndpoint,
  listEndpoints,
  NO_ENDPOINT,
  rotateSecretIn,
} from "./endpoints.ts";
import { createKeyIn, getKey, listKeys, revokeKeyIn } from "./keys.ts";
import { openSecrets } from "./secrets.ts";

/** Routes of keys and endpoints, and of the API. */
export function registerDevelopersHttp(app: App, http: HttpServer): void {
  on(http, contract.readDevelopers, async ({ caller: { personId } }) => {
    const now = app.clock.now();
    const [barred, keys, endpoints] = await Promise.all([
      refuseCapability(app.db, personId, "developer-api"),
      listKeys(app.db, personId),
      listEndpoints(app.db, personId),
    ]);
    return {
      open: barred === null,
      keys,
      endpoints: endpoints.map((row) => endpointShown(row, now)),
      scopes: contract.KEY_SCOPES.map((key) => ({ key, label: contract.SCOPE_NAMES[key] })),
      events: contract.EVENT_TYPES.map((key) => ({ key, label: contract.EVENT_NAMES[key] })),
      limits: {
        keys: contract.KEYS_MAX,
        endpoints: contract.ENDPOINTS_MAX,
        deliveries_days: contract.DELIVERIES_DAYS,
      },
    };
  });
  on(http, contract.createDeveloperKey, async ({ body, caller, call }) => {
    const { personId: sellerId } = caller;
    const asked = { sellerId, actor: actorOf(caller), name: body?.name, scopes: body?.scopes };
    // Only the first call answers with the key itself; a repeat gets the answer without it.
    let secret: string | null = null;
    const created = await once(app, call, async (tx) => {
      const key = await createKeyIn(app, tx, asked);
      if (!key.ok) return key;
      secret = key.value.secret;
      return ok(String(key.value.id));
    });
    if (!created.ok) return created;
    const key = await getKey(app.db, sellerId, BigInt(created.value));
    return {
      message: secret === null ? contract.KEY_CREATED_BEFORE : contract.KEY_CREATED,
      key,
      secret,
    };
  });
  on(http, contract.revokeDeveloperKey, async ({ params: { id }, caller, call }) => {
    const revoked = await once(app, call, (tx) => revokeKeyIn(app, tx, namedBy(caller, id)));
    return revoked.ok ? { message: contract.KEY_REVOKED } : revoked;
  });

  // Routes of endpoints. The stored answer of a call never contains a secret.
  on(http, contract.addEndpoint, async ({ body, caller, call }) => {
    const { personId: sellerId } = caller;
    const added = await once(app, call, async (tx) => {
      const asked = { sellerId, actor: actorOf(caller), fields: body ?? {} };
      const id = await addEndpointIn(app, tx, asked);
      return id.ok ? ok(String(id.value)) : id;
    });
    if (!added.ok) return added;
    return withSecret(app, { sellerId, id: BigInt(added.value) }, contract.ENDPOINT_CREATED);
  });
  on(http, contract.rotateSecret, async ({ params, caller, call }) => {
    const named = namedBy(caller, params.id);
    const rotated = await once(app, call, (tx) => rotateSecretIn(app, tx, named));
    return rotated.ok ? withSecret(app, named, contract.SECRET_ROTATED) : rotated;
  });
  on(http, contract.changeEndpoint, async ({ params, body, caller, call }) => {
    const named = { ...namedBy(caller, params.id), fields: body ?? {} };
    const changed = await once(app, call, (tx) => changeEndpointIn(app, tx, named));
    if (!changed.ok) return changed;
    const row = await findEndpoint(app.db, named);
    if (!row) return NO_ENDPOINT;
    return { message: contract.ENDPOINT_CHANGED, endpoint: endpointShown(row, app.clock.now()) };
  });
  on(http, contract.removeEndpoint, async ({ params: { id }, caller, call }) => {
    const removed = await once(app, call, (tx) => deleteEndpointIn(app, tx, namedBy(caller, id)));
    return removed.ok ? { message: contract.ENDPOINT_DELETED } : removed;
  });

  // Routes of deliveries, their attempts, and replays.
  on(http, contract.listDeliveries, async ({ query, caller }) => {
    const asked = { ...query, limit: query.limit + 1 };
    const rows = await listSellerDeliveries(app.db, caller.personId, asked);
    const { data: deliveries, next_cursor } = pageOf(rows, query.limit);
    return { deliveries, next_cursor };
  });
  on(http, contract.readDelivery, ({ params, caller }) => {
    return deliveryShown(app.db, { sellerId: caller.personId, id: params.id });
  });
  // Absent if it was deleted since the first call with this key.
  on(http, contract.replayDelivery, async ({ params: { id }, caller, call }) => {
    const named = namedBy(caller, id);
    const sent = await once(app, call, (tx) => replayIn(app, tx, named));
    return sent.ok ? deliveryShown(app.db, named, contract.REPLAY_SENT) : sent;
  });
  on(http, contract.pingEndpoint, async ({ params: { id }, caller, call }) => {
    const named = namedBy(caller, id);
    const sent = await once(app, call, (tx) => pingIn(app, tx, named));
    if (!sent.ok) return sent;
    return deliveryShown(app.db, { ...named, id: BigInt(sent.value) }, contract.PING_SENT);
  });

  registerApi(app, http);
}

/**
 * Adds the secret when its seller has just created or changed it. Not found if it was deleted since
 * the first call with this key.
 */
async function withSecret(app: App, of: { sellerId: bigint; id: bigint }, message: string) {
  const row = await findEndpoint(app.db, of);
  if (!row) return NO_ENDPOINT;
  const now = app.clock.now();
  const [secret] = openSecrets(app.vault, { row, now }) ?? [];
  assert(secret, "a secret sealed just now opens");
  return { message, endpoint: endpointShown(row, now), secret };
}

function namedBy(caller: Principal, id: bigint) {
  return { sellerId: caller.personId, id, actor: actorOf(caller) };
}
