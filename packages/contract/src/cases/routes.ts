import { z } from "zod";
import { route } from "../common/route.ts";
import {
  francs,
  id,
  instantOnWire,
  next_cursor,
  optionalBody,
  page,
  success,
  unchecked,
} from "../common/wire.ts";
import { staffRefusals } from "../treasury/refusals.fr.ts";
import { refundsRefusals } from "../refunds/refusals.fr.ts";
import { COMPLAINT_KINDS, type ComplaintStep, TICKET_KINDS, TICKET_STATUSES } from "./policy.ts";
import {
  COMPLAINT_STEP_NAMES,
  complaintsRefusals,
  FAQ_CHAPTERS,
  supportRefusals,
} from "./messages.fr.ts";

/** A buyer's complaint and its record, the same for buyer and seller; `may` is about the caller. */
export const complaintOnWire = z.object({
  id,
  order_id: id,
  title: z.string(),
  kind: z.enum(COMPLAINT_KINDS),
  /** French. */
  kind_label: z.string(),
  status: z.enum(["vendeur", "operateur", "rembourse", "rejete", "resolu", "retire"]),
  status_label: z.string(),
  opened_at: instantOnWire,
  /** The seller's deadline; without meaning once the operator decides. */
  seller_due_at: instantOnWire,
  closed_at: instantOnWire.nullable(),
  buyer: z.object({ nom: z.string() }),
  /** Null for a plan: the platform is its seller. */
  seller: z.object({ nom: z.string() }).nullable(),
  /** Price of the order. */
  amount: francs,
  /** Oldest first. */
  entries: z.array(
    z.object({
      author: z.enum(["acheteur", "vendeur", "operateur", "systeme"]),
      step: z.enum(Object.keys(COMPLAINT_STEP_NAMES) as ComplaintStep[]),
      /** French name of the step. */
      step_label: z.string(),
      words: z.string().nullable(),
      at: instantOnWire,
    }),
  ),
  may: z.object({
    answer: z.boolean(),
    /** The seller may pass the complaint to the operator. */
    contest: z.boolean(),
    /** The seller may refund by POST /api/orders/{order_id}/refund. */
    refund: z.boolean(),
    withdraw: z.boolean(),
    decide: z.boolean(),
  }),
});
export type ComplaintOnWire = z.input<typeof complaintOnWire>;

const complaint = {
  access: "person",
  owns: { id: { thing: "complaint", by: ["buyer", "seller"] } },
  answer: success({ message: z.string(), complaint: complaintOnWire }),
  refusals: complaintsRefusals,
} as const;
const step = { ...complaint, repeatable: true } as const;
const words = z.object({ message: unchecked("Ce que l'autre partie lit") }).optional();

export const openComplaint = route("POST /api/orders/:id/complaint", {
  ...step,
  summary:
    "Dire que quelque chose ne va pas avec un achat ; le vendeur a 72 heures. Au plus 3 par jour sur des commandes non payées : 429 avec `Retry-After`",
  owns: { id: { thing: "sale", by: ["buyer"] } },
  body: optionalBody({
    motif: unchecked("paid-not-confirmed, no-access ou other, parmi may_complain de la commande"),
    message: unchecked("Facultatif, sauf pour other"),
  }),
  status: 201,
  example: { body: { motif: "other", message: "Bonjour" } },
});

export const answerComplaint = route("POST /api/complaints/:id/answer", {
  ...step,
  summary: "Écrire à l'autre partie d'une réclamation",
  body: words,
  example: { body: { message: "Bonjour" } },
});

export const contestComplaint = route("POST /api/complaints/:id/contest", {
  ...step,
  summary: "Contester une réclamation : Sésame décide",
  access: "seller",
  owns: { id: { thing: "dispute", by: ["seller"] } },
  body: words,
  example: { body: { message: "Bonjour" } },
});

/** No body is expected; one that is sent is ignored. */
export const withdrawComplaint = route("POST /api/complaints/:id/withdraw", {
  ...step,
  summary: "Retirer sa réclamation",
  owns: { id: { thing: "complaint", by: ["buyer"] } },
});

