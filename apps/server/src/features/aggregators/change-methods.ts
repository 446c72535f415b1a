import {
  type AggregatorKey,
  AGGREGATOR_WORDS,
  type AggregatorsRefusal,
  isOnByDefault,
  type MethodKey,
} from "@sesame/contract/aggregators";
import { ok, type Result, refuse } from "@sesame/kernel";
import { type Actor, audit, SYSTEM } from "../../audit/audit.store.ts";
import { connect } from "./accounts.ts";
import type { AggregatorsDeps } from "./deps.ts";
import { endKeys, lockSeller, markRefused, setSwitch } from "./keys.store.ts";
import { viewKeys, viewKeysInUse } from "./keys.view.ts";
import { openKeys } from "./sealed-keys.ts";
import { noteChange } from "./tell-change.ts";
import { SecretUnreadable } from "../../secrets/vault.ts";

type Of<K> = { readonly sellerId: bigint; readonly provider: K; readonly actor: Actor };

/** On or off for new payments; those that are open go on. */
export async function switchMethod(
  deps: AggregatorsDeps,
  { sellerId, provider, actor, active }: Of<MethodKey> & { active: boolean },
): Promise<void> {
  const now = deps.clock.now();
  await deps.db.transaction().execute(async (tx) => {
    await lockSeller(tx, sellerId);
    const own = await setSwitch(tx, { sellerId, provider, active, now });
    const before = own ?? isOnByDefault(provider);
    if (before === active) return;
    await noteChange(deps, tx, { sellerId, provider, news: "switched", now });
    const deed = { actor, action: "aggregator.switch", subject: `seller:${sellerId}` };
    const change = { before: { provider, active: before }, after: { provider, active } };
    await audit(tx, { ...deed, ...change }, now);
  });
}

/** Whatever the plan: the way back from one's own keys is always open. */
export async function takeKeysAway(
  deps: AggregatorsDeps,
  { sellerId, provider, actor }: Of<AggregatorKey>,
): Promise<Result<null, AggregatorsRefusal>> {
  const now = deps.clock.now();
  return deps.db.transaction().execute(async (tx) => {
    await lockSeller(tx, sellerId);
    const row = await viewKeysInUse(tx, { sellerId, provider });
    if (!row || !(await endKeys(tx, { sellerId, provider, now }))) {
      return refuse({ kind: "aggregators.no-own-keys", name: AGGREGATOR_WORDS[provider].name });
    }
    await noteChange(deps, tx, { sellerId, provider, news: "taken-away", now });
    const deed = { actor, action: "aggregator.keys", subject: `seller:${sellerId}` };
    const before = { provider, keys: String(row.id), ...row.masked };
    await audit(tx, { ...deed, before, after: { provider, keys: null } }, now);
    return ok(null);
  });
}

/** One refusal may be the provider's bad hour: the keys are asked about by themselves. */
export async function noteRefused(deps: AggregatorsDeps, keyId: bigint): Promise<void> {
  const row = await viewKeys(deps.db, keyId);
  if (!row || row.ended_at !== null || row.refused_at !== null) return;
  const keys = openKeys(deps.vault, row);
  if (keys instanceof SecretUnreadable) return;
  const { id, version, provider, seller_id: sellerId } = row;
  const verdict = await connect(deps, provider, keys)
    .verifyKeys()
    .catch(() => "unknown" as const);
  if (verdict !== "refused") return;
  const now = deps.clock.now();
  await deps.db.transaction().execute(async (tx) => {
    if (!(await markRefused(tx, { id, version, now }))) return;
    await noteChange(deps, tx, { sellerId, provider, news: "refused", now });
    const deed = { actor: SYSTEM, action: "aggregator.refused", subject: `seller:${sellerId}` };
    await audit(tx, { ...deed, after: { provider, keys: String(id), ...row.masked } }, now);
  });
}
