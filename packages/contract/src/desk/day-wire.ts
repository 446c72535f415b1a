import { z } from "zod";
import { cursorQuery, instantOnWire } from "../common/wire.ts";
import { deskAuditRowOnWire, deskPerson } from "./registry-wire.ts";

const DAY_PATTERN = /^2\d{3}-\d{2}-\d{2}$/;

/** 2026-02-30 has the shape of a day, and is none. */
export function isDay(text: string): boolean {
  const at = Date.parse(`${text}T00:00:00Z`);
  return DAY_PATTERN.test(text) && !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

/** A calendar day of the instance's zone: 2026-11-16. */
export const dayOnWire = z.string().regex(DAY_PATTERN).refine(isDay);

/** What went in or out of a float, or what was said of it. Francs, in > 0. */
const movementOnWire = z.object({
  at: instantOnWire,
  kind: z.enum(["payout", "top-up", "withdrawal", "other"]),
  label: z.string(),
  amount: z.int(),
  /** The operator's, or the agent's words. */
  reference: z.string().nullable(),
  withdrawal: z.object({ id: z.string(), reference: z.string() }).nullable(),
  by: deskPerson.nullable(),
});
export type DayMovementOnWire = z.input<typeof movementOnWire>;

/** A count that was written: never changed, corrected by another. */
const closeOnWire = z.object({
  id: z.string(),
  expected: z.int(),
  counted: z.int(),
  /** counted − expected. */
  difference: z.int(),
  explanation: z.string().nullable(),
  closed_at: instantOnWire,
  closed_by: deskPerson,
  /** The close this one corrects. */
  corrects: z.string().nullable(),
});

/**
 * One purse on one day: the float of a payout method (`float:orange-money-ci`), or what lies at a
 * provider (`provider:moneroo`). Francs we have there.
 */
export const purseOnWire = z.object({
  account: z.string(),
  kind: z.enum(["float", "provider"]),
  label: z.string(),
  method: z.string().nullable(),
  operator: z.string().nullable(),
  country: z.string().nullable(),
  /** When the purse was last counted: it opens with that count. */
  opening: z.int(),
  opened_on: dayOnWire.nullable(),
  in: z.int(),
  out: z.int(),
  /** Of what went out: what the provider kept of collections, payouts and charges taken back. */
  costs: z.int(),
  /** By the ledger: opening + in − out. */
  expected: z.int(),
  /** Of a float: each of them, oldest first; of a provider: our payouts alone. */
  movements: z.array(movementOnWire),
  /** True: there are more movements than shown. */
  more: z.boolean(),
  status: z.enum(["open", "closed", "covered"]),
  /** The count of this day, then its corrections. */
  closes: z.array(closeOnWire),
  /** Whether the caller may count it now; `reason` (French) says why not. */
  may_close: z.object({ allowed: z.boolean(), reason: z.string().nullable() }),
  may_correct: z.object({ allowed: z.boolean(), reason: z.string().nullable() }),
});
export type PurseOnWire = z.input<typeof purseOnWire>;

export const dayQuery = z.object({ date: dayOnWire.optional() });
export const dayAnswer = z.object({
  success: z.literal(true),
  now: instantOnWire,
  date: dayOnWire,
  today: dayOnWire,
  zone: z.string(),
  purses: z.array(purseOnWire),
});
export type DayAnswer = z.input<typeof dayAnswer>;

export const closeDayAnswer = z.object({
  success: z.literal(true),
  now: instantOnWire,
  purse: purseOnWire,
});
export type CloseDayAnswer = z.input<typeof closeDayAnswer>;

export const auditQuery = cursorQuery.extend({
  subject: z.string().max(120).optional(),
  action: z.string().max(60).optional(),
  actor: z.string().max(20).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
  /** Reads the whole chain now; else the last hourly check is told. */
  verify: z.enum(["1", "true"]).optional(),
});
export const auditAnswer = z.object({
  success: z.literal(true),
  now: instantOnWire,
  rows: z.array(deskAuditRowOnWire),
  next_cursor: z.string().nullable(),
  state: z.object({
    /** Null: not checked yet. */
    whole: z.boolean().nullable(),
    checked_at: instantOnWire.nullable(),
    length: z.int(),
    head: z.string(),
    problems: z.array(
      z.object({
        invariant: z.string(),
        subject: z.string(),
        expected: z.string(),
        found: z.string(),
      }),
    ),
  }),
});
export type AuditAnswer = z.input<typeof auditAnswer>;
