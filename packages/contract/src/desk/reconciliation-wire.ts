import { z } from "zod";
import { cursorQuery, instantOnWire } from "../common/wire.ts";
import { deskLinkOnWire } from "./registry-wire.ts";

const facts = z.array(z.object({ label: z.string(), value: z.string() }));

/** The last comparison with a provider, of payouts or of payments. */
const runOnWire = z.object({
  id: z.string(),
  provider: z.string(),
  what: z.enum(["payouts", "payments"]),
  started_at: instantOnWire,
  finished_at: instantOnWire.nullable(),
  /** False: the provider has no list; what it has and we have not is not seen. */
  by_list: z.boolean(),
  compared: z.int(),
  differences: z.int(),
  /** It ended before its end; the next one begins again. */
  stopped: z.boolean(),
});

const differenceOnWire = z.object({
  id: z.string(),
  provider: z.string(),
  what: z.enum(["payouts", "payments"]),
  kind: z.string(),
  /** French name of the kind. */
  label: z.string(),
  subject: z.string(),
  ours: facts.nullable(),
  theirs: facts.nullable(),
  first_seen_at: instantOnWire,
  last_seen_at: instantOnWire,
  /** A later comparison no longer found it. */
  gone_at: instantOnWire.nullable(),
  links: z.array(deskLinkOnWire),
});
export type DeskDifferenceOnWire = z.input<typeof differenceOnWire>;

export const reconciliationsQuery = cursorQuery.extend({
  status: z.enum(["open", "gone", "all"]).default("open"),
});
export const reconciliationsAnswer = z.object({
  success: z.literal(true),
  now: instantOnWire,
  runs: z.array(runOnWire),
  differences: z.array(differenceOnWire),
  next_cursor: z.string().nullable(),
});
export type ReconciliationsAnswer = z.input<typeof reconciliationsAnswer>;

export const reconcileNowAnswer = z.object({ success: z.literal(true), message: z.string() });
