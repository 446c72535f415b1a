import { KNOWN_PROVIDERS, PROVIDERS } from "@sesame/contract/checkout";
import { isAggregatorKey, type MethodKey } from "@sesame/contract/payment-accounts";
import { mayUse, type Plan } from "@sesame/contract/plans";
import type { InstanceSettings } from "@sesame/contract/back-office";
import type { ProviderId } from "@sesame/providers";
import { type RawBuilder, sql } from "kysely";
import type { App } from "../../app.ts";
import { type Db, one } from "../../postgres/database.ts";
import {
  answerRowsPart,
  mapPart,
  type Part,
  rowsPart,
  type SellerPart,
  sideBySide,
} from "../../postgres/parts.ts";
import { apiUrlsOf } from "../../providers.ts";
import { SecretUnreadable } from "../../secrets/vault.ts";
import { currentPart } from "../../settings.ts";
import { KEYS_COLUMNS, type KeysRow, noteUnreadable, openKeys } from "./keys.ts";

type SwitchRow = {
  readonly provider: MethodKey;
  readonly active: boolean;
  readonly changed_at: Date;
};

export type SellerMethods = {
  readonly plan: Plan | null;
  readonly keys: readonly KeysRow[];
  readonly switches: readonly SwitchRow[];
};

/** A seller's methods and keys. An unknown seller has the instance's methods. */
async function viewMethods(db: Db, sellerId: bigint): Promise<SellerMethods> {
  const part = methodsPart(sql`${sellerId}::bigint`);
  const { json } = await one<{ json: unknown }>(db)`SELECT ${part.json} AS json`;
  return part.read(json);
}

/** The same, as a part of the seller's start. */
const methodsPart: SellerPart<SellerMethods> = (seller) =>
  mapPart(
    sideBySide({
      sellers: answerRowsPart(
        sql<{ plan: Plan | null }>`SELECT plan FROM sellers WHERE id = ${seller}`,
      ),
      keys: rowsPart<KeysRow>(
        sql`SELECT ${KEYS_COLUMNS} FROM seller_keys k
          WHERE k.seller_id = ${seller} AND k.ended_at IS NULL`,
        {
          id: "bigint",
          seller_id: "bigint",
          secrets: "bytes",
          changed_at: "instant",
          verified_at: "instant",
          refused_at: "instant",
          ended_at: "instant",
        },
      ),
      switches: rowsPart<SwitchRow>(
        sql`SELECT m.provider, m.active, m.changed_at FROM seller_methods m
          WHERE m.seller_id = ${seller}`,
        { changed_at: "instant" },
      ),
    }),
    ({ sellers, keys, switches }) => ({ plan: sellers[0]?.plan ?? null, keys, switches }),
  );

/** A way to pay: `keyId` is the seller's own account, null the instance's. */
export type Offer = { readonly provider: ProviderId; readonly keyId: bigint | null };

/**
 * What is open for payments now, in the instance's order; for null, a plan: only the instance's
 * accounts. Empty: no method is open.
 */
export async function offersOf(app: App, sellerId: bigint | null): Promise<readonly Offer[]> {
  const methods = sellerId === null ? null : await viewMethods(app.db, sellerId);
  return offersBy(await rulesBy(app, methods, await app.settings.current()), methods);
}

/** Ids of the open providers, as a part of the seller's start. */
export function methodsAtStart(app: App, seller: RawBuilder<unknown>): Part<readonly string[]> {
  return mapPart(
    sideBySide({ methods: methodsPart(seller), settings: currentPart() }),
    async ({ methods, settings }) =>
      offersBy(await rulesBy(app, methods, settings), methods).map(({ provider }) => provider),
  );
}

/** Keys that cannot be decrypted are found here first: the back office is alerted before a buyer pays. */
async function rulesBy(
  app: App,
  methods: SellerMethods | null,
  { stars_only: starsOnly }: InstanceSettings,
): Promise<OfferRules> {
  const unreadable = new Set<bigint>();
  for (const row of methods?.keys ?? []) {
    const opened = openKeys(app.vault, row);
    if (!(opened instanceof SecretUnreadable)) continue;
    unreadable.add(row.id);
    await noteUnreadable(app, row, opened);
  }
  return {
    instance: app.providers.map(({ id }) => id),
    starsOnly,
    isReadable: ({ id }) => !unreadable.has(id),
  };
}

