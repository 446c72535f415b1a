import { DAY_MS, type Fcfa, MINUTE_MS, ok, type Result, refuse, HOUR_MS } from "@sesame/kernel";
import type { InstanceSettings } from "../back-office/policy.ts";
import {
  PAYOUT_STATUS_NAMES,
  type PayoutStatus,
  REJECT_REASONS,
  type RejectCode,
  RISK_NAMES,
  type RiskSign,
  STAGE_NAMES,
  type Stage,
} from "./messages.fr.ts";
import type { StaffRefusal } from "./refusals.fr.ts";

/** How an approved request is paid: by an agent's hand, or by a provider. */
export const PAYOUT_RAILS = ["manual", "paydunya", "moneroo", "fedapay"] as const;

export type PayoutRail = (typeof PAYOUT_RAILS)[number];

/** A request is assigned to an agent for this long; each act of the agent renews the assignment. */
export const ASSIGNMENT_MS = 15 * MINUTE_MS;

/**
 * Where a request stands, in one word:
 * `pending` nobody has it · `assigned` an agent does · `second-agent` a first agent approved it ·
 * `to-pay` approved, an agent pays by hand · `sending` a provider pays · `uncertain` the provider
 * did not answer and nobody knows · `paid` received · `failed` approved, then the money came back.
 */
export const STAGES = Object.keys(STAGE_NAMES) as readonly Stage[];

/**
 * What a list shows: `pending` to decide · `to-pay` approved and under way · `uncertain` · `done`
 * over, one way or the other · then by status.
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

/** Signs an agent looks at before he approves. */
export const RISK_SIGNS = Object.keys(RISK_NAMES) as readonly RiskSign[];

/** Why an agent rejects a request: each has a sentence the seller reads (`REJECT_REASONS`). */
export const REJECT_CODES = Object.keys(REJECT_REASONS) as readonly RejectCode[];

export const RESOLVE_OUTCOMES = ["sent", "not-sent", "link", "returned"] as const;

export type ResolveOutcome = (typeof RESOLVE_OUTCOMES)[number];

export const REASON_CHARACTERS_MAX = 500;

const REASON_CHARACTERS_MIN = 3;

/** A reference as operators write them: "CI240312.1022.A12345", "MP2403…". No word has figures. */
const OPERATOR_REFERENCE = /^(?=.*\d)[A-Za-z0-9][A-Za-z0-9._/-]{3,63}$/;

/** The operator's reference of a payment made by hand, without the blanks a phone adds. */
export function readOperatorReference(raw: unknown): Result<string, StaffRefusal> {
  const text = typeof raw === "string" ? raw.replaceAll(/\s+/g, "") : "";
  if (text === "") return refuse({ kind: "desk.reference-missing" });
  return OPERATOR_REFERENCE.test(text) ? ok(text) : refuse({ kind: "desk.reference-invalid" });
}

/** A reason in somebody's own words, trimmed. */
export function readReason(raw: unknown): Result<string, StaffRefusal> {
  const text = typeof raw === "string" ? raw.trim() : "";
  if (text.length < REASON_CHARACTERS_MIN) return refuse({ kind: "desk.reason-missing" });
  if (text.length > REASON_CHARACTERS_MAX) return refuse({ kind: "desk.reason-too-long" });
  return ok(text);
}

export function isRail(value: unknown): value is PayoutRail {
  return PAYOUT_RAILS.some((rail) => rail === value);
}

export function isRejectCode(value: unknown): value is RejectCode {
  return REJECT_CODES.some((code) => code === value);
}

/** A number that changed within this time is a risk sign. */
const RECENT_NUMBER_MS = 7 * DAY_MS;

/** Facts that the back office reads before money leaves. */
export type RiskFacts = {
  readonly amount: Fcfa;
  /** Of the seller's earlier withdrawals: those paid, their median, whether this number was paid. */
  readonly paidBefore: number;
  readonly medianBefore: Fcfa | null;
  readonly numberPaidBefore: boolean;
  /** Other sellers who had money sent to this number. */
  readonly otherSellers: number;
  readonly numberChangedMsAgo: number | null;
  readonly frozen: boolean;
  readonly suspended: boolean;
  /** Advanced for him by the platform, and not taken back. */
  readonly owed: Fcfa;
  /** Of his sales. */
  readonly refunds: number;
  readonly mismatches: number;
};

