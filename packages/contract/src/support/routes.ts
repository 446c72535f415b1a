import { z } from "zod";
import { type Owned, route } from "../common/route.ts";
import { cursorQuery } from "../common/wire.ts";
import { registryRefusals } from "../desk/refusals.fr.ts";
import { TICKET_KINDS } from "./policy.ts";
import { supportRefusals } from "./refusals.fr.ts";
import {
  deskTicketAnswer,
  deskTicketsAnswer,
  eraseAnswer,
  faqAnswer,
  personalDataAnswer,
  supportAnswer,
  ticketAnswer,
  ticketsAnswer,
} from "./wire.ts";

const ofSeller: Owned = { thing: "ticket", by: ["seller"] };
const ofDesk: Owned = { thing: "ticket", by: ["agent", "operator"] };

/** Of any type: what is wrong with it has its own sentence. */
const told = (description: string) => z.unknown().optional().meta({ description });

const words = z.object({ message: told("Ce que l'autre partie lit") });
const page = cursorQuery.extend({ limit: z.coerce.number().int().min(1).max(100).default(30) });

export const readSupport = route("GET /api/support", {
  summary: "Horaires, contacts, et ce à quoi une demande d'assistance peut se rapporter",
  access: "seller",
  owns: null,
  answer: supportAnswer,
  example: {},
});

export const readFaq = route("GET /api/support/faq", {
  summary: "Les questions fréquentes de chaque page, avec les chiffres de l'instance",
  access: "public",
  owns: null,
  answer: faqAnswer,
  example: {},
});

export const listTickets = route("GET /api/support/tickets", {
  summary: "Ses demandes d'assistance, de la dernière réponse à la plus ancienne",
  access: "seller",
  owns: null,
  query: page,
  answer: ticketsAnswer,
  example: {},
});

export const readTicket = route("GET /api/support/tickets/:id", {
  summary: "Une demande et tous ses messages",
  access: "seller",
  owns: { id: ofSeller },
  answer: ticketAnswer,
  refusals: supportRefusals,
  example: {},
});

export const openTicket = route("POST /api/support/tickets", {
  summary: "Ouvrir une demande d'assistance, liée ou non à une commande ou à un retrait",
  access: "seller",
  owns: null,
  body: z
    .object({
      sujet: told(TICKET_KINDS.join(", ")),
      message: told("10 à 2 000 caractères"),
      /** Id of one of his sales, or of a plan he bought. */
      commande: told("Facultatif : une de ses commandes"),
      retrait: told("Facultatif : une de ses demandes de retrait"),
    })
    .optional(),
  answer: ticketAnswer,
  status: 201,
  refusals: supportRefusals,
  repeatable: true,
  example: { body: { sujet: "other", message: "Une question sur mon compte" } },
});

export const writeTicket = route("POST /api/support/tickets/:id/messages", {
  summary: "Écrire dans une demande ; une demande close se rouvre",
  access: "seller",
  owns: { id: ofSeller },
  body: words.optional(),
  answer: ticketAnswer,
  refusals: supportRefusals,
  repeatable: true,
  example: { body: { message: "Bonjour" } },
});

export const closeTicket = route("POST /api/support/tickets/:id/close", {
  summary: "Dire que c'est résolu",
  access: "seller",
  owns: { id: ofSeller },
  answer: ticketAnswer,
  refusals: supportRefusals,
  repeatable: true,
  example: {},
});

export const markTicketRead = route("POST /api/support/tickets/:id/read", {
  summary: "Dire que les réponses ont été lues",
  access: "seller",
  owns: { id: ofSeller },
  answer: ticketAnswer,
  refusals: supportRefusals,
  repeatable: true,
  example: {},
});

/** `open` priority first, then the longest waiting; others the newest first. */
export const listDeskTickets = route("GET /api/desk/tickets", {
  summary: "Les demandes d'assistance : Premium d'abord, puis la plus ancienne",
  access: "agent",
  owns: null,
  query: page.extend({ view: z.enum(["open", "answered", "closed"]).default("open") }),
  answer: deskTicketsAnswer,
  example: {},
});

export const readDeskTicket = route("GET /api/desk/tickets/:id", {
  summary: "Une demande, vue du bureau",
  access: "agent",
  owns: { id: ofDesk },
  answer: deskTicketAnswer,
  refusals: supportRefusals,
  example: {},
});

export const answerDeskTicket = route("POST /api/desk/tickets/:id/answer", {
  summary: "Répondre à un vendeur, qui le reçoit dans l'application et par le bot",
  access: "agent",
  owns: { id: ofDesk },
  body: words.optional(),
  answer: deskTicketAnswer,
  refusals: supportRefusals,
  repeatable: true,
  example: { body: { message: "Bonjour" } },
});

export const closeDeskTicket = route("POST /api/desk/tickets/:id/close", {
  summary: "Clore une demande d'assistance",
  access: "agent",
  owns: { id: ofDesk },
  answer: deskTicketAnswer,
  refusals: supportRefusals,
  repeatable: true,
  example: {},
});

export const exportPersonalData = route("GET /api/me/export", {
  summary: "Tout ce qui est gardé de soi, acheteur et vendeur, sans secret",
  access: "person",
  owns: null,
  answer: personalDataAnswer,
  example: {},
});

/** The example does not confirm: it erases nobody. */
export const erasePersonalData = route("POST /api/me/delete", {
  summary: "Effacer ses données ; les comptes restent, sans nom ni numéro",
  access: "person",
  owns: null,
  body: z.object({ confirm: z.unknown().optional() }).optional(),
  answer: eraseAnswer,
  refusals: { ...supportRefusals, ...registryRefusals },
  example: { body: {} },
});
