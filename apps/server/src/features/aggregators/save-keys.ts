import {
  type AggregatorKey,
  AGGREGATOR_WORDS,
  type AggregatorsRefusal,
  maskKey,
  type UserAggregatorBody,
} from "@sesame/contract/aggregators";
import type { PlansRefusal } from "@sesame/contract/plans";
import { ok, type Result, refuse } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { type Actor, audit } from "../../audit/audit.store.ts";
import type { Db } from "../../postgres/database.ts";
import type { Keys } from "../../providers.ts";
import { SecretUnreadable } from "../../secrets/vault.ts";
import { refuseCapability } from "../plans/index.ts";
import { connect } from "./accounts.ts";
import {
  confirmKeys,
  drawKeysId,
  endKeys,
  insertKeys,
  lockSeller,
  rewriteKeys,
} from "./keys.store.ts";
import { type KeysRow, viewKeysInUse } from "./keys.view.ts";
import {
  areOfOneAccount,
  areSameKeys,
  areSandboxKeys,
  hashAccount,
  readKeys,
} from "./read-keys.ts";
import { bindingOf, openKeys } from "./sealed-keys.ts";
import { noteChange } from "./tell-change.ts";

type SaveRequest = {
  readonly sellerId: bigint;
  readonly provider: AggregatorKey;
  readonly body: UserAggregatorBody;
  readonly actor: Actor;
};

type Refused = AggregatorsRefusal | PlansRefusal;

/**
 * Saves a seller's own keys once the provider has accepted them (decision 51). Throws an Outage
 * when it does not answer: nothing is saved then.
 */
export async function saveKeys(app: App, request: SaveRequest): Promise<Result<null, Refused>> {
  const { sellerId, provider, body } = request;
  const { name } = AGGREGATOR_WORDS[provider];
  const barred = await refuseCapability(app.db, sellerId, "own-aggregators");
  if (barred) return refuse(barred);
  const seen = await viewKeysInUse(app.db, { sellerId, provider });
  const read = readKeys(provider, body, seen ? savedOf(app, seen) : {});
  if (!read.ok) return read;
  const keys = read.value;
  if (app.config.production && areSandboxKeys(keys)) {
    return refuse({ kind: "aggregators.keys-sandbox", name });
  }
  const verdict = await connect(app, provider, keys).verifyKeys();
  if (verdict === "refused") return refuse({ kind: "aggregators.keys-refused", name });
  const now = app.clock.now();
  return app.db.transaction().execute((tx) => keep(app, tx, { ...request, seen, keys, now }));
}

/** What cannot be opened is as if it were not there: the seller gives all of it again. */
function savedOf({ vault }: App, row: KeysRow): Keys {
  const keys = openKeys(vault, row);
  return keys instanceof SecretUnreadable ? {} : keys;
}

type Keeping = SaveRequest & {
  readonly seen: KeysRow | null;
  readonly keys: Keys;
  readonly now: Date;
};

async function keep(app: App, tx: Db, keeping: Keeping): Promise<Result<null, Refused>> {
  const { sellerId, provider, seen, keys, now } = keeping;
  await lockSeller(tx, sellerId);
  // His premium may have ended while the provider was asked.
  const barred = await refuseCapability(tx, sellerId, "own-aggregators");
  if (barred) return refuse(barred);
  const row = await viewKeysInUse(tx, { sellerId, provider });
  const saved = row ? savedOf(app, row) : {};
  if (row && areSameKeys(saved, keys)) {
    await confirmKeys(tx, { id: row.id, accountHash: hashAccount(provider, keys), now });
    if (row.refused_at !== null) await report(app, tx, { ...keeping, before: row, id: row.id });
    return ok(null);
  }
  if (row?.id !== seen?.id || row?.version !== seen?.version) {
    return refuse({ kind: "aggregators.changed-meanwhile" });
  }
  const id = await write(app, tx, { ...keeping, row, saved });
  await report(app, tx, { ...keeping, before: row, id });
  return ok(null);
}

/** → the row's number: the same one for the same account. */
async function write(
  { vault }: App,
  tx: Db,
  change: Keeping & { row: KeysRow | null; saved: Keys },
): Promise<bigint> {
  const { sellerId, provider, keys, row, saved, now } = change;
  const same = row && areOfOneAccount(provider, saved, keys) ? row : null;
  const id = same?.id ?? (await drawKeysId(tx));
  const place = bindingOf({ id, seller_id: sellerId, provider });
  const sealed = vault.seal(JSON.stringify(keys), place);
  const accountHash = hashAccount(provider, keys);
  const written = { id, sealed, masked: mask(keys), accountHash, now };
  if (same) {
    await rewriteKeys(tx, written);
    return id;
  }
  await endKeys(tx, { sellerId, provider, now });
  await insertKeys(tx, { sellerId, provider }, written);
  return id;
}

async function report(
  app: App,
  tx: Db,
  change: Keeping & { before: KeysRow | null; id: bigint },
): Promise<void> {
  const { sellerId, provider, actor, keys, before, id, now } = change;
  await noteChange(app, tx, { sellerId, provider, news: "saved", now });
  const deed = {
    actor,
    action: "aggregator.keys",
    subject: `seller:${sellerId}`,
    before: before && { provider, keys: String(before.id), ...before.masked },
    after: { provider, keys: String(id), ...mask(keys) },
  };
  await audit(tx, deed, now);
}

function mask(keys: Keys): Record<string, string> {
  return Object.fromEntries(Object.entries(keys).map(([name, key]) => [name, maskKey(key)]));
}
