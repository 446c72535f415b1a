import type { Fcfa } from "@sesame/kernel";
import { type RefusalOf, refusal } from "../common/refusal.ts";
import {
  REQUEST_NOT_FOUND,
  PRODUCT_NOT_FOUND,
  groupDigits,
  sayFrancs,
} from "../common/messages.fr.ts";

type DecidedStatus = "approved" | "rejected" | "cancelled";

const DECIDED: Readonly<Record<DecidedStatus, string>> = {
  approved: "approuvée",
  rejected: "rejetée",
  cancelled: "annulée par le vendeur",
};

/** Why the desk does not do something, in the order of the checks. */
export const deskRefusals = {
  "desk.withdrawal-not-found": refusal(404, REQUEST_NOT_FOUND),
  "desk.own-request": refusal(403, "C'est votre propre demande : un autre agent doit la traiter."),
  "desk.lane-unknown": refusal(422, "Choisissez comment payer cette demande."),
  "desk.reason-code-unknown": refusal(422, "Choisissez la raison du rejet."),
  "desk.reason-missing": refusal(422, "Écrivez la raison en quelques mots (minimum 3 caractères)."),
  "desk.reason-too-long": refusal(422, "La raison est trop longue (500 caractères)."),
  "desk.reference-missing": refusal(
    422,
    "Saisissez la référence de l'opérateur : elle prouve le paiement.",
  ),
  "desk.reference-invalid": refusal(
    422,
    "Cette référence n'est pas valable : 4 à 64 lettres et chiffres, avec points, tirets ou barres.",
  ),
  "desk.reference-not-manual": refusal(
    422,
    "Une référence ne se saisit que pour un paiement à la main.",
  ),
  "desk.outcome-unknown": refusal(422, "Dites ce qu'il est advenu de l'argent."),
  "desk.payout-id-missing": refusal(
    422,
    "Saisissez l'identifiant du paiement chez le prestataire.",
  ),
  "desk.already-decided": refusal<{ status: DecidedStatus }>(
    409,
    ({ status }) => `Cette demande est déjà ${DECIDED[status]}.`,
  ),
  "desk.claimed-by-other": refusal<{ name: string }>(
    409,
    ({ name }) => `${name} s'occupe déjà de cette demande.`,
  ),
  "desk.not-claimed": refusal(409, "Prenez d'abord cette demande."),
  "desk.claim-expired": refusal(409, "Vos 15 minutes sont passées : reprenez cette demande."),
  "desk.seller-suspended": refusal(
    422,
    "Ce vendeur est suspendu : ses retraits ne peuvent pas être approuvés.",
  ),
  "desk.payouts-frozen": refusal(
    422,
    "Les retraits de ce vendeur sont gelés : rien ne peut être approuvé.",
  ),
  "desk.seller-owes": refusal<{ owed: Fcfa }>(
    422,
    ({ owed }) =>
      `Ce vendeur doit ${sayFrancs(owed)} à la plateforme : rejetez sa demande, la somme est reprise sur son solde.`,
  ),
  "desk.lane-closed": refusal<{ laneName: string }>(
    422,
    ({ laneName }) => `${laneName} n'est pas ouvert sur cette instance.`,
  ),
  "desk.lane-method": refusal<{ laneName: string }>(
    422,
    ({ laneName }) => `${laneName} n'envoie pas d'argent sur ce mode de paiement.`,
  ),
  "desk.lane-amount": refusal<{
    laneName: string;
    min: Fcfa /** Null: not known before it is asked. */;
    max: Fcfa | null;
  }>(422, ({ laneName, min, max }) =>
    max === null
      ? `${laneName} n'envoie pas moins de ${sayFrancs(min)}.`
      : `${laneName} envoie de ${groupDigits(min)} à ${sayFrancs(max)}.`,
  ),
  "desk.second-agent-differs": refusal(
    409,
    "Vous avez déjà donné votre accord : un autre agent doit confirmer.",
  ),
  "desk.second-agent-lane": refusal<{ laneName: string }>(
    409,
    ({ laneName }) =>
      `Le premier accord porte sur « ${laneName} » : confirmez le même, ou rejetez la demande.`,
  ),
  "desk.reference-too-early": refusal(
    422,
    "Un second agent doit confirmer avant tout envoi : n'envoyez rien pour l'instant.",
  ),
  "desk.reference-used": refusal(409, "Cette référence prouve déjà un autre paiement."),
  "desk.nothing-to-pay": refusal(409, "Aucun paiement à la main n'est attendu pour cette demande."),
  "desk.not-uncertain": refusal(409, "Ce paiement n'est pas incertain : il n'y a rien à trancher."),
  "desk.resolve-by-other": refusal(
    403,
    "Un autre agent que celui qui a approuvé, ou un opérateur, doit trancher.",
  ),
  "desk.payout-id-used": refusal(
    409,
    "Ce paiement du prestataire est déjà rattaché à une autre demande.",
  ),
  "desk.payout-unknown": refusal(
    422,
    "Le prestataire ne connaît pas de paiement sous cet identifiant.",
  ),
  "desk.payout-differs": refusal(
    422,
    "Ce paiement du prestataire n'est pas celui de cette demande : montant ou référence différents.",
  ),
};

