import { z } from "zod";
import { instantOnWire } from "../common/wire.ts";
import { FAQ_CHAPTERS } from "./messages.fr.ts";
import { TICKET_KINDS } from "./policy.ts";

export const ticketStatusOnWire = z.enum(["ouvert", "repondu", "clos"]);
export type TicketStatusOnWire = z.input<typeof ticketStatusOnWire>;

const ticketLine = z.object({
  id: z.string(),
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
  order: z.object({ id: z.string(), title: z.string(), amount: z.int() }).nullable(),
  withdrawal: z.object({ id: z.string(), reference: z.string(), amount: z.int() }).nullable(),
  /** Beginning of the last message; null when it was erased. */
  preview: z.string().nullable(),
  last_author: z.enum(["vendeur", "assistance"]),
  /** Messages its reader has not seen. */
  unread: z.int(),
  /** Its seller's plan has priority. */
  priority: z.boolean(),
});

/** A seller's ticket in a list of his own. */
export const ticketLineOnWire = ticketLine;
export type TicketLineOnWire = z.input<typeof ticketLineOnWire>;

export const ticketMessageOnWire = z.object({
  id: z.string(),
  author: z.enum(["vendeur", "assistance"]),
  /** Null: erased at its author's request. */
  words: z.string().nullable(),
  at: instantOnWire,
});
export type TicketMessageOnWire = z.input<typeof ticketMessageOnWire>;

/** The thread, the same for both sides; `may` is the reader's. */
export const ticketOnWire = ticketLine.extend({
  /** Oldest first; the last 200 of them. */
  messages: z.array(ticketMessageOnWire),
  may: z.object({ write: z.boolean(), close: z.boolean() }),
});
export type TicketOnWire = z.input<typeof ticketOnWire>;

export const ticketAnswer = z.object({
  success: z.literal(true),
  message: z.string(),
  ticket: ticketOnWire,
});
export type TicketAnswer = z.input<typeof ticketAnswer>;

/** The last spoken in first. */
export const ticketsAnswer = z.object({
  success: z.literal(true),
  tickets: z.array(ticketLineOnWire),
  /** Messages he has not seen, over all tickets. */
  unread: z.int(),
  next_cursor: z.string().nullable(),
});
export type TicketsAnswer = z.input<typeof ticketsAnswer>;

/** What a ticket may be tied to: his last sales, plans and withdrawals. */
export const ticketSubjectOnWire = z.object({
  what: z.enum(["commande", "retrait"]),
  id: z.string(),
  /** A product's title, a plan, a withdrawal's reference. */
  label: z.string(),
  amount: z.int(),
  at: instantOnWire,
});
export type TicketSubjectOnWire = z.input<typeof ticketSubjectOnWire>;

/** How to reach people. */
export const supportAnswer = z.object({
  success: z.literal(true),
  now: instantOnWire,
  /** Of the instance's zone; French. */
  hours: z.object({ open: z.boolean(), label: z.string(), says: z.string() }),
  reply_hours: z.int(),
  priority: z.boolean(),
  /** Addresses to open; null: none was given. */
  contacts: z.object({ whatsapp: z.string().nullable(), telegram: z.string().nullable() }),
  unread: z.int(),
  subjects: z.array(ticketSubjectOnWire),
});
export type SupportAnswer = z.input<typeof supportAnswer>;

export const questionOnWire = z.object({ question: z.string(), answer: z.string() });

/** The questions of each page, with the instance's own figures. */
export const faqAnswer = z.object({
  success: z.literal(true),
  chapters: z.record(z.enum(FAQ_CHAPTERS), z.array(questionOnWire)),
});
export type FaqAnswer = z.input<typeof faqAnswer>;

/** At the desk: whose it is, beside the rest. */
const atDesk = {
  seller: z.object({ id: z.string(), nom: z.string(), username: z.string().nullable() }),
  /** Since then it waits for the desk; null: it does not. */
  waiting_since: instantOnWire.nullable(),
};
export const deskTicketLineOnWire = ticketLine.extend(atDesk);
export type DeskTicketLineOnWire = z.input<typeof deskTicketLineOnWire>;
export const deskTicketOnWire = ticketOnWire.extend(atDesk);
export type DeskTicketOnWire = z.input<typeof deskTicketOnWire>;

export const deskTicketsAnswer = z.object({
  success: z.literal(true),
  now: instantOnWire,
  tickets: z.array(deskTicketLineOnWire),
  counts: z.object({ open: z.int(), answered: z.int() }),
  next_cursor: z.string().nullable(),
});
export type DeskTicketsAnswer = z.input<typeof deskTicketsAnswer>;

export const deskTicketAnswer = z.object({
  success: z.literal(true),
  now: instantOnWire,
  message: z.string(),
  ticket: deskTicketOnWire,
});
export type DeskTicketAnswer = z.input<typeof deskTicketAnswer>;

/** Everything kept of the person, without secrets. Lists are bounded. */
export const personalDataAnswer = z.object({
  success: z.literal(true),
  made_at: instantOnWire,
  /** Rows of one list at most; a list as long as this is cut, the newest first. */
  limit: z.int(),
  person: z.record(z.string(), z.unknown()),
  as_buyer: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))),
  /** Null: never a seller. */
  as_seller: z
    .object({
      profile: z.record(z.string(), z.unknown()),
      lists: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))),
    })
    .nullable(),
});
export type PersonalDataAnswer = z.input<typeof personalDataAnswer>;

export const eraseAnswer = z.object({ success: z.literal(true), message: z.string() });
