import * as providers from "../checkout/providers.fr.ts";

/** Every method that a seller can switch on and off. */
export type MethodKey = providers.KnownProvider;

/** Providers where a seller may use an account of their own; Stars belong to the instance's bot. */
export type AggregatorKey = {
  [K in providers.KnownProvider]: (typeof providers.PROVIDERS)[K]["keys"] extends null ? never : K;
}[providers.KnownProvider];
export const AGGREGATOR_KEYS: readonly AggregatorKey[] =
  providers.KNOWN_PROVIDERS.filter(isAggregatorKey);

/** Keys are copied from a screen: visible characters without blanks. */
export const KEY_PATTERN = /^[\x21-\x7e]{8,300}$/;

export function isAggregatorKey(key: string): key is AggregatorKey {
  return providers.isKnownProvider(key) && providers.PROVIDERS[key].keys !== null;
}

/** The method of its name in an address: the paths of B use "monero", old links a provider's name (decision 48). */
export function methodNamed(written: string): string {
  const key = written.trim().toLowerCase().replaceAll(/[\s-]/g, "");
  return key === "monero" ? "moneroo" : key;
}

const SHOWN_AT_THE_END = 4;

/** "pk_live_abcd1234" becomes "pk_live_…1234": recognisable, but not usable (decision 51). */
export function maskKey(key: string): string {
  // Of a short key nothing is shown: the rest could be guessed.
  if (key.length < 16) return "…";
  const [prefix = ""] = /^[a-z]{1,8}_(?:(?:live|test|sandbox|prod)_)?/.exec(key) ?? [];
  return `${prefix}…${key.slice(-SHOWN_AT_THE_END)}`;
}
