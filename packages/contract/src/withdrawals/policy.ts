import { DAY_MS, type Fcfa, fcfa, HOUR_MS, ok, type Result, refuse } from "@sesame/kernel";
import type { MethodSettings } from "../back-office/policy.ts";
import { isPayoutMethod, type PayoutMethodId } from "./methods.fr.ts";
import { normalisePhone } from "./phone.ts";
import type { RequestRefusal, StandingRefusal } from "./refusals.fr.ts";

/** B §3. Approved and paid is money received. */
export const WITHDRAWAL_STATUSES = ["pending", "approved", "rejected", "cancelled"] as const;
export type WithdrawalStatus = (typeof WITHDRAWAL_STATUSES)[number];

/** Decision 70, as the wire names them: each week, each day, once the balance reaches a threshold. */
export const PAYOUT_FREQUENCIES = ["hebdomadaire", "quotidien", "seuil"] as const;
export type PayoutFrequency = (typeof PAYOUT_FREQUENCIES)[number];

/** Free: one withdrawal in so long, from `date_creation` (decisions 65, 86). */
const WEEKLY_MS = 7 * DAY_MS;

/** A changed number gets no automatic payout for so long (decision 71). */
export const COOLING_OFF_MS = 24 * HOUR_MS;

/** B §5: characters of a number before anything is made of it. */
export const NUMBER_CHARACTERS_MIN = 6;
const NUMBER_CHARACTERS_MAX = 40;

/** All a request is held against. `null`: this rule does not bind now. */
export type WithdrawalLimits = {
  readonly min: Fcfa;
  /** Of the seller's plan. */
  readonly max: Fcfa;
  readonly available: Fcfa;
  readonly methods: Readonly<Record<PayoutMethodId, MethodSettings>>;
  readonly standing: StandingRefusal | null;
  /** When the weekly rule lets the next one through; null: now. */
  readonly reopensAt: Date | null;
  /** What is left to ask for while no payout of the seller has succeeded; null afterwards. */
  readonly firstMax: Fcfa | null;
  readonly zone: string;
};

/** A request as it was typed or sent: any field of any type. */
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
  /** As it was written, without the spaces around. */
  readonly whatsapp: string;
};

/** B §5 in its order, the method and the number, its operator, the seller, the week (66, 67). */
export function checkWithdrawal(
  form: WithdrawalForm,
  limits: WithdrawalLimits,
): Result<CheckedWithdrawal, RequestRefusal> {
  const amount = checkAmount(form.amount, limits);
  if (!amount.ok) return amount;
  const target = checkTarget(form, limits.methods);
  if (!target.ok) return target;
  const refusal =
    operatorRefusal(amount.value, target.value.method, limits.methods) ??
    limits.standing ??
    weeklyRefusal(limits) ??
    firstRefusal(amount.value, limits.firstMax);
  return refusal === null ? ok({ amount: amount.value, ...target.value }) : refuse(refusal);
}

/** B §5, 1 to 4. */
function checkAmount(
  raw: unknown,
  limits: Pick<WithdrawalLimits, "min" | "max" | "available">,
): Result<Fcfa, RequestRefusal> {
  const amount = readAmount(raw);
  if (amount === null) return refuse({ kind: "withdrawals.amount-invalid" });
  const { min, max, available } = limits;
  if (amount < min) return refuse({ kind: "withdrawals.amount-too-small", min });
  if (amount > max) return refuse({ kind: "withdrawals.amount-too-large", max });
  if (amount > available) return refuse({ kind: "withdrawals.balance-too-low" });
  return ok(amount);
}

/** B §5, 5 to 7; then the method and the number. */
function checkTarget(
  form: Omit<WithdrawalForm, "amount">,
  methods: WithdrawalLimits["methods"],
): Result<Omit<CheckedWithdrawal, "amount">, RequestRefusal> {
  const whatsapp = readNumber(form.whatsapp);
  if (whatsapp === null) return refuse({ kind: "withdrawals.whatsapp-invalid" });
  const written = readNumber(form.phone);
  if (written === null) return refuse({ kind: "withdrawals.phone-missing" });
  const { method } = form;
  if (typeof method !== "string" || method.trim() === "") {
    return refuse({ kind: "withdrawals.method-missing" });
  }
  if (!isPayoutMethod(method)) return refuse({ kind: "withdrawals.method-unknown" });
  if (!methods[method].open) return refuse({ kind: "withdrawals.method-closed", method });
  // Six characters are B's first check; nobody can be reached at fewer than six digits.
  if (whatsapp.replace(/\D/g, "").length < NUMBER_CHARACTERS_MIN) {
    return refuse({ kind: "withdrawals.whatsapp-invalid" });
  }
  const phone = normalisePhone(written, method);
  return phone.ok ? ok({ method, phone: phone.value, whatsapp }) : phone;
}

/** Decision 66: the operator's own minimum and step. */
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

function weeklyRefusal({ reopensAt, zone }: WithdrawalLimits): RequestRefusal | null {
  return reopensAt === null ? null : { kind: "withdrawals.weekly", reopensAt, zone };
}

function firstRefusal(amount: Fcfa, firstMax: Fcfa | null): RequestRefusal | null {
  if (firstMax === null || amount <= firstMax) return null;
  return { kind: "withdrawals.first-too-large", max: firstMax };
}

/** Null: this request may be made now. `last`: the newest that is pending or approved. */
export function weeklyReopening(last: Date | null, now: Date): Date | null {
  if (last === null) return null;
  const reopens = new Date(last.getTime() + WEEKLY_MS);
  return reopens > now ? reopens : null;
}

/** More francs than any account holds: a longer number need not be read to be too many. */
const BEYOND_ALL = 10n ** 15n;

/** Whole francs above zero from a number or a text ("5 000"); null: B §5's first sentence. */
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

/** A number as it was written; null: missing, or shorter than six characters (B §5). */
export function readNumber(raw: unknown): string | null {
  const text = typeof raw === "number" ? String(raw) : raw;
  if (typeof text !== "string") return null;
  const written = text.trim();
  const { length } = written;
  return length < NUMBER_CHARACTERS_MIN || length > NUMBER_CHARACTERS_MAX ? null : written;
}

/** 1 beside true (decision 69); null: neither yes nor no. */
export function readFlag(raw: unknown): boolean | null {
  switch (raw) {
    case true:
    case 1:
    case "1":
    case "true":
      return true;
    case false:
    case 0:
    case "0":
    case "false":
      return false;
    default:
      return null;
  }
}
