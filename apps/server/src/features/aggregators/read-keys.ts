import { createHash } from "node:crypto";
import {
  type AggregatorKey,
  AGGREGATOR_WORDS,
  type AggregatorsRefusal,
  KEY_LABELS,
  KEY_NAMES,
  KEY_PATTERN,
  KEY_RULES,
  type KeyName,
  type UserAggregatorBody,
} from "@sesame/contract/aggregators";
import { ok, type Result, refuse } from "@sesame/kernel";
import type { Keys } from "../../providers.ts";

/** Whether the body speaks of keys at all, even to say that the saved ones are to be checked. */
export function namesKeys({ keys, apiKey, secretKey }: UserAggregatorBody): boolean {
  return [keys, apiKey, secretKey].some((value) => value !== undefined);
}

/** The keys the seller means: those given, and of those saved the ones left out. */
export function readKeys(
  provider: AggregatorKey,
  body: UserAggregatorBody,
  saved: Keys,
): Result<Keys, AggregatorsRefusal> {
  const given = givenKeys(provider, body);
  const keys: Partial<Record<KeyName, string>> = {};
  let malformed: KeyName | null = null;
  let isMissing = false;
  for (const { name, required } of KEY_RULES[provider]) {
    const value = given[name];
    const text = typeof value === "string" ? value.trim() : value;
    const key = text === undefined || text === null || text === "" ? saved[name] : text;
    if (key === undefined) {
      isMissing ||= required;
    } else if (typeof key === "string" && KEY_PATTERN.test(key)) {
      keys[name] = key;
    } else {
      malformed ??= name;
    }
  }
  if (isMissing) {
    const { name } = AGGREGATOR_WORDS[provider];
    return refuse({ kind: "aggregators.keys-incomplete", name });
  }
  if (malformed) {
    return refuse({ kind: "aggregators.key-malformed", label: KEY_LABELS[malformed] });
  }
  return ok(keys);
}

/** B §3 knows two names for what each provider calls in its own way. */
function givenKeys(
  provider: AggregatorKey,
  { keys = {}, apiKey, secretKey }: UserAggregatorBody,
): Partial<Record<KeyName, unknown>> {
  const names = KEY_RULES[provider].map((rule) => rule.name);
  const named = (wanted: readonly KeyName[]): KeyName | undefined =>
    wanted.find((name) => names.includes(name)) ?? names[0];
  const forApi = named(["publicKey"]);
  const forSecret = named(["secretKey", "privateKey"]);
  return {
    ...(forApi && apiKey !== undefined ? { [forApi]: apiKey } : {}),
    ...(forSecret && secretKey !== undefined ? { [forSecret]: secretKey } : {}),
    ...keys,
  };
}

/** Providers that name their two worlds in a key: sk_sandbox_…, test_private_…, tpk_… */
const SANDBOX_KEY = /^(?:[a-z]{2,4}_sandbox_|[a-z]{2,4}_test_|test_|tpk_|tsk_)/;

export function areSandboxKeys(keys: Keys): boolean {
  return Object.values(keys).some((key) => SANDBOX_KEY.test(key));
}

/** FedaPay's public key serves its widget alone. */
function opensAccount(provider: AggregatorKey, name: KeyName): boolean {
  return name !== "webhookSecret" && !(name === "publicKey" && provider === "fedapay");
}

export function areOfOneAccount(provider: AggregatorKey, a: Keys, b: Keys): boolean {
  return !differing(a, b).some((name) => opensAccount(provider, name));
}

/** By what an account is known again, whoever saves its keys. */
export function hashAccount(provider: AggregatorKey, keys: Keys): Buffer {
  const opening = KEY_NAMES.filter((name) => opensAccount(provider, name)).map(
    (name) => keys[name],
  );
  return createHash("sha256")
    .update(JSON.stringify([provider, ...opening]))
    .digest();
}

export function areSameKeys(a: Keys, b: Keys): boolean {
  return differing(a, b).length === 0;
}

function differing(a: Keys, b: Keys): KeyName[] {
  return KEY_NAMES.filter((name) => a[name] !== b[name]);
}
