import type { Fcfa } from "@sesame/kernel";
import { type RefusalOf, refusal, refusals, conflict } from "../common/refusal.ts";
import { sayFrancs, sayOwed } from "../common/francs.fr.ts";
import { IMPOSSIBLE, METHOD_CLOSED, REQUEST_NOT_FOUND, sayInstant } from "../common/messages.fr.ts";
import { METHOD_NOT_FOUND } from "../common/paying.fr.ts";
import type { PayoutMethodId } from "./methods.fr.ts";
import { COUNTRY_TERMS, PAYOUT_METHODS } from "./methods.fr.ts";
import { OPERATOR_NAMES } from "./messages.fr.ts";

/** Why a number cannot receive a payout of the method. */
const phoneRefusals = refusals({
  "withdrawals.phone-invalid": ({ method }: { method: PayoutMethodId }) => sayPhoneInvalid(method),
  "withdrawals.phone-wrong-country": ({ method }: { method: PayoutMethodId }) => {
    const { of, dial } = countryOf(method);
    return `${PAYOUT_METHODS[method].label} demande un numéro ${of} (+${dial}).`;
  },
  "withdrawals.phone-wrong-operator": ({ method }: { method: PayoutMethodId }) =>
    `Ce numéro n'est pas un numéro ${OPERATOR_NAMES[PAYOUT_METHODS[method].operator]} ${countryOf(method).of}.`,
});

type Standing = { reason: string | null; reviewAt: Date | null; zone: string };

/** Why this seller may not request: a person decided it, and the seller reads the reason (decision 99). */
const standingRefusals = refusals({
  "withdrawals.seller-closed": "Votre compte vendeur est fermé.",
  "withdrawals.seller-suspended": ({ reason, reviewAt, zone }: Standing) =>
    `Votre compte vendeur est suspendu${because(reason)}.${reviewed(reviewAt, zone)}`,
  "withdrawals.payouts-frozen": ({
    by,
    reason,
    reviewAt,
    zone,
  }: Standing & { by: "seller" | "operator" }) =>
    by === "seller"
      ? "Vos retraits sont bloqués à votre demande. Contactez le support pour les débloquer."
      : `Vos retraits sont bloqués${because(reason)}.${reviewed(reviewAt, zone)}`,
});

export type StandingRefusal = RefusalOf<typeof standingRefusals>;

/** Why a request is refused, in the order of the checks (B §5, decisions 65 to 67). */
const requestRefusals = refusals({
  "withdrawals.amount-invalid": "Veuillez saisir un montant valide",
  "withdrawals.amount-too-small": ({ min }: { min: Fcfa }) =>
    `Le montant minimum de retrait est de ${min} FCFA`,
  "withdrawals.amount-too-large": ({ max }: { max: Fcfa }) =>
    `Le montant maximum de retrait est de ${max} FCFA`,
  "withdrawals.balance-too-low": ({ owed }: { owed: Fcfa }) =>
    `Solde insuffisant pour ce retrait${sayOwed(owed)}`,
  "withdrawals.whatsapp-invalid": "Veuillez saisir un numéro WhatsApp valide (minimum 6 chiffres)",
  "withdrawals.phone-missing":
    "Veuillez saisir un numéro pour le transfert valide (minimum 6 chiffres)",
  "withdrawals.method-missing": "Veuillez sélectionner un mode de paiement",
  "withdrawals.method-unknown": METHOD_NOT_FOUND,
  "withdrawals.method-closed": refusal<{ method: PayoutMethodId }>(422, METHOD_CLOSED),
  ...phoneRefusals,
  "withdrawals.below-operator-min": ({ method, min }: { method: PayoutMethodId; min: Fcfa }) =>
    `Le minimum pour ${PAYOUT_METHODS[method].label} est de ${min} FCFA`,
  "withdrawals.off-operator-step": ({ method, step }: { method: PayoutMethodId; step: Fcfa }) =>
    `Le montant pour ${PAYOUT_METHODS[method].label} doit être un multiple de ${step} FCFA`,
  ...standingRefusals,
  "withdrawals.weekly": ({ reopensAt, zone }: { reopensAt: Date; zone: string }) =>
    `Le plan gratuit permet un retrait par semaine. Prochain retrait possible le ${sayInstant(reopensAt, zone)}.`,
  "withdrawals.first-too-large": ({ max }: { max: Fcfa }) =>
    max === 0n
      ? "Vous pourrez demander un autre retrait dès que le premier est payé."
      : `Tant qu'aucun retrait ne vous a été payé, vous pouvez encore demander ${sayFrancs(max)}. La limite est levée dès le premier payé.`,
});

export type RequestRefusal = RefusalOf<typeof requestRefusals>;

/** B §4, §5 and §8, word for word. */
export const withdrawalsRefusals = refusals({
  ...requestRefusals,
  "withdrawals.unknown": refusal(404, REQUEST_NOT_FOUND),
  "withdrawals.not-cancellable": conflict(IMPOSSIBLE),
  "withdrawals.not-pending": conflict("Cette demande n'est plus en attente."),
  "withdrawals.key-reused": conflict("Cette demande a déjà été envoyée avec un autre contenu."),
  "withdrawals.automatic-phone-invalid":
    "Veuillez saisir un numéro de transfert valide (minimum 6 chiffres)",
  "withdrawals.frequency-unknown": "Veuillez choisir une fréquence parmi celles proposées.",
  "withdrawals.frequency-premium": refusal(
    403,
    "Avec le plan gratuit, le retrait automatique est hebdomadaire. Cette fréquence est réservée au plan Premium.",
  ),
  "withdrawals.threshold-invalid": ({ min, max }: { min: Fcfa; max: Fcfa }) =>
    `Le seuil doit être un nombre entier entre ${sayFrancs(min)} et ${sayFrancs(max)}.`,
  "withdrawals.automatic-flag-invalid": refusal(
    400,
    "Le retrait automatique est activé ou désactivé.",
  ),
});

export type WithdrawalsRefusal = RefusalOf<typeof withdrawalsRefusals>;

function countryOf(method: PayoutMethodId) {
  return COUNTRY_TERMS[PAYOUT_METHODS[method].country];
}

function sayPhoneInvalid(method: PayoutMethodId): string {
  const { of, nationalLength, dial } = countryOf(method);
  return `Ce numéro n'est pas un numéro mobile ${of} : ${nationalLength} chiffres, avec ou sans +${dial}.`;
}

function because(reason: string | null): string {
  return reason === null || reason.trim() === "" ? "" : ` : ${reason.trim().replace(/\.$/, "")}`;
}

function reviewed(at: Date | null, zone: string): string {
  return at === null ? "" : ` Réexamen prévu le ${sayInstant(at, zone)}.`;
}
