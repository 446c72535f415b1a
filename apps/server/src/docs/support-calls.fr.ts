import type { CallText } from "../http/openapi.ts";
import { idempotencyKey } from "./parameters.fr.ts";

const support = "Support";
const personalData = "Données personnelles";

export const SUPPORT_TAGS = [support, personalData] as const;

const more = { parameters: [idempotencyKey] };

/** What each call is for, in the words of its chapter. */
export const SUPPORT_CALLS: Readonly<Record<string, CallText>> = {
  "GET /api/support": {
    tag: support,
    summary: "Horaires, contacts, et ce à quoi une demande d'assistance peut se rapporter",
  },
  "GET /api/support/faq": {
    tag: support,
    summary: "Les questions fréquentes de chaque page, avec les chiffres de l'instance",
  },
  "GET /api/support/tickets": {
    tag: support,
    summary: "Ses demandes d'assistance, de la dernière réponse à la plus ancienne",
  },
  "POST /api/support/tickets": {
    tag: support,
    summary: "Ouvrir une demande d'assistance, liée ou non à une commande ou à un retrait",
    more,
  },
  "GET /api/support/tickets/:id": { tag: support, summary: "Une demande et tous ses messages" },
  "POST /api/support/tickets/:id/messages": {
    tag: support,
    summary: "Écrire dans une demande ; une demande close se rouvre",
    more,
  },
  "POST /api/support/tickets/:id/close": {
    tag: support,
    summary: "Dire que c'est résolu",
    more,
  },
  "POST /api/support/tickets/:id/read": {
    tag: support,
    summary: "Dire que les réponses ont été lues",
    more,
  },
  "GET /api/desk/tickets": {
    tag: support,
    summary: "Les demandes d'assistance : Premium d'abord, puis la plus ancienne",
  },
  "GET /api/desk/tickets/:id": { tag: support, summary: "Une demande, vue du bureau" },
  "POST /api/desk/tickets/:id/answer": {
    tag: support,
    summary: "Répondre à un vendeur, qui le reçoit dans l'application et par le bot",
    more,
  },
  "POST /api/desk/tickets/:id/close": {
    tag: support,
    summary: "Clore une demande d'assistance",
    more,
  },
  "GET /api/me/export": {
    tag: personalData,
    summary: "Tout ce qui est gardé de soi, acheteur et vendeur, sans secret",
  },
  "POST /api/me/delete": {
    tag: personalData,
    summary: "Effacer ses données ; les comptes restent, sans nom ni numéro",
  },
};
