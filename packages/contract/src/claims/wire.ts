import { z } from "zod";
import { cursorQuery, instantOnWire } from "../common/wire.ts";
import { CLAIM_KINDS, CLAIM_STEPS } from "./policy.ts";

/** Of any type: what is wrong with it has its own sentence. */
const told = (description: string) => z.unknown().optional().meta({ description });

export const claimStatusOnWire = z.enum([
  "vendeur",
  "operateur",
  "rembourse",
  "rejete",
  "resolu",
  "retire",
]);
export type ClaimStatusOnWire = z.input<typeof claimStatusOnWire>;

export const claimEntryOnWire = z.object({
  author: z.enum(["acheteur", "vendeur", "operateur", "systeme"]),
  step: z.enum(CLAIM_STEPS),
  /** French name of the step. */
  step_label: z.string(),
  words: z.string().nullable(),
  at: instantOnWire,
});
export type ClaimEntryOnWire = z.input<typeof claimEntryOnWire>;

/** A buyer's claim and its record, the same for both sides; `may` is the reader's. */
export const claimOnWire = z.object({
  id: z.string(),
  order_id: z.string(),
  title: z.string(),
  kind: z.enum(CLAIM_KINDS),
  /** French. */
  kind_label: z.string(),
  status: claimStatusOnWire,
  status_label: z.string(),
  opened_at: instantOnWire,
  /** Until then it is the seller's to answer; of no meaning once it is the operator's. */
  seller_due_at: instantOnWire,
  closed_at: instantOnWire.nullable(),
  buyer: z.object({ nom: z.string() }),
  /** Null for a plan: the platform sells it. */
  seller: z.object({ nom: z.string() }).nullable(),
  /** Price of the order, in francs. */
  amount: z.int(),
  /** Oldest first. */
  entries: z.array(claimEntryOnWire),
  may: z.object({
    answer: z.boolean(),
    /** Seller: hand it to the operator. */
    contest: z.boolean(),
    /** Seller: POST /api/orders/{order_id}/refund. */
    refund: z.boolean(),
    withdraw: z.boolean(),
    decide: z.boolean(),
  }),
});
export type ClaimOnWire = z.input<typeof claimOnWire>;

/** POST /api/orders/{id}/claim, by its buyer. */
export const claimBody = z.object({
  motif: told("paid-not-confirmed, no-access ou other, parmi may_claim de la commande"),
  message: told("Facultatif"),
});
/** POST /api/claims/{id}/answer, …/contest */
export const claimWordsBody = z.object({ message: told("Ce que l'autre partie lit") });

/** GET /api/claims/{id}, and every call that changes it. */
export const claimAnswer = z.object({
  success: z.literal(true),
  message: z.string(),
  claim: claimOnWire,
});
export type ClaimAnswer = z.input<typeof claimAnswer>;

/** GET /api/claims: the seller's, those he must answer first, then the newest. */
export const claimsQuery = cursorQuery.extend({
  limit: z.coerce.number().int().min(1).max(100).default(30),
});
export const claimsAnswer = z.object({
  success: z.literal(true),
  claims: z.array(claimOnWire),
  /** Open ones he must answer. */
  waiting: z.int(),
  next_cursor: z.string().nullable(),
});
export type ClaimsAnswer = z.input<typeof claimsAnswer>;

/** GET /api/desk/claims: `open` the operator's first, the oldest first; `done` the newest first. */
export const deskClaimsQuery = claimsQuery.extend({
  view: z.enum(["open", "done"]).default("open"),
});
export const deskClaimsAnswer = z.object({
  success: z.literal(true),
  now: instantOnWire,
  claims: z.array(claimOnWire),
  /** Open ones: the operator's, and all. */
  counts: z.object({ operator: z.int(), open: z.int() }),
  next_cursor: z.string().nullable(),
});

/** GET /api/desk/claims/{id} */
export const deskClaimAnswer = z.object({
  success: z.literal(true),
  now: instantOnWire,
  message: z.string(),
  claim: claimOnWire,
});
export type DeskClaimAnswer = z.input<typeof deskClaimAnswer>;

/** POST /api/desk/claims/{id}/decide: buyer and seller read the reason. */
export const decideClaimBody = z.object({
  decision: told("refund ou reject"),
  reason: told("Ce que l'acheteur et le vendeur lisent"),
});
