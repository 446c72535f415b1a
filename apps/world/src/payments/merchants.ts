import { NotPossible } from "../telegram/api-error.ts";

/** An account at a provider: its keys as the provider gives them, and where its notices go. */
export type Merchant<K> = { id: string; keys: K; noticeUrl: string | null };

/** Accounts besides the app's own: sellers'. Kept in the world's file. */
export type MerchantBook<K> = Map<string, Merchant<K>>;

export type Merchants<K> = {
  all(): Merchant<K>[];
  sellers(): Merchant<K>[];
  /** Of the app when no id is given; its address as this machine reaches it. */
  get(id?: string): Merchant<K> | undefined;
  /** Whose keys these are. */
  by(isTheirs: (keys: K) => boolean): Merchant<K> | undefined;
  /** A seller opens an account; without an address it is told nothing. */
  open(noticeUrl?: string): Merchant<K>;
  /** The seller writes our address in the provider's dashboard. */
  pointNotices(id: string, noticeUrl: string): Merchant<K>;
};

/** The app's own account. */
export const MAIN = "main";

export function merchants<K extends object>(options: {
  /** Null: the app has no account here. */
  main: { keys: K; noticeUrl(): string | null } | null;
  book: MerchantBook<K>;
  invent(): K;
  changed(): void;
  /** How this machine reaches an address that people know. */
  near?: (url: string) => string;
}): Merchants<K> {
  const { main, book, changed, near = (url) => url } = options;
  const own = (): Merchant<K>[] =>
    main === null ? [] : [{ id: MAIN, keys: main.keys, noticeUrl: main.noticeUrl() }];
  const all = () => [...own(), ...book.values()];
  return {
    all,
    sellers: () => [...book.values()],
    get(id = MAIN) {
      const found = all().find((merchant) => merchant.id === id);
      if (id === MAIN || !found?.noticeUrl) return found;
      return { ...found, noticeUrl: near(found.noticeUrl) };
    },
    by: (isTheirs) => all().find(({ keys }) => isTheirs(keys)),
    open(noticeUrl) {
      const id = `seller-${book.size + 1}`;
      const merchant = { id, keys: options.invent(), noticeUrl: noticeUrl ?? null };
      book.set(id, merchant);
      changed();
      return merchant;
    },
    pointNotices(id, noticeUrl) {
      const merchant = book.get(id);
      if (merchant === undefined) throw new NotPossible(`no account ${id}`);
      if (!URL.canParse(noticeUrl)) throw new NotPossible("not an address");
      merchant.noticeUrl = noticeUrl;
      changed();
      return merchant;
    },
  };
}

/** Why an account that is not the app's own pays: kept with the payment. */
export function merchantId(merchant: Merchant<unknown>): { account?: string } {
  return merchant.id === MAIN ? {} : { account: merchant.id };
}
