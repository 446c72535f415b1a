import { z } from "zod";
import { opensOnWire, orderStatusOnWire } from "../checkout/routes.ts";
import { instantOnWire } from "../common/wire.ts";
import { KEY_NAMES, METHOD_KEYS } from "./policy.ts";

/** A provider as sellers configure it (B §3); texts in French. */
export const aggregatorOnWire = z.object({
  key: z.enum(METHOD_KEYS),
  name: z.string(),
  description: z.string(),
  /** Where calls go; shown, never called by a page. */
  apiUrl: z.string(),
  /** French names of where its buyers pay from: those of the franc XOF alone (decision 59). */
  countries: z.array(z.string()),
  /** What own keys are made of, in the order of the form; none: only the instance's account. */
  requiredKeys: z.array(
    z.object({
      name: z.enum(KEY_NAMES),
      label: z.string(),
      /** False: a browser may see it. */
      secret: z.boolean(),
      /** True: the form may leave it empty. */
      optional: z.boolean(),
      hint: z.string(),
    }),
  ),
  /** By the instance's own account: without keys. */
  open: z.boolean(),
});
export type AggregatorOnWire = z.input<typeof aggregatorOnWire>;

export const aggregatorsAnswer = z.object({
  success: z.literal(true),
  aggregators: z.array(aggregatorOnWire),
});
export type AggregatorsAnswer = z.input<typeof aggregatorsAnswer>;

/** Own keys: never a key, only what lets its owner recognise it. */
const ownKeysOnWire = z.object({
  /** "sk_live_…1234" by name of key. */
  keys: z.partialRecord(z.enum(KEY_NAMES), z.string()),
  updatedAt: instantOnWire,
  /** The provider accepted them, by a call. */
  verifiedAt: instantOnWire,
  /** It has refused them since: nothing is sold by them until others are given. */
  refusedAt: instantOnWire.nullable(),
  /** False: our own copy is damaged; the seller gives them again. */
  readable: z.boolean(),
  /** Kept, and not used: the plan is no longer premium. */
  asleep: z.boolean(),
  /** The address to give to the provider for its notices. */
  webhookUrl: z.string(),
});

/**
 * One method of a seller. `selling`: what a buyer pays by now: his own account, the instance's, or
 * neither.
 */
export const userAggregatorOnWire = z.object({
  key: z.enum(METHOD_KEYS),
  name: z.string(),
  isActive: z.boolean(),
  /** Open by the instance's account. */
  builtIn: z.boolean(),
  selling: z.enum(["own", "built-in", "none"]),
  own: ownKeysOnWire.nullable(),
  /** Of the switch or of the keys; null: nothing was ever changed. */
  updatedAt: instantOnWire.nullable(),
});
export type UserAggregatorOnWire = z.input<typeof userAggregatorOnWire>;

export const userAggregatorsAnswer = z.object({
  success: z.literal(true),
  aggregators: z.array(userAggregatorOnWire),
});
export type UserAggregatorsAnswer = z.input<typeof userAggregatorsAnswer>;

export const userAggregatorAnswer = z.object({
  success: z.literal(true),
  aggregator: userAggregatorOnWire,
});
export type UserAggregatorAnswer = z.input<typeof userAggregatorAnswer>;

/** Whatever it is, it is checked by its sentence, never repeated. */
const keyOnWire = z.unknown().optional();

/**
 * Keys are named in `keys` or, as B has them, beside it. Of keys already saved, those left out or
 * empty stand as they are. `updatedAt` is the server's.
 */
export const userAggregatorBody = z.object({
  isActive: z.boolean().optional(),
  keys: z.partialRecord(z.enum(KEY_NAMES), keyOnWire).optional(),
  /** B §3: the public key where there is one, else the secret one. */
  apiKey: keyOnWire,
  secretKey: keyOnWire,
  updatedAt: z.unknown().optional(),
});
export type UserAggregatorBody = z.input<typeof userAggregatorBody>;

export const trialAnswer = z.object({
  success: z.literal(true),
  id: z.string(),
  status: orderStatusOnWire,
  amount: z.int(),
  currency: z.literal("XOF"),
  payment_url: z.string(),
  opens: opensOnWire,
});
export type TrialAnswer = z.input<typeof trialAnswer>;