export type DeskRefusal = RefusalOf<typeof deskRefusals>;

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
export const registryRefusals = {
  "desk.alert-not-found": refusal(404, "Cette alerte n'existe pas."),
  "desk.alert-own": refusal(
    403,
    "Cette alerte vous concerne : une autre personne doit la traiter.",
  ),
  "desk.alert-operator-only": refusal(403, "Seul un opérateur peut clore cette alerte."),
  "desk.alert-resolved": refusal(409, "Cette alerte est déjà close."),
  "desk.alert-by-deed": refusal(
    409,
    "Cette alerte se ferme d'elle-même, par la décision d'un opérateur sur la commande.",
  ),
  "desk.seller-not-found": refusal(404, "Ce vendeur n'existe pas."),
  "desk.product-not-found": refusal(404, "Ce produit n'existe pas."),
  "desk.own-account": refusal(403, "C'est votre propre compte : un autre opérateur doit décider."),
  "desk.operator-only": refusal(403, "Réservé aux opérateurs."),
  "desk.review-missing": refusal(422, "Veuillez choisir la date de réexamen."),
  "desk.review-out-of-range": refusal(
    422,
    "La date de réexamen doit être comprise entre demain et dans un an.",
  ),
  "desk.already-suspended": refusal(409, "C'est déjà suspendu."),
  "desk.not-suspended": refusal(409, "Ce n'est pas suspendu."),
  "desk.already-frozen": refusal(409, "Les retraits de ce vendeur sont déjà gelés."),
  "desk.not-frozen": refusal(409, "Les retraits de ce vendeur ne sont pas gelés."),
  "desk.account-closed": refusal(409, "Ce vendeur a fermé son compte."),
  "desk.account-open": refusal(409, "Ce compte n'est pas fermé."),
  "desk.nothing-owed": refusal(409, "Ce vendeur ne doit rien à la plateforme."),
  "desk.write-off-waits": refusal(
    409,
    "Un autre opérateur doit confirmer. Seul, vous le pourrez 24 heures après votre demande.",
  ),
  "desk.day-invalid": refusal(422, "Veuillez choisir un jour, par exemple 2026-11-16."),
  "desk.day-in-future": refusal(422, "Ce jour n'est pas encore arrivé."),
  "desk.purse-unknown": refusal(404, "Cette caisse n'existe pas."),
  "desk.purse-busy": refusal(
    409,
    "Des mouvements sont en cours d'écriture. Réessayez dans un instant.",
  ),
  "desk.counted-invalid": refusal(422, "Veuillez saisir le solde compté, en francs entiers."),
  "desk.day-closed": refusal(
    409,
    "Ce jour est déjà clos pour cette caisse. Une erreur se corrige par une correction.",
  ),
  "desk.day-covered": refusal(
    409,
    "Un jour plus récent est déjà clos pour cette caisse : celui-ci en fait partie.",
  ),
  "desk.day-not-closed": refusal(
    409,
    "Ce jour n'est pas encore clos pour cette caisse : il n'y a rien à corriger.",
  ),
  "desk.day-same-count": refusal(422, "Ce solde est celui qui a déjà été compté."),
  "desk.explanation-missing": refusal(
    422,
    "Le solde compté diffère des écritures : veuillez expliquer l'écart.",
  ),
  "desk.explanation-too-long": refusal(422, "L'explication ne peut pas dépasser 500 caractères."),
  "desk.move-direction": refusal(422, "Choisissez une entrée ou une sortie."),
  "desk.move-amount": refusal(422, "Veuillez saisir un montant entier, de 1 à 100 000 000 FCFA."),
  "desk.move-other": refusal(
    422,
    "Choisissez d'où vient ou bien où va l'argent : la trésorerie ou une autre caisse.",
  ),
  "desk.move-reference": refusal(
    422,
    "Veuillez saisir une référence ou un motif, de 3 à 120 caractères.",
  ),
  "desk.move-too-large": refusal(422, "Cette caisse ne contient pas ce montant."),
  "desk.period-too-long": refusal(
    400,
    "Choisissez une période de 92 jours au plus, la fin après le début.",
  ),
  "report.product-not-found": refusal(404, PRODUCT_NOT_FOUND),
  "report.own-product": refusal(
    422,
    "Vous êtes le vendeur de ce produit : vous ne pouvez pas le signaler.",
  ),
  "report.reason-unknown": refusal(422, "Veuillez choisir le motif du signalement."),
  "report.message-missing": refusal(422, "Veuillez dire en quelques mots ce qui ne va pas."),
  "report.message-too-long": refusal(422, "Le message ne peut pas dépasser 500 caractères."),
  "report.too-many": refusal(
    422,
    "Vous avez signalé beaucoup de produits aujourd'hui. Réessayez demain.",
  ),
  "account.confirm-missing": refusal(422, "Veuillez confirmer la fermeture de votre compte."),
  "account.under-measure": refusal(
    409,
    "Votre compte est suspendu ou vos retraits sont gelés : il ne peut pas être fermé avant la décision de la plateforme.",
  ),
  "account.not-empty": refusal<{ remains: Remains }>(
    409,
    ({ remains }) => `Votre compte ne peut pas encore être fermé : ${sayRemains(remains)}.`,
  ),
};

export type RegistryRefusal = RefusalOf<typeof registryRefusals>;

function sayRemains(remains: Remains): string {
  const { balance, held, requests, accesses, accessesUntil, payments, owed, claims } = remains;
  const until = accessesUntil ? `, jusqu'au ${accessesUntil}` : "";
  const parts = [
    balance > 0n ? `il reste ${sayFrancs(balance)} à retirer` : null,
    held > 0n ? `${sayFrancs(held)} sont réservés` : null,
    requests > 0 ? `${count(requests, "retrait")} en cours` : null,
    accesses > 0 ? `${count(accesses, "accès")} en cours${until}` : null,
    payments > 0 ? `${count(payments, "paiement")} en attente de réponse` : null,
    owed > 0n ? `${sayFrancs(owed)} d'avance sont à reprendre sur vos ventes` : null,
    claims > 0
      ? `${count(claims, "réclamation")} ou ${claims > 1 ? "remboursements" : "remboursement"} en cours`
      : null,
  ];
  return parts.filter((part) => part !== null).join(" ; ");
}

function count(number: number, noun: string): string {
  return `${groupDigits(number)} ${number > 1 && !noun.endsWith("s") ? `${noun}s` : noun}`;
}
