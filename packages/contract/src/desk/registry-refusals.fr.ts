import type { Sentences } from "../common/refusal.ts";
import { PRODUCT_NOT_FOUND } from "../common/sentences.fr.ts";

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
