import { type KeyName, PROVIDERS } from "@sesame/contract/checkout";
import type { AggregatorKey, MethodKey } from "@sesame/contract/payment-accounts";
import { Outage } from "@sesame/kernel";
import type { PaymentName, PaymentProvider, ProviderId } from "@sesame/providers";
import { sql } from "kysely";
import { raiseAlert } from "../../alerts/alerts.ts";
import type { App } from "../../app.ts";
import { auditSeller, SYSTEM } from "../../audit/audit.store.ts";
import { notify, toPerson } from "../../bot/message.ts";
import { type Db, many, maybe } from "../../postgres/database.ts";
import type { Keys } from "../../config.ts";
import { publish } from "../../realtime/events.store.ts";
import { redact } from "../../secrets/redact-secrets.ts";
import { reseal, SecretUnreadable, type Vault } from "../../secrets/vault.ts";
import { BUTTONS, NEWS } from "./messages.fr.ts";

export type KeysRow = {
  readonly id: bigint;
  readonly seller_id: bigint;
  readonly provider: AggregatorKey;
  readonly secrets: Uint8Array;
  readonly secrets_key_id: string;
  readonly masked: Readonly<Partial<Record<KeyName, string>>>;
  readonly version: number;
  readonly changed_at: Date;
  readonly verified_at: Date;
  readonly refused_at: Date | null;
  readonly ended_at: Date | null;
};

export const KEYS_COLUMNS = sql`
  k.id, k.seller_id, k.provider, k.secrets, k.secrets_key_id, k.masked, k.version, k.changed_at,
  k.verified_at, k.refused_at, k.ended_at
`;

export const findKeys = (db: Db, id: bigint) =>
  maybe<KeysRow>(db)`SELECT ${KEYS_COLUMNS} FROM seller_keys k WHERE k.id = ${id}`;

/** The keys a seller uses at a provider, or would use on premium. */
export const findKeysInUse = (
  db: Db,
  of: { sellerId: bigint; provider: AggregatorKey },
) => maybe<KeysRow>(db)`
  SELECT ${KEYS_COLUMNS} FROM seller_keys k
  WHERE k.seller_id = ${of.sellerId} AND k.provider = ${of.provider} AND k.ended_at IS NULL
`;

/** The binding of a row's encrypted field. */
export function bindingOf({
  id,
  seller_id: ownerId,
  provider,
}: Pick<KeysRow, "id" | "seller_id" | "provider">) {
  return { ownerId, provider, rowId: id, field: "keys" };
}

/** The keys, or why they cannot be decrypted. */
export function openKeys(vault: Vault, row: KeysRow): Keys | SecretUnreadable {
  const sealed = { bytes: row.secrets, keyId: row.secrets_key_id };
  try {
    return JSON.parse(vault.open(sealed, bindingOf(row))) as Keys;
  } catch (error) {
    if (error instanceof SecretUnreadable) return error;
    throw error;
  }
}

/** The provider for a set of keys; its errors never contain a key. */
export function connect(app: App, provider: AggregatorKey, keys: Keys): PaymentProvider {
  const secret = PROVIDERS[provider].keys.filter((rule) => rule.secret).map(({ name }) => name);
  return redact(
    app.connectProvider(provider, keys),
    secret.flatMap((name) => keys[name] ?? []),
  );
}

/**
 * The provider for an account, also for ended keys: payments opened with them are still looked up,
 * and their webhooks read. Null: no such account. Throws when its secrets cannot be decrypted.
 * Nothing is cached: each use reads and decrypts the row, so another process's change has effect at
 * once.
 */
export async function providerFor(app: App, provider: ProviderId, keyId: bigint | null) {
  if (keyId === null) return app.providers.find(({ id }) => id === provider) ?? null;
  const row = await findKeys(app.db, keyId);
  if (row?.provider !== provider) return null;
  const account = await accountOf(app, row);
  if (row.ended_at === null) return account;
  const newer = await findKeysInUse(app.db, { sellerId: row.seller_id, provider: row.provider });
  return newer ? succeededBy(account, () => accountOf(app, newer)) : account;
}

async function accountOf(app: App, row: KeysRow): Promise<PaymentProvider> {
  const keys = openKeys(app.vault, row);
  if (!(keys instanceof SecretUnreadable)) return connect(app, row.provider, keys);
  await noteUnreadable(app, row, keys);
  throw new Outage(`the keys ${row.id} cannot be opened`, { party: "secrets", retryable: true });
}

