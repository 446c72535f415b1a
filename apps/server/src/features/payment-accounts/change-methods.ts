import { lockSeller } from "../../people/people.ts";
import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import {
  type AggregatorKey,
  type AggregatorsRefusal,
  isAggregatorKey,
  KEY_PATTERN,
  type MethodKey,
  maskKey,
  type UserAggregatorBody,
} from "@sesame/contract/payment-accounts";
import type { PlansRefusal } from "@sesame/contract/plans";
import { ok, type Result, refuse } from "@sesame/kernel";
import { sql } from "kysely";
import type { App } from "../../app.ts";
import { type Actor, auditSeller } from "../../audit/audit.store.ts";
import { type Db, maybe, one } from "../../postgres/database.ts";
import type { Keys } from "../../config.ts";
import { SecretUnreadable } from "../../secrets/vault.ts";
import { refuseCapability } from "../plans/index.ts";
import { bindingOf, connect, findKeysInUse, type KeysRow, noteChange, openKeys } from "./keys.ts";
import { methodsOf } from "./offers.ts";
import { isKnownProvider, type KeyName, PROVIDERS } from "@sesame/contract/checkout";

type Change = {
  readonly sellerId: bigint;
  /** The name in the address. */
  readonly key: string;
  readonly actor: Actor;
};

const UNKNOWN = refuse({ kind: "aggregators.unknown" });

async function methodOf(app: App, sellerId: bigint, key: string) {
  const aggregator = (await methodsOf(app, sellerId)).find((method) => method.key === key);
  return aggregator ? { aggregator } : UNKNOWN;
}

/** Keys first, then the switch. Throws an Outage when the provider does not answer. */
export async function changeMethod(
  app: App,
  { sellerId, key, actor, body }: Change & { body: UserAggregatorBody },
) {
  if (!isKnownProvider(key)) return UNKNOWN;
  // Even an empty one, which requests a check of the stored keys.
  const namesKeys = [body.keys, body.apiKey, body.secretKey].some((value) => value !== undefined);
  if (namesKeys) {
    if (!isAggregatorKey(key)) return UNKNOWN;
    const saved = await saveKeys(app, { sellerId, provider: key, body, actor });
    if (!saved.ok) return saved;
  }
  const { isActive: active } = body;
  if (active !== undefined) await switchMethod(app, { sellerId, provider: key, actor, active });
  return methodOf(app, sellerId, key);
}

/** On or off for new payments; open payments continue. */
async function switchMethod(
  app: App,
  change: { sellerId: bigint; provider: MethodKey; actor: Actor; active: boolean },
): Promise<void> {
  const { sellerId, provider, actor, active } = change;
  const now = app.clock.now();
  await app.db.transaction().execute(async (tx) => {
    await lockSeller(tx, sellerId);
    const own = await maybe<{ active: boolean }>(tx)`
      SELECT active FROM seller_methods WHERE seller_id = ${sellerId} AND provider = ${provider}
    `;
    await sql`
      INSERT INTO seller_methods AS m (seller_id, provider, active, changed_at)
      VALUES (${sellerId}, ${provider}, ${active}, ${now})
      ON CONFLICT (seller_id, provider) DO UPDATE
        SET active = excluded.active, changed_at = excluded.changed_at
        WHERE m.active <> excluded.active
    `.execute(tx);
    const before = own?.active ?? PROVIDERS[provider].onByDefault;
    if (before === active) return;
    await noteChange(app, tx, { sellerId, provider, news: "switched", now });
    const change = { before: { provider, active: before }, after: { provider, active } };
    await auditSeller(tx, sellerId, { actor, action: "aggregator.switch", ...change }, now);
  });
}

