import {
  AGGREGATOR_WORDS,
  type AggregatorOnWire,
  type AggregatorsRefusal,
  isAggregatorKey,
  KEY_HINTS,
  KEY_LABELS,
  KEY_RULES,
  METHOD_KEYS,
  type MethodKey,
  type UserAggregatorOnWire,
} from "@sesame/contract/aggregators";
import { PAYMENT_PROVIDERS } from "@sesame/contract/checkout";
import { ok, type Result, refuse } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { apiUrlsOf } from "../../providers.ts";
import { type KeysRow, type SellerMethods, viewMethods } from "./keys.view.ts";
import { isAsleep, isOn, type OfferRules, rulesFor, sellingBy } from "./offers.ts";

/** What there is to configure, the same for everybody. */
export function knownAggregators({ config, providers }: App): AggregatorOnWire[] {
  const apiUrls = apiUrlsOf(config);
  return METHOD_KEYS.map((key) => ({
    key,
    ...AGGREGATOR_WORDS[key],
    apiUrl: apiUrls[key],
    countries: PAYMENT_PROVIDERS[key].countries.map(({ name }) => name),
    requiredKeys: requiredKeysOf(key),
    open: providers.some(({ id }) => id === key),
  })).filter(({ requiredKeys, open }) => open || requiredKeys.length > 0);
}

function requiredKeysOf(key: MethodKey): AggregatorOnWire["requiredKeys"] {
  if (!isAggregatorKey(key)) return [];
  return KEY_RULES[key].map(({ name, required, secret }) => ({
    name,
    label: KEY_LABELS[name],
    secret,
    optional: !required,
    hint: KEY_HINTS[key][name] ?? "",
  }));
}

/** A seller's methods, as he configures them. */
export async function methodsOf(app: App, sellerId: bigint): Promise<UserAggregatorOnWire[]> {
  const methods = await viewMethods(app.db, sellerId);
  const shown = { rules: await rulesFor(app, methods), publicUrl: app.config.publicUrl };
  return METHOD_KEYS.filter(
    (key) => isAggregatorKey(key) || app.providers.some(({ id }) => id === key),
  ).map((key) => userAggregatorToWire(key, methods, shown));
}

export const UNKNOWN = refuse({ kind: "aggregators.unknown" } as const);

export async function methodOf(
  app: App,
  sellerId: bigint,
  key: string,
): Promise<Result<UserAggregatorOnWire, AggregatorsRefusal>> {
  const one = (await methodsOf(app, sellerId)).find((aggregator) => aggregator.key === key);
  return one ? ok(one) : UNKNOWN;
}

type Shown = { readonly rules: OfferRules; readonly publicUrl: string };

function userAggregatorToWire(
  key: MethodKey,
  methods: SellerMethods,
  { rules, publicUrl }: Shown,
): UserAggregatorOnWire {
  const own = methods.keys.find((row) => row.provider === key) ?? null;
  const changed = methods.switches.find((row) => row.provider === key)?.changed_at ?? null;
  return {
    key,
    name: AGGREGATOR_WORDS[key].name,
    isActive: isOn(methods, key),
    builtIn: rules.instance.includes(key),
    selling: sellingBy(rules, methods, key),
    own: own && ownToWire(own, { rules, publicUrl, asleep: isAsleep(methods) }),
    updatedAt: latest(changed, own?.changed_at ?? null)?.toISOString() ?? null,
  };
}

function ownToWire(
  row: KeysRow,
  { rules, publicUrl, asleep }: Shown & { asleep: boolean },
): NonNullable<UserAggregatorOnWire["own"]> {
  return {
    keys: row.masked,
    updatedAt: row.changed_at.toISOString(),
    verifiedAt: row.verified_at.toISOString(),
    refusedAt: row.refused_at?.toISOString() ?? null,
    readable: rules.isReadable(row),
    asleep,
    webhookUrl: `${publicUrl}/webhooks/${row.provider}/${row.id}`,
  };
}

function latest(a: Date | null, b: Date | null): Date | null {
  if (!a || !b) return a ?? b;
  return a > b ? a : b;
}
