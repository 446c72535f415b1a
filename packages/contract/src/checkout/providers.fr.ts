import type { PaymentProviderOnWire } from "./routes.ts";

const BENIN = { code: "BJ", name: "Bénin" };
const BURKINA = { code: "BF", name: "Burkina Faso" };
const IVORY_COAST = { code: "CI", name: "Côte d'Ivoire" };
const GUINEA_BISSAU = { code: "GW", name: "Guinée-Bissau" };
const MALI = { code: "ML", name: "Mali" };
const NIGER = { code: "NE", name: "Niger" };
const SENEGAL = { code: "SN", name: "Sénégal" };
const TOGO = { code: "TG", name: "Togo" };

/** Paid from anywhere; what it is paid for is sold in francs, so these are where it is offered. */
const ALL = [BENIN, BURKINA, IVORY_COAST, GUINEA_BISSAU, MALI, NIGER, SENEGAL, TOGO];

/** A field of an account at a provider. */
type KeyRule = {
  readonly label: string;
  /** Where to find it. */
  readonly hint: string;
  /** False: a browser may see it. */
  readonly secret: boolean;
  /** True: the sale works without it. */
  readonly optional: boolean;
  /** False: another value is no other account. */
  readonly opensAccount: boolean;
};

const KEY = { hint: "", secret: true, optional: false, opensAccount: true };

/** By the name in the providers' own documents: what is the same for each that has it. */
const KEYS = {
  secretKey: { ...KEY, label: "Clé secrète" },
  publicKey: { ...KEY, label: "Clé publique", secret: false },
  privateKey: { ...KEY, label: "Clé privée" },
  masterKey: { ...KEY, label: "Clé principale" },
  token: { ...KEY, label: "Jeton" },
  // The seller gets it, or chooses it, once he has our address: never needed to begin.
  webhookSecret: {
    ...KEY,
    label: "Secret des notifications",
    hint: "Facultatif : ajoutez-le après avoir donné notre adresse de notification au prestataire.",
    optional: true,
    opensAccount: false,
  },
} as const satisfies Readonly<Record<string, KeyRule>>;

export type KeyName = keyof typeof KEYS;
export const KEY_NAMES = Object.keys(KEYS) as readonly KeyName[];

function key(name: KeyName, hint: string = KEYS[name].hint, other: Partial<KeyRule> = {}) {
  return { name, ...KEYS[name], hint, ...other };
}

/** Its description for buyers. */
type Shown = Pick<
  PaymentProviderOnWire,
  "name" | "description" | "methods" | "countries" | "fields" | "opens"
>;

type ProviderRow = Shown & {
  /** Its description for sellers. */
  readonly seller: { readonly name: string; readonly description: string };
  /** Of an account of the seller's own, in the order of the form; null: it belongs to the instance's bot. */
  readonly keys: readonly ReturnType<typeof key>[] | null;
  /** Decision 3: on for every seller, KkiaPay excepted, unless he switches it. */
  readonly onByDefault: boolean;
  /** Calls that one opening costs. */
  readonly callsToOpen: number;
  /** Calls a minute that it allows an account, until it is set otherwise. */
  readonly callsAMinute: number;
};

/** What is not documented of a provider, or is the same for most. */
const USUAL = { onByDefault: true, callsToOpen: 1, callsAMinute: 60 } as const;

/**
 * One row a provider, which the product may ever name; one that is not open is "non disponible"
 * (decisions 2 and 59: XOF only).
 */
