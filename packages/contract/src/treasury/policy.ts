import {
  DAY_MS,
  type Fcfa,
  MINUTE_MS,
  ok,
  type Result,
  refuse,
  HOUR_MS,
  oneOf,
} from "@sesame/kernel";
import type { InstanceSettings } from "../back-office/policy.ts";
import { askAfterMs } from "../checkout/policy.ts";
import * as messages from "./messages.fr.ts";
import type { StaffRefusal } from "./refusals.fr.ts";

/** How an approved request is paid: by an agent, or by a provider. */
export const PAYOUT_RAILS = ["manual", "paydunya", "moneroo", "fedapay"] as const;

export type PayoutRail = (typeof PAYOUT_RAILS)[number];

/** A request is assigned to an agent for this long; each action of the agent renews the assignment. */
export const ASSIGNMENT_MS = 15 * MINUTE_MS;

/**
 * The stage of a request: `pending` not assigned · `assigned` to an agent · `second-agent` one
 * agent of two approved it · `to-pay` approved, an agent pays by hand · `sending` a provider pays ·
 * `uncertain` the provider did not answer, so the result is unknown · `paid` received · `failed`
 * approved, then returned.
 */
export const STAGES = Object.keys(messages.STAGE_NAMES) as readonly messages.Stage[];

/**
 * The views of the queue: `pending` to decide · `to-pay` approved and not over · `uncertain` ·
 * `done` over · then one view for each status.
 */
export const QUEUE_VIEWS = [
  "pending",
  "to-pay",
  "uncertain",
  "done",
  "approved",
  "rejected",
  "cancelled",
  "all",
] as const;

export type QueueView = (typeof QUEUE_VIEWS)[number];

/** What an agent may do with a request. */
export const STAFF_ACTIONS = [
  "assign",
  "release",
  "approve",
  "reject",
  "paid",
  "failed",
  "resolve",
] as const;

export type StaffAction = (typeof STAFF_ACTIONS)[number];

/** Risk signs that an agent checks before the approval. */
export const RISK_SIGNS = Object.keys(messages.RISK_NAMES) as readonly messages.RiskSign[];

/** Why an agent rejects a request: each code has a sentence for the seller (`REJECT_REASONS`). */
export const REJECT_CODES = Object.keys(messages.REJECT_REASONS) as readonly messages.RejectCode[];

export const RESOLVE_OUTCOMES = ["sent", "not-sent", "link", "returned"] as const;

export type ResolveOutcome = (typeof RESOLVE_OUTCOMES)[number];

export const REASON_CHARACTERS_MAX = 500;

const REASON_CHARACTERS_MIN = 3;

/** A reference of a mobile operator: "CI240312.1022.A12345", "MP2403…". It has digits, unlike a word. */
const OPERATOR_REFERENCE = /^(?=.*\d)[A-Za-z0-9][A-Za-z0-9._/-]{3,63}$/;

/** The operator's reference of a payment made by hand, without the blanks that a phone adds. */
export function readOperatorReference(raw: unknown) {
  const text = typeof raw === "string" ? raw.replaceAll(/\s+/g, "") : "";
  if (text === "") return refuse({ kind: "desk.reference-missing" });
  return OPERATOR_REFERENCE.test(text) ? ok(text) : refuse({ kind: "desk.reference-invalid" });
}

/** The author's reason, trimmed. */
export function readReason(raw: unknown): Result<string, StaffRefusal> {
  const text = typeof raw === "string" ? raw.trim() : "";
  if (text.length < REASON_CHARACTERS_MIN) return refuse({ kind: "desk.reason-missing" });
  if (text.length > REASON_CHARACTERS_MAX) return refuse({ kind: "desk.reason-too-long" });
  return ok(text);
}

export const isRail = oneOf(PAYOUT_RAILS);

export const isRejectCode = oneOf(REJECT_CODES);

/** A number that changed within this time is a risk sign. */
const RECENT_NUMBER_MS = 7 * DAY_MS;

