import { DAY_MS, ok, type Result, refuse } from "@sesame/kernel";
import { mayUse, type Plan } from "../plans/policy.ts";
import type { WorkingHours } from "../settings/policy.ts";
import { closingOf, openingAfter } from "../withdrawals/working-hours.ts";
import type { SupportRefusal } from "./refusals.fr.ts";

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

/** `open` waits for the desk · `answered` waits for the seller · `closed`: a new message opens it. */
export const TICKET_STATUSES = ["open", "answered", "closed"] as const;
export type TicketStatus = (typeof TICKET_STATUSES)[number];

/** B §9 and decision 76: how soon an answer comes. */
export const SUPPORT_REPLY_HOURS = 24;

export const TICKETS_OPEN_MAX = 5;
/** Of one seller in a day, over all his tickets. */
export const TICKET_MESSAGES_PER_DAY_MAX = 20;
export const TICKET_DAY_MS = DAY_MS;

export const TICKET_WORDS_MIN = 10;
/** In a conversation that is under way. */
export const TICKET_REPLY_MIN = 2;
export const TICKET_WORDS_MAX = 2_000;

export function isTicketKind(value: unknown): value is TicketKind {
  return TICKET_KINDS.some((kind) => kind === value);
}

/** Somebody's own words, trimmed. */
export function readTicketWords(raw: unknown, min: number): Result<string, SupportRefusal> {
  const text = typeof raw === "string" ? raw.trim() : "";
  if (text.length < min) return refuse({ kind: "support.words-missing", min });
  if (text.length > TICKET_WORDS_MAX) return refuse({ kind: "support.words-too-long" });
  return ok(text);
}

/** Plans whose tickets the desk sees first (decisions 10 and 76). */
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

/** The operator writes a name, a number or an address: each becomes one that opens. */
export function telegramAddress(given: string): string {
  return /^https?:/.test(given) ? given : `https://t.me/${given.replace(/^@/, "")}`;
}

export function whatsappAddress(given: string): string {
  return /^https?:/.test(given) ? given : `https://wa.me/${given.replace(/\D/g, "")}`;
}
