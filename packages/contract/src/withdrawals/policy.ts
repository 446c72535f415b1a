import {
  DAY_MS,
  type Fcfa,
  fcfa,
  HOUR_MS,
  ok,
  refuse,
  fromLocalMs,
  midnightOf,
  toLocalMs,
  weekdayOf,
} from "@sesame/kernel";
import type { MethodSettings } from "../back-office/policy.ts";
import type { WorkingHours } from "../back-office/settings.fr.ts";
import {
  isPayoutMethod,
  type PayoutMethodId,
  COUNTRY_TERMS,
  type CountryTerms,
  PAYOUT_METHODS,
  withoutSpacing,
} from "./methods.fr.ts";
import type { RequestRefusal, StandingRefusal } from "./refusals.fr.ts";

/** B §3. `approved` with a payment date: the money was received. */
export const WITHDRAWAL_STATUSES = ["pending", "approved", "rejected", "cancelled"] as const;
export type WithdrawalStatus = (typeof WITHDRAWAL_STATUSES)[number];

/** Decision 70, in the wire's words: each week, each day, once the balance reaches a threshold. */
export const PAYOUT_FREQUENCIES = ["hebdomadaire", "quotidien", "seuil"] as const;
export type PayoutFrequency = (typeof PAYOUT_FREQUENCIES)[number];

/** Free plan: one withdrawal within this time, from `date_creation` (decisions 65, 86). */
const WEEKLY_MS = 7 * DAY_MS;

/** How long a new number waits for automatic payouts, and a changed one for any (decision 116). */
export const COOLING_OFF_MS = 24 * HOUR_MS;

/** B §5: the minimum of characters of a number before it is parsed. */
export const NUMBER_CHARACTERS_MIN = 6;
const NUMBER_CHARACTERS_MAX = 40;

/** All limits of a request. `null`: the rule does not apply now. */
export type WithdrawalLimits = {
  readonly min: Fcfa;
  /** The maximum of the seller's plan. */
  readonly max: Fcfa;
  readonly available: Fcfa;
  /** What the next sales repay first: `available` is without it. */
  readonly owed: Fcfa;
  readonly methods: Readonly<Record<PayoutMethodId, MethodSettings>>;
  readonly standing: StandingRefusal | null;
  /** When the weekly rule allows the next request; null: now. */
  readonly reopensAt: Date | null;
  /** The maximum while no payout of the seller has succeeded; null afterwards. */
  readonly firstMax: Fcfa | null;
  readonly zone: string;
};

/** A request as typed or sent: any field of any type. */
export type WithdrawalForm = {
  readonly amount: unknown;
  readonly method: unknown;
  readonly phone: unknown;
  readonly whatsapp: unknown;
};

export type CheckedWithdrawal = {
  readonly amount: Fcfa;
  readonly method: PayoutMethodId;
  /** E.164. */
  readonly phone: string;
  /** As written, trimmed. */
  readonly whatsapp: string;
};

/**
 * The order of all checks: amount; numbers and method, in the order of the form (specification B
 * §5); the mobile operator's bounds; the seller's status; the week and the first payout (product
 * decisions 66, 67, 99).
 */
export function checkWithdrawal(form: WithdrawalForm, limits: WithdrawalLimits) {
  const amount = checkAmount(form.amount, limits);
  if (!amount.ok) return amount;
  const target = checkTarget(form, limits.methods);
  if (!target.ok) return target;
  const refusal =
    operatorRefusal(amount.value, target.value.method, limits.methods) ??
    limits.standing ??
    turnRefusal(amount.value, limits);
  return refusal === null ? ok({ amount: amount.value, ...target.value }) : refuse(refusal);
}

/** Rules 1 to 4 of B §5. */
function checkAmount(raw: unknown, { min, max, available, owed }: WithdrawalLimits) {
  const amount = readAmount(raw);
  if (amount === null) return refuse({ kind: "withdrawals.amount-invalid" });
  if (amount < min) return refuse({ kind: "withdrawals.amount-too-small", min });
  if (amount > max) return refuse({ kind: "withdrawals.amount-too-large", max });
  if (amount > available) return refuse({ kind: "withdrawals.balance-too-low", owed });
  return ok(amount);
}

