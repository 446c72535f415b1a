import type { CallText } from "../http/openapi.ts";
import { idempotencyKey } from "./parameters.fr.ts";

const refunds = "Remboursements";
const claims = "Réclamations";

export const REFUNDS_TAGS = [refunds, claims] as const;

const more = { parameters: [idempotencyKey] };

/** What each call is for, in the words of its chapter. */
export const REFUNDS_CALLS: Readonly<Record<string, CallText>> = {
  "POST /api/orders/:id/refund": {
    tag: refunds,
    summary: "Rendre une de ses ventes : tout le prix, commission comprise ; l'accès prend fin",
    more,
  },
  "POST /api/orders/:id/refund-number": {
    tag: refunds,
    summary: "Dire à quel numéro un agent envoie le remboursement",
    more,
  },
  "POST /api/refunds/:id/given-back": {
    tag: refunds,
    summary: "Noter qu'on a rendu soi-même une vente encaissée directement",
    more,
  },
  "GET /api/desk/refunds": {
    tag: refunds,
    summary: "Les remboursements : à envoyer d'abord, puis ceux en route ; ou les terminés",
  },
  "POST /api/desk/refunds/:id/take": {
    tag: refunds,
    summary: "Prendre en main un remboursement pendant 15 minutes",
    more,
  },
  "POST /api/desk/refunds/:id/paid": {
    tag: refunds,
    summary: "Envoyé à la main : la référence de l'opérateur le prouve, une seule fois",
    more,
  },
  "POST /api/desk/refunds/:id/wrong-number": {
    tag: refunds,
    summary: "L'opérateur refuse le numéro : l'acheteur en donne un autre",
    more,
  },
  "POST /api/desk/refunds/:id/returned": {
    tag: refunds,
    summary: "Terminer sans rien envoyer un remboursement que le prestataire dit avoir déjà rendu",
    more,
  },
  "POST /api/desk/refunds/:id/fee": {
    tag: refunds,
    summary: "Noter, une fois, ce que le prestataire a retenu pour un paiement repris",
    more,
  },
  "GET /api/desk/orders/:id": {
    tag: refunds,
    summary: "La fiche d'une commande : paiements, accès, remboursements, réclamations, écritures",
  },
  "POST /api/desk/orders/:id/refund": {
    tag: refunds,
    summary: "Rembourser une commande ; ce qui manque au vendeur est avancé, puis repris",
    more,
  },
  "POST /api/desk/payments/:id/decide": {
    tag: refunds,
    summary:
      "Dire ce que devient un paiement qui ne correspond pas à la commande : l'honorer, le rendre, ou noter qu'il l'est déjà",
    more,
  },
  "POST /api/orders/:id/claim": {
    tag: claims,
    summary:
      "Dire que quelque chose ne va pas avec un achat ; le vendeur a 72 heures. Au plus 3 par jour sur des commandes non payées : 429 avec `Retry-After`",
    more,
  },
  "GET /api/claims": { tag: claims, summary: "Les réclamations sur ses ventes" },
  "GET /api/claims/:id": { tag: claims, summary: "Une réclamation et tout ce qui y a été dit" },
  "POST /api/claims/:id/answer": {
    tag: claims,
    summary: "Écrire à l'autre partie d'une réclamation",
    more,
  },
  "POST /api/claims/:id/contest": {
    tag: claims,
    summary: "Contester une réclamation : l'opérateur décide",
    more,
  },
  "POST /api/claims/:id/withdraw": {
    tag: claims,
    summary: "Retirer sa réclamation",
    more,
  },
  "GET /api/desk/claims": {
    tag: claims,
    summary: "Les réclamations : celles de l'opérateur d'abord ; ou les closes",
  },
  "GET /api/desk/claims/:id": { tag: claims, summary: "Une réclamation, vue du bureau" },
  "POST /api/desk/claims/:id/decide": {
    tag: claims,
    summary: "Trancher : rembourser, ou rejeter avec une raison lue par les deux parties",
    more,
  },
};
