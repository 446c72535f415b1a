import { isAggregatorKey, isOnByDefault, METHOD_KEYS } from "@sesame/contract/aggregators";
import type { MethodKey } from "@sesame/contract/aggregators";
import { mayUse } from "@sesame/contract/plans";
import type { Offer } from "./door.ts";
import type { KeysRow, SellerMethods } from "./keys.view.ts";

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
