import { z } from "zod";
import { route } from "../common/route.ts";
import {
  cursorQuery,
  francs,
  id,
  idOnWire,
  instantOnWire,
  next_cursor,
  page,
  success,
  dayOnWire,
} from "../common/wire.ts";
import { plansRefusals } from "../plans/refusals.fr.ts";

/**
 * B §4 and decision 73: `success` Complété, `pending` En attente, `failed` Échec, `refunded`
 * Remboursé, `cancelled` Annulé.
 */
const TRANSACTION_STATUSES = ["success", "pending", "failed", "refunded", "cancelled"] as const;
export type TransactionStatus = (typeof TRANSACTION_STATUSES)[number];

/**
 * What it adds to the seller's balance: over his whole history it comes, to the franc, to his balance less
 * what he owes of it. A debt that is written off is no item.
 */
const balanceChange = francs;

/** One item of the dashboard and of the history (B §3). Amounts in francs, duration in minutes. */
export const transactionOnWire = z.object({
  id,
  /** What the buyer pays. */
  amount: francs,
  /** What the seller receives, and what the platform keeps; they add up to `amount`. */
  net: francs,
  frais: francs,
  type: z.literal("income"),
  date: instantOnWire,
  status: z.enum(TRANSACTION_STATUSES),
  duration: z.int(),
  idProduit: id,
  produitNom: z.string(),
  idClient: id,
  nomClient: z.string(),
  renouvellement: z.enum(["Renouvellement", "Nouveau"]),
  /** Collected by the seller's own account: never in his balance. */
  direct: z.boolean(),
  balance_change: balanceChange,
});
export type TransactionOnWire = z.input<typeof transactionOnWire>;

/**
 * Of a sale, of money that left to the seller, of money that came back to his balance, of a balance
 * that followed his plan, of a debt that he need not pay.
 */
export const HISTORY_TYPES = ["income", "payout", "return", "transfer", "write-off"] as const;
export type HistoryType = (typeof HISTORY_TYPES)[number];

/**
 * The seller's money going out, beside his sales. `payout`: `pending` until it is received,
 * `success` then, `failed` once rejected, `cancelled`. `return`: francs that had left and came back.
 * `transfer`: from the balance of one plan to that of the other; he has as much as before.
 * `write-off`: what was advanced for his refunds and is asked of him no more.
 */
const movementOnWire = z.object({
  /** Different from a sale's: "w45", "r45", "t1". */
  id: z.string(),
  type: z.enum(["payout", "return", "transfer", "write-off"]),
  amount: francs,
  net: francs,
  frais: francs,
  balance_change: balanceChange,
  date: instantOnWire,
  status: z.enum(TRANSACTION_STATUSES),
  /** The withdrawal's id; of any other this and what follows of a withdrawal is empty. */
  demande: z.string(),
  reference_transaction: z.string(),
  methode_paiement: z.string(),
  /** Of a transfer, from where to where: "Solde gratuit → Solde Premium"; of a write-off, what it was. */
  methode_nom: z.string(),
  operateur: z.string(),
  /** E.164. */
  numero_transfert: z.string(),
  /** Why it was rejected, as the seller reads it. */
  motif: z.string().nullable(),
});
export type MovementOnWire = z.input<typeof movementOnWire>;

const historyItemOnWire = z.discriminatedUnion("type", [transactionOnWire, movementOnWire]);
export type HistoryItemOnWire = z.input<typeof historyItemOnWire>;

/** A vendor subscription (A §3, B §3): one paid order, new or renewal (decision 89). */
export const vendorSubscriptionOnWire = z.object({
  id,
  /** Empty for a donation, as is `group_id`: it has no group. */
  groupId: z.string(),
  group_id: z.string(),
  idProduit: id,
  /** The product's title when it was sold. */
  typeAbonnement: z.string(),
  prix: francs,
  net: francs,
  dateCreation: instantOnWire,
  /** When the access it opened or extended ends. */
  dateRenouvellement: instantOnWire.nullable(),
  userId: id,
  nomClient: z.string(),
  estRenouvellement: z.boolean(),
  /** False once refunded. */
  valide: z.boolean(),
  /** Collected by the seller's own account. */
  direct: z.boolean(),
});
export type VendorSubscriptionOnWire = z.input<typeof vendorSubscriptionOnWire>;

