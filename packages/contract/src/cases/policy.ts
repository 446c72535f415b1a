import { DAY_MS, HOUR_MS, ok, refuse, oneOf } from "@sesame/kernel";
import { mayUse, type Plan } from "../plans/policy.ts";
import type { WorkingHours } from "../back-office/settings.fr.ts";
import { closingOf, openingAfter } from "../withdrawals/policy.ts";
import * as messages from "./messages.fr.ts";

/**
 * What a buyer may complain about: `paid-not-confirmed` the buyer paid but the order is not paid; `no-access`
 * the order is paid but the buyer is not in the group; `other` anything else about a paid order.
 */
export const COMPLAINT_KINDS = ["paid-not-confirmed", "no-access", "other"] as const;
export type ComplaintKind = (typeof COMPLAINT_KINDS)[number];

/** `seller` the seller must answer · `operator` the deadline passed, or the seller contests · other values: closed. */
export type ComplaintStatus = keyof typeof messages.COMPLAINT_STATUS_NAMES;

export type ComplaintStep = keyof typeof messages.COMPLAINT_STEP_NAMES;

/** The seller must answer within this time; afterwards the operator decides. */
export const COMPLAINT_SELLER_MS = 72 * HOUR_MS;
/** The seller gets a reminder this long before the deadline. */
export const COMPLAINT_REMINDER_MS = 24 * HOUR_MS;
/**
 * The last moment to open a complaint, counted from the end of the membership, or from the end of an
 * order without one.
 */
export const COMPLAINT_WITHIN_MS = 90 * DAY_MS;
/** Limits of one order: one open complaint at a time, this many in all, and none after this many rejections. */
export const COMPLAINTS_PER_ORDER_MAX = 3;
export const COMPLAINT_REJECTIONS_MAX = 2;

/**
 * Complaints a person may open within a day about unpaid orders: an honest buyer has one or two.
 * One whose order turned out to be paid does not count.
 */
export const UNCONFIRMED_PER_DAY_MAX = 3;
export const UNCONFIRMED_WINDOW_MS = DAY_MS;
/**
 * Operators are notified of such a complaint at once if there was none for this long; otherwise of
 * several together after this time.
 */
export const UNCONFIRMED_DIGEST_MS = HOUR_MS / 2;

export const COMPLAINT_WORDS_MAX = 1_000;
const COMPLAINT_WORDS_MIN = 3;

export const isComplaintKind = oneOf(COMPLAINT_KINDS);

/** The author's text, trimmed; null when it is empty and not required. */
export function readComplaintWords(raw: unknown, needed: boolean) {
  const text = typeof raw === "string" ? raw.trim() : "";
  if (text.length > COMPLAINT_WORDS_MAX) return refuse({ kind: "complaints.words-too-long" });
  if (text.length >= COMPLAINT_WORDS_MIN) return ok(text);
  return needed ? refuse({ kind: "complaints.words-missing" }) : ok(text === "" ? null : text);
}

/** What a ticket is about. */
export type TicketKind = keyof typeof messages.TICKET_KIND_NAMES;
export const TICKET_KINDS = Object.keys(messages.TICKET_KIND_NAMES) as readonly TicketKind[];

/** `open` waits for the back office · `answered` waits for the seller · `closed`: a new message opens it. */
export const TICKET_STATUSES = ["open", "answered", "closed"] as const;
export type TicketStatus = (typeof TICKET_STATUSES)[number];

/** Within how many hours the support answers (B §9, decision 76). */
export const SUPPORT_REPLY_HOURS = 24;

export const TICKETS_OPEN_MAX = 5;
/** Messages of one seller in a day, in all tickets. */
export const TICKET_MESSAGES_PER_DAY_MAX = 20;

export const TICKET_WORDS_MIN = 10;
/** The minimum length of a message in an open ticket. */
export const TICKET_REPLY_MIN = 2;
export const TICKET_WORDS_MAX = 2_000;

export const isTicketKind = oneOf(TICKET_KINDS);

/** The author's text, trimmed. */
export function readTicketWords(raw: unknown, min: number) {
  const text = typeof raw === "string" ? raw.trim() : "";
  if (text.length < min) return refuse({ kind: "support.words-missing", min });
  if (text.length > TICKET_WORDS_MAX) return refuse({ kind: "support.words-too-long" });
  return ok(text);
}

/** Plans whose tickets come first in the back office (decisions 10 and 76). */
export const PRIORITY_PLANS: readonly Plan[] = (["free", "premium"] as const).filter((plan) =>
  mayUse(plan, "priority-support"),
);

export type Opening = {
  readonly open: boolean;
  /** When the support closes, or opens; null: never. */
  readonly until: Date | null;
};

/** Whether the support is open at this instant, in the instance's time zone. */
export function openingAt(at: Date, hours: WorkingHours, zone: string): Opening {
  const closes = closingOf(at, hours, zone);
  if (closes) return { open: true, until: closes };
  return { open: false, until: openingAfter(at, hours, zone) };
}

/** The address of a name, number or address typed by an operator. */
export function telegramAddress(given: string): string {
  return /^https?:/.test(given) ? given : `https://t.me/${given.replace(/^@/, "")}`;
}

export function whatsappAddress(given: string): string {
  return /^https?:/.test(given) ? given : `https://wa.me/${given.replace(/\D/g, "")}`;
}
