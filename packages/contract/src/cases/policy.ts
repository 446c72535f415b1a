import { DAY_MS, HOUR_MS, ok, type Result, refuse } from "@sesame/kernel";
import type { ComplaintsRefusal, SupportRefusal } from "./messages.fr.ts";
import { mayUse, type Plan } from "../plans/policy.ts";
import type { WorkingHours } from "../back-office/settings.fr.ts";
import { closingOf, openingAfter } from "../withdrawals/policy.ts";

/**
 * What a buyer can complain of: `paid-not-confirmed` the buyer paid and the order is not paid,
 * `no-access` it is paid and the buyer is not inside, `other` anything else about a paid order.
 */
export const COMPLAINT_KINDS = ["paid-not-confirmed", "no-access", "other"] as const;
export type ComplaintKind = (typeof COMPLAINT_KINDS)[number];

/** `seller` it is his to answer · `operator` time is over, or he contests · the others: closed. */
export type ComplaintStatus =
  | "seller"
  | "operator"
  | "refunded"
  | "rejected"
  | "solved"
  | "withdrawn";

export const COMPLAINT_STEPS = [
  "opened",
  "said",
  "contested",
  "timed-out",
  "refund-begun",
  "refunded",
  "rejected",
  "solved",
  "withdrawn",
] as const;
export type ComplaintStep = (typeof COMPLAINT_STEPS)[number];

/** The seller answers within this; then the operator decides. */
export const COMPLAINT_SELLER_MS = 72 * HOUR_MS;
/** The seller is reminded this long before. */
export const COMPLAINT_REMINDER_MS = 24 * HOUR_MS;
/** No complaint is opened this long after the end of the access, or of the order when it gave none. */
export const COMPLAINT_WITHIN_MS = 90 * DAY_MS;
/** Of one order: one open at a time, so many in all, and after so many rejections none. */
export const COMPLAINTS_PER_ORDER_MAX = 3;
export const COMPLAINT_REJECTIONS_MAX = 2;

/**
 * Complaints of one person about unconfirmed orders, within a day: an honest buyer has one or two,
 * and one that turned out to be paid does not count.
 */
export const UNCONFIRMED_PER_DAY_MAX = 3;
export const UNCONFIRMED_WINDOW_MS = DAY_MS;
/**
 * Operators are notified of those at once when there was none for so long, otherwise of all
 * together after that time.
 */
export const UNCONFIRMED_DIGEST_MS = HOUR_MS / 2;

export const COMPLAINT_WORDS_MAX = 1_000;
const COMPLAINT_WORDS_MIN = 3;

export function isComplaintKind(value: unknown): value is ComplaintKind {
  return COMPLAINT_KINDS.some((kind) => kind === value);
}

/** A person's own words, trimmed; null when there are none and none are needed. */
export function readComplaintWords(
  raw: unknown,
  needed: boolean,
): Result<string | null, ComplaintsRefusal> {
  const text = typeof raw === "string" ? raw.trim() : "";
  if (text.length > COMPLAINT_WORDS_MAX) return refuse({ kind: "complaints.words-too-long" });
  if (text.length >= COMPLAINT_WORDS_MIN) return ok(text);
  return needed ? refuse({ kind: "complaints.words-missing" }) : ok(text === "" ? null : text);
}

/** What a ticket is about. */
export const TICKET_KINDS = [
  "sale",
  "withdrawal",
  "group",
  "product",
  "plan",
  "account",
  "other",
] as const;
export type TicketKind = (typeof TICKET_KINDS)[number];

/** `open` waits for the back office · `answered` waits for the seller · `closed`: a new message opens it. */
export const TICKET_STATUSES = ["open", "answered", "closed"] as const;
export type TicketStatus = (typeof TICKET_STATUSES)[number];

/** B §9 and decision 76: how soon an answer comes. */
export const SUPPORT_REPLY_HOURS = 24;

export const TICKETS_OPEN_MAX = 5;
/** Of one seller in a day, over all his tickets. */
export const TICKET_MESSAGES_PER_DAY_MAX = 20;

export const TICKET_WORDS_MIN = 10;
/** In a conversation that is under way. */
export const TICKET_REPLY_MIN = 2;
export const TICKET_WORDS_MAX = 2_000;

export function isTicketKind(value: unknown): value is TicketKind {
  return TICKET_KINDS.some((kind) => kind === value);
}

/** A person's own words, trimmed. */
export function readTicketWords(raw: unknown, min: number): Result<string, SupportRefusal> {
  const text = typeof raw === "string" ? raw.trim() : "";
  if (text.length < min) return refuse({ kind: "support.words-missing", min });
  if (text.length > TICKET_WORDS_MAX) return refuse({ kind: "support.words-too-long" });
  return ok(text);
}

/** Plans whose tickets the back office sees first (decisions 10 and 76). */
export const PRIORITY_PLANS: readonly Plan[] = (["free", "premium"] as const).filter((plan) =>
  mayUse(plan, "priority-support"),
);

export type Opening = {
  readonly open: boolean;
  /** When it closes, or opens; null: never. */
  readonly until: Date | null;
};

/** Whether somebody answers now, in the instance's zone. */
export function openingAt(at: Date, hours: WorkingHours, zone: string): Opening {
  const closes = closingOf(at, hours, zone);
  if (closes) return { open: true, until: closes };
  return { open: false, until: openingAfter(at, hours, zone) };
}

/** An operator writes a name, a number or an address: each becomes an address that opens. */
export function telegramAddress(given: string): string {
  return /^https?:/.test(given) ? given : `https://t.me/${given.replace(/^@/, "")}`;
}

export function whatsappAddress(given: string): string {
  return /^https?:/.test(given) ? given : `https://wa.me/${given.replace(/\D/g, "")}`;
}
