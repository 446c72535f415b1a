import { z } from "zod";
import { route } from "../common/route.ts";
import {
  dayOnWire,
  francs,
  id,
  instantOnWire,
  next_cursor,
  page,
  success,
  told,
  may,
  person,
} from "../common/wire.ts";
import { deskRefusals } from "./refusals.fr.ts";
import { registryRefusals } from "../back-office/refusals.fr.ts";
import { deskLinkOnWire } from "../back-office/routes.ts";

/** What went in or out of a float, or what was said of it. Francs, in > 0. */
const movementOnWire = z.object({
  at: instantOnWire,
  kind: z.enum(["payout", "top-up", "withdrawal", "other"]),
  label: z.string(),
  amount: francs,
  /** The operator's, or the agent's words. */
  reference: z.string().nullable(),
  withdrawal: z.object({ id, reference: z.string() }).nullable(),
  by: person.nullable(),
});

/** A count that was written: never changed, corrected by another. */
const closeOnWire = z.object({
  id,
  expected: francs,
  counted: francs,
  /** counted − expected. */
  difference: francs,
  explanation: z.string().nullable(),
  closed_at: instantOnWire,
  closed_by: person,
  /** The close this one corrects. */
  corrects: id.nullable(),
});

/**
 * One purse on one day: the float of a payout method (`float:orange-money-ci`), or what lies at a
 * provider (`provider:moneroo`). Francs we have there.
 */
export const purse = z.object({
  account: z.string(),
  kind: z.enum(["float", "provider"]),
  label: z.string(),
  method: z.string().nullable(),
  operator: z.string().nullable(),
  country: z.string().nullable(),
  /** When the purse was last counted: it opens with that count. */
  opening: francs,
  opened_on: dayOnWire.nullable(),
  in: francs,
  out: francs,
  /** Of what went out: what the provider kept of collections, payouts and charges taken back. */
  costs: francs,
  /** By the ledger: opening + in − out. */
  expected: francs,
  /** Of a float: each of them, oldest first; of a provider: our payouts alone. */
  movements: z.array(movementOnWire),
  /** True: there are more movements than shown. */
  more: z.boolean(),
  status: z.enum(["open", "closed", "covered"]),
  /** The count of this day, then its corrections. */
  closes: z.array(closeOnWire),
  /** Whether the caller may count it now; `reason` (French) says why not. */
  may_close: may,
  may_correct: may,
});
export type PurseOnWire = z.input<typeof purse>;

const facts = z.array(z.object({ label: z.string(), value: z.string() }));

/** The last comparison with a provider, of payouts or of payments. */
const runOnWire = z.object({
  id,
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

export const difference = z.object({
  id,
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
export type DeskDifferenceOnWire = z.input<typeof difference>;

const refusals = { ...deskRefusals, ...registryRefusals };

/** Today in the instance's zone without `date`. */
export const readDeskDay = route("GET /api/desk/day", {
  summary: "La journée : chaque caisse, ses mouvements et son solde d'après les écritures",
  access: "agent",
  query: z.object({ date: dayOnWire.optional() }),
  answer: success({
    now: instantOnWire,
    date: dayOnWire,
    today: dayOnWire,
    zone: z.string(),
    purses: z.array(purse),
  }),
});

export const exportDeskDay = route("GET /api/desk/day/export", {
  summary: "La journée en CSV",
  access: "agent",
  query: z.object({ date: dayOnWire }),
  answer: null,
  produces: "text/csv",
  example: { query: { date: "2026-11-16" } },
});

const counting = {
  access: "agent",
  /**
   * `counted` in francs, as read on the operator's phone. `explanation`: asked for when the count
   * differs from the ledger; always of a correction.
   */
  body: z
    .object({ date: told(), account: told(), counted: told(), explanation: told() })
    .optional(),
  answer: success({
    now: instantOnWire,
    purse,
  }),
  refusals,
  repeatable: true,
  example: {
    body: {
      date: "2026-11-16",
      account: "float:orange-money-ci",
      counted: 48_500,
      explanation: "Frais de dépôt",
    },
  },
} as const;

export const closeDeskDay = route("POST /api/desk/day/close", {
  ...counting,
  summary: "Clore une caisse : le solde compté, l'écart et son explication",
});

export const correctDeskDay = route("POST /api/desk/day/correct", {
  ...counting,
  summary: "Corriger une clôture par une nouvelle ligne",
});

/**
 * `direction`: into the purse (`in`), or out of it. `other`: where the money comes from or goes to:
 * another purse, or `treasury` (bank, cash).
 */
export const moveDeskMoney = route("POST /api/desk/day/moves", {
  ...counting,
  summary: "Argent mis dans une caisse ou sorti d'elle, à la main",
  body: z
    .object({
      account: told(),
      direction: told(),
      amount: told(),
      other: told(),
      reference: told(),
    })
    .optional(),
  example: {
    body: {
      account: "float:orange-money-ci",
      direction: "in",
      amount: 50_000,
      other: "treasury",
      reference: "D-17",
    },
  },
});

/** The newest differences first. */
export const listReconciliations = route("GET /api/desk/reconciliations", {
  summary: "Rapprochements : ce que disent les prestataires et ce que disent nos écritures",
  access: "agent",
  query: page(30)
    .pick({ cursor: true })
    .extend({
      status: z.enum(["open", "gone", "all"]).default("open"),
    }),
  answer: success({
    now: instantOnWire,
    runs: z.array(runOnWire),
    differences: z.array(difference),
    next_cursor,
  }),
});

export const askReconciliation = route("POST /api/desk/reconciliations", {
  summary: "Demander un rapprochement",
  access: "agent",
  answer: success({ message: z.string() }),
});
