import {
  isKnownProvider,
  KNOWN_PROVIDERS,
  type KnownProvider,
  PROVIDERS,
} from "../checkout/providers.fr.ts";

/** Every method that a seller can switch on and off. */
export type MethodKey = KnownProvider;

/** Providers where a seller may use an account of their own; Stars belong to the instance's bot. */
export type AggregatorKey = {
  [K in KnownProvider]: (typeof PROVIDERS)[K]["keys"] extends null ? never : K;
}[KnownProvider];
export const AGGREGATOR_KEYS: readonly AggregatorKey[] = KNOWN_PROVIDERS.filter(isAggregatorKey);

/** A key is copied from a screen: visible characters, no blank inside. */
export const KEY_PATTERN = /^[\x21-\x7e]{8,300}$/;

export function isAggregatorKey(key: string): key is AggregatorKey {
  return isKnownProvider(key) && PROVIDERS[key].keys !== null;
}

/** As addresses write a method: B's paths say "monero", old links a provider's name (decision 48). */
export function methodNamed(written: string): string {
  const key = written.trim().toLowerCase().replaceAll(/[\s-]/g, "");
  return key === "monero" ? "moneroo" : key;
}

const SHOWN_AT_THE_END = 4;

/** "pk_live_abcd1234" is "pk_live_…1234": enough to recognise it, too little to use it (51). */
export function maskKey(key: string): string {
  // A short key shows nothing: the rest could be guessed.
  if (key.length < 16) return "…";
  const [prefix = ""] = /^[a-z]{1,8}_(?:(?:live|test|sandbox|prod)_)?/.exec(key) ?? [];
  return `${prefix}…${key.slice(-SHOWN_AT_THE_END)}`;
}
