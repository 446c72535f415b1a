import { z } from "zod";

/** An id in a request: decimal digits; a number is accepted too. */
export const idOnWire = z
  .union([z.string().regex(/^\d{1,18}$/), z.int().nonnegative()])
  .transform((value) => BigInt(value));

export const idInPath = z
  .string()
  .regex(/^\d{1,18}$/)
  .transform((value) => BigInt(value));

export const refusalBody = z.object({
  success: z.literal(false),
  code: z.string(),
  message: z.string(),
});

// Answers are written from the database's values, which these codecs encode. A column inside a
// `json_build_object` is JSON already, and stays unchanged.

/** An instant, ISO 8601 in UTC. */
export const instantOnWire = z.codec(z.string(), z.union([z.date(), z.string()]), {
  decode: (text) => text,
  encode: (at) => (typeof at === "string" && at.endsWith("Z") ? at : new Date(at).toISOString()),
});

/** An id of a row. */
export const id = z.codec(z.string(), z.union([z.bigint(), z.string(), z.int()]), {
  decode: (text) => text,
  encode: String,
});

/** Whole francs; an amount that a JSON number cannot hold exactly is a bug. */
export const francs = z.codec(z.int(), z.union([z.bigint(), z.int()]), {
  decode: (amount) => amount,
  encode: (amount) => Number(amount),
});

/** A success: `success: true` and the given fields. */
export const success = <const Fields extends z.ZodRawShape>(fields: Fields) =>
  z.object({ success: z.literal(true), ...fields });

/** A person, with the name staff see. */
export const person = z.object({ id, name: z.string() });

/** What somebody did, for staff; `by` is null for an act of the system. */
export const traceEntry = z.object({
  at: instantOnWire,
  label: z.string(),
  by: z.string().nullable(),
  reason: z.string().nullable(),
});

/** Whether the caller may do it now; `reason` (French) explains why not. */
export const may = z.object({ allowed: z.boolean(), reason: z.string().nullable() });

/** Whether the caller may do each of them now. */
export const mayEach = <const A extends string>(actions: readonly A[]) =>
  z.object(Object.fromEntries(actions.map((name) => [name, may])) as Record<A, typeof may>);

/** A value of any type: the feature refuses each mistake with its own sentence. */
export const unchecked = (description?: string) =>
  description === undefined ? z.unknown().optional() : z.unknown().optional().meta({ description });

type Unchecked = ReturnType<typeof unchecked>;

/** Fields of any type. */
export const uncheckedFields = <const N extends string>(...names: readonly N[]) =>
  z.object(Object.fromEntries(names.map((name) => [name, unchecked()])) as Record<N, Unchecked>);

/** A body that may be absent, as each of its fields. */
export const optionalBody = <const N extends string>(fields: Record<N, Unchecked>) =>
  z.object(fields).optional();

/** The query of a list by ids: its cursor and its size. */
export const page = (size: number) =>
  z.object({
    cursor: z
      .string()
      .regex(/^\d{0,18}$/)
      .optional()
      .transform((said) => (said ? BigInt(said) : null)),
    limit: z.coerce.number().int().min(1).max(100).default(size),
  });

/** The cursor of the next page of a list; null on the last page. */
export const next_cursor = z.string().nullable();

/** The cursor of the page; absent for the first. */
export const cursorQuery = z.object({ cursor: z.string().max(64).optional() });

const DAY_PATTERN = /^2\d{3}-\d{2}-\d{2}$/;

/** Rejects 2026-02-30, which matches the pattern but does not exist. */
export function isDay(text: unknown): text is string {
  if (typeof text !== "string") return false;
  const at = Date.parse(`${text}T00:00:00Z`);
  return DAY_PATTERN.test(text) && !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

/** A calendar day in the instance's time zone: 2026-11-16. */
export const dayOnWire = z.string().regex(DAY_PATTERN).refine(isDay);
