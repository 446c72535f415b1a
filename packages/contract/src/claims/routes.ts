import { z } from "zod";
import { type Owned, route } from "../common/route.ts";
import { francs, id, instantOnWire, next_cursor, page, success, told } from "../common/wire.ts";
import { deskRefusals } from "../desk/refusals.fr.ts";
import { refundsRefusals } from "../refunds/refusals.fr.ts";
import { CLAIM_KINDS, CLAIM_STEPS } from "./policy.ts";
import { claimsRefusals } from "./refusals.fr.ts";

/** A buyer's claim and its record, the same for both sides; `may` is the reader's. */
export const claimOnWire = z.object({
  id,
  order_id: id,
  title: z.string(),
  kind: z.enum(CLAIM_KINDS),
  /** French. */
  kind_label: z.string(),
  status: z.enum(["vendeur", "operateur", "rembourse", "rejete", "resolu", "retire"]),
  status_label: z.string(),
  opened_at: instantOnWire,
  /** Until then it is the seller's to answer; of no meaning once it is the operator's. */
  seller_due_at: instantOnWire,
  closed_at: instantOnWire.nullable(),
  buyer: z.object({ nom: z.string() }),
  /** Null for a plan: the platform sells it. */
  seller: z.object({ nom: z.string() }).nullable(),
  /** Price of the order. */
  amount: francs,
  /** Oldest first. */
  entries: z.array(
    z.object({
      author: z.enum(["acheteur", "vendeur", "operateur", "systeme"]),
      step: z.enum(CLAIM_STEPS),
      /** French name of the step. */
      step_label: z.string(),
      words: z.string().nullable(),
      at: instantOnWire,
    }),
  ),
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
export type ClaimEntryOnWire = ClaimOnWire["entries"][number];

const ofParties: Owned = { thing: "claim", by: ["buyer", "seller"] };
const claim = {
  access: "person",
  owns: { id: ofParties },
  answer: success({ message: z.string(), claim: claimOnWire }),
  refusals: claimsRefusals,
} as const;
const step = { ...claim, repeatable: true } as const;
const words = z.object({ message: told("Ce que l'autre partie lit") }).optional();

export const openClaim = route("POST /api/orders/:id/claim", {
  ...step,
  summary:
    "Dire que quelque chose ne va pas avec un achat ; le vendeur a 72 heures. Au plus 3 par jour sur des commandes non payées : 429 avec `Retry-After`",
  owns: { id: { thing: "sale", by: ["buyer"] } },
  body: z
    .object({
      motif: told("paid-not-confirmed, no-access ou other, parmi may_claim de la commande"),
      message: told("Facultatif"),
    })
    .optional(),
  status: 201,
  example: { body: { motif: "other", message: "Bonjour" } },
});

export const answerClaim = route("POST /api/claims/:id/answer", {
  ...step,
  summary: "Écrire à l'autre partie d'une réclamation",
  body: words,
  example: { body: { message: "Bonjour" } },
});

export const contestClaim = route("POST /api/claims/:id/contest", {
  ...step,
  summary: "Contester une réclamation : l'opérateur décide",
  access: "seller",
  owns: { id: { thing: "dispute", by: ["seller"] } },
  body: words,
  example: { body: { message: "Bonjour" } },
});

/** Nothing is said with it: a body is not looked at. */
export const withdrawClaim = route("POST /api/claims/:id/withdraw", {
  ...step,
  summary: "Retirer sa réclamation",
  owns: { id: { thing: "claim", by: ["buyer"] } },
  example: {},
});

/** The seller's: those he must answer first, then the newest. */
export const listClaims = route("GET /api/claims", {
  summary: "Les réclamations sur ses ventes",
  access: "seller",
  owns: null,
  query: page(30),
  answer: success({
    claims: z.array(claimOnWire),
    /** Open ones he must answer. */
    waiting: z.int(),
    next_cursor,
  }),
  example: {},
});

export const readClaim = route("GET /api/claims/:id", {
  ...claim,
  summary: "Une réclamation et tout ce qui y a été dit",
  example: {},
});

/** `open`: the operator's first, the oldest first; `done`: the newest first. */
export const listDeskClaims = route("GET /api/desk/claims", {
  summary: "Les réclamations : celles de l'opérateur d'abord ; ou les closes",
  access: "agent",
  owns: null,
  query: page(30).extend({ view: z.enum(["open", "done"]).default("open") }),
  answer: success({
    now: instantOnWire,
    claims: z.array(claimOnWire),
    /** Open ones: the operator's, and all. */
    counts: z.object({ operator: z.int(), open: z.int() }),
    next_cursor,
  }),
  example: {},
});

const atDesk = success({ now: instantOnWire, message: z.string(), claim: claimOnWire });

export const readDeskClaim = route("GET /api/desk/claims/:id", {
  summary: "Une réclamation, vue du bureau",
  access: "agent",
  owns: { id: { thing: "claim", by: ["agent", "operator"] } },
  answer: atDesk,
  refusals: claimsRefusals,
  example: {},
});

export const decideClaim = route("POST /api/desk/claims/:id/decide", {
  summary: "Trancher : rembourser, ou rejeter avec une raison lue par les deux parties",
  access: "operator",
  owns: { id: { thing: "dispute", by: ["operator"] } },
  body: z
    .object({
      decision: told("refund ou reject"),
      reason: told("Ce que l'acheteur et le vendeur lisent"),
    })
    .optional(),
  answer: atDesk,
  refusals: { ...claimsRefusals, ...refundsRefusals, ...deskRefusals },
  repeatable: true,
  example: { body: { decision: "reject", reason: "Vu chez eux" } },
});