type OfferRules = {
  /** Providers with an account of the instance, in its order. */
  readonly instance: readonly MethodKey[];
  /** Only Stars are accepted (part 6 of the product decisions). */
  readonly starsOnly: boolean;
  /** Keys that cannot be decrypted sell nothing. */
  readonly isReadable: (row: KeysRow) => boolean;
};

type Selling = "own" | "built-in" | "none";

/** Without a seller the platform sells, with the instance's accounts alone. */
export function offersBy(rules: OfferRules, methods: SellerMethods | null): Offer[] {
  const offers: Offer[] = [];
  for (const provider of inOrder(rules.instance)) {
    const selling = methods ? sellingBy(rules, methods, provider) : builtIn(rules, provider);
    if (selling === "none") continue;
    const own = selling === "own" ? methods?.keys.find((row) => row.provider === provider) : null;
    offers.push({ provider, keyId: own?.id ?? null });
  }
  return offers;
}

function sellingBy(rules: OfferRules, methods: SellerMethods, provider: MethodKey): Selling {
  if (rules.starsOnly && provider !== "stars") return "none";
  if (!isOn(methods, provider)) return "none";
  const own = methods.keys.find((row) => row.provider === provider);
  if (!own || isAsleep(methods)) return builtIn(rules, provider);
  // The seller chose this account: refused keys never move the money elsewhere.
  return own.refused_at === null && rules.isReadable(own) ? "own" : "none";
}

function isOn({ switches }: SellerMethods, provider: MethodKey): boolean {
  const own = switches.find((row) => row.provider === provider);
  return own?.active ?? PROVIDERS[provider].onByDefault;
}

/** Own keys are kept when premium ends, but not used. */
const isAsleep = ({ plan }: SellerMethods): boolean =>
  plan === null || !mayUse(plan, "own-aggregators");

function builtIn({ instance, starsOnly }: OfferRules, provider: MethodKey): Selling {
  if (starsOnly && provider !== "stars") return "none";
  return instance.includes(provider) ? "built-in" : "none";
}

/** The instance's order, then providers that only sellers can bring. */
function inOrder(instance: readonly MethodKey[]): MethodKey[] {
  const others = KNOWN_PROVIDERS.filter((key) => isAggregatorKey(key) && !instance.includes(key));
  return [...instance, ...others];
}

/** The providers that can be configured, the same for everybody. */
export function knownAggregators({ config, providers }: App) {
  const apiUrls = apiUrlsOf(config);
  return KNOWN_PROVIDERS.map((key) => ({
    key,
    ...PROVIDERS[key].seller,
    apiUrl: apiUrls[key],
    countries: PROVIDERS[key].countries.map(({ name }) => name),
    requiredKeys: PROVIDERS[key].keys ?? [],
    open: providers.some(({ id }) => id === key),
  })).filter(({ requiredKeys, open }) => open || requiredKeys.length > 0);
}

/** A seller's methods, with their settings. */
export async function methodsOf(app: App, sellerId: bigint) {
  const methods = await viewMethods(app.db, sellerId);
  const rules = await rulesBy(app, methods, await app.settings.current());
  return KNOWN_PROVIDERS.filter(
    (key) => isAggregatorKey(key) || app.providers.some(({ id }) => id === key),
  ).map((key) => {
    const own = methods.keys.find((row) => row.provider === key);
    const switched = methods.switches.find((row) => row.provider === key)?.changed_at ?? null;
    return {
      key,
      name: PROVIDERS[key].seller.name,
      isActive: isOn(methods, key),
      builtIn: rules.instance.includes(key),
      selling: sellingBy(rules, methods, key),
      own: own
        ? {
            keys: own.masked,
            updatedAt: own.changed_at,
            verifiedAt: own.verified_at,
            refusedAt: own.refused_at,
            readable: rules.isReadable(own),
            asleep: isAsleep(methods),
            webhookUrl: `${app.config.publicUrl}/webhooks/${own.provider}/${own.id}`,
          }
        : null,
      updatedAt: latest(switched, own?.changed_at ?? null),
    };
  });
}

function latest(a: Date | null, b: Date | null): Date | null {
  if (!a || !b) return a ?? b;
  return a > b ? a : b;
}
