import { z } from "zod";
import { type Owned, route } from "../common/route.ts";
import { francs, id, instantOnWire, next_cursor, page, success, told } from "../common/wire.ts";
import { FAQ_CHAPTERS } from "./messages.fr.ts";
import { TICKET_KINDS, TICKET_STATUSES } from "./policy.ts";
import { supportRefusals } from "./refusals.fr.ts";

const ticketStatusOnWire = z.enum(["ouvert", "repondu", "clos"]);
export type TicketStatusOnWire = z.input<typeof ticketStatusOnWire>;

/** A ticket in a list: the first lines of the last message say what it is about. */
const ticketLine = z.object({
  id,
  kind: z.enum(TICKET_KINDS),
  /** French. */
  kind_label: z.string(),
  status: ticketStatusOnWire,
  status_label: z.string(),
  opened_at: instantOnWire,
  /** Of the last message. */
  changed_at: instantOnWire,
  closed_at: instantOnWire.nullable(),
  /** What it is tied to, if anything; amounts in francs. */
  order: z.object({ id, title: z.string(), amount: francs }).nullable(),
  withdrawal: z.object({ id, reference: z.string(), amount: francs }).nullable(),
  /** Beginning of the last message; null when it was erased. */
  preview: z.string().nullable(),
  last_author: z.enum(["vendeur", "assistance"]),
  /** Messages its reader has not seen. */
  unread: z.int(),
  /** Its seller's plan has priority. */
  priority: z.boolean(),
});
export type TicketLineOnWire = z.input<typeof ticketLine>;

/** The thread, the same for both sides; `may` is the reader's. */
const ticket = ticketLine.extend({
  /** Oldest first; the last 200 of them. */
  messages: z.array(
    z.object({
      id,
      author: z.enum(["vendeur", "assistance"]),
      /** Null: erased at its author's request. */
      words: z.string().nullable(),
      at: instantOnWire,
    }),
  ),
  may: z.object({ write: z.boolean(), close: z.boolean() }),
});
export type TicketOnWire = z.input<typeof ticket>;

/** At the desk: whose it is, beside the rest. */
const atDesk = {
  seller: z.object({ id, nom: z.string(), username: z.string().nullable() }),
  /** Since then it waits for the desk; null: it does not. */
  waiting_since: instantOnWire.nullable(),
};
const deskTicketLine = ticketLine.extend(atDesk);
export type DeskTicketLineOnWire = z.input<typeof deskTicketLine>;
export const deskTicket = ticket.extend(atDesk);
export type DeskTicketOnWire = z.input<typeof deskTicket>;

/** What a ticket may be tied to: his last sales, plans and withdrawals. */
const subject = z.object({
  what: z.enum(["commande", "retrait"]),
  id,
  /** A product's title, a plan, a withdrawal's reference. */
  label: z.string(),
  amount: francs,
  at: instantOnWire,
});
export type TicketSubjectOnWire = z.input<typeof subject>;
export type TicketSubject = z.output<typeof subject>;

export const readSupport = route("GET /api/support", {
  summary: "Horaires, contacts, et ce à quoi une demande d'assistance peut se rapporter",
  access: "seller",
  owns: null,
  answer: success({
    now: instantOnWire,
    /** Of the instance's zone; French. */
    hours: z.object({ open: z.boolean(), label: z.string(), says: z.string() }),
    reply_hours: z.int(),
    priority: z.boolean(),
    /** Addresses to open; null: none was given. */
    contacts: z.object({ whatsapp: z.string().nullable(), telegram: z.string().nullable() }),
    unread: z.int(),
    subjects: z.array(subject),
  }),
  example: {},
});

export const readFaq = route("GET /api/support/faq", {
  summary: "Les questions fréquentes de chaque page, avec les chiffres de l'instance",
  access: "public",
  owns: null,
  answer: success({
    chapters: z.record(
      z.enum(FAQ_CHAPTERS),
      z.array(z.object({ question: z.string(), answer: z.string() })),
    ),
  }),
  example: {},
});

const ofSeller: Owned = { thing: "ticket", by: ["seller"] };
const sellers = {
  access: "seller",
  owns: { id: ofSeller },
  answer: success({ message: z.string(), ticket }),
  refusals: supportRefusals,
} as const;

const words = z.object({ message: told("Ce que l'autre partie lit") }).optional();

/** The last spoken in first. */
export const listTickets = route("GET /api/support/tickets", {
  summary: "Ses demandes d'assistance, de la dernière réponse à la plus ancienne",
  access: "seller",
  owns: null,
  query: page(30),
  /** `unread`: messages he has not seen, over all tickets. */
  answer: success({ tickets: z.array(ticketLine), unread: z.int(), next_cursor }),
  example: {},
});

export const readTicket = route("GET /api/support/tickets/:id", {
  ...sellers,
  summary: "Une demande et tous ses messages",
  example: {},
});

export const openTicket = route("POST /api/support/tickets", {
  ...sellers,
  summary: "Ouvrir une demande d'assistance, liée ou non à une commande ou à un retrait",
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
  status: 201,
  repeatable: true,
  example: { body: { sujet: "other", message: "Une question sur mon compte" } },
});

export const writeTicket = route("POST /api/support/tickets/:id/messages", {
  ...sellers,
  summary: "Écrire dans une demande ; une demande close se rouvre",
  body: words,
  repeatable: true,
  example: { body: { message: "Bonjour" } },
});

export const closeTicket = route("POST /api/support/tickets/:id/close", {
  ...sellers,
  summary: "Dire que c'est résolu",
  repeatable: true,
  example: {},
});

export const markTicketRead = route("POST /api/support/tickets/:id/read", {
  ...sellers,
  summary: "Dire que les réponses ont été lues",
  repeatable: true,
  example: {},
});

const ofDesk: Owned = { thing: "ticket", by: ["agent", "operator"] };
const agents = {
  access: "agent",
  owns: { id: ofDesk },
  answer: success({ now: instantOnWire, message: z.string(), ticket: deskTicket }),
  refusals: supportRefusals,
} as const;

/** `open` priority first, then the longest waiting; others the newest first. */
export const listDeskTickets = route("GET /api/desk/tickets", {
  summary: "Les demandes d'assistance : Premium d'abord, puis la plus ancienne",
  access: "agent",
  owns: null,
  query: page(30).extend({ view: z.enum(TICKET_STATUSES).default("open") }),
  answer: success({
    now: instantOnWire,
    tickets: z.array(deskTicketLine),
    counts: z.object({ open: z.int(), answered: z.int() }),
    next_cursor,
  }),
  example: {},
});

export const readDeskTicket = route("GET /api/desk/tickets/:id", {
  ...agents,
  summary: "Une demande, vue du bureau",
  example: {},
});

export const answerDeskTicket = route("POST /api/desk/tickets/:id/answer", {
  ...agents,
  summary: "Répondre à un vendeur, qui le reçoit dans l'application et par le bot",
  body: words,
  repeatable: true,
  example: { body: { message: "Bonjour" } },
});

export const closeDeskTicket = route("POST /api/desk/tickets/:id/close", {
  ...agents,
  summary: "Clore une demande d'assistance",
  repeatable: true,
  example: {},
});
