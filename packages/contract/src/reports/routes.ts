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
 * What the item adds to the seller's balance: the sum of the whole history is the seller's balance less
 * the debt, to the franc. A written-off debt changes no balance.
 */
const balanceChange = francs;

/** One item of the dashboard and of the history (B §3). Amounts in francs, duration in minutes. */
export const transactionOnWire = z.object({
  id,
  /** What the buyer pays. */
  amount: francs,
  /** The seller's share and the platform's fee; their sum is `amount`. */
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
 * Sales, withdrawals, withdrawals that were returned, transfers between balances after a change of
 * plan, and written-off debts.
 */
export const HISTORY_TYPES = ["income", "payout", "return", "transfer", "write-off"] as const;
export type HistoryType = (typeof HISTORY_TYPES)[number];

/**
 * A movement of the seller's money, beside sales. `payout`: `pending` until it is received, then
 * `success`; `failed` once rejected; `cancelled`. `return`: a payout that came back. `transfer`:
 * from the balance of one plan to that of the other, with the same sum. `write-off`: an advance for
 * refunds that the seller need no longer repay.
 */
const movementOnWire = z.object({
  /** Never the id of a sale: "w45", "r45", "t1", "d3". */
  id: z.string(),
  type: z.enum(["payout", "return", "transfer", "write-off"]),
  amount: francs,
  net: francs,
  frais: francs,
  balance_change: balanceChange,
  date: instantOnWire,
  status: z.enum(TRANSACTION_STATUSES),
  /** The withdrawal's id; empty for other movements, like the withdrawal's fields below. */
  demande: z.string(),
  reference_transaction: z.string(),
  methode_paiement: z.string(),
  /** Of a transfer, source and target: "Solde gratuit → Solde Premium"; of a write-off, its label. */
  methode_nom: z.string(),
  operateur: z.string(),
  /** E.164. */
  numero_transfert: z.string(),
  /** The reason of a rejection, which the seller reads. */
  motif: z.string().nullable(),
});
export type MovementOnWire = z.input<typeof movementOnWire>;

const historyItemOnWire = z.discriminatedUnion("type", [transactionOnWire, movementOnWire]);
export type HistoryItemOnWire = z.input<typeof historyItemOnWire>;

/** A vendor subscription (A §3, B §3): one paid order, new or renewal (decision 89). */
export const vendorSubscriptionOnWire = z.object({
  id,
  /** Empty, like `group_id`, for a donation, which has no group. */
  groupId: z.string(),
  group_id: z.string(),
  idProduit: id,
  /** The product's title when it was sold. */
  typeAbonnement: z.string(),
  prix: francs,
  net: francs,
  dateCreation: instantOnWire,
  /** The end of the membership it opened or extended. */
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

/** B §9; "week" begins on Sunday. In the instance's time zone. */
const HISTORY_PERIODS = ["today", "week", "month"] as const;
export type HistoryPeriod = (typeof HISTORY_PERIODS)[number];

const transactionsQuery = cursorQuery.extend({
  limit: z.coerce.number().int().min(1).max(100).optional(),
  /** Searches names of buyers and products, references and numbers. */
  q: z.string().max(100).optional(),
  periode: z.enum(HISTORY_PERIODS).optional(),
  statut: z.enum(TRANSACTION_STATUSES).optional(),
  /** Absent: sales only; `all`: sales and movements. */
  type: z.enum(["all", ...HISTORY_TYPES]).optional(),
});

/** The number of items of each kind on a day; days without items are left out. */
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
  /** The end of a membership; `passee`: it is past. */
  z.object({ type: z.literal("expiration"), ...ofBuyer, passee: z.boolean() }),
  /** A sale that extended a membership. */
  z.object({ type: z.literal("renouvellement"), ...ofBuyer, montant: francs }),
  /** A withdrawal, on the day of its request. */
  z.object({
    type: z.literal("retrait"),
    id,
    date: instantOnWire,
    montant: francs,
    status: z.enum(TRANSACTION_STATUSES),
    reference_transaction: z.string(),
    automatique: z.boolean(),
  }),
  /** The next automatic payout; its amount will be what is available then. */
  z.object({ type: z.literal("retrait_automatique"), id: z.string(), date: instantOnWire }),
]);

/**
 * `week`: the last 7 days, today included. `month`: the last 30. `year`: 12 calendar months, the
 * current one included. Each is compared with the same number of days, or months, before it. Days are
 * in the instance's time zone.
 */
const STATISTICS_PERIODS = ["week", "month", "year"] as const;
export type StatisticsPeriod = (typeof STATISTICS_PERIODS)[number];

/** A figure compared with the previous period; `evolution` in whole percent, null if that was zero. */
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
  /** The share of the period's net revenue, in whole percent; the shares add up to 100. */
  part: z.int(),
});

