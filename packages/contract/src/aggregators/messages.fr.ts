import type { AggregatorKey, KeyName, MethodKey } from "./policy.ts";

export type AggregatorWords = { readonly name: string; readonly description: string };

export const AGGREGATOR_WORDS: Readonly<Record<MethodKey, AggregatorWords>> = {
  moneroo: { name: "Moneroo", description: "Mobile Money, sur une page sécurisée" },
  fedapay: { name: "FedaPay", description: "Cartes bancaires et Mobile Money" },
  kkiapay: { name: "KkiaPay", description: "Mobile Money et cartes, dans une fenêtre de paiement" },
  paydunya: { name: "PayDunya", description: "Mobile Money, Wave et cartes bancaires" },
  cryptopay: { name: "Crypto Pay", description: "Cryptomonnaies, par le portefeuille de Telegram" },
  stars: { name: "Telegram Stars", description: "Étoiles Telegram, dans Telegram" },
};

export const KEY_LABELS: Readonly<Record<KeyName, string>> = {
  secretKey: "Clé secrète",
  publicKey: "Clé publique",
  privateKey: "Clé privée",
  masterKey: "Clé principale",
  token: "Jeton",
  webhookSecret: "Secret des notifications",
};

const NOTIFICATIONS =
  "Facultatif : ajoutez-le après avoir donné notre adresse de notification au prestataire.";

/** Where to find it. */
export const KEY_HINTS: Readonly<
  Record<AggregatorKey, Readonly<Partial<Record<KeyName, string>>>>
> = {
  moneroo: {
    secretKey: "Tableau de bord Moneroo, Développeurs, Clés API",
    webhookSecret: NOTIFICATIONS,
  },
  fedapay: {
    secretKey: "Tableau de bord FedaPay, Applications : sk_live_…",
    publicKey: "Facultatif, pour le paiement dans la page : pk_live_…",
    webhookSecret: NOTIFICATIONS,
  },
  kkiapay: {
    publicKey: "Tableau de bord KkiaPay, Développeurs, Clés API",
    privateKey: "Au même endroit",
    secretKey: "Au même endroit",
    webhookSecret: NOTIFICATIONS,
  },
  paydunya: {
    masterKey: "PayDunya, Intégrer notre API, votre application",
    privateKey: "Au même endroit : live_private_…",
    token: "Au même endroit",
  },
  cryptopay: { token: "@CryptoBot, Crypto Pay, Mes applications : 12345:AA…" },
};