/** In the order of `RISK_SIGNS`. */
export function riskSigns(facts: RiskFacts, settings: InstanceSettings): RiskSign[] {
  const { amount, medianBefore, numberChangedMsAgo: changed } = facts;
  const usual = medianBefore === null ? null : Number(medianBefore) * settings.unusual_factor;
  const present: Readonly<Record<RiskSign, boolean>> = {
    "first-payout": facts.paidBefore === 0,
    "new-number": facts.paidBefore > 0 && !facts.numberPaidBefore,
    "number-changed": changed !== null && changed < RECENT_NUMBER_MS,
    "shared-number": facts.otherSellers > 0,
    "unusual-amount": usual !== null && Number(amount) > usual,
    frozen: facts.frozen,
    suspended: facts.suspended,
    owes: facts.owed > 0n,
    refunds: facts.refunds > 0,
    mismatch: facts.mismatches > 0,
  };
  return RISK_SIGNS.filter((sign) => present[sign]);
}

/** Two agents approve from one amount on, and from a smaller one for a seller who was never paid. */
export function needsSecondAgent(
  { amount, paidBefore }: Pick<RiskFacts, "amount" | "paidBefore">,
  settings: InstanceSettings,
): boolean {
  const from =
    paidBefore > 0 || settings.second_agent_from < settings.first_payout_second_agent_from
      ? settings.second_agent_from
      : settings.first_payout_second_agent_from;
  return amount >= from;
}

/**
 * `ready` approved, nothing requested of anybody · `prepared` the provider gave a handle, no money
 * moves by it · `sending` about to be sent · `uncertain` no answer to that: only looked up · `sent`
 * accepted, not ended yet · `succeeded` · `failed` for good, the francs went back.
 */
export const PAYOUT_STATUSES = Object.keys(PAYOUT_STATUS_NAMES) as readonly PayoutStatus[];

/** Nobody knows for this long: the back office looks. Also for one that could not be sent. */
export const PAYOUT_ALERT_MS = 10 * MINUTE_MS;

/** Taken by the provider and not ended after this long: the back office looks. */
export const PAYOUT_SLOW_MS = DAY_MS;

/**
 * When a provider says that it never received a payout, this much time must have passed since it was sent
 * before it is sent again: the call may still have been on its way.
 */
export const SUBMIT_AGAIN_MS = 2 * MINUTE_MS;

const FIRST_LOOK_MS = 10_000;

const EARLY_WAIT_MS = 18_000;

const LONGEST_WAIT_MS = HOUR_MS;

/**
 * How long to wait before the next question about a payout sent that long ago: 10 s, 28 s, 46 s,
 * 64 s, then half its age later, at most an hour. Never given up: the money is on its way or not.
 */
export function lookAfterMs(ageMs: number): number {
  // Sent while the clock was ahead, which has been set back since; the same below.
  if (ageMs < -MINUTE_MS) return LONGEST_WAIT_MS;
  if (ageMs < FIRST_LOOK_MS) return FIRST_LOOK_MS - ageMs;
  return Math.min(LONGEST_WAIT_MS, Math.max(EARLY_WAIT_MS, Math.round(ageMs / 2)));
}

const LATE_LOOKS_MS = [10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, DAY_MS, 3 * DAY_MS];

/** When to look again at one that failed that long ago, from now; null: no more. */
export function lookLateAfterMs(ageMs: number): number | null {
  if (ageMs < -MINUTE_MS) return DAY_MS;
  const next = LATE_LOOKS_MS.find((at) => at > ageMs);
  return next === undefined ? null : next - ageMs;
}

/** A provider that says no of what had arrived is believed when it still says so after this long. */
export const RETURN_DOUBT_MS = 10 * MINUTE_MS;

const LONGEST_TRY_MS = 5 * MINUTE_MS;

/** Before the next try to reach a provider that takes nothing, after so many: 2, 4, 8 … seconds. */
export function tryAgainAfterMs(tries: number): number {
  return Math.min(LONGEST_TRY_MS, 1_000 * 2 ** Math.min(20, Math.max(1, tries)));
}