/**
 * Of the people whose first subscription was bought in `mois`: how many had paid time beyond the
 * end of each past month.
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
   * Monthly recurring revenue: for each membership paid beyond today, the price of its current
   * period, for 30 days. Compared with the day before the period.
   */
  mrr: figureOnWire,
  /** The number of memberships counted in it. */
  abonnes: z.int(),
  /** Paid periods that ended in the statistics period, up to yesterday; and how many were extended. */
  echeances: z.int(),
  renouveles: z.int(),
  /** `renouveles` of `echeances`, in whole percent; null without any. */
  taux_renouvellement: z.int().nullable(),
  /** Memberships that ended without an extension, of all that ran during the period. */
  perdus: z.int(),
  servis: z.int(),
  taux_attrition: z.int().nullable(),
  /** Oldest first; 12 months at most, whatever the period. */
  cohortes: z.array(cohortOnWire),
});
export type AdvancedOnWire = z.input<typeof advancedOnWire>;

/** A sale counts on the day of its payment, unless it was refunded. Amounts in francs. */
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
  /** Of `brut`, what the seller's own accounts collected: revenue outside the balance. */
  direct: francs,
  nouvelles: z.int(),
  renouvellements: z.int(),
  /** Members who are in the seller's groups by a membership now. */
  membres: z.int(),
  /** One day of a week or a month, one month of a year; also those without a sale. */
  barres: z.array(z.object({ debut: dayOnWire, net: francs, brut: francs, ventes: z.int() })),
  produits: z.array(productShareOnWire),
  /** The sum of products after the first five; null when there are none. */
  autres_produits: productShareOnWire.omit({ id: true, titre: true }).nullable(),
  /** `montant`: what the buyer paid, fees included. */
  clients: z.array(z.object({ id, nom: z.string(), achats: z.int(), montant: francs })),
  dernieres: z.array(transactionOnWire),
  /** Null on the free plan. */
  avancees: advancedOnWire.nullable(),
});
export type StatisticsAnswer = z.input<typeof statisticsAnswer>;

/** Default: week. */
const statisticsQuery = z.object({ periode: z.enum(STATISTICS_PERIODS).optional() });

export const readStatistics = route("GET /api/statistics", {
  access: "seller",
  summary:
    "Les chiffres d'une période : revenus, ventes, membres, produits, clients ; avec le plan Premium : revenu récurrent, renouvellements, attrition, cohortes",
  query: statisticsQuery,
  answer: statisticsAnswer,
});

export const exportStatistics = route("GET /api/statistics/export", {
  access: "seller",
  summary: "La même période en CSV, par jour ou par mois et par produit (plan Premium)",
  query: statisticsQuery,
  answer: null,
  refusals: plansRefusals,
});

export const listCalendarDays = route("GET /api/calendar", {
  access: "seller",
  summary: "Un mois : combien d'expirations, de renouvellements et de retraits par jour",
  query: z.object({
    /** In the instance's time zone; default: the current month. */
    mois: z
      .string()
      .regex(/^20\d\d-(0[1-9]|1[0-2])$/)
      .optional(),
  }),
  answer: success({
    mois: z.string(),
    /** Today, in the instance's time zone. */
    aujourdhui: dayOnWire,
    jours: z.array(calendarDayOnWire),
    /** For an empty month: the first later day with an item. */
    next_day: dayOnWire.nullable(),
  }),
  example: { query: { mois: "2026-11" } },
});

export const listCalendarEvents = route("GET /api/calendar/day", {
  access: "seller",
  summary: "Un jour : les accès qui expirent, les renouvellements et les retraits",
  query: z.object({ jour: dayOnWire }),
  /** At most 200 of each kind, by time; `autres` counts the rest. */
  answer: success({
    jour: dayOnWire,
    evenements: z.array(calendarEventOnWire),
    /** The number of items left out. */
    autres: z.int(),
  }),
  example: { query: { jour: "2026-11-16" } },
});

export const listTransactions = route("GET /api/transactions", {
  access: "seller",
  summary: "L'historique, par pages : les ventes, ou avec `type` les retraits et les retours",
  query: transactionsQuery,
  /** Newest first. */
  answer: success({ transactions: z.array(historyItemOnWire), next_cursor }),
});

export const listSubscriptions = route("GET /api/subscriptions", {
  access: "seller",
  summary: "Les abonnements vendus, par pages",
  query: page(30).extend({ product: idOnWire.optional() }),
  /** Newest first; `total` counts all. */
  answer: success({
    subscriptions: z.array(vendorSubscriptionOnWire),
    total: z.int(),
    next_cursor,
  }),
});