/**
 * Renewing keys at the provider makes the old ones useless: a payment opened with them is then
 * looked up with the new ones, and found only with our reference, which no other account has.
 */
function succeededBy(account: PaymentProvider, newer: () => Promise<PaymentProvider>) {
  return {
    ...account,
    async fetchPayment(name: PaymentName) {
      try {
        return await account.fetchPayment(name);
      } catch (error) {
        const found = await newer()
          .then((provider) => provider.fetchPayment(name))
          .catch(() => null);
        if (found?.reference === name.reference) return found;
        throw error;
      }
    },
  };
}

/** Alerts the back office and the seller, once, until the back office has resolved the alert. */
export async function noteUnreadable(
  app: App,
  { id, seller_id: sellerId, provider }: KeysRow,
  { reason }: SecretUnreadable,
): Promise<void> {
  const now = app.clock.now();
  const details = { seller_id: String(sellerId), provider, reason };
  await app.db.transaction().execute(async (tx) => {
    const subject = `seller-keys:${id}`;
    const alert = { kind: "aggregator.keys-unreadable", subject, details, now } as const;
    if (await raiseAlert(tx, alert))
      await noteChange(app, tx, { sellerId, provider, news: "unreadable", now });
  });
}

/**
 * The provider answered `keys` to a payment by a seller's own account. One refusal may be a fault
 * of the provider: the keys are verified by a separate call, and if refused again they sell nothing
 * any more, and the seller is notified.
 */
export async function noteRefused(app: App, keyId: bigint): Promise<void> {
  const row = await findKeys(app.db, keyId);
  if (!row || row.ended_at !== null || row.refused_at !== null) return;
  const keys = openKeys(app.vault, row);
  if (keys instanceof SecretUnreadable) return;
  const { id, version, provider, seller_id: sellerId } = row;
  const answer = await connect(app, provider, keys)
    .verifyKeys()
    .catch(() => "unknown" as const);
  if (answer !== "refused") return;
  const now = app.clock.now();
  await app.db.transaction().execute(async (tx) => {
    const isNew = await maybe(tx)`
      UPDATE seller_keys SET refused_at = ${now}
      WHERE id = ${id} AND version = ${version} AND ended_at IS NULL AND refused_at IS NULL
      RETURNING id
    `;
    if (!isNew) return;
    await noteChange(app, tx, { sellerId, provider, news: "refused", now });
    const after = { provider, keys: String(id), ...row.masked };
    await auditSeller(tx, sellerId, { actor: SYSTEM, action: "aggregator.refused", after }, now);
  });
}

/** A realtime event for the seller; product pages are read again too. */
export const AGGREGATORS_CHANGED = "aggregators:changed";

/** Notifies the seller's screens and bot of a change, in its transaction. */
export async function noteChange(
  app: App,
  tx: Db,
  change: { sellerId: bigint; provider: MethodKey; news: keyof typeof NEWS; now: Date },
): Promise<void> {
  const { sellerId, provider, news, now } = change;
  const body = { key: provider };
  await publish(tx, [{ room: `person:${sellerId}`, name: AGGREGATORS_CHANGED, body }]);
  const text = NEWS[news]?.(PROVIDERS[provider].seller.name);
  if (!text) return;
  const said = { text, button: BUTTONS.methods, path: "/PaymentsSheetsIndex" };
  await notify(tx, [toPerson(app, sellerId, said)], now);
}

/** Re-encrypts every seller's keys with the newest key. */
export function rotateKeys(db: Db, vault: Vault) {
  return reseal(db, {
    list: (tx, without, limit) => many<KeysRow>(tx)`
      SELECT ${KEYS_COLUMNS} FROM seller_keys k
      WHERE k.secrets_key_id <> ${vault.keyId} AND k.id <> ALL(${without}::bigint[])
      ORDER BY k.id LIMIT ${limit} FOR UPDATE
    `,
    rewrite: (tx, row) => {
      const place = bindingOf(row);
      const plain = vault.open({ bytes: row.secrets, keyId: row.secrets_key_id }, place);
      const sealed = vault.seal(plain, place);
      return sql`
        UPDATE seller_keys SET secrets = ${sealed.bytes}, secrets_key_id = ${sealed.keyId}
        WHERE id = ${row.id}
      `.execute(tx);
    },
  });
}

/** Ends the keys of a seller who is erased. */
export const eraseKeys = (tx: Db, id: bigint, now: Date) =>
  sql`
    UPDATE seller_keys SET ended_at = ${now} WHERE seller_id = ${id} AND ended_at IS NULL
  `.execute(tx);