/** On any plan: own keys can always be removed. */
export async function takeKeysAway(app: App, { sellerId, key: provider, actor }: Change) {
  if (!isAggregatorKey(provider)) return UNKNOWN;
  const now = app.clock.now();
  const taken = await app.db.transaction().execute(async (tx) => {
    await lockSeller(tx, sellerId);
    const row = await findKeysInUse(tx, { sellerId, provider });
    if (!row || !(await endKeys(tx, { sellerId, provider, now }))) return false;
    await noteChange(app, tx, { sellerId, provider, news: "taken-away", now });
    const before = { provider, keys: String(row.id), ...row.masked };
    const change = { before, after: { provider, keys: null } };
    await auditSeller(tx, sellerId, { actor, action: "aggregator.keys", ...change }, now);
    return true;
  });
  if (taken) return methodOf(app, sellerId, provider);
  const { name } = PROVIDERS[provider].seller;
  return refuse({ kind: "aggregators.no-own-keys", name });
}

/** Ends the keys for new payments; payments opened with them are still looked up. False when none were in use. */
async function endKeys(tx: Db, of: { sellerId: bigint; provider: AggregatorKey; now: Date }) {
  const { numAffectedRows } = await sql`
    UPDATE seller_keys SET ended_at = ${of.now}
    WHERE seller_id = ${of.sellerId} AND provider = ${of.provider} AND ended_at IS NULL
  `.execute(tx);
  return numAffectedRows !== 0n;
}

/**
 * Stores a seller's own keys once the provider has accepted them (decision 51). Throws an Outage
 * when the provider does not answer: then nothing is stored.
 */
async function saveKeys(
  app: App,
  given: { sellerId: bigint; provider: AggregatorKey; body: UserAggregatorBody; actor: Actor },
): Promise<Result<null, AggregatorsRefusal | PlansRefusal>> {
  const { sellerId, provider, body, actor } = given;
  const { name } = PROVIDERS[provider].seller;
  const barred = await refuseCapability(app.db, sellerId, "own-aggregators");
  if (barred) return refuse(barred);
  const seen = await findKeysInUse(app.db, { sellerId, provider });
  const read = readKeys(provider, body, savedOf(app, seen));
  if (!read.ok) return read;
  const keys = read.value;
  if (app.config.production && areSandboxKeys(keys)) {
    return refuse({ kind: "aggregators.keys-sandbox", name });
  }
  const answer = await connect(app, provider, keys).verifyKeys();
  if (answer === "refused") return refuse({ kind: "aggregators.keys-refused", name });
  const now = app.clock.now();
  const accountHash = hashAccount(provider, keys);
  const masked = Object.fromEntries(
    Object.entries(keys).map(([key, value]) => [key, maskKey(value)]),
  );
  return app.db.transaction().execute(async (tx) => {
    await lockSeller(tx, sellerId);
    // The seller's premium may have ended during the call of the provider.
    const stillBarred = await refuseCapability(tx, sellerId, "own-aggregators");
    if (stillBarred) return refuse(stillBarred);
    const row = await findKeysInUse(tx, { sellerId, provider });
    const saved = savedOf(app, row);
    const report = async (id: bigint) => {
      await noteChange(app, tx, { sellerId, provider, news: "saved", now });
      const before = row && { provider, keys: String(row.id), ...row.masked };
      const after = { provider, keys: String(id), ...masked };
      await auditSeller(tx, sellerId, { actor, action: "aggregator.keys", before, after }, now);
    };
    if (row && isDeepStrictEqual(saved, keys)) {
      await sql`
        UPDATE seller_keys SET account_hash = ${accountHash}, verified_at = ${now},
          refused_at = NULL, version = version + 1
        WHERE id = ${row.id}
      `.execute(tx);
      if (row.refused_at !== null) await report(row.id);
      return ok(null);
    }
    if (row?.id !== seen?.id || row?.version !== seen?.version) {
      return refuse({ kind: "aggregators.changed-meanwhile" });
    }
    // The same row for the same account. Its id is drawn before the insert: the secrets are bound
    // to it.
    const same = row && areOfOneAccount(provider, saved, keys) ? row : null;
    const { id } =
      same ??
      (await one<{ id: bigint }>(tx)`
        SELECT nextval(pg_get_serial_sequence('seller_keys', 'id')) AS id
      `);
    const place = bindingOf({ id, seller_id: sellerId, provider });
    const sealed = app.vault.seal(JSON.stringify(keys), place);
    if (same) {
      await sql`
        UPDATE seller_keys SET secrets = ${sealed.bytes}, secrets_key_id = ${sealed.keyId},
          masked = ${JSON.stringify(masked)}, account_hash = ${accountHash}, version = version + 1,
          changed_at = ${now}, verified_at = ${now}, refused_at = NULL
        WHERE id = ${id}
      `.execute(tx);
    } else {
      await endKeys(tx, { sellerId, provider, now });
      await sql`
        INSERT INTO seller_keys (id, seller_id, provider, secrets, secrets_key_id, masked,
          account_hash, created_at, changed_at, verified_at)
        OVERRIDING SYSTEM VALUE
        VALUES (${id}, ${sellerId}, ${provider}, ${sealed.bytes}, ${sealed.keyId},
          ${JSON.stringify(masked)}, ${accountHash}, ${now}, ${now}, ${now})
      `.execute(tx);
    }
    await report(id);
    return ok(null);
  });
}

