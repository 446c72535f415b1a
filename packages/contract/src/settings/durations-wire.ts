import { z } from "zod";

/** One line of the list sellers choose from; products keep the minutes they were given. */
export const deskDurationOnWire = z.object({
  id: z.string(),
  minutes: z.int(),
  label: z.string(),
  description: z.string(),
  /** In percent; advice to the seller. */
  discount: z.int(),
  price_tier: z.enum(["premium", "standard", "basic", "test"]),
  active: z.boolean(),
  /** Products on sale with this many minutes. */
  products: z.int(),
});
export type DeskDurationOnWire = z.input<typeof deskDurationOnWire>;

/** All of them, shortest first. */
export const deskDurationsAnswer = z.object({
  success: z.literal(true),
  durations: z.array(deskDurationOnWire),
});
export type DeskDurationsAnswer = z.input<typeof deskDurationsAnswer>;

/** Fields have sentences of their own. */
export const addDurationBody = z.object({
  minutes: z.unknown().optional(),
  label: z.unknown().optional(),
  description: z.unknown().optional(),
  discount: z.unknown().optional(),
  price_tier: z.enum(["premium", "standard", "basic"]).default("standard"),
});
export type AddDurationBody = z.output<typeof addDurationBody>;

/** What is absent stands; minutes never change. */
export const editDurationBody = z.object({
  label: z.unknown().optional(),
  description: z.unknown().optional(),
  discount: z.unknown().optional(),
  price_tier: z.enum(["premium", "standard", "basic"]).optional(),
  active: z.boolean().optional(),
});
export type EditDurationBody = z.output<typeof editDurationBody>;
