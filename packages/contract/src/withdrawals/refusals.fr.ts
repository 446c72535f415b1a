import type { Fcfa } from "@sesame/kernel";
import type { Sentences } from "../common/refusal.ts";
import {
  IMPOSSIBLE,
  METHOD_CLOSED,
  METHOD_NOT_FOUND,
  REQUEST_NOT_FOUND,
} from "../common/messages.fr.ts";
import type { PayoutMethodId } from "../settings/policy.ts";
import { COUNTRY_TERMS, OPERATOR_BRANDS, PAYOUT_METHODS } from "./methods.fr.ts";
import { sayFrancs, sayInstant } from "./messages.fr.ts";

/** Why a number cannot receive a payout of the method. */
export type PhoneRefusal =
  | { readonly kind: "withdrawals.phone-invalid"; readonly method: PayoutMethodId }
  | { readonly kind: "withdrawals.phone-wrong-country"; readonly method: PayoutMethodId }
  | { readonly kind: "withdrawals.phone-wrong-operator"; readonly method: PayoutMethodId };

/** Why the seller himself may not ask: decided by people, with a reason he reads (decision 99). */
export type StandingRefusal =
  | { readonly kind: "withdrawals.seller-closed" }
  | {
      readonly kind: "withdrawals.seller-suspended";
      readonly reason: string | null;
      readonly reviewAt: Date | null;
      readonly zone: string;
    }
  | {
      readonly kind: "withdrawals.payouts-frozen";
      readonly by: "seller" | "operator";
      readonly reason: string | null;
      readonly reviewAt: Date | null;
      readonly zone: string;
    };

/** Why a withdrawal is not asked for, in the order of the checks (B §5, decisions 65 to 67). */
export type RequestRefusal =
  | { readonly kind: "withdrawals.amount-invalid" }
  | { readonly kind: "withdrawals.amount-too-small"; readonly min: Fcfa }
  | { readonly kind: "withdrawals.amount-too-large"; readonly max: Fcfa }
  | { readonly kind: "withdrawals.balance-too-low" }
  | { readonly kind: "withdrawals.whatsapp-invalid" }
  | { readonly kind: "withdrawals.phone-missing" }
  | { readonly kind: "withdrawals.method-missing" }
  | { readonly kind: "withdrawals.method-unknown" }
  | { readonly kind: "withdrawals.method-closed"; readonly method: PayoutMethodId }
  | PhoneRefusal
  | {
      readonly kind: "withdrawals.below-operator-min";
      readonly method: PayoutMethodId;
      readonly min: Fcfa;
    }
  | {
      readonly kind: "withdrawals.off-operator-step";
      readonly method: PayoutMethodId;
      readonly step: Fcfa;
    }
  | StandingRefusal
  | { readonly kind: "withdrawals.weekly"; readonly reopensAt: Date; readonly zone: string }
  | { readonly kind: "withdrawals.first-too-large"; readonly max: Fcfa };

export type WithdrawalsRefusal =
  | RequestRefusal
  | { readonly kind: "withdrawals.unknown" }
  | { readonly kind: "withdrawals.not-cancellable" }
  | { readonly kind: "withdrawals.not-pending" }
  | { readonly kind: "withdrawals.key-reused" }
  | { readonly kind: "withdrawals.automatic-phone-invalid" }
  | { readonly kind: "withdrawals.frequency-unknown" }
  | { readonly kind: "withdrawals.frequency-premium" }
  | { readonly kind: "withdrawals.threshold-invalid"; readonly min: Fcfa; readonly max: Fcfa }
  | { readonly kind: "withdrawals.automatic-flag-invalid" };