/** Rules 5 to 7 of B §5; then the method and the number. */
function checkTarget(form: Omit<WithdrawalForm, "amount">, methods: WithdrawalLimits["methods"]) {
  const whatsapp = readNumber(form.whatsapp);
  if (whatsapp === null) return refuse({ kind: "withdrawals.whatsapp-invalid" });
  const written = readNumber(form.phone);
  if (written === null) return refuse({ kind: "withdrawals.phone-missing" });
  const chosen = checkMethod(form.method, methods);
  if (!chosen.ok) return chosen;
  const method = chosen.value;
  // Specification B §5 requires six characters first; no number has fewer than six digits.
  if (whatsapp.replace(/\D/g, "").length < NUMBER_CHARACTERS_MIN) {
    return refuse({ kind: "withdrawals.whatsapp-invalid" });
  }
  const phone = normalisePhone(written, method);
  return phone.ok ? ok({ method, phone: phone.value, whatsapp }) : phone;
}

/** A method that is open. */
export function checkMethod(method: unknown, methods: WithdrawalLimits["methods"]) {
  if (typeof method !== "string" || method.trim() === "") {
    return refuse({ kind: "withdrawals.method-missing" });
  }
  if (!isPayoutMethod(method)) return refuse({ kind: "withdrawals.method-unknown" });
  return methods[method].open ? ok(method) : refuse({ kind: "withdrawals.method-closed", method });
}

/** Decision 66: the operator's minimum and step. */
function operatorRefusal(
  amount: Fcfa,
  method: PayoutMethodId,
  methods: WithdrawalLimits["methods"],
): RequestRefusal | null {
  const { min, step } = methods[method];
  if (amount < min) return { kind: "withdrawals.below-operator-min", method, min };
  if (step > 1n && amount % step !== 0n) {
    return { kind: "withdrawals.off-operator-step", method, step };
  }
  return null;
}

function turnRefusal(
  amount: Fcfa,
  { reopensAt, zone, firstMax: max }: WithdrawalLimits,
): RequestRefusal | null {
  if (reopensAt !== null) return { kind: "withdrawals.weekly", reopensAt, zone };
  return max !== null && amount > max ? { kind: "withdrawals.first-too-large", max } : null;
}

/** `last`: the newest request that is pending or approved. Null: a request may be made now. */
export function weeklyReopening(last: Date | null, now: Date): Date | null {
  if (last === null) return null;
  const reopens = new Date(last.getTime() + WEEKLY_MS);
  return reopens > now ? reopens : null;
}

/** More francs than any account contains: an amount with more digits is too large without parsing. */
const BEYOND_ALL = 10n ** 15n;

/** Whole francs above zero from a number or a text ("5 000"); null: the first refusal of B §5. */
export function readAmount(raw: unknown): Fcfa | null {
  if (typeof raw === "number") {
    if (!Number.isInteger(raw) || raw <= 0) return null;
    return fcfa(raw >= Number(BEYOND_ALL) ? BEYOND_ALL : BigInt(raw));
  }
  if (typeof raw !== "string") return null;
  const digits = raw.replace(/[\s\u00a0\u202f]/g, "");
  if (!/^\d+$/.test(digits)) return null;
  const significant = digits.replace(/^0+/, "");
  if (significant === "") return null;
  return fcfa(significant.length > 15 ? BEYOND_ALL : BigInt(significant));
}

/** The number as written; null: missing, or shorter than six characters (B §5). */
export function readNumber(raw: unknown): string | null {
  const text = typeof raw === "number" ? String(raw) : raw;
  if (typeof text !== "string") return null;
  const written = text.trim();
  const { length } = written;
  return length < NUMBER_CHARACTERS_MIN || length > NUMBER_CHARACTERS_MAX ? null : written;
}

const YES: readonly unknown[] = [true, 1, "1", "true"];
const NO: readonly unknown[] = [false, 0, "0", "false"];

/** 1 is accepted as true (decision 69); null: neither true nor false. */
export function readFlag(raw: unknown): boolean | null {
  if (YES.includes(raw)) return true;
  return NO.includes(raw) ? false : null;
}

/** Numbers of Benin had eight digits before 30 November 2024; `01` now precedes them. */
const OLD_BENIN = /^[4-9]\d{7}$/;

/**
 * A number as a person writes it ("07 01 02 03 04", "00225…", "+225…") → E.164, checked against the
 * method's country and, where its first digits identify one, its operator (decision 67).
 */
