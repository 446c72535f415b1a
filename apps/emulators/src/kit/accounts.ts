import { NotPossible } from "../telegram/state.ts";
import type { MerchantProviderName, MerchantView } from "../wire.ts";
import type { ProviderDeps } from "./provider.ts";

/** An account at a provider: its keys as the provider gives them, and where its webhooks go. */
export type Account<K> = MerchantView & { keys: K };

/** Accounts besides the app's own: sellers'. Kept in the emulators' file. */
export type AccountBook<K> = Map<string, Account<K>>;

export type Accounts<K extends Keys> = ReturnType<typeof startAccounts<K>>;

/** The keys that a provider gives an account, by name. */
export const KEYS = {
  moneroo: ["secretKey", "webhookSecret"],
  paydunya: ["masterKey", "privateKey", "token"],
  fedapay: ["secretKey", "publicKey", "webhookSecret"],
  kkiapay: ["secretKey", "publicKey", "privateKey", "webhookSecret"],
  cryptopay: ["token"],
} as const satisfies Record<MerchantProviderName, readonly string[]>;
export type Keys = Record<string, string>;
export type KeysOf<N extends MerchantProviderName> = Record<(typeof KEYS)[N][number], string>;

/** The app's own account. */
export const MAIN = "main";

export function startAccounts<K extends Keys>(
  deps: ProviderDeps,
  given: {
    provider: MerchantProviderName;
    /** Of the app's account; null: the app has none here. */
    keys: K | null;
    book: AccountBook<K>;
    invent(): K;
  },
) {
  const { provider, keys, book } = given;
  const own = (): Account<K>[] =>
    keys === null ? [] : [{ provider, id: MAIN, keys, webhookUrl: deps.webhookUrl(provider) }];
  return {
    sellers: () => [...book.values()],
    /** The app's account when no id is given. */
    get: (id = MAIN) => (id === MAIN ? own()[0] : book.get(id)),
    /** The account with these keys. */
    by: (isTheirs: (keys: K) => boolean) =>
      [...own(), ...book.values()].find((account) => isTheirs(account.keys)),
    /** A seller opens an account; until it has an address it gets no webhook. */
    open() {
      const id = `seller-${book.size + 1}`;
      const account: Account<K> = { provider, id, keys: given.invent(), webhookUrl: null };
      book.set(id, account);
      deps.changed();
      return account;
    },
    /** The seller writes our address in the provider's dashboard. */
    pointWebhooks(id: string, webhookUrl: string) {
      const account = book.get(id);
      if (account === undefined) throw new NotPossible(`no account ${id}`);
      if (!URL.canParse(webhookUrl)) throw new NotPossible("not an address");
      account.webhookUrl = webhookUrl;
      deps.changed();
      return account;
    },
  };
}
