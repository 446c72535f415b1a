import type { Fcfa } from "@sesame/kernel";
import type { Sentences } from "../common/refusal.ts";
import { sayFrancs } from "../withdrawals/messages.fr.ts";

/** Why money is not given back, in the order of the checks. */
export type RefundsRefusal =
  | { readonly kind: "refunds.order-not-found" }
  | { readonly kind: "refunds.refund-not-found" }
  | { readonly kind: "refunds.own-case" }
  | { readonly kind: "refunds.operator-only" }
  | { readonly kind: "refunds.reason-missing" }
  | { readonly kind: "refunds.reason-too-long" }
  | { readonly kind: "refunds.trial" }
  | { readonly kind: "refunds.not-paid" }
  | { readonly kind: "refunds.already" }
  | { readonly kind: "refunds.seller-closed" }
  | { readonly kind: "refunds.frozen" }
  | {
      readonly kind: "refunds.seller-short";
      readonly available: Fcfa;
      readonly lacking: Fcfa;
    }
  | { readonly kind: "refunds.nothing-to-pay" }
  | { readonly kind: "refunds.number-not-awaited" }
  | { readonly kind: "refunds.number-missing" }
  | { readonly kind: "refunds.taken-by-other"; readonly name: string }
  | { readonly kind: "refunds.reference-used" }
  | { readonly kind: "refunds.not-returned" }
  | { readonly kind: "refunds.partly-returned" }
  | { readonly kind: "refunds.unclear-there" }
  | { readonly kind: "refunds.returned-there" }
  | { readonly kind: "refunds.fee-missing" }
  | { readonly kind: "refunds.fee-noted" }
  | { readonly kind: "refunds.outcome-unknown" }
  | { readonly kind: "refunds.no-mismatch" }
  | { readonly kind: "refunds.paid-otherwise" }
  | { readonly kind: "refunds.received-missing"; readonly max: Fcfa };

export const refundsRefusals: Sentences<RefundsRefusal> = {
  "refunds.order-not-found": { status: 404, message: "Commande introuvable" },
  "refunds.refund-not-found": { status: 404, message: "Remboursement introuvable" },
  "refunds.own-case": {
    status: 403,
    message: "Vous êtes le vendeur ou l'acheteur : quelqu'un d'autre doit s'en charger.",
  },
  "refunds.operator-only": { status: 403, message: "L'opérateur seul peut rembourser." },
  "refunds.reason-missing": {
    status: 422,
    message:
      "Écrivez la raison du remboursement en quelques mots (minimum 3 caractères) : l'acheteur la lit.",
  },
  "refunds.reason-too-long": {
    status: 422,
    message: "La raison est trop longue (500 caractères).",
  },
  "refunds.trial": {
    status: 409,
    message: "C'est un essai de vos propres clés : l'argent est déjà sur votre compte.",
  },
  "refunds.not-paid": {
    status: 409,
    message: "Aucun paiement confirmé pour cette commande : il n'y a rien à rembourser.",
  },
  "refunds.already": { status: 409, message: "Cette commande est déjà remboursée." },
  "refunds.seller-closed": { status: 422, message: "Votre compte vendeur est fermé." },
  "refunds.frozen": {
    status: 422,
    message:
      "Vos fonds sont bloqués : ce remboursement doit être demandé au support, qui peut le faire.",
  },
  "refunds.seller-short": {
    status: 422,
    message: ({ available, lacking }) =>
      `Il vous manque ${sayFrancs(lacking)} : votre solde disponible est de ${sayFrancs(available)}, et votre part de cette vente doit y être.`,
  },
  "refunds.nothing-to-pay": {
    status: 409,
    message: "Aucun envoi à la main n'est attendu pour ce remboursement.",
  },
  "refunds.number-not-awaited": {
    status: 409,
    message: "Aucun numéro n'est attendu pour cette commande.",
  },
  "refunds.number-missing": {
    status: 422,
    message: "Veuillez saisir le numéro qui recevra le remboursement (minimum 6 chiffres)",
  },
  "refunds.taken-by-other": {
    status: 409,
    message: ({ name }) => `${name} s'occupe déjà de ce remboursement : n'envoyez rien.`,
  },
  "refunds.reference-used": {
    status: 409,
    message: "Cette référence prouve déjà un autre paiement.",
  },
  "refunds.not-returned": {
    status: 409,
    message: "Le prestataire ne dit pas qu'il a rendu ce paiement.",
  },
  "refunds.partly-returned": {
    status: 409,
    message:
      "Le prestataire a déjà rendu une partie de ce paiement, et doit rendre le reste lui-même : l'opérateur le lui demande. La commande sera alors remboursée sans rien envoyer.",
  },
  "refunds.unclear-there": {
    status: 409,
    message:
      "Le prestataire ne dit pas qu'il a encore cet argent : rien n'est envoyé avant que l'opérateur ne le lui ait demandé.",
  },
  "refunds.returned-there": {
    status: 409,
    message:
      "N'envoyez rien : le prestataire a déjà rendu ce paiement. L'opérateur termine ce remboursement par « Déjà rendu par le prestataire ».",
  },
  "refunds.fee-missing": {
    status: 422,
    message: "Écrivez les frais en francs : un nombre entier, 1 000 000 au plus.",
  },
  "refunds.fee-noted": { status: 409, message: "Les frais de ce remboursement sont déjà notés." },
  "refunds.outcome-unknown": { status: 422, message: "Choisissez ce que devient ce paiement." },
  "refunds.no-mismatch": { status: 409, message: "Ce paiement n'attend pas de décision." },
  "refunds.paid-otherwise": {
    status: 409,
    message: "La commande est déjà payée par un autre paiement : celui-ci ne peut qu'être rendu.",
  },
  "refunds.received-missing": {
    status: 422,
    message: ({ max }) =>
      `Écrivez ce qui a été reçu, en francs : un nombre entier, ${sayFrancs(max)} au plus.`,
  },
};
