import type { PaymentStatus } from "../../wire.ts";
import { formatNumber } from "../emulators.ts";

const outcomes: Record<PaymentStatus, { title: string; text: string }> = {
  initiated: { title: "Paiement à faire", text: "" },
  pending: {
    title: "Paiement en attente",
    text: "L'opérateur n'a pas encore répondu. Vous pouvez revenir chez le marchand.",
  },
  success: { title: "Paiement réussi", text: "Retour chez le marchand…" },
  failed: { title: "Paiement refusé", text: "L'opérateur a refusé ce paiement." },
  cancelled: { title: "Paiement annulé", text: "Aucun montant n'a été débité." },
};

/** Names of the countries a method can serve; another code is shown as it is. */
const countries: Record<string, string> = {
  BF: "Burkina Faso",
  BJ: "Bénin",
  CI: "Côte d'Ivoire",
  ML: "Mali",
  NE: "Niger",
  SN: "Sénégal",
  TG: "Togo",
};

export const checkoutCopy = {
  simulated: "Page de paiement simulée. Aucun argent réel ne circule.",
  loading: "Chargement du paiement…",
  unknown: "Ce paiement n'existe pas.",
  toPay: "À payer",
  money: (amount: number, currency: string) =>
    currency === "XOF"
      ? `${formatNumber(amount)} F CFA`
      : `${amount.toLocaleString("fr-FR")} ${currency === "EUR" ? "€" : currency}`,
  /** "8.2296 USDT", as the provider writes it. */
  price: (price: string) => price.replace(".", ","),
  country: "Pays",
  countries,
  method: "Moyen de paiement",
  asset: "Payer avec",
  phone: "Numéro de téléphone",
  pay: (amount: string) => `Payer ${amount}`,
  fail: "Refuser (échec)",
  cancel: "Annuler le paiement",
  pending: "Laisser en attente",
  back: "Retourner chez le marchand",
  retry: "Réessayer",
  close: "Fermer",
  other: "Autres issues à essayer",
  alreadyOver: "Ce paiement est déjà terminé.",
  card: "Carte bancaire",
  stay: "Vous pouvez fermer cette page et revenir dans Telegram.",
  refusedWidget: "Ce paiement ne peut pas être ouvert : la clé publique n'est pas reconnue.",
  noAnswer: "Pas de réponse. Réessayez dans un instant.",
  outcomes,
};