/** Facts for the back office's decision about a withdrawal. */
export type RiskFacts = {
  readonly amount: Fcfa;
  /** Of the seller's earlier withdrawals: how many were paid, their median, since when this number is paid. */
  readonly paid_before: number;
  readonly median_before: Fcfa | null;
  readonly number_paid_since: Date | null;
  /** Others with an open request to this number. */
  readonly other_sellers: number;
  readonly number_changed_at: Date | null;
  readonly frozen_at: Date | null;
  readonly suspended_at: Date | null;
  /** Advanced for the seller by the platform, and not recovered. */
  readonly owed: Fcfa;
  /** Refunds of the seller's sales. */
  readonly refunds: number;
  readonly mismatches: number;
  /** Of buyers, and still open. */
  readonly complaints: number;
};

/** In the order of `RISK_SIGNS`. */
export function riskSigns(
  facts: RiskFacts,
  settings: InstanceSettings,
  now: Date,
): messages.RiskSign[] {
  const { amount, paid_before, median_before: median, number_changed_at: changedAt } = facts;
  const usual = median === null ? null : Number(median) * settings.unusual_factor;
  const present: Readonly<Record<messages.RiskSign, boolean>> = {
    "first-payout": paid_before === 0,
    "new-number": paid_before > 0 && facts.number_paid_since === null,
    "number-changed": changedAt !== null && now.getTime() - changedAt.getTime() < RECENT_NUMBER_MS,
    "shared-number": facts.other_sellers > 0,
    "unusual-amount": usual !== null && Number(amount) > usual,
    frozen: facts.frozen_at !== null,
    suspended: facts.suspended_at !== null,
    owes: facts.owed > 0n,
    refunds: facts.refunds > 0,
    mismatch: facts.mismatches > 0,
    complaints: facts.complaints > 0,
  };
  return RISK_SIGNS.filter((sign) => present[sign]);
}

/** Two agents approve from one amount on, and from a smaller one for a seller without a paid withdrawal. */
export function needsSecondAgent(
  { amount, paid_before }: Pick<RiskFacts, "amount" | "paid_before">,
  settings: InstanceSettings,
): boolean {
  const from =
    paid_before > 0 || settings.second_agent_from < settings.first_payout_second_agent_from
      ? settings.second_agent_from
      : settings.first_payout_second_agent_from;
  return amount >= from;
}

/**
 * `ready` approved, nothing sent · `prepared` the provider gave an id, no money moves yet ·
 * `sending` about to be sent · `uncertain` sent without an answer: only looked up · `sent`
 * accepted, not finished · `succeeded` · `failed` for good, the francs are back on the balance.
 */
export const PAYOUT_STATUSES = Object.keys(
  messages.PAYOUT_STATUS_NAMES,
) as readonly messages.PayoutStatus[];

/** After this long without a known result, or without a successful call, the back office is alerted. */
export const PAYOUT_ALERT_MS = 10 * MINUTE_MS;

/** A payout accepted by the provider and not finished after this long alerts the back office. */
export const PAYOUT_SLOW_MS = DAY_MS;

/**
 * When a provider reports that it never received a payout, this long after it was sent it may be sent
 * again: before, the call may still be in transit.
 */
export const SUBMIT_AGAIN_MS = 2 * MINUTE_MS;

/**
 * Milliseconds until the next lookup of a payout sent that long ago: as for a payment, at most an
 * hour. Lookups never stop: the money is on its way or not.
 */
export const lookAfterMs = (ageMs: number) => askAfterMs(ageMs, HOUR_MS);

const LATE_LOOKS_MS = [10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, DAY_MS, 3 * DAY_MS];

/** Milliseconds from now until the next lookup of a payout that failed that long ago; null: no more. */
export function lookLateAfterMs(ageMs: number): number | null {
  // It failed while the clock was ahead, which has been set back since.
  if (ageMs < -MINUTE_MS) return DAY_MS;
  const next = LATE_LOOKS_MS.find((at) => at > ageMs);
  return next === undefined ? null : next - ageMs;
}

/** A provider that reports an arrived payout as failed is believed after this long, if it still does. */
export const RETURN_DOUBT_MS = 10 * MINUTE_MS;

const LONGEST_TRY_MS = 5 * MINUTE_MS;

/** Milliseconds before the next call to a provider that refuses everything, after so many tries: 2, 4, 8 … seconds. */
export function tryAgainAfterMs(tries: number): number {
  return Math.min(LONGEST_TRY_MS, 1_000 * 2 ** Math.min(20, Math.max(1, tries)));
}