/** B §4, §5 and §8, word for word. */
export const withdrawalsRefusals: Sentences<WithdrawalsRefusal> = {
  "withdrawals.amount-invalid": { status: 422, message: "Veuillez saisir un montant valide" },
  "withdrawals.amount-too-small": {
    status: 422,
    message: ({ min }) => `Le montant minimum de retrait est de ${min} FCFA`,
  },
  "withdrawals.amount-too-large": {
    status: 422,
    message: ({ max }) => `Le montant maximum de retrait est de ${max} FCFA`,
  },
  "withdrawals.balance-too-low": { status: 422, message: "Solde insuffisant pour ce retrait" },
  "withdrawals.whatsapp-invalid": {
    status: 422,
    message: "Veuillez saisir un numéro WhatsApp valide (minimum 6 chiffres)",
  },
  "withdrawals.phone-missing": {
    status: 422,
    message: "Veuillez saisir un numéro pour le transfert valide (minimum 6 chiffres)",
  },
  "withdrawals.method-missing": {
    status: 422,
    message: "Veuillez sélectionner un mode de paiement",
  },
  "withdrawals.method-unknown": {
    status: 422,
    message: METHOD_NOT_FOUND,
  },
  "withdrawals.method-closed": {
    status: 422,
    message: METHOD_CLOSED,
  },
  "withdrawals.phone-invalid": { status: 422, message: ({ method }) => sayPhoneInvalid(method) },
  "withdrawals.phone-wrong-country": {
    status: 422,
    message: ({ method }) => {
      const { of, dial } = countryOf(method);
      return `${PAYOUT_METHODS[method].label} demande un numéro ${of} (+${dial}).`;
    },
  },
  "withdrawals.phone-wrong-operator": {
    status: 422,
    message: ({ method }) =>
      `Ce numéro n'est pas un numéro ${OPERATOR_BRANDS[PAYOUT_METHODS[method].operator].name} ${countryOf(method).of}.`,
  },
  "withdrawals.below-operator-min": {
    status: 422,
    message: ({ method, min }) =>
      `Le minimum pour ${PAYOUT_METHODS[method].label} est de ${min} FCFA`,
  },
  "withdrawals.off-operator-step": {
    status: 422,
    message: ({ method, step }) =>
      `Le montant pour ${PAYOUT_METHODS[method].label} doit être un multiple de ${step} FCFA`,
  },
  "withdrawals.seller-closed": { status: 422, message: "Votre compte vendeur est fermé." },
  "withdrawals.seller-suspended": {
    status: 422,
    message: ({ reason, reviewAt, zone }) =>
      `Votre compte vendeur est suspendu${because(reason)}.${reviewed(reviewAt, zone)}`,
  },
  "withdrawals.payouts-frozen": {
    status: 422,
    message: ({ by, reason, reviewAt, zone }) =>
      by === "seller"
        ? "Vos retraits sont bloqués à votre demande. Contactez le support pour les débloquer."
        : `Vos retraits sont bloqués${because(reason)}.${reviewed(reviewAt, zone)}`,
  },
  "withdrawals.weekly": {
    status: 422,
    message: ({ reopensAt, zone }) =>
      `Le plan gratuit permet un retrait par semaine. Prochain retrait possible le ${sayInstant(reopensAt, zone)}.`,
  },
  "withdrawals.first-too-large": {
    status: 422,
    message: ({ max }) =>
      max === 0n
        ? "Vous pourrez demander un autre retrait dès que le premier est payé."
        : `Tant qu'aucun retrait ne vous a été payé, vous pouvez encore demander ${sayFrancs(max)}. La limite est levée dès le premier payé.`,
  },
  "withdrawals.unknown": { status: 404, message: REQUEST_NOT_FOUND },
  "withdrawals.not-cancellable": { status: 409, message: IMPOSSIBLE },
  "withdrawals.not-pending": {
    status: 409,
    message: "Cette demande n'est plus en attente.",
  },
  "withdrawals.key-reused": {
    status: 409,
    message: "Cette demande a déjà été envoyée avec un autre contenu.",
  },
  "withdrawals.automatic-phone-invalid": {
    status: 422,
    message: "Veuillez saisir un numéro de transfert valide (minimum 6 chiffres)",
  },
  "withdrawals.frequency-unknown": {
    status: 422,
    message: "Veuillez choisir une fréquence parmi celles proposées.",
  },
  "withdrawals.frequency-premium": {
    status: 403,
    message:
      "Avec le plan gratuit, le retrait automatique est hebdomadaire. Cette fréquence est réservée au plan Premium.",
  },
  "withdrawals.threshold-invalid": {
    status: 422,
    message: ({ min, max }) =>
      `Le seuil doit être un nombre entier entre ${sayFrancs(min)} et ${sayFrancs(max)}.`,
  },
  "withdrawals.automatic-flag-invalid": {
    status: 400,
    message: "Le retrait automatique est activé ou désactivé.",
  },
};

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
