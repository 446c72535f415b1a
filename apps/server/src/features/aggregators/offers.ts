import {
  isAggregatorKey,
  isOnByDefault,
  METHOD_KEYS,
  type MethodKey,
} from "@sesame/contract/aggregators";
import { mayUse } from "@sesame/contract/plans";
import type { InstanceSettings } from "@sesame/contract/settings";
import type { ProviderId } from "@sesame/providers";
import type { RawBuilder } from "kysely";
import type { App } from "../../app.ts";
import { mapPart, type Part, sideBySide } from "../../postgres/parts.ts";
import { SecretUnreadable } from "../../secrets/vault.ts";
import { currentPart } from "../../settings.ts";
import { noteUnreadable } from "./accounts.ts";
import { type KeysRow, methodsPart, type SellerMethods, viewMethods } from "./keys.view.ts";
import { openKeys } from "./sealed-keys.ts";

/** By what a buyer may pay: `keyId` names the seller's own account, null the instance's. */
export type Offer = { readonly provider: ProviderId; readonly keyId: bigint | null };

/**
 * What may be paid by now, in the instance's order; for null, a plan: the instance's accounts
 * alone. Empty: no method is open.
 */
export async function offersOf(app: App, sellerId: bigint | null): Promise<readonly Offer[]> {
  const methods = sellerId === null ? null : await viewMethods(app.db, sellerId);
  return offersBy(await rulesFor(app, methods), methods);
}

/** Ids of what a seller is paid by, as a part of his start. */
export function methodsAtStart(app: App, seller: RawBuilder<unknown>): Part<readonly string[]> {
  return mapPart(
    sideBySide({ methods: methodsPart(seller), settings: currentPart() }),
    async ({ methods, settings }) =>
      offersBy(await rulesBy(app, methods, settings), methods).map(({ provider }) => provider),
  );
}

export async function rulesFor(app: App, methods: SellerMethods | null): Promise<OfferRules> {
  return rulesBy(app, methods, await app.settings.current());
}

/** Keys that cannot be opened are found here first: the desk hears before a buyer meets them. */
async function rulesBy(
  app: App,
  methods: SellerMethods | null,
  { starsOnly }: Pick<InstanceSettings, "starsOnly">,
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

export type OfferRules = {
  /** By the instance's own accounts, in its order. */
  readonly instance: readonly MethodKey[];
  /** Nothing but Stars is taken (§6 of the decisions). */
  readonly starsOnly: boolean;
  /** Keys that cannot be opened sell nothing. */
  readonly isReadable: (row: KeysRow) => boolean;
};

/** Which account a buyer pays into by a method: the seller's own, the instance's, or none. */
export type Selling = "own" | "built-in" | "none";

/** Without a seller: the platform sells, by the instance's accounts alone. */
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

export function sellingBy(rules: OfferRules, methods: SellerMethods, provider: MethodKey): Selling {
  if (rules.starsOnly && provider !== "stars") return "none";
  if (!isOn(methods, provider)) return "none";
  const own = methods.keys.find((row) => row.provider === provider);
  if (!own || isAsleep(methods)) return builtIn(rules, provider);
  // He chose where this money goes: refused keys never send it elsewhere by themselves.
  return own.refused_at === null && rules.isReadable(own) ? "own" : "none";
}

export function isOn({ switches }: SellerMethods, provider: MethodKey): boolean {
  const own = switches.find((row) => row.provider === provider);
  return own?.active ?? isOnByDefault(provider);
}

/** Own keys are kept when premium ends, and not used. */
export function isAsleep({ plan }: SellerMethods): boolean {
  return plan === null || !mayUse(plan, "own-aggregators");
}

function builtIn({ instance, starsOnly }: OfferRules, provider: MethodKey): Selling {
  if (starsOnly && provider !== "stars") return "none";
  return instance.includes(provider) ? "built-in" : "none";
}

/** As the instance has them, then those only sellers may bring. */
function inOrder(instance: readonly MethodKey[]): MethodKey[] {
  const others = METHOD_KEYS.filter((key) => isAggregatorKey(key) && !instance.includes(key));
  return [...instance, ...others];
}
