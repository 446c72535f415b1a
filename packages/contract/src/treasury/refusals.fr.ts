import type { Fcfa } from "@sesame/kernel";
import { type RefusalOf, refusal, refusals, conflict } from "../common/refusal.ts";
import { groupDigits, sayFrancs } from "../common/francs.fr.ts";
import { REQUEST_NOT_FOUND } from "../common/messages.fr.ts";

type DecidedStatus = "approved" | "rejected" | "cancelled";

const DECIDED: Readonly<Record<DecidedStatus, string>> = {
  approved: "approuvée",
  rejected: "rejetée",
  cancelled: "annulée par le vendeur",
};

type RailAmount = { railName: string; min: Fcfa; max: Fcfa | null };

/** Why an action of the back office is refused, in the order of the checks. */
export const staffRefusals = refusals({
  "desk.withdrawal-not-found": refusal(404, REQUEST_NOT_FOUND),
  "desk.own-request": refusal(403, "C'est votre propre demande : un autre agent doit la traiter."),
  "desk.rail-unknown": "Choisissez comment payer cette demande.",
  "desk.reason-code-unknown": "Choisissez la raison du rejet.",
  "desk.reason-missing": "Écrivez la raison en quelques mots (minimum 3 caractères).",
  "desk.reason-too-long": "La raison est trop longue (500 caractères).",
  "desk.reference-missing": "Saisissez la référence de l'opérateur : elle prouve le paiement.",
  "desk.reference-invalid":
    "Cette référence n'est pas valable : 4 à 64 lettres et chiffres, avec points, tirets ou barres.",
  "desk.reference-not-manual": "Une référence ne se saisit que pour un paiement à la main.",
  "desk.outcome-unknown": "Dites ce qu'il est advenu de l'argent.",
  "desk.payout-id-missing": "Saisissez l'identifiant du paiement chez le prestataire.",
  "desk.already-decided": conflict<{ status: DecidedStatus }>(
    ({ status }) => `Cette demande est déjà ${DECIDED[status]}.`,
  ),
  "desk.assigned-to-other": conflict<{ name: string }>(
    ({ name }) => `${name} s'occupe déjà de cette demande.`,
  ),
  "desk.not-assigned": conflict("Prenez d'abord cette demande."),
  "desk.assignment-expired": conflict("Vos 15 minutes sont passées : reprenez cette demande."),
  "desk.seller-suspended": "Ce vendeur est suspendu : ses retraits ne peuvent pas être approuvés.",
  "desk.payouts-frozen": "Les retraits de ce vendeur sont gelés : rien ne peut être approuvé.",
  "desk.number-rests": conflict(
    "Le numéro de ce vendeur a changé il y a moins de 24 heures : attendez avant d'approuver.",
  ),
  "desk.seller-owes": ({ owed }: { owed: Fcfa }) =>
    `Ce vendeur doit ${sayFrancs(owed)} à la plateforme : rejetez sa demande, la somme est reprise sur son solde.`,
  "desk.rail-closed": ({ railName }: { railName: string }) =>
    `${railName} n'est pas ouvert sur cette instance.`,
  "desk.rail-method": ({ railName }: { railName: string }) =>
    `${railName} n'envoie pas d'argent sur ce mode de paiement.`,
  // `max` is null when it is unknown before the call.
  "desk.rail-amount": ({ railName, min, max }: RailAmount) =>
    max === null
      ? `${railName} n'envoie pas moins de ${sayFrancs(min)}.`
      : `${railName} envoie de ${groupDigits(min)} à ${sayFrancs(max)}.`,
  "desk.second-agent-differs": conflict(
    "Vous avez déjà donné votre accord : un autre agent doit confirmer.",
  ),
  "desk.second-agent-rail": conflict<{ railName: string }>(
    ({ railName }) =>
      `Le premier accord porte sur «\u00a0${railName}\u00a0» : confirmez le même, ou rejetez la demande.`,
  ),
  "desk.reference-too-early":
    "Un second agent doit confirmer avant tout envoi : n'envoyez rien pour l'instant.",
  "desk.reference-used": conflict("Cette référence prouve déjà un autre paiement."),
  "desk.nothing-to-pay": conflict("Aucun paiement à la main n'est attendu pour cette demande."),
  "desk.not-uncertain": conflict("Ce paiement n'est pas incertain : il n'y a rien à trancher."),
  "desk.resolve-by-other": refusal(
    403,
    "Un autre agent que celui qui a approuvé, ou un opérateur, doit trancher.",
  ),
  "desk.payout-id-used": conflict(
    "Ce paiement du prestataire est déjà rattaché à une autre demande.",
  ),
  "desk.payout-unknown": "Le prestataire ne connaît pas de paiement sous cet identifiant.",
  "desk.payout-differs":
    "Ce paiement du prestataire n'est pas celui de cette demande : montant ou référence différents.",
});

export type StaffRefusal = RefusalOf<typeof staffRefusals>;
