import { z } from "zod";
import { route } from "../common/route.ts";
import {
  francs,
  id,
  idInPath,
  instantOnWire,
  next_cursor,
  success,
  unchecked,
} from "../common/wire.ts";
import { planOnWire } from "../plans/routes.ts";
import { PAYOUT_COUNTRIES, PAYOUT_METHOD_IDS } from "./methods.fr.ts";
import { PAYOUT_OPERATORS } from "./messages.fr.ts";
import { PAYOUT_FREQUENCIES, WITHDRAWAL_STATUSES } from "./policy.ts";
import { withdrawalsRefusals } from "./refusals.fr.ts";

export const withdrawalOnWire = z.object({
  id,
  /** Whole francs. */
  montant: francs,
  methode_paiement: z.enum(PAYOUT_METHOD_IDS),
  /** "Orange Money CI". */
  methode_nom: z.string(),
  operateur: z.enum(PAYOUT_OPERATORS),
  pays: z.enum(PAYOUT_COUNTRIES),
  /** E.164. */
  numero_transfert: z.string(),
  numero_whatsapp: z.string(),
  status: z.enum(WITHDRAWAL_STATUSES),
  date_creation: instantOnWire,
  reference_transaction: z.string(),
  /** The reason of a rejection, which the seller reads. */
  motif: z.string().nullable(),
  /** The promised deadline, in working hours. */
  date_limite: instantOnWire,
  date_decision: instantOnWire.nullable(),
  /** The operator or the provider confirmed that the money was received. */
  date_paiement: instantOnWire.nullable(),
  /** Pending, and not assigned to an agent (decision 63). */
  annulable: z.boolean(),
  automatique: z.boolean(),
  /** Still pending after the promised deadline. */
  late: z.boolean(),
});
export type WithdrawalOnWire = z.input<typeof withdrawalOnWire>;

const withdrawal = {
  access: "seller",
  owns: { id: { thing: "withdrawal", by: ["seller"] } },
  answer: success({ message: z.string(), demande: withdrawalOnWire }),
  refusals: withdrawalsRefusals,
} as const;

export const askWithdrawal = route("POST /api/users/retrait/demande", {
  ...withdrawal,
  owns: null,
  summary: "Demander un retrait ; le montant est réservé sur le solde",
  /** Unchecked here, whatever the type: each field has its refusal in B §5. */
  body: z.object({
    montant: unchecked("Francs entiers, en nombre ou en texte"),
    methode_paiement: unchecked("Une des quinze méthodes : orange-money-ci…"),
    numero_transfert: unchecked("Le numéro qui reçoit l'argent, national ou international"),
    numero_whatsapp: unchecked("Où un agent peut répondre"),
  }),
  status: 201,
  repeatable: true,
  example: { body: { montant: 50 } },
});

export const cancelWithdrawal = route("DELETE /api/users/retrait/annuler/:id", {
  ...withdrawal,
  summary: "Annuler une demande en attente qu'aucun agent n'a prise",
  /** `available`: what can be spent after the request. */
  answer: withdrawal.answer.extend({ available: francs }),
  repeatable: true,
});

export const listWithdrawals = route("GET /api/users/retrait/mes-demandes", {
  access: "seller",
  summary: "Ses demandes de retrait, les plus récentes d'abord",
  query: z.object({
    cursor: idInPath.optional(),
    /** `all` is the default. */
    status: z.enum(["all", ...WITHDRAWAL_STATUSES]).optional(),
  }),
  answer: success({ demandes: z.array(withdrawalOnWire), next_cursor }),
});

/** A measure until somebody decides: suspended, frozen, closed. */
const standingOnWire = z.object({
  code: z.string(),
  message: z.string(),
  /** When it is reviewed. */
  date_revision: instantOnWire.nullable(),
});

const payoutMethodOnWire = z.object({
  id: z.enum(PAYOUT_METHOD_IDS),
  nom: z.string(),
  operateur: z.enum(PAYOUT_OPERATORS),
  pays: z.enum(PAYOUT_COUNTRIES),
  /** Without "+". */
  indicatif: z.string(),
  /** The operator's minimum, in francs. */
  min: francs,
  pas: francs,
  ouvert: z.boolean(),
});
export type PayoutMethodOnWire = z.input<typeof payoutMethodOnWire>;

