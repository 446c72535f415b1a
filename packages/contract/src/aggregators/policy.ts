/** Where a seller may bring an account of his own; Stars belong to the instance's bot. */
export const AGGREGATOR_KEYS = ["moneroo", "fedapay", "kkiapay", "paydunya", "cryptopay"] as const;
export type AggregatorKey = (typeof AGGREGATOR_KEYS)[number];

/** Every method a seller switches on and off. */
export const METHOD_KEYS = [...AGGREGATOR_KEYS, "stars"] as const;
export type MethodKey = (typeof METHOD_KEYS)[number];

/** The names of a provider's keys, as its own documents spell them. */
export const KEY_NAMES = [
  "secretKey",
  "publicKey",
  "privateKey",
  "masterKey",
  "token",
  "webhookSecret",
] as const;
export type KeyName = (typeof KEY_NAMES)[number];

export type KeyRule = {
  readonly name: KeyName;
  /** False: the sale works without it. */
  readonly required: boolean;
  /** False: a browser may see it. */
  readonly secret: boolean;
};

const secretKey: KeyRule = { name: "secretKey", required: true, secret: true };
const publicKey: KeyRule = { name: "publicKey", required: true, secret: false };
const privateKey: KeyRule = { name: "privateKey", required: true, secret: true };
/** The seller gets it, or chooses it, once he has our address: never needed to begin. */
const webhookSecret: KeyRule = { name: "webhookSecret", required: false, secret: true };

/** What each provider asks for, in the order of the form. */
export const KEY_RULES: Readonly<Record<AggregatorKey, readonly KeyRule[]>> = {
  moneroo: [secretKey, webhookSecret],
  fedapay: [secretKey, { ...publicKey, required: false }, webhookSecret],
  kkiapay: [publicKey, privateKey, secretKey, webhookSecret],
  paydunya: [
    { name: "masterKey", required: true, secret: true },
    privateKey,
    { name: "token", required: true, secret: true },
  ],
  cryptopay: [{ name: "token", required: true, secret: true }],
};

/** A key is copied from a screen: visible characters, no blank inside. */
export const KEY_PATTERN = /^[\x21-\x7e]{8,300}$/;

/** Decision 3: on for every seller, KkiaPay excepted, unless he switches it. */
export function isOnByDefault(method: MethodKey): boolean {
  return method !== "kkiapay";
}

/** Decision 95. */
export const TRIAL_AMOUNT = 100;

export function isAggregatorKey(key: string): key is AggregatorKey {
  return AGGREGATOR_KEYS.some((known) => known === key);
}

export function isMethodKey(key: string): key is MethodKey {
  return METHOD_KEYS.some((known) => known === key);
}

const SHOWN_AT_THE_END = 4;

/** "pk_live_abcd1234" is "pk_live_…1234": enough to recognise it, too little to use it (51). */
export function maskKey(key: string): string {
  // A short one shows nothing: what is left would be guessed.
  if (key.length < 16) return "…";
  const [prefix = ""] = /^[a-z]{1,8}_(?:(?:live|test|sandbox|prod)_)?/.exec(key) ?? [];
  return `${prefix}…${key.slice(-SHOWN_AT_THE_END)}`;
}
