import type { Fcfa } from "@sesame/kernel";
import type { Sentences } from "../common/refusal.ts";
import { REQUEST_NOT_FOUND } from "../common/sentences.fr.ts";
import { sayFrancs } from "../withdrawals/words.fr.ts";

type DecidedStatus = "approved" | "rejected" | "cancelled";

/** Why the desk does not do something, in the order of the checks. */
export type DeskRefusal =
  | { readonly kind: "desk.withdrawal-not-found" }
  | { readonly kind: "desk.own-request" }
  | { readonly kind: "desk.lane-unknown" }
  | { readonly kind: "desk.reason-code-unknown" }
  | { readonly kind: "desk.reason-missing" }
  | { readonly kind: "desk.reason-too-long" }
  | { readonly kind: "desk.reference-missing" }
  | { readonly kind: "desk.reference-invalid" }
  | { readonly kind: "desk.reference-not-manual" }
  | { readonly kind: "desk.outcome-unknown" }
  | { readonly kind: "desk.payout-id-missing" }
  | { readonly kind: "desk.already-decided"; readonly status: DecidedStatus }
  | { readonly kind: "desk.claimed-by-other"; readonly name: string }
  | { readonly kind: "desk.not-claimed" }
  | { readonly kind: "desk.claim-expired" }
  | { readonly kind: "desk.seller-suspended" }
  | { readonly kind: "desk.payouts-frozen" }
  | { readonly kind: "desk.seller-owes"; readonly owed: Fcfa }
  | { readonly kind: "desk.lane-closed"; readonly laneName: string }
  | { readonly kind: "desk.lane-method"; readonly laneName: string }
  | {
      readonly kind: "desk.lane-amount";
      readonly laneName: string;
      readonly min: string;
      /** Null: not known before it is asked. */
      readonly max: string | null;
    }
  | { readonly kind: "desk.second-agent-differs" }
  | { readonly kind: "desk.second-agent-lane"; readonly laneName: string }
  | { readonly kind: "desk.reference-too-early" }
  | { readonly kind: "desk.reference-used" }
  | { readonly kind: "desk.nothing-to-pay" }
  | { readonly kind: "desk.not-uncertain" }
  | { readonly kind: "desk.resolve-by-other" }
  | { readonly kind: "desk.payout-id-used" }
  | { readonly kind: "desk.payout-unknown" }
  | { readonly kind: "desk.payout-differs" };

const DECIDED: Readonly<Record<DecidedStatus, string>> = {
  approved: "approuvée",
  rejected: "rejetée",
  cancelled: "annulée par le vendeur",
};

export const deskRefusals: Sentences<DeskRefusal> = {
  "desk.withdrawal-not-found": { status: 404, message: REQUEST_NOT_FOUND },
  "desk.own-request": {
    status: 403,
    message: "C'est votre propre demande : un autre agent doit la traiter.",
  },
  "desk.lane-unknown": { status: 422, message: "Choisissez comment payer cette demande." },
  "desk.reason-code-unknown": { status: 422, message: "Choisissez la raison du rejet." },
  "desk.reason-missing": {
    status: 422,
    message: "Écrivez la raison en quelques mots (minimum 3 caractères).",
  },
  "desk.reason-too-long": { status: 422, message: "La raison est trop longue (500 caractères)." },
  "desk.reference-missing": {
    status: 422,
    message: "Saisissez la référence de l'opérateur : elle prouve le paiement.",
  },
  "desk.reference-invalid": {
    status: 422,
    message:
      "Cette référence n'est pas valable : 4 à 64 lettres et chiffres, avec points, tirets ou barres.",
  },
  "desk.reference-not-manual": {
    status: 422,
    message: "Une référence ne se saisit que pour un paiement à la main.",
  },
  "desk.outcome-unknown": { status: 422, message: "Dites ce qu'il est advenu de l'argent." },
  "desk.payout-id-missing": {
    status: 422,
    message: "Saisissez l'identifiant du paiement chez le prestataire.",
  },
  "desk.already-decided": {
    status: 409,
    message: ({ status }) => `Cette demande est déjà ${DECIDED[status]}.`,
  },
  "desk.claimed-by-other": {
    status: 409,
    message: ({ name }) => `${name} s'occupe déjà de cette demande.`,
  },
  "desk.not-claimed": { status: 409, message: "Prenez d'abord cette demande." },
  "desk.claim-expired": {
    status: 409,
    message: "Vos 15 minutes sont passées : reprenez cette demande.",
  },
  "desk.seller-suspended": {
    status: 422,
    message: "Ce vendeur est suspendu : ses retraits ne peuvent pas être approuvés.",
  },
  "desk.payouts-frozen": {
    status: 422,
    message: "Les retraits de ce vendeur sont gelés : rien ne peut être approuvé.",
  },
  "desk.seller-owes": {
    status: 422,
    message: ({ owed }) =>
      `Ce vendeur doit ${sayFrancs(owed)} à la plateforme : rejetez sa demande, la somme est reprise sur son solde.`,
  },
  "desk.lane-closed": {
    status: 422,
    message: ({ laneName }) => `${laneName} n'est pas ouvert sur cette instance.`,
  },
  "desk.lane-method": {
    status: 422,
    message: ({ laneName }) => `${laneName} n'envoie pas d'argent sur ce mode de paiement.`,
  },
  "desk.lane-amount": {
    status: 422,
    message: ({ laneName, min, max }) =>
      max === null
        ? `${laneName} n'envoie pas moins de ${min} FCFA.`
        : `${laneName} envoie de ${min} à ${max} FCFA.`,
  },
  "desk.second-agent-differs": {
    status: 409,
    message: "Vous avez déjà donné votre accord : un autre agent doit confirmer.",
  },
  "desk.second-agent-lane": {
    status: 409,
    message: ({ laneName }) =>
      `Le premier accord porte sur « ${laneName} » : confirmez le même, ou rejetez la demande.`,
  },
  "desk.reference-too-early": {
    status: 422,
    message: "Un second agent doit confirmer avant tout envoi : n'envoyez rien pour l'instant.",
  },
  "desk.reference-used": {
    status: 409,
    message: "Cette référence prouve déjà un autre paiement.",
  },
  "desk.nothing-to-pay": {
    status: 409,
    message: "Aucun paiement à la main n'est attendu pour cette demande.",
  },
  "desk.not-uncertain": {
    status: 409,
    message: "Ce paiement n'est pas incertain : il n'y a rien à trancher.",
  },
  "desk.resolve-by-other": {
    status: 403,
    message: "Un autre agent que celui qui a approuvé, ou un opérateur, doit trancher.",
  },
  "desk.payout-id-used": {
    status: 409,
    message: "Ce paiement du prestataire est déjà rattaché à une autre demande.",
  },
  "desk.payout-unknown": {
    status: 422,
    message: "Le prestataire ne connaît pas de paiement sous cet identifiant.",
  },
  "desk.payout-differs": {
    status: 422,
    message:
      "Ce paiement du prestataire n'est pas celui de cette demande : montant ou référence différents.",
  },
};
