import type { Fcfa } from "@sesame/kernel";
import type { Sentences } from "../common/refusal.ts";
import { REQUEST_NOT_FOUND, PRODUCT_NOT_FOUND } from "../common/messages.fr.ts";
import { sayFrancs } from "../withdrawals/messages.fr.ts";

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

/** What a seller's account still holds; amounts in francs, written out. */
export type Remains = {
  readonly balance: bigint;
  readonly held: bigint;
  readonly requests: number;
  readonly accesses: number;
  /** French day, of the last of them. */
  readonly accessesUntil: string | null;
  readonly payments: number;
  /** Francs advanced for his refunds. */
  readonly owed: bigint;
  /** Open claims of his buyers, refunds he must send himself, and refunds of his plan. */
  readonly claims: number;
};

/** Why the desk does not do something beside withdrawals, in the order of the checks. */
export type RegistryRefusal =
  | { readonly kind: "desk.alert-not-found" }
  | { readonly kind: "desk.alert-own" }
  | { readonly kind: "desk.alert-operator-only" }
  | { readonly kind: "desk.alert-resolved" }
  | { readonly kind: "desk.alert-by-deed" }
  | { readonly kind: "desk.seller-not-found" }
  | { readonly kind: "desk.product-not-found" }
  | { readonly kind: "desk.own-account" }
  | { readonly kind: "desk.operator-only" }
  | { readonly kind: "desk.review-missing" }
  | { readonly kind: "desk.review-out-of-range" }
  | { readonly kind: "desk.already-suspended" }
  | { readonly kind: "desk.not-suspended" }
  | { readonly kind: "desk.already-frozen" }
  | { readonly kind: "desk.not-frozen" }
  | { readonly kind: "desk.account-closed" }
  | { readonly kind: "desk.account-open" }
  | { readonly kind: "desk.nothing-owed" }
  | { readonly kind: "desk.write-off-waits" }
  | { readonly kind: "desk.day-invalid" }
  | { readonly kind: "desk.day-in-future" }
  | { readonly kind: "desk.purse-unknown" }
  | { readonly kind: "desk.purse-busy" }
  | { readonly kind: "desk.counted-invalid" }
  | { readonly kind: "desk.day-closed" }
  | { readonly kind: "desk.day-covered" }
  | { readonly kind: "desk.day-not-closed" }
  | { readonly kind: "desk.day-same-count" }
  | { readonly kind: "desk.explanation-missing" }
  | { readonly kind: "desk.explanation-too-long" }
  | { readonly kind: "desk.move-direction" }
  | { readonly kind: "desk.move-amount" }
  | { readonly kind: "desk.move-other" }
  | { readonly kind: "desk.move-reference" }
  | { readonly kind: "desk.move-too-large" }
  | { readonly kind: "desk.period-too-long" }
  | { readonly kind: "report.product-not-found" }
  | { readonly kind: "report.own-product" }
  | { readonly kind: "report.reason-unknown" }
  | { readonly kind: "report.message-missing" }
  | { readonly kind: "report.message-too-long" }
  | { readonly kind: "report.too-many" }
  | { readonly kind: "account.confirm-missing" }
  | { readonly kind: "account.under-measure" }
  | { readonly kind: "account.not-empty"; readonly remains: Remains };

