import { z } from "zod";

/** An id of ours: decimal digits on the wire; a number is accepted too. */
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

/** An instant, ISO 8601 in UTC. */
export const instantOnWire = z.string();

/** Where the next page of a list starts; absent from the last one. */
export const cursorQuery = z.object({ cursor: z.string().max(64).optional() });
