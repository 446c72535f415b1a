import type { PayoutFault, PayoutProviderName, PayoutStatus, PayoutView } from "../../wire.ts";
import { formatNumber } from "../world/format.ts";

const providers: Record<PayoutProviderName, string> = {
  paydunya: "PayDunya",
  moneroo: "Moneroo",
  fedapay: "FedaPay",
};

const faults: Record<PayoutFault, string> = {
  refuse: "Refuse le prochain envoi",
  "insufficient-float": "Réserve insuffisante (1 envoi)",
  "timeout-before": "Coupure avant l'effet",
  "timeout-after": "Coupure après l'effet",
  "500-after": "Erreur 500 après l'effet",
  "late-success": "Réussit 6 h plus tard",
  "late-failure": "Échoue 6 h plus tard",
  "stay-pending": "Reste en attente",
  down: "En panne (503)",
  slow: "Lent (4 s)",
  "429": "Trop d'appels (429)",
  nonsense: "Réponse illisible",
  "unknown-word": "Statut inconnu",
  "no-word": "Statut absent",
  "wrong-amount": "Mauvais montant",
  "wrong-reference": "Mauvaise référence",
};

const statuses: Record<PayoutStatus, string> = {
  created: "préparé",
  queued: "accepté",
  pending: "chez l'opérateur",
  success: "reçu",
  failed: "échoué",
};

const money = (amount: number) => `${formatNumber(amount)} F CFA`;

/** Which of a provider's calls this was, by its path. */
function callWords(what: string): string {
  if (/get-invoice$|^POST \/v1\/payouts$/.test(what)) return "On prépare un versement";
  if (/submit-invoice$|\/start$|payouts\/initialize$/.test(what)) return "On demande un versement";
  if (/check-status$|payouts\/[^/]+(\/verify)?$/.test(what)) return "On interroge sur un versement";
  return "On compare les comptes";
}

export const payoutCopy = {
  title: "Versements aux vendeurs",
  provider: "Prestataire",
  providers,
  fault: "Panne",
  noFault: "Aucune",
  faults,
  statuses,
  account: "Réserve de",
  float: "Réserve",
  empty: "Vider",
  emptyLabel: (name: string) => `Vider la réserve ${name}`,
  refill: "Remplir",
  refillLabel: (name: string) => `Remplir la réserve ${name}`,
  payouts: "Derniers versements",
  none: "Aucun versement pour l'instant.",
  settle: { success: "Réussir", failed: "Échouer" },
  settleLabel: (outcome: "success" | "failed", amount: number) =>
    outcome === "success"
      ? `Réussir le versement de ${money(amount)}`
      : `Échouer le versement de ${money(amount)}`,
  planted: "inconnu de l'app",
  reconciliation: "Rapprochement",
  plant: "Glisser un versement inconnu",
  forget: "Oublier le dernier",
  active: (provider: PayoutProviderName, kind: PayoutFault) =>
    `${providers[provider]} : ${faults[kind].toLowerCase()}`,
  wallets: {
    title: "Comptes Mobile Money",
    hint: "Le solde de chacun sur son téléphone.",
    credit: "+ 500 000",
    creditLabel: (name: string) => `Donner 500 000 F CFA à ${name}`,
  },
  journal: {
    created: ({ provider, amount }: PayoutView) =>
      `${providers[provider]} prépare un versement de ${money(amount)}`,
    taken: ({ provider, amount }: PayoutView) =>
      `${providers[provider]} prend un versement de ${money(amount)}`,
    pending: ({ provider, amount }: PayoutView) =>
      `${providers[provider]} : ${money(amount)} ${statuses.pending}`,
    success: ({ provider, amount, phone }: PayoutView) =>
      `${providers[provider]} : ${money(amount)} reçus au ${phone}`,
    failed: ({ provider, amount, failure }: PayoutView) =>
      `${providers[provider]} : ${money(amount)} échoué${failure === null ? "" : ` (${failure})`}`,
    planted: ({ provider, amount }: PayoutView) =>
      `${providers[provider]} : versement de ${money(amount)} que personne n'a demandé`,
    sentByHand: (amount: number, who: string, reference: string) =>
      `Mobile Money : ${money(amount)} envoyés à ${who} (${reference})`,
    call: (provider: PayoutProviderName, what: string, status: number) =>
      `${providers[provider]} : ${callWords(what).toLowerCase()}, ${
        status === 0 ? "pas de réponse" : `réponse ${status}`
      }`,
  },
};