export const PROVIDERS = {
  moneroo: {
    ...USUAL,
    name: "Moneroo",
    description: "Mobile Money, sur la page sécurisée de Moneroo",
    methods: ["Orange Money", "MTN MoMo", "Moov Money", "Wave", "T-Money", "Free Money"],
    countries: [BENIN, BURKINA, IVORY_COAST, MALI, NIGER, SENEGAL, TOGO],
    fields: { email: "optional", phone: "none" },
    opens: "page",
    seller: { name: "Moneroo", description: "Mobile Money, sur une page sécurisée" },
    keys: [
      key("secretKey", "Tableau de bord Moneroo, Développeurs, Clés API"),
      key("webhookSecret"),
    ],
    // As it documents.
    callsAMinute: 120,
  },
  fedapay: {
    ...USUAL,
    name: "FedaPay",
    description: "Mobile Money ou carte, dans la fenêtre sécurisée de FedaPay",
    methods: ["MTN MoMo", "Moov Money", "Celtiis", "T-Money", "Orange Money", "Wave", "Carte"],
    countries: [BENIN, BURKINA, IVORY_COAST, MALI, NIGER, SENEGAL, TOGO],
    fields: { email: "optional", phone: "optional" },
    opens: "widget",
    seller: { name: "FedaPay", description: "Cartes bancaires et Mobile Money" },
    keys: [
      key("secretKey", "Tableau de bord FedaPay, Applications : sk_live_…"),
      // It serves its widget alone.
      key("publicKey", "Facultatif, pour le paiement dans la page : pk_live_…", {
        optional: true,
        opensAccount: false,
      }),
      key("webhookSecret"),
    ],
    // A transaction, then its page.
    callsToOpen: 2,
  },
  kkiapay: {
    ...USUAL,
    name: "KkiaPay",
    description: "Mobile Money ou carte, dans la fenêtre sécurisée de KkiaPay",
    methods: ["MTN MoMo", "Moov Money", "Celtiis", "Orange Money", "Wave", "Free Money", "Carte"],
    countries: [BENIN, IVORY_COAST, NIGER, SENEGAL, TOGO],
    fields: { email: "optional", phone: "optional" },
    opens: "widget",
    seller: {
      name: "KkiaPay",
      description: "Mobile Money et cartes, dans une fenêtre de paiement",
    },
    keys: [
      key("publicKey", "Tableau de bord KkiaPay, Développeurs, Clés API"),
      key("privateKey", "Au même endroit"),
      key("secretKey", "Au même endroit"),
      key("webhookSecret"),
    ],
    onByDefault: false,
    callsToOpen: 0,
  },
  paydunya: {
    ...USUAL,
    name: "PayDunya",
    description: "Mobile Money ou carte, sur la page sécurisée de PayDunya",
    methods: ["Orange Money", "Wave", "Free Money", "MTN MoMo", "Moov Money", "T-Money", "Carte"],
    countries: [BENIN, BURKINA, IVORY_COAST, MALI, SENEGAL, TOGO],
    fields: { email: "optional", phone: "optional" },
    opens: "page",
    seller: { name: "PayDunya", description: "Mobile Money, Wave et cartes bancaires" },
    keys: [
      key("masterKey", "PayDunya, Intégrer notre API, votre application"),
      key("privateKey", "Au même endroit : live_private_…"),
      key("token", "Au même endroit"),
    ],
  },
  cryptopay: {
    ...USUAL,
    name: "Crypto",
    description: "Crypto Pay, dans Telegram : le prix est converti en euros à parité fixe",
    methods: ["USDT", "TON", "BTC", "ETH"],
    countries: ALL,
    fields: { email: "none", phone: "none" },
    opens: "page",
    seller: {
      name: "Crypto Pay",
      description: "Cryptomonnaies, par le portefeuille de Telegram",
    },
    keys: [key("token", "@CryptoBot, Crypto Pay, Mes applications : 12345:AA…")],
  },
  stars: {
    ...USUAL,
    name: "Telegram Stars",
    description: "Sans quitter Telegram, avec vos Stars",
    methods: ["Telegram Stars"],
    countries: ALL,
    fields: { email: "none", phone: "none" },
    opens: "invoice",
    seller: { name: "Telegram Stars", description: "Étoiles Telegram, dans Telegram" },
    keys: null,
  },
} satisfies Readonly<Record<string, ProviderRow>>;

export type KnownProvider = keyof typeof PROVIDERS;
export const KNOWN_PROVIDERS = Object.keys(PROVIDERS) as readonly KnownProvider[];

export function isKnownProvider(value: unknown): value is KnownProvider {
  return KNOWN_PROVIDERS.some((name) => name === value);
}

/** As each stands in the payment choice: neither disturbed nor a seller's own, without a price. */
export const PAYMENT_PROVIDERS = Object.fromEntries(
  KNOWN_PROVIDERS.map((id) => {
    const { name, description, methods, countries, fields, opens }: Shown = PROVIDERS[id];
    const shown = { id, name, description, methods, countries, fields, opens };
    return [id, { ...shown, currency: "XOF", disturbed: false, own: false, quote: null }];
  }),
) as Readonly<Record<KnownProvider, PaymentProviderOnWire>>;

/** As people know it; one the code does not know, by its id. */
export function nameProvider(id: string): string {
  return isKnownProvider(id) ? PROVIDERS[id].name : id;
}
