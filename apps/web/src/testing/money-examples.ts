import type { MovementOnWire } from "@sesame/contract/reports";
import {
  COUNTRY_TERMS,
  type LimitsAnswer,
  PAYOUT_METHODS,
  type PayoutSettingsOnWire,
  type WithdrawalOnWire,
} from "@sesame/contract/withdrawals";
import { example } from "./example.ts";

export const exampleLimits = example<LimitsAnswer>({
  success: true,
  type_plan: "gratuit",
  min: 100,
  max: 50_000,
  frais: 0,
  solde: 9_100,
  disponible: 4_100,
  owed: 0,
  premier_max: 500_000,
  prochaine_date: null,
  date_limite: "2026-11-23T14:05:00.000Z",
  horaires: { jours: [1, 2, 3, 4, 5], debut: 9, fin: 17 },
  fuseau: "Africa/Abidjan",
  bloque: null,
  methodes: Object.values(PAYOUT_METHODS).map(({ id, label, operator, country }) => ({
    id,
    nom: label,
    operateur: operator,
    pays: country,
    indicatif: COUNTRY_TERMS[country].dial,
    min: id === "moov-ci" ? 500 : 100,
    pas: 1,
    ouvert: true,
  })),
  payment_method: "orange-money-ci",
  transfer_number: "+2250701020304",
  whatsapp_number: "+2250701020304",
});

export const exampleWithdrawal = example<WithdrawalOnWire>({
  id: "45",
  montant: 4_100,
  methode_paiement: "orange-money-ci",
  methode_nom: "Orange Money CI",
  operateur: "ORANGE",
  pays: "CI",
  numero_transfert: "+2250701020304",
  numero_whatsapp: "+2250701020304",
  status: "pending",
  date_creation: "2026-11-20T14:05:00.000Z",
  reference_transaction: "RT-000045",
  motif: null,
  date_limite: "2026-11-23T14:05:00.000Z",
  date_decision: null,
  date_paiement: null,
  annulable: true,
  automatique: false,
  late: false,
});

export const examplePayoutSettings = example<PayoutSettingsOnWire>({
  retrait_auto: 0,
  retraitAuto: { active: false, modePaiement: null, numeroTransfert: null },
  payment_method: null,
  transfer_number: null,
  whatsapp_number: null,
  frequence: "hebdomadaire",
  frequences: ["hebdomadaire"],
  seuil: null,
  seuil_min: 100,
  seuil_max: 500_000,
  prochaine_execution: null,
  derniere_execution: null,
  dernier_resultat: null,
  echecs: 0,
  repos_jusqua: null,
  bloque: null,
});

export function exampleMovement(part: Partial<MovementOnWire> = {}): MovementOnWire {
  const { type = "payout", amount = 4_100 } = part;
  return {
    id: "w45",
    type: "payout",
    amount: 4_100,
    net: 4_100,
    frais: 0,
    balance_change: { payout: -amount, return: amount, transfer: 0, "write-off": amount }[type],
    date: "2026-11-20T14:05:00.000Z",
    status: "success",
    demande: "45",
    reference_transaction: "RT-000045",
    methode_paiement: "orange-money-ci",
    methode_nom: "Orange Money CI",
    operateur: "ORANGE",
    numero_transfert: "+2250701020304",
    motif: null,
    ...part,
  };
}
