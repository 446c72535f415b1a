import { isKnownProvider, type KnownProvider } from "./policy.ts";
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

/** As it stands: neither disturbed nor a seller's own, without a price. */
const PLAIN = { currency: "XOF", disturbed: false, own: false, quote: null } as const;

/** What the payment choice says of each provider the code knows (decisions 2 and 59: XOF only). */
export const PAYMENT_PROVIDERS: Readonly<Record<KnownProvider, PaymentProviderOnWire>> = {
  moneroo: {
    ...PLAIN,
    id: "moneroo",
    name: "Moneroo",
    description: "Mobile Money, sur la page sécurisée de Moneroo",
    methods: ["Orange Money", "MTN MoMo", "Moov Money", "Wave", "T-Money", "Free Money"],
    countries: [BENIN, BURKINA, IVORY_COAST, MALI, NIGER, SENEGAL, TOGO],
    fields: { email: "optional", phone: "none" },
    opens: "page",
  },
  fedapay: {
    ...PLAIN,
    id: "fedapay",
    name: "FedaPay",
    description: "Mobile Money ou carte, dans la fenêtre sécurisée de FedaPay",
    methods: ["MTN MoMo", "Moov Money", "Celtiis", "T-Money", "Orange Money", "Wave", "Carte"],
    countries: [BENIN, BURKINA, IVORY_COAST, MALI, NIGER, SENEGAL, TOGO],
    fields: { email: "optional", phone: "optional" },
    opens: "widget",
  },
  kkiapay: {
    ...PLAIN,
    id: "kkiapay",
    name: "KkiaPay",
    description: "Mobile Money ou carte, dans la fenêtre sécurisée de KkiaPay",
    methods: ["MTN MoMo", "Moov Money", "Celtiis", "Orange Money", "Wave", "Free Money", "Carte"],
    countries: [BENIN, IVORY_COAST, NIGER, SENEGAL, TOGO],
    fields: { email: "optional", phone: "optional" },
    opens: "widget",
  },
  paydunya: {
    ...PLAIN,
    id: "paydunya",
    name: "PayDunya",
    description: "Mobile Money ou carte, sur la page sécurisée de PayDunya",
    methods: ["Orange Money", "Wave", "Free Money", "MTN MoMo", "Moov Money", "T-Money", "Carte"],
    countries: [BENIN, BURKINA, IVORY_COAST, MALI, SENEGAL, TOGO],
    fields: { email: "optional", phone: "optional" },
    opens: "page",
  },
  cryptopay: {
    ...PLAIN,
    id: "cryptopay",
    name: "Crypto",
    description: "Crypto Pay, dans Telegram : le prix est converti en euros à parité fixe",
    methods: ["USDT", "TON", "BTC", "ETH"],
    countries: ALL,
    fields: { email: "none", phone: "none" },
    opens: "page",
  },
  stars: {
    ...PLAIN,
    id: "stars",
    name: "Telegram Stars",
    description: "Sans quitter Telegram, avec vos Stars",
    methods: ["Telegram Stars"],
    countries: ALL,
    fields: { email: "none", phone: "none" },
    opens: "invoice",
  },
};

/** As people know it; one the code does not know, by its id. */
export function nameProvider(id: string): string {
  return isKnownProvider(id) ? PAYMENT_PROVIDERS[id].name : id;
}

/** "1 524,50 €", "625 Stars": asked in the provider's own currency. */
export function sayQuote(quote: { readonly currency: string; readonly amount: string }): string {
  const [whole = "", cents] = quote.amount.split(".");
  // By thousands, with the narrow space that French numbers have.
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, "\u202f");
  if (quote.currency === "XTR") return `${grouped} ${grouped === "1" ? "Star" : "Stars"}`;
  const amount = cents === undefined ? grouped : `${grouped},${cents}`;
  return `${amount} ${quote.currency === "EUR" ? "€" : quote.currency}`;
}

/** Said with the address of the provider's page. */
export const PAYMENT_OPENED = "Paiement initialisé";