/** B §9; "week" begins on Sunday. In the instance's zone. */
const HISTORY_PERIODS = ["today", "week", "month"] as const;
export type HistoryPeriod = (typeof HISTORY_PERIODS)[number];

const transactionsQuery = cursorQuery.extend({
  limit: z.coerce.number().int().min(1).max(100).optional(),
  /** In names of buyers and products, references, numbers. */
  q: z.string().max(100).optional(),
  periode: z.enum(HISTORY_PERIODS).optional(),
  statut: z.enum(TRANSACTION_STATUSES).optional(),
  /** Absent: sales alone; `all`: sales and all movements together. */
  type: z.enum(["all", ...HISTORY_TYPES]).optional(),
});

/** How much of each kind falls on a day; days without anything are left out. */
const calendarDayOnWire = z.object({
  jour: dayOnWire,
  expirations: z.int(),
  renouvellements: z.int(),
  retraits: z.int(),
});
export type CalendarDayOnWire = z.input<typeof calendarDayOnWire>;

const ofBuyer = {
  id,
  date: instantOnWire,
  nomClient: z.string(),
  produitNom: z.string(),
  idProduit: id,
};

const calendarEventOnWire = z.discriminatedUnion("type", [
  /** A person's access ends, or ended: `passee`. */
  z.object({ type: z.literal("expiration"), ...ofBuyer, passee: z.boolean() }),
  /** A sale that prolonged an access. */
  z.object({ type: z.literal("renouvellement"), ...ofBuyer, montant: francs }),
  /** A withdrawal on the day it was asked for. */
  z.object({
    type: z.literal("retrait"),
    id,
    date: instantOnWire,
    montant: francs,
    status: z.enum(TRANSACTION_STATUSES),
    reference_transaction: z.string(),
    automatique: z.boolean(),
  }),
  /** When the next automatic payout is asked for; its amount is what is available then. */
  z.object({ type: z.literal("retrait_automatique"), id: z.string(), date: instantOnWire }),
]);

/**
 * `week`: the last 7 days, today included. `month`: the last 30. `year`: 12 calendar months, this one
 * included. Each is compared with as many days, or months, right before it. Days are those of the
 * instance's zone.
 */
const STATISTICS_PERIODS = ["week", "month", "year"] as const;
export type StatisticsPeriod = (typeof STATISTICS_PERIODS)[number];

/** A figure beside that of the period before; `evolution` in whole percent, null after nothing. */
const figureOnWire = z.object({
  valeur: z.int(),
  precedent: z.int(),
  evolution: z.int().nullable(),
});
export type FigureOnWire = z.input<typeof figureOnWire>;

const productShareOnWire = z.object({
  id,
  titre: z.string(),
  ventes: z.int(),
  net: francs,
  /** Of the period's net revenue, in whole percent; all of them add up to 100. */
  part: z.int(),
});

/**
 * Of the people whose first subscription was bought in `mois`, those still there at the end of each
 * month that is over since: whose paid time ran beyond it.
 */
const cohortOnWire = z.object({
  mois: dayOnWire,
  clients: z.int(),
  restes: z.array(z.object({ mois: dayOnWire, clients: z.int(), part: z.int() })),
});
export type CohortOnWire = z.input<typeof cohortOnWire>;

/** Premium (capability `advanced-statistics`). */
const advancedOnWire = z.object({
  /**
   * Monthly recurring revenue: of each access paid beyond today, the price of the time that is
   * running then, for 30 days. Compared with the eve of the period.
   */
  mrr: figureOnWire,
  /** The accesses it is made of. */
  abonnes: z.int(),
  /** Times paid that came to their end in the period, up to yesterday; and those prolonged. */
  echeances: z.int(),
  renouveles: z.int(),
  /** `renouveles` of `echeances`, in whole percent; null without any. */
  taux_renouvellement: z.int().nullable(),
  /** Accesses that ended and were not prolonged, of all that ran at some time of the period. */
  perdus: z.int(),
  servis: z.int(),
  taux_attrition: z.int().nullable(),
  /** Oldest first; 12 months at most, whatever the period. */
  cohortes: z.array(cohortOnWire),
});
export type AdvancedOnWire = z.input<typeof advancedOnWire>;

