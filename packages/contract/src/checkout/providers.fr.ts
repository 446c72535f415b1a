import { oneOf } from "@sesame/kernel";
import type { PaymentProviderOnWire } from "./routes.ts";

const BENIN = { code: "BJ", name: "Bénin" };
const BURKINA = { code: "BF", name: "Burkina Faso" };
const IVORY_COAST = { code: "CI", name: "Côte d'Ivoire" };
const GUINEA_BISSAU = { code: "GW", name: "Guinée-Bissau" };
const MALI = { code: "ML", name: "Mali" };
const NIGER = { code: "NE", name: "Niger" };
const SENEGAL = { code: "SN", name: "Sénégal" };
const TOGO = { code: "TG", name: "Togo" };

/** For providers that accept payments from everywhere: the countries of the franc XOF. */
const ALL = [BENIN, BURKINA, IVORY_COAST, GUINEA_BISSAU, MALI, NIGER, SENEGAL, TOGO];

/** A field of an account at a provider. */
type KeyRule = {
  readonly label: string;
  /** The form's hint where the seller finds the key. */
  readonly hint: string;
  /** False: a browser may see it. */
  readonly secret: boolean;
  /** True: payments work without it. */
  readonly optional: boolean;
  /** False: another value does not mean another account. */
  readonly opensAccount: boolean;
};

const KEY = { hint: "", secret: true, optional: false, opensAccount: true };

/** By the name in the providers' own documents: the fields that providers share. */
const KEYS = {
  secretKey: { ...KEY, label: "Clé secrète" },
  publicKey: { ...KEY, label: "Clé publique", secret: false },
  privateKey: { ...KEY, label: "Clé privée" },
  masterKey: { ...KEY, label: "Clé principale" },
  token: { ...KEY, label: "Jeton" },
  // The seller gets or chooses it after giving the provider our address, so it may be absent at first.
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

type Key<N extends KeyName> = KeyRule & { readonly name: N };

function key<const N extends KeyName>(
  name: N,
  hint: string = KEYS[name].hint,
  other: Partial<KeyRule> = {},
): Key<N> {
  return { name, ...KEYS[name], hint, ...other };
}

/** The description for buyers. */
type Shown = Pick<
  PaymentProviderOnWire,
  "name" | "description" | "methods" | "countries" | "fields" | "opens"
>;

type ProviderRow = Shown & {
  readonly seller: { readonly name: string; readonly description: string };
  /** The keys of a seller's own account, in the order of the form; null: only the instance's bot has an account. */
  readonly keys: readonly Key<KeyName>[] | null;
  /** Decision 3: on for every seller, except KkiaPay, until the seller switches it. */
  readonly onByDefault: boolean;
  /** Calls that opening one payment costs. */
  readonly callsToOpen: number;
  /** The default number of calls a minute that it allows to an account. */
  readonly callsAMinute: number;
};

/** The values of providers that document no others. */
const USUAL = { onByDefault: true, callsToOpen: 1, callsAMinute: 60 } as const;

/**
 * One row for each provider; one that is not open is "non disponible" (decisions 2 and 59: XOF
 * only).
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
    // From Moneroo's documents.
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
      // KkiaPay has a widget only, no page.
      key("publicKey", "Facultatif, pour le paiement dans la page : pk_live_…", {
        optional: true,
        opensAccount: false,
      }),
      key("webhookSecret"),
    ],
    // One call creates the transaction, a second one its page.
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

export const isKnownProvider = oneOf(KNOWN_PROVIDERS);

/**
 * Each provider of the payment choice before a sale is known: not disturbed, not the seller's own
 * account, without a price.
 */
export const PAYMENT_PROVIDERS = Object.fromEntries(
  KNOWN_PROVIDERS.map((id) => {
    const { name, description, methods, countries, fields, opens }: Shown = PROVIDERS[id];
    const shown = { id, name, description, methods, countries, fields, opens };
    return [id, { ...shown, currency: "XOF", disturbed: false, own: false, quote: null }];
  }),
) as Readonly<Record<KnownProvider, PaymentProviderOnWire>>;

/** The name people know; the id for a provider that the code does not list. */
export function nameProvider(id: string): string {
  return isKnownProvider(id) ? PROVIDERS[id].name : id;
}