export const registryRefusals: Sentences<RegistryRefusal> = {
  "desk.alert-not-found": { status: 404, message: "Cette alerte n'existe pas." },
  "desk.alert-own": {
    status: 403,
    message: "Cette alerte vous concerne : une autre personne doit la traiter.",
  },
  "desk.alert-operator-only": {
    status: 403,
    message: "Seul un opérateur peut clore cette alerte.",
  },
  "desk.alert-by-deed": {
    status: 409,
    message: "Cette alerte se ferme d'elle-même, par la décision d'un opérateur sur la commande.",
  },
  "desk.alert-resolved": { status: 409, message: "Cette alerte est déjà close." },
  "desk.seller-not-found": { status: 404, message: "Ce vendeur n'existe pas." },
  "desk.product-not-found": { status: 404, message: "Ce produit n'existe pas." },
  "desk.own-account": {
    status: 403,
    message: "C'est votre propre compte : un autre opérateur doit décider.",
  },
  "desk.operator-only": { status: 403, message: "Réservé aux opérateurs." },
  "desk.review-missing": { status: 422, message: "Veuillez choisir la date de réexamen." },
  "desk.review-out-of-range": {
    status: 422,
    message: "La date de réexamen doit être comprise entre demain et dans un an.",
  },
  "desk.already-suspended": { status: 409, message: "C'est déjà suspendu." },
  "desk.not-suspended": { status: 409, message: "Ce n'est pas suspendu." },
  "desk.already-frozen": { status: 409, message: "Les retraits de ce vendeur sont déjà gelés." },
  "desk.not-frozen": { status: 409, message: "Les retraits de ce vendeur ne sont pas gelés." },
  "desk.account-closed": { status: 409, message: "Ce vendeur a fermé son compte." },
  "desk.account-open": { status: 409, message: "Ce compte n'est pas fermé." },
  "desk.nothing-owed": { status: 409, message: "Ce vendeur ne doit rien à la plateforme." },
  "desk.write-off-waits": {
    status: 409,
    message:
      "Un autre opérateur doit confirmer. Seul, vous le pourrez 24 heures après votre demande.",
  },
  "desk.day-invalid": { status: 422, message: "Veuillez choisir un jour, par exemple 2026-11-16." },
  "desk.day-in-future": { status: 422, message: "Ce jour n'est pas encore arrivé." },
  "desk.purse-unknown": { status: 404, message: "Cette caisse n'existe pas." },
  "desk.purse-busy": {
    status: 409,
    message: "Des mouvements sont en cours d'écriture. Réessayez dans un instant.",
  },
  "desk.counted-invalid": {
    status: 422,
    message: "Veuillez saisir le solde compté, en francs entiers.",
  },
  "desk.day-closed": {
    status: 409,
    message: "Ce jour est déjà clos pour cette caisse. Une erreur se corrige par une correction.",
  },
  "desk.day-covered": {
    status: 409,
    message: "Un jour plus récent est déjà clos pour cette caisse : celui-ci en fait partie.",
  },
  "desk.day-not-closed": {
    status: 409,
    message: "Ce jour n'est pas encore clos pour cette caisse : il n'y a rien à corriger.",
  },
  "desk.day-same-count": { status: 422, message: "Ce solde est celui qui a déjà été compté." },
  "desk.explanation-missing": {
    status: 422,
    message: "Le solde compté diffère des écritures : veuillez expliquer l'écart.",
  },
  "desk.explanation-too-long": {
    status: 422,
    message: "L'explication ne peut pas dépasser 500 caractères.",
  },
  "desk.move-direction": { status: 422, message: "Choisissez une entrée ou une sortie." },
  "desk.move-amount": {
    status: 422,
    message: "Veuillez saisir un montant entier, de 1 à 100 000 000 FCFA.",
  },
  "desk.move-other": {
    status: 422,
    message: "Choisissez d'où vient ou bien où va l'argent : la trésorerie ou une autre caisse.",
  },
  "desk.move-reference": {
    status: 422,
    message: "Veuillez saisir une référence ou un motif, de 3 à 120 caractères.",
  },
  "desk.move-too-large": {
    status: 422,
    message: "Cette caisse ne contient pas ce montant.",
  },
  "desk.period-too-long": {
    status: 400,
    message: "Choisissez une période de 92 jours au plus, la fin après le début.",
  },
  "report.product-not-found": { status: 404, message: PRODUCT_NOT_FOUND },
  "report.own-product": {
    status: 422,
    message: "Vous êtes le vendeur de ce produit : vous ne pouvez pas le signaler.",
  },
  "report.reason-unknown": {
    status: 422,
    message: "Veuillez choisir le motif du signalement.",
  },
  "report.message-missing": {
    status: 422,
    message: "Veuillez dire en quelques mots ce qui ne va pas.",
  },
  "report.message-too-long": {
    status: 422,
    message: "Le message ne peut pas dépasser 500 caractères.",
  },
  "report.too-many": {
    status: 422,
    message: "Vous avez signalé beaucoup de produits aujourd'hui. Réessayez demain.",
  },
  "account.confirm-missing": {
    status: 422,
    message: "Veuillez confirmer la fermeture de votre compte.",
  },
  "account.under-measure": {
    status: 409,
    message:
      "Votre compte est suspendu ou vos retraits sont gelés : il ne peut pas être fermé avant la décision de la plateforme.",
  },
  "account.not-empty": {
    status: 409,
    message: ({ remains }) =>
      `Votre compte ne peut pas encore être fermé : ${sayRemains(remains)}.`,
  },
};

const amounts = new Intl.NumberFormat("fr-FR");

function sayRemains(remains: Remains): string {
  const { balance, held, requests, accesses, accessesUntil, payments, owed, claims } = remains;
  const until = accessesUntil ? `, jusqu'au ${accessesUntil}` : "";
  const parts = [
    balance > 0n ? `il reste ${amounts.format(balance)} FCFA à retirer` : null,
    held > 0n ? `${amounts.format(held)} FCFA sont réservés` : null,
    requests > 0 ? `${count(requests, "retrait")} en cours` : null,
    accesses > 0 ? `${count(accesses, "accès")} en cours${until}` : null,
    payments > 0 ? `${count(payments, "paiement")} en attente de réponse` : null,
    owed > 0n ? `${amounts.format(owed)} FCFA d'avance sont à reprendre sur vos ventes` : null,
    claims > 0
      ? `${count(claims, "réclamation")} ou ${claims > 1 ? "remboursements" : "remboursement"} en cours`
      : null,
  ];
  return parts.filter((part) => part !== null).join(" ; ");
}

function count(number: number, noun: string): string {
  return `${amounts.format(number)} ${number > 1 && !noun.endsWith("s") ? `${noun}s` : noun}`;
}
