import type { Fcfa } from "@sesame/kernel";
import { type RefusalOf, refusal, refusals, conflict } from "../common/refusal.ts";
import { sayFrancs, sayOwed } from "../common/francs.fr.ts";
import { ORDER_REFUNDED } from "../common/messages.fr.ts";

/** Why a refund is refused, in the order of the checks. */
export const refundsRefusals = refusals({
  "refunds.order-not-found": refusal(404, "Commande introuvable"),
  "refunds.refund-not-found": refusal(404, "Remboursement introuvable"),
  "refunds.own-case": refusal(
    403,
    "Vous êtes le vendeur ou l'acheteur : quelqu'un d'autre doit s'en charger.",
  ),
  "refunds.operator-only": refusal(403, "L'opérateur seul peut rembourser."),
  "refunds.reason-missing":
    "Écrivez la raison du remboursement en quelques mots (minimum 3 caractères) : l'acheteur la lit.",
  "refunds.reason-too-long": "La raison est trop longue (500 caractères).",
  "refunds.trial": conflict(
    "C'est un essai de vos propres clés : l'argent est déjà sur votre compte.",
  ),
  "refunds.not-paid": conflict(
    "Aucun paiement confirmé pour cette commande : il n'y a rien à rembourser.",
  ),
  "refunds.already": conflict(ORDER_REFUNDED),
  "refunds.seller-closed": "Votre compte vendeur est fermé.",
  "refunds.frozen":
    "Vos fonds sont bloqués : ce remboursement doit être demandé au support, qui peut le faire.",
  "refunds.seller-short": ({
    available,
    lacking,
    owed,
  }: Record<"available" | "lacking" | "owed", Fcfa>) =>
    `Il vous manque ${sayFrancs(lacking)} : votre solde disponible est de ${sayFrancs(available)}, et votre part de cette vente doit y être${sayOwed(owed) || "."}`,
  "refunds.nothing-to-pay": conflict("Aucun envoi à la main n'est attendu pour ce remboursement."),
  "refunds.number-not-awaited": conflict("Aucun numéro n'est attendu pour cette commande."),
  "refunds.number-missing":
    "Veuillez saisir le numéro qui recevra le remboursement (minimum 6 chiffres)",
  "refunds.taken-by-other": conflict<{ name: string }>(
    ({ name }) => `${name} s'occupe déjà de ce remboursement : n'envoyez rien.`,
  ),
  "refunds.reference-used": conflict("Cette référence prouve déjà un autre paiement."),
  "refunds.not-returned": conflict("Le prestataire ne dit pas qu'il a rendu ce paiement."),
  "refunds.partly-returned": conflict(
    "Le prestataire a déjà rendu une partie de ce paiement, et doit rendre le reste lui-même : l'opérateur le lui demande. La commande sera alors remboursée sans rien envoyer.",
  ),
  "refunds.unclear-there": conflict(
    "Le prestataire ne dit pas qu'il a encore cet argent : rien n'est envoyé avant que l'opérateur ne le lui ait demandé.",
  ),
  "refunds.returned-there": conflict(
    "N'envoyez rien : le prestataire a déjà rendu ce paiement. L'opérateur termine ce remboursement par «\u00a0Déjà rendu par le prestataire\u00a0».",
  ),
  "refunds.fee-missing": "Écrivez les frais en francs : un nombre entier, 1 000 000 au plus.",
  "refunds.fee-noted": conflict("Les frais de ce remboursement sont déjà notés."),
  "refunds.outcome-unknown": "Choisissez ce que devient ce paiement.",
  "refunds.no-mismatch": conflict("Ce paiement n'attend pas de décision."),
  "refunds.paid-otherwise": conflict(
    "La commande est déjà payée par un autre paiement : celui-ci ne peut qu'être rendu.",
  ),
  "refunds.received-missing": ({ max }: { max: Fcfa }) =>
    `Écrivez ce qui a été reçu, en francs : un nombre entier, ${sayFrancs(max)} au plus.`,
});

export type RefundsRefusal = RefusalOf<typeof refundsRefusals>;