export function normalisePhone(raw: string, method: PayoutMethodId) {
  const { country, prefixes } = PAYOUT_METHODS[method];
  const terms = COUNTRY_TERMS[country];
  const digits = withoutSpacing(raw);
  if (!/^\+?\d{6,20}$/.test(digits)) return refuse({ kind: "withdrawals.phone-invalid", method });
  const national = nationalPart(digits, terms);
  if (national === null) return refuse({ kind: "withdrawals.phone-wrong-country", method });
  const today = country === "BENIN" && OLD_BENIN.test(national) ? `01${national}` : national;
  const begins = (prefix: string) => today.startsWith(prefix);
  if (today.length !== terms.nationalLength || !terms.starts.some(begins)) {
    return refuse({ kind: "withdrawals.phone-invalid", method });
  }
  if (prefixes !== undefined && !prefixes.some(begins)) {
    return refuse({ kind: "withdrawals.phone-wrong-operator", method });
  }
  return ok(`+${terms.dial}${today}`);
}

/** Null: written with another country's code. */
function nationalPart(digits: string, terms: CountryTerms): string | null {
  const { dial, nationalLength } = terms;
  if (/^(\+|00)/.test(digits)) {
    const international = digits.replace(/^(\+|00)/, "");
    return international.startsWith(dial) ? international.slice(dial.length) : null;
  }
  const rest = digits.length - dial.length;
  const isInternational =
    digits.startsWith(dial) &&
    (rest === nationalLength || (terms === COUNTRY_TERMS.BENIN && rest === 8));
  return isInternational ? digits.slice(dial.length) : digits;
}

/** "+225••••04": country and end, where the number must not be stored or shown. */
export function maskPhone(e164: string): string {
  return `${e164.slice(0, 4)}••••${e164.slice(-2)}`;
}

/**
 * The deadline of a request: 24 hours, of which only those of working days count ("up to 24 hours,
 * Monday to Friday 9h to 17h"), from the first working instant at or after `at`. Friday 16:00 →
 * Monday 16:00; Saturday → Tuesday 9:00.
 */
export function deadlineOf(at: Date, hours: WorkingHours, zone: string): Date {
  if (!areSound(hours)) return new Date(at.getTime() + DAY_MS);
  const start = nextOpening(toLocalMs(at, zone), hours);
  let day = midnightOf(start) + DAY_MS;
  while (!hours.days.includes(weekdayOf(day))) day += DAY_MS;
  return fromLocalMs(day + (start - midnightOf(start)), zone);
}

export function isOpenAt(at: Date, hours: WorkingHours, zone: string): boolean {
  const local = toLocalMs(at, zone);
  const msOfDay = local - midnightOf(local);
  return (
    hours.days.includes(weekdayOf(local)) &&
    msOfDay >= hours.from_hour * HOUR_MS &&
    msOfDay < hours.to_hour * HOUR_MS
  );
}

/** When the working hours that include `at` end; null: `at` is outside working hours. */
export function closingOf(at: Date, hours: WorkingHours, zone: string): Date | null {
  if (!isOpenAt(at, hours, zone)) return null;
  return fromLocalMs(midnightOf(toLocalMs(at, zone)) + hours.to_hour * HOUR_MS, zone);
}

/** The first working instant at or after `at`; null: there are no working hours. */
export function openingAfter(at: Date, hours: WorkingHours, zone: string): Date | null {
  return areSound(hours) ? fromLocalMs(nextOpening(toLocalMs(at, zone), hours), zone) : null;
}

/** Working milliseconds between two instants. */
export function workingMsBetween(from: Date, to: Date, when: HoursIn): number {
  const { hours, zone } = when;
  if (!areSound(hours) || to <= from) return 0;
  const start = toLocalMs(from, zone);
  const end = toLocalMs(to, zone);
  let total = 0;
  for (let day = midnightOf(start); day < end; day += DAY_MS) {
    if (!hours.days.includes(weekdayOf(day))) continue;
    const opens = Math.max(start, day + hours.from_hour * HOUR_MS);
    const closes = Math.min(end, day + hours.to_hour * HOUR_MS);
    total += Math.max(0, closes - opens);
  }
  return total;
}

type HoursIn = { readonly hours: WorkingHours; readonly zone: string };

function areSound({ days, from_hour: from, to_hour: to }: WorkingHours): boolean {
  return from < to && days.some((day) => day >= 1 && day <= 7);
}

function nextOpening(localMs: number, hours: WorkingHours): number {
  const midnight = midnightOf(localMs);
  const opens = hours.from_hour * HOUR_MS;
  const closes = midnight + hours.to_hour * HOUR_MS;
  if (hours.days.includes(weekdayOf(localMs)) && localMs < closes) {
    return Math.max(localMs, midnight + opens);
  }
  let day = midnight + DAY_MS;
  while (!hours.days.includes(weekdayOf(day))) day += DAY_MS;
  return day + opens;
}
