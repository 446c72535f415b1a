import { KEY_RULES } from "@sesame/contract/aggregators";
import { Outage } from "@sesame/kernel";
import type { PaymentName, PaymentProvider, ProviderId } from "@sesame/providers";
import type { App } from "../../app.ts";
import type { Keys } from "../../providers.ts";
import { hush } from "../../secrets/hush.ts";
import { SecretUnreadable } from "../../secrets/vault.ts";
import { alertUnreadable } from "./keys.store.ts";
import { type KeysRow, viewKeys, viewKeysInUse } from "./keys.view.ts";
import { openKeys } from "./sealed-keys.ts";
import { noteChange } from "./tell-change.ts";

/** The provider for a set of keys; no error of it says one of them. */
export function connect(app: App, provider: KeysRow["provider"], keys: Keys): PaymentProvider {
  const secret = KEY_RULES[provider].filter((rule) => rule.secret).map(({ name }) => name);
  return hush(
    app.connectProvider(provider, keys),
    secret.flatMap((name) => keys[name] ?? []),
  );
}

/**
 * The provider for an account, also one that sells no more: payments opened by it are still asked
 * about, and its notices read. Null: never there. Throws when its secrets cannot be opened. Nothing
 * opened is kept: a row is read and opened for each use, so what another process has changed or
 * taken away holds at once.
 */
export async function providerFor(
  app: App,
  provider: ProviderId,
  keyId: bigint | null,
): Promise<PaymentProvider | null> {
  if (keyId === null) return app.providers.find(({ id }) => id === provider) ?? null;
  const row = await viewKeys(app.db, keyId);
  if (row?.provider !== provider) return null;
  const account = await accountOf(app, row);
  if (row.ended_at === null) return account;
  const newer = await viewKeysInUse(app.db, { sellerId: row.seller_id, provider: row.provider });
  return newer ? succeededBy(account, () => accountOf(app, newer)) : account;
}

async function accountOf(app: App, row: KeysRow): Promise<PaymentProvider> {
  const keys = openKeys(app.vault, row);
  if (!(keys instanceof SecretUnreadable)) return connect(app, row.provider, keys);
  await noteUnreadable(app, row, keys);
  throw new Outage(`the keys ${row.id} cannot be opened`, { party: "secrets", retryable: true });
}

/** The desk and the seller hear of it, once. */
export async function noteUnreadable(
  app: App,
  row: KeysRow,
  { reason }: SecretUnreadable,
): Promise<void> {
  const { id, seller_id: sellerId, provider } = row;
  const now = app.clock.now();
  await app.db.transaction().execute(async (tx) => {
    if (!(await alertUnreadable(tx, { id, sellerId, provider, reason, now }))) return;
    await noteChange(app, tx, { sellerId, provider, news: "unreadable", now });
  });
}

/**
 * A seller who renews his keys at the provider makes the old ones useless: a payment opened by them
 * is then looked for with the new ones, and found only under our reference, which no other account
 * knows.
 */
function succeededBy(
  account: PaymentProvider,
  newer: () => Promise<PaymentProvider>,
): PaymentProvider {
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