/**
 * A sale counts on the day it was paid, as long as it stands: one given back counts nowhere. Amounts
 * in francs.
 */
export const statisticsAnswer = success({
  periode: z.enum(STATISTICS_PERIODS),
  /** First and last day. */
  du: dayOnWire,
  au: dayOnWire,
  net: figureOnWire,
  brut: figureOnWire,
  ventes: figureOnWire,
  /** `brut` less `net`. */
  frais: francs,
  /** Of `brut`, what the seller's own accounts collected: revenue, never in his balance. */
  direct: francs,
  nouvelles: z.int(),
  renouvellements: z.int(),
  /** People inside the seller's groups by an access, now. */
  membres: z.int(),
  /** One day of a week or a month, one month of a year; without a sale too. */
  barres: z.array(z.object({ debut: dayOnWire, net: francs, brut: francs, ventes: z.int() })),
  produits: z.array(productShareOnWire),
  /** Those behind the first five, together; null when there are none. */
  autres_produits: productShareOnWire.omit({ id: true, titre: true }).nullable(),
  /** `montant`: what he paid, fees included. */
  clients: z.array(z.object({ id, nom: z.string(), achats: z.int(), montant: francs })),
  dernieres: z.array(transactionOnWire),
  /** Null on the free plan. */
  avancees: advancedOnWire.nullable(),
});
export type StatisticsAnswer = z.input<typeof statisticsAnswer>;

const own = { access: "seller" } as const;

/** The week when absent. */
const statisticsQuery = z.object({ periode: z.enum(STATISTICS_PERIODS).optional() });

export const readStatistics = route("GET /api/statistics", {
  ...own,
  summary:
    "Les chiffres d'une période : revenus, ventes, membres, produits, clients ; avec le plan Premium : revenu récurrent, renouvellements, attrition, cohortes",
  query: statisticsQuery,
  answer: statisticsAnswer,
});

export const exportStatistics = route("GET /api/statistics/export", {
  ...own,
  summary: "La même période en CSV, par jour ou par mois et par produit (plan Premium)",
  query: statisticsQuery,
  answer: null,
  refusals: plansRefusals,
});

export const listCalendarDays = route("GET /api/calendar", {
  ...own,
  summary: "Un mois : combien d'expirations, de renouvellements et de retraits par jour",
  query: z.object({
    /** In the instance's zone; without it the month it is there. */
    mois: z
      .string()
      .regex(/^20\d\d-(0[1-9]|1[0-2])$/)
      .optional(),
  }),
  answer: success({
    mois: z.string(),
    /** Today, in the instance's zone. */
    aujourdhui: dayOnWire,
    jours: z.array(calendarDayOnWire),
    /** Of a month without anything: the first later day that has something. */
    next_day: dayOnWire.nullable(),
  }),
  example: { query: { mois: "2026-11" } },
});

export const listCalendarEvents = route("GET /api/calendar/day", {
  ...own,
  summary: "Un jour : les accès qui expirent, les renouvellements et les retraits",
  query: z.object({ jour: dayOnWire }),
  /** At most 200 of each kind, by their time; the rest is counted. */
  answer: success({
    jour: dayOnWire,
    evenements: z.array(calendarEventOnWire),
    /** Not among them. */
    autres: z.int(),
  }),
  example: { query: { jour: "2026-11-16" } },
});

export const listTransactions = route("GET /api/transactions", {
  ...own,
  summary: "L'historique, par pages : les ventes, ou avec `type` les retraits et les retours",
  query: transactionsQuery,
  /** Newest first. */
  answer: success({ transactions: z.array(historyItemOnWire), next_cursor }),
});

export const listSubscriptions = route("GET /api/subscriptions", {
  ...own,
  summary: "Les abonnements vendus, par pages",
  query: page(30).extend({ product: idOnWire.optional() }),
  /** Newest first; `total` counts all of them. */
  answer: success({
    subscriptions: z.array(vendorSubscriptionOnWire),
    total: z.int(),
    next_cursor,
  }),
});