/** Complaints about the caller's sales: those that need an answer first, then the newest. */
export const listComplaints = route("GET /api/complaints", {
  summary: "Les réclamations sur ses ventes",
  access: "seller",
  query: page(30),
  answer: success({
    complaints: z.array(complaintOnWire),
    /** Open complaints that the seller must answer. */
    waiting: z.int(),
    next_cursor,
  }),
});

export const readComplaint = route("GET /api/complaints/:id", {
  ...complaint,
  summary: "Une réclamation et tout ce qui y a été dit",
});

/** `open`: those for the operator first, oldest first; `done`: newest first. */
export const listStaffComplaints = route("GET /api/desk/complaints", {
  summary: "Les réclamations : celles de Sésame d'abord ; ou les closes",
  access: "agent",
  query: page(30).extend({ view: z.enum(["open", "done"]).default("open") }),
  answer: success({
    now: instantOnWire,
    complaints: z.array(complaintOnWire),
    /** Open complaints: those for the operator, and all. */
    counts: z.object({ operator: z.int(), open: z.int() }),
    next_cursor,
  }),
});

const complaintForStaff = complaint.answer.extend({ now: instantOnWire });

export const readStaffComplaint = route("GET /api/desk/complaints/:id", {
  summary: "Une réclamation, vue du bureau",
  access: "agent",
  owns: { id: { thing: "complaint", by: ["agent", "operator"] } },
  answer: complaintForStaff,
  refusals: complaintsRefusals,
});

export const decideComplaint = route("POST /api/desk/complaints/:id/decide", {
  summary: "Trancher : rembourser, ou rejeter avec une raison lue par les deux parties",
  access: "operator",
  owns: { id: { thing: "dispute", by: ["operator"] } },
  body: optionalBody({
    decision: unchecked("refund ou reject"),
    reason: unchecked("Ce que l'acheteur et le vendeur lisent"),
  }),
  answer: complaintForStaff,
  refusals: { ...complaintsRefusals, ...refundsRefusals, ...staffRefusals },
  repeatable: true,
  example: { body: { decision: "reject", reason: "Vu chez eux" } },
});

const ticketStatusOnWire = z.enum(["ouvert", "repondu", "clos"]);
export type TicketStatusOnWire = z.input<typeof ticketStatusOnWire>;

/** A ticket in a list, with the first lines of its last message. */
const ticketLine = z.object({
  id,
  kind: z.enum(TICKET_KINDS),
  /** French. */
  kind_label: z.string(),
  status: ticketStatusOnWire,
  status_label: z.string(),
  opened_at: instantOnWire,
  /** The time of the last message. */
  changed_at: instantOnWire,
  closed_at: instantOnWire.nullable(),
  /** The order the ticket is about, if any; amounts in francs. */
  order: z.object({ id, title: z.string(), amount: francs }).nullable(),
  withdrawal: z.object({ id, reference: z.string(), amount: francs }).nullable(),
  /** Beginning of the last message; null when it was erased. */
  preview: z.string().nullable(),
  last_author: z.enum(["vendeur", "assistance"]),
  /** Messages that the caller has not seen. */
  unread: z.int(),
  /** The seller's plan gives priority. */
  priority: z.boolean(),
});
export type TicketLineOnWire = z.input<typeof ticketLine>;

/** A ticket with its messages, the same for seller and staff; `may` is about the caller. */
const ticket = ticketLine.extend({
  /** The last 200 messages, oldest first. */
  messages: z.array(
    z.object({
      id,
      author: z.enum(["vendeur", "assistance"]),
      /** Null: erased at the author's request. */
      words: z.string().nullable(),
      at: instantOnWire,
    }),
  ),
  may: z.object({ write: z.boolean(), close: z.boolean() }),
});
export type TicketOnWire = z.input<typeof ticket>;

/** Fields that staff see in addition. */
const ticketForStaff = {
  seller: z.object({ id, nom: z.string(), username: z.string().nullable() }),
  /** Since when the ticket waits for the back office; null: it does not. */
  waiting_since: instantOnWire.nullable(),
};
const staffTicketLine = ticketLine.extend(ticketForStaff);
export type StaffTicketLineOnWire = z.input<typeof staffTicketLine>;
export const staffTicket = ticket.extend(ticketForStaff);
export type StaffTicketOnWire = z.input<typeof staffTicket>;

