import {
  AGGREGATOR_WORDS,
  type AggregatorsRefusal,
  isAggregatorKey,
  isMethodKey,
  isOnByDefault,
  type MethodKey,
  type UserAggregatorBody,
  type UserAggregatorOnWire,
} from "@sesame/contract/aggregators";
import type { PlansRefusal } from "@sesame/contract/plans";
import { type Result, refuse } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { type Actor, audit, SYSTEM } from "../../audit/audit.store.ts";
import { SecretUnreadable } from "../../secrets/vault.ts";
import { connect } from "./accounts.ts";
import { endKeys, lockSeller, markRefused, setSwitch } from "./keys.store.ts";
import { viewKeys, viewKeysInUse } from "./keys.view.ts";
import { methodOf, UNKNOWN } from "./on-wire.ts";
import { namesKeys } from "./read-keys.ts";
import { saveKeys } from "./save-keys.ts";
import { openKeys } from "./sealed-keys.ts";
import { noteChange } from "./tell-change.ts";

type Change = {
  readonly sellerId: bigint;
  /** As it stands in the address. */
  readonly key: string;
  readonly actor: Actor;
};

/** Keys first, then the switch. Throws an Outage when the provider does not answer. */
export async function changeMethod(
  app: App,
  { sellerId, key, actor, body }: Change & { body: UserAggregatorBody },
): Promise<Result<UserAggregatorOnWire, AggregatorsRefusal | PlansRefusal>> {
  if (!isMethodKey(key)) return UNKNOWN;
  if (namesKeys(body)) {
    if (!isAggregatorKey(key)) return UNKNOWN;
    const saved = await saveKeys(app, { sellerId, provider: key, body, actor });
    if (!saved.ok) return saved;
  }
  const { isActive: active } = body;
  if (active !== undefined) await switchMethod(app, { sellerId, provider: key, actor, active });
  return methodOf(app, sellerId, key);
}

type Switch = {
  readonly sellerId: bigint;
  readonly provider: MethodKey;
  readonly actor: Actor;
  readonly active: boolean;
};

/** On or off for new payments; those that are open go on. */
async function switchMethod(
  app: App,
  { sellerId, provider, actor, active }: Switch,
): Promise<void> {
  const now = app.clock.now();
  await app.db.transaction().execute(async (tx) => {
    await lockSeller(tx, sellerId);
    const own = await setSwitch(tx, { sellerId, provider, active, now });
    const before = own ?? isOnByDefault(provider);
    if (before === active) return;
    await noteChange(app, tx, { sellerId, provider, news: "switched", now });
    const deed = { actor, action: "aggregator.switch", subject: `seller:${sellerId}` };
    const change = { before: { provider, active: before }, after: { provider, active } };
    await audit(tx, { ...deed, ...change }, now);
  });
}

/** Whatever the plan: the way back from one's own keys is always open. */
export async function takeKeysAway(
  app: App,
  { sellerId, key: provider, actor }: Change,
): Promise<Result<UserAggregatorOnWire, AggregatorsRefusal>> {
  if (!isAggregatorKey(provider)) return UNKNOWN;
  const now = app.clock.now();
  const taken = await app.db.transaction().execute(async (tx) => {
    await lockSeller(tx, sellerId);
    const row = await viewKeysInUse(tx, { sellerId, provider });
    if (!row || !(await endKeys(tx, { sellerId, provider, now }))) return false;
    await noteChange(app, tx, { sellerId, provider, news: "taken-away", now });
    const deed = { actor, action: "aggregator.keys", subject: `seller:${sellerId}` };
    const before = { provider, keys: String(row.id), ...row.masked };
    await audit(tx, { ...deed, before, after: { provider, keys: null } }, now);
    return true;
  });
  if (taken) return methodOf(app, sellerId, provider);
  return refuse({ kind: "aggregators.no-own-keys", name: AGGREGATOR_WORDS[provider].name });
}

/**
 * The provider answered `keys` to a payment by a seller's own account. One refusal may be its bad
 * hour: the keys are asked about by themselves, and when they are refused again they sell nothing
 * any more and the seller is told.
 */
export async function noteRefused(app: App, keyId: bigint): Promise<void> {
  const row = await viewKeys(app.db, keyId);
  if (!row || row.ended_at !== null || row.refused_at !== null) return;
  const keys = openKeys(app.vault, row);
  if (keys instanceof SecretUnreadable) return;
  const { id, version, provider, seller_id: sellerId } = row;
  const verdict = await connect(app, provider, keys)
    .verifyKeys()
    .catch(() => "unknown" as const);
  if (verdict !== "refused") return;
  const now = app.clock.now();
  await app.db.transaction().execute(async (tx) => {
    if (!(await markRefused(tx, { id, version, now }))) return;
    await noteChange(app, tx, { sellerId, provider, news: "refused", now });
    const deed = { actor: SYSTEM, action: "aggregator.refused", subject: `seller:${sellerId}` };
    await audit(tx, { ...deed, after: { provider, keys: String(id), ...row.masked } }, now);
  });
}
