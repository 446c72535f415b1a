import { z } from "zod";
import { instantOnWire } from "../common/wire.ts";
import { planOnWire } from "../plans/routes.ts";
import { PAYOUT_METHOD_IDS } from "../settings/policy.ts";
import { PAYOUT_COUNTRIES, PAYOUT_OPERATORS } from "./methods.fr.ts";
import { PAYOUT_FREQUENCIES, WITHDRAWAL_STATUSES } from "./policy.ts";

/** Of any type: what is wrong with it has its own sentence. */
const told = (description: string) => z.unknown().optional().meta({ description });

/** Each field has its sentence in B §5, whatever its type. */
export const withdrawalBody = z.object({
  montant: told("Francs entiers, en nombre ou en texte"),
  methode_paiement: told("Une des quinze méthodes : orange-money-ci…"),
  numero_transfert: told("Le numéro qui reçoit l'argent, national ou international"),
  numero_whatsapp: told("Où un agent peut répondre"),
});

export const withdrawalOnWire = z.object({
  id: z.string(),
  /** Whole francs. */
  montant: z.int(),
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
  /** Why it was rejected, as the seller reads it. */
  motif: z.string().nullable(),
  /** Promised by then, in working hours. */
  date_limite: instantOnWire,
  date_decision: instantOnWire.nullable(),
  /** The operator or the provider confirmed that the money was received. */
  date_paiement: instantOnWire.nullable(),
  /** Pending, and no agent has taken it (decision 63). */
  annulable: z.boolean(),
  automatique: z.boolean(),
});
export type WithdrawalOnWire = z.input<typeof withdrawalOnWire>;

export const withdrawalAnswer = z.object({
  success: z.literal(true),
  message: z.string(),
  demande: withdrawalOnWire,
});
export type WithdrawalAnswer = z.input<typeof withdrawalAnswer>;

export const withdrawalsAnswer = z.object({
  success: z.literal(true),
  demandes: z.array(withdrawalOnWire),
  /** For the next page; null on the last one. */
  next_cursor: z.string().nullable(),
});
export type WithdrawalsAnswer = z.input<typeof withdrawalsAnswer>;

const payoutMethodOnWire = z.object({
  id: z.enum(PAYOUT_METHOD_IDS),
  nom: z.string(),
  operateur: z.enum(PAYOUT_OPERATORS),
  pays: z.enum(PAYOUT_COUNTRIES),
  /** Without "+". */
  indicatif: z.string(),
  /** The operator's own, in francs. */
  min: z.int(),
  pas: z.int(),
  ouvert: z.boolean(),
});
export type PayoutMethodOnWire = z.input<typeof payoutMethodOnWire>;

/** A sentence that stands until someone decides: suspended, frozen, closed. */
const standingOnWire = z.object({
  code: z.string(),
  message: z.string(),
  /** When somebody looks at it again. */
  date_revision: instantOnWire.nullable(),
});

export const limitsAnswer = z.object({
  success: z.literal(true),
  type_plan: planOnWire,
  min: z.int(),
  max: z.int(),
  frais: z.int(),
  /** Posted, and what can be spent: posted less held. */
  solde: z.int(),
  disponible: z.int(),
  /** What is left to ask for while no payout of the seller has succeeded; null afterwards. */
  premier_max: z.int().nullable(),
  /** The weekly rule of the free plan; null: a request may be made now. */
  prochaine_date: instantOnWire.nullable(),
  /** By when a request made now is dealt with. */
  date_limite: instantOnWire,
  /** Agents' hours: 1 Monday … 7 Sunday. */
  horaires: z.object({ jours: z.array(z.int()), debut: z.int(), fin: z.int() }),
  /** The instance's; the weekly date and the hours are told in it. */
  fuseau: z.string(),
  bloque: standingOnWire.nullable(),
  methodes: z.array(payoutMethodOnWire),
  /** The last used, offered again. */
  payment_method: z.enum(PAYOUT_METHOD_IDS).nullable(),
  transfer_number: z.string().nullable(),
  whatsapp_number: z.string().nullable(),
});
export type LimitsAnswer = z.input<typeof limitsAnswer>;

export const payoutSettingsBody = z.object({
  /** Each form of yes and no (decision 69). */
  retrait_auto: told("true, 1 ou false, 0"),
  payment_method: told("Une des quinze méthodes"),
  transfer_number: told("Le numéro qui reçoit l'argent"),
  whatsapp_number: told("Où un agent peut répondre"),
  frequence: told("hebdomadaire, quotidien ou seuil"),
  seuil: told("Francs entiers, pour la fréquence seuil"),
});
export type PayoutSettingsBody = z.input<typeof payoutSettingsBody>;

/** What the seller's profile says of automatic payouts, in both shapes of B §3. */
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
  /** Open to the seller's plan. */
  frequences: z.array(z.enum(PAYOUT_FREQUENCIES)),
  seuil: z.int().nullable(),
  seuil_min: z.int(),
  seuil_max: z.int(),
  prochaine_execution: instantOnWire.nullable(),
  derniere_execution: instantOnWire.nullable(),
  /** French, of the last run. */
  dernier_resultat: z.string().nullable(),
  echecs: z.int(),
  /** A changed number rests until then: no automatic payout before (decision 71). */
  repos_jusqua: instantOnWire.nullable(),
  /** Frozen, suspended or closed: no payout is asked for. */
  bloque: standingOnWire.nullable(),
});
export type PayoutSettingsOnWire = z.input<typeof payoutSettingsOnWire>;

export const payoutSettingsAnswer = z.object({
  success: z.literal(true),
  message: z.string(),
  paiement: payoutSettingsOnWire,
});
export type PayoutSettingsAnswer = z.input<typeof payoutSettingsAnswer>;