/** What a ticket may be about: one of the seller's last sales, plans and withdrawals. */
const subject = z.object({
  what: z.enum(["commande", "retrait"]),
  id,
  /** The buyer of a sale. */
  buyer: z.string().nullable(),
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
  answer: success({
    now: instantOnWire,
    /** In the instance's time zone; French. */
    hours: z.object({ open: z.boolean(), label: z.string(), says: z.string() }),
    reply_hours: z.int(),
    priority: z.boolean(),
    /** Addresses to open; null: not configured. */
    contacts: z.object({ whatsapp: z.string().nullable(), telegram: z.string().nullable() }),
    unread: z.int(),
    subjects: z.array(subject),
  }),
});

export const readFaq = route("GET /api/support/faq", {
  summary: "Les questions fréquentes de chaque page, avec les chiffres de l'instance",
  access: "public",
  answer: success({
    chapters: z.record(
      z.enum(FAQ_CHAPTERS),
      z.array(z.object({ question: z.string(), answer: z.string() })),
    ),
  }),
});

const sellers = {
  access: "seller",
  owns: { id: { thing: "ticket", by: ["seller"] } },
  answer: success({ message: z.string(), ticket }),
  refusals: supportRefusals,
} as const;

/** The latest message first. */
export const listTickets = route("GET /api/support/tickets", {
  summary: "Ses demandes d'assistance, de la dernière réponse à la plus ancienne",
  access: "seller",
  query: page(30),
  /** `unread`: messages that the seller has not seen, in all tickets. */
  answer: success({ tickets: z.array(ticketLine), unread: z.int(), next_cursor }),
});

export const readTicket = route("GET /api/support/tickets/:id", {
  ...sellers,
  summary: "Une demande et tous ses messages",
});

export const openTicket = route("POST /api/support/tickets", {
  ...sellers,
  summary: "Ouvrir une demande d'assistance, liée ou non à une commande ou à un retrait",
  owns: null,
  body: optionalBody({
    sujet: unchecked(TICKET_KINDS.join(", ")),
    message: unchecked("10 à 2 000 caractères"),
    /** The id of one of the seller's sales, or of a plan the seller bought. */
    commande: unchecked("Facultatif : une de ses commandes"),
    retrait: unchecked("Facultatif : une de ses demandes de retrait"),
  }),
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
});

export const markTicketRead = route("POST /api/support/tickets/:id/read", {
  ...sellers,
  summary: "Dire que les réponses ont été lues",
  repeatable: true,
});

const agents = {
  access: "agent",
  owns: { id: { thing: "ticket", by: ["agent", "operator"] } },
  answer: success({ now: instantOnWire, message: z.string(), ticket: staffTicket }),
  refusals: supportRefusals,
} as const;

/** `open`: priority first, then the longest waiting; other views: newest first. */
export const listStaffTickets = route("GET /api/desk/tickets", {
  summary: "Les demandes d'assistance : Premium d'abord, puis la plus ancienne",
  access: "agent",
  query: page(30).extend({ view: z.enum(TICKET_STATUSES).default("open") }),
  answer: success({
    now: instantOnWire,
    tickets: z.array(staffTicketLine),
    counts: z.object({ open: z.int(), answered: z.int() }),
    next_cursor,
  }),
});

export const readStaffTicket = route("GET /api/desk/tickets/:id", {
  ...agents,
  summary: "Une demande, vue du bureau",
});

export const answerStaffTicket = route("POST /api/desk/tickets/:id/answer", {
  ...agents,
  summary: "Répondre à un vendeur, qui le reçoit dans l'application et par le bot",
  body: words,
  repeatable: true,
  example: { body: { message: "Bonjour" } },
});

export const closeStaffTicket = route("POST /api/desk/tickets/:id/close", {
  ...agents,
  summary: "Clore une demande d'assistance",
  repeatable: true,
});
