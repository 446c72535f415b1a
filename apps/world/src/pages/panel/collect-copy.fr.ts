import type {
  CollectorName,
  KkiapayModes,
  MerchantProviderName,
  PaymentCall,
  PaymentFault,
  PaymentOutcome,
  PaymentView,
} from "../../wire.ts";
import { formatNumber } from "../world/format.ts";

const providers: Record<CollectorName, string> = {
  moneroo: "Moneroo",
  fedapay: "FedaPay",
  kkiapay: "KkiaPay",
  paydunya: "PayDunya",
  cryptopay: "Crypto Pay",
  stars: "Telegram Stars",
};

const faults: Record<PaymentFault, string> = {
  "timeout-before": "Coupure avant l'effet",
  "timeout-after": "Coupure après l'effet",
  "500": "Erreur 500",
  "500-after": "Erreur 500 après l'effet",
  "429": "Trop d'appels (429)",
  nonsense: "Réponse illisible",
  "not-found": "Introuvable (404)",
  refuse: "Refuse la demande",
  keys: "Clés refusées",
  down: "En panne (503)",
};

const calls: Record<PaymentCall, string> = {
  create: "Création",
  fetch: "Vérification",
  refund: "Remboursement",
};

const statuses: Record<PaymentView["status"], string> = {
  pending: "en attente",
  paid: "payé",
  failed: "échoué",
  cancelled: "annulé",
  refunded: "remboursé",
};

const currencies: Record<string, string> = { XOF: "F CFA", EUR: "€", XTR: "⭐" };

/** "5 000 F CFA", "7,62 €", "625 ⭐". */
function price({ amount, currency }: Pick<PaymentView, "amount" | "currency">): string {
  const number = Number.isInteger(Number(amount))
    ? formatNumber(Number(amount))
    : String(amount).replace(".", ",");
  return `${number} ${currencies[currency] ?? currency}`;
}

const outcomes: Record<Exclude<PaymentOutcome, "pending">, string> = {
  success: "Réussir",
  failure: "Échouer",
  cancel: "Annuler",
};

/** Which of a provider's calls this was, by its path. */
function callWords(what: string): string {
  const creates = /\/create$|\/createInvoice$|\/initialize$|^POST \/v1\/transactions$/i;
  if (creates.test(what)) return "on demande un paiement";
  return what.includes("/revert") ? "on demande un remboursement" : "on interroge sur un paiement";
}

const kkiapay: Record<keyof KkiapayModes, string> = {
  forgedSuccess: "Widget : « payé » à tort",
  otherAmount: "Widget : 100 F au lieu du prix",
  emptyPartnerId: "Référence partenaire perdue",
  stateAsText: "Avis : état en texte JSON",
};

export const collectCopy = {
  quirks: { kkiapay, lateStars: "Réponse du bot jugée trop tardive" },
  title: "Encaissements",
  provider: "Prestataire d'encaissement",
  providers,
  fault: (call: PaymentCall) => calls[call],
  noFault: "Normal",
  faults,
  lost: "Avis perdus",
  thrice: "Avis répétés trois fois",
  forged: "Avis mal signés",
  payments: "Derniers encaissements",
  none: "Aucun encaissement pour l'instant.",
  price,
  statuses,
  settle: outcomes,
  settleLabel: (outcome: Exclude<PaymentOutcome, "pending">, view: PaymentView) =>
    `${outcomes[outcome]} le paiement de ${price(view)}`,
  takeBack: "Reprendre",
  takeBackLabel: (view: PaymentView) => `Reprendre le paiement de ${price(view)}`,
  restore: "Rétablir",
  restoreLabel: (view: PaymentView) => `Rétablir le paiement de ${price(view)}`,
  told: "Derniers avis envoyés",
  active: (provider: CollectorName, call: PaymentCall, kind: PaymentFault) =>
    `${providers[provider]}, ${calls[call].toLowerCase()} : ${faults[kind].toLowerCase()}`,
  notice: (provider: CollectorName, words: string) => `${providers[provider]} : ${words}`,
  merchants: {
    title: "Comptes de vendeurs",
    hint: "Un vendeur ouvre son propre compte chez un prestataire et en copie les clés.",
    provider: "Ouvrir un compte chez",
    open: "Ouvrir un compte",
    account: (provider: MerchantProviderName, id: string) =>
      `${providers[provider]}, compte ${id.replace("seller-", "n° ")}`,
    address: "Adresse des avis",
    save: "Enregistrer l'adresse",
    wrong: "Cette adresse n'est pas valable.",
  },
  journal: {
    created: (provider: CollectorName, view: PaymentView) =>
      `${providers[provider]} : paiement de ${price(view)} créé`,
    changed: (provider: CollectorName, view: PaymentView) =>
      `${providers[provider]} : paiement de ${price(view)} ${statuses[view.status]}`,
    call: (provider: CollectorName, what: string, status: number) =>
      `${providers[provider]} : ${callWords(what)}, ${
        status === 0 ? "pas de réponse" : `réponse ${status}`
      }`,
  },
};