/** The values with which the form makes the server's checks. */
export const readWithdrawalLimits = route("GET /api/users/retrait/limites", {
  access: "seller",
  summary: "Solde disponible, limites, méthodes et délai d'un retrait demandé maintenant",
  answer: success({
    type_plan: planOnWire,
    min: francs,
    max: francs,
    frais: francs,
    /** The posted balance, and what can be spent: posted less held. */
    solde: francs,
    disponible: francs,
    /** As `owed` of the seller: `disponible` is without it. */
    owed: francs,
    /** The maximum while no payout of the seller has succeeded; null afterwards. */
    premier_max: francs.nullable(),
    /** When the free plan's weekly rule allows the next request; null: now. */
    prochaine_date: instantOnWire.nullable(),
    /** The deadline of a request made now. */
    date_limite: instantOnWire,
    /** Agents' hours: 1 Monday … 7 Sunday. */
    horaires: z.object({ jours: z.array(z.int()), debut: z.int(), fin: z.int() }),
    /** The instance's time zone, for the date and the hours. */
    fuseau: z.string(),
    bloque: standingOnWire.nullable(),
    methodes: z.array(payoutMethodOnWire),
    /** The last used method, as the default of the form. */
    payment_method: z.enum(PAYOUT_METHOD_IDS).nullable(),
    transfer_number: z.string().nullable(),
    whatsapp_number: z.string().nullable(),
  }),
});
export type LimitsAnswer = z.input<typeof readWithdrawalLimits.answer>;

export const readWithdrawal = route("GET /api/users/retrait/:id", {
  ...withdrawal,
  summary: "Une de ses demandes de retrait",
});

/** The automatic-payout fields of the seller's profile, in both forms of B §3. */
export const payoutFieldsOnWire = z.object({
  retrait_auto: z.union([z.literal(0), z.literal(1)]),
  retraitAuto: z.object({
    active: z.boolean(),
    modePaiement: z.string().nullable(),
    numeroTransfert: z.string().nullable(),
  }),
  payment_method: z.string().nullable(),
  transfer_number: z.string().nullable(),
});
export type PayoutFieldsOnWire = z.input<typeof payoutFieldsOnWire>;

const payoutSettingsOnWire = payoutFieldsOnWire.extend({
  whatsapp_number: z.string().nullable(),
  frequence: z.enum(PAYOUT_FREQUENCIES),
  /** The frequencies that the seller's plan includes. */
  frequences: z.array(z.enum(PAYOUT_FREQUENCIES)),
  seuil: francs.nullable(),
  seuil_min: francs,
  seuil_max: francs,
  prochaine_execution: instantOnWire.nullable(),
  derniere_execution: instantOnWire.nullable(),
  /** French; the result of the last run. */
  dernier_resultat: z.string().nullable(),
  echecs: z.int(),
  /** A new number waits until then: no automatic payout before (decision 116). */
  repos_jusqua: instantOnWire.nullable(),
  /** Frozen, suspended or closed: no payout is requested. */
  bloque: standingOnWire.nullable(),
});
export type PayoutSettingsOnWire = z.input<typeof payoutSettingsOnWire>;

const settings = {
  access: "seller",
  answer: success({ message: z.string(), paiement: payoutSettingsOnWire }),
} as const;

export const readPayoutSettings = route("GET /api/users/paiement", {
  ...settings,
  summary: "Où va l'argent, et le retrait automatique : prochaine exécution, dernier résultat",
});

/** Absent fields stay as they are. */
export const savePayoutSettings = route("PUT /api/users/paiement/update", {
  ...settings,
  summary: "Enregistrer où va l'argent ; activer, modifier ou désactiver le retrait automatique",
  owns: null,
  body: z.object({
    /** Each form of true and false (decision 69). */
    retrait_auto: unchecked("true, 1 ou false, 0"),
    payment_method: unchecked("Une des quinze méthodes"),
    transfer_number: unchecked("Le numéro qui reçoit l'argent"),
    whatsapp_number: unchecked("Où un agent peut répondre"),
    frequence: unchecked("hebdomadaire, quotidien ou seuil"),
    seuil: unchecked("Francs entiers, pour la fréquence seuil"),
  }),
  refusals: withdrawalsRefusals,
  example: { body: { retrait_auto: 0 } },
});
export type PayoutSettingsBody = z.input<typeof savePayoutSettings.body>;