/** Keys that cannot be decrypted count as absent: the seller must give all of them again. */
function savedOf({ vault }: App, row: KeysRow | null): Keys {
  const keys = row ? openKeys(vault, row) : {};
  return keys instanceof SecretUnreadable ? {} : keys;
}

/** The resulting keys: those given, and of the stored ones those left out. */
export function readKeys(provider: AggregatorKey, body: UserAggregatorBody, saved: Keys) {
  const given = givenKeys(provider, body);
  const keys: Partial<Record<KeyName, string>> = {};
  let malformed: string | null = null;
  let isMissing = false;
  for (const { name, label, optional } of PROVIDERS[provider].keys) {
    const value = given[name];
    const text = typeof value === "string" ? value.trim() : value;
    const key = text === undefined || text === null || text === "" ? saved[name] : text;
    if (key === undefined) {
      isMissing ||= !optional;
    } else if (typeof key === "string" && KEY_PATTERN.test(key)) {
      keys[name] = key;
    } else {
      malformed ??= label;
    }
  }
  if (isMissing) {
    const { name } = PROVIDERS[provider].seller;
    return refuse({ kind: "aggregators.keys-incomplete", name });
  }
  if (malformed) return refuse({ kind: "aggregators.key-malformed", label: malformed });
  return ok(keys);
}

/** B §3 has two names for the different keys of each provider. */
function givenKeys(provider: AggregatorKey, { keys = {}, apiKey, secretKey }: UserAggregatorBody) {
  const names = PROVIDERS[provider].keys.map((rule) => rule.name);
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

/** Providers that mark a sandbox key: sk_sandbox_…, test_private_…, tpk_… */
const SANDBOX_KEY = /^(?:[a-z]{2,4}_sandbox_|[a-z]{2,4}_test_|test_|tpk_|tsk_)/;

export function areSandboxKeys(keys: Keys): boolean {
  return Object.values(keys).some((key) => SANDBOX_KEY.test(key));
}

/** The part of the keys that identifies an account. */
const opening = (provider: AggregatorKey, keys: Keys) =>
  PROVIDERS[provider].keys.filter(({ opensAccount }) => opensAccount).map(({ name }) => keys[name]);

export function areOfOneAccount(provider: AggregatorKey, a: Keys, b: Keys): boolean {
  return isDeepStrictEqual(opening(provider, a), opening(provider, b));
}

/** Identifies an account, whoever stores its keys. */
const hashAccount = (provider: AggregatorKey, keys: Keys): Buffer =>
  createHash("sha256")
    .update(JSON.stringify([provider, ...opening(provider, keys)]))
    .digest();
