import type { PaymentProviderOnWire } from "./wire.ts";

/** What the payment choice says of each provider the code knows (decisions 2 and 59: XOF only). */
export const PAYMENT_PROVIDERS: Readonly<Record<"moneroo", PaymentProviderOnWire>> = {
  moneroo: {
    id: "moneroo",
    name: "Moneroo",
    description: "Mobile Money, sur la page sécurisée de Moneroo",
    methods: ["Orange Money", "MTN MoMo", "Moov Money", "Wave", "T-Money", "Free Money"],
    countries: [
      { code: "BJ", name: "Bénin" },
      { code: "BF", name: "Burkina Faso" },
      { code: "CI", name: "Côte d'Ivoire" },
      { code: "ML", name: "Mali" },
      { code: "NE", name: "Niger" },
      { code: "SN", name: "Sénégal" },
      { code: "TG", name: "Togo" },
    ],
    currency: "XOF",
    fields: { email: "optional", phone: "none" },
  },
};

/** Every provider the product may ever name; one that is not open is "non disponible". */
export const KNOWN_PROVIDERS = [
  "moneroo",
  "fedapay",
  "kkiapay",
  "paydunya",
  "cryptopay",
  "stars",
] as const;

/** What the provider's page shows above the amount. */
export function describePayment(title: string): string {
  return `Abonnement : ${title}`;
}

/** Said with the address of the provider's page. */
export const PAYMENT_OPENED = "Paiement initialisé";
