import { z } from "zod";
import { dayOnWire } from "../common/wire.ts";
import { transactionOnWire } from "./wire.ts";

/**
 * `week`: the last 7 days, today included. `month`: the last 30. `year`: 12 calendar months, this one
 * included. Each is compared with as many days, or months, right before it. Days are those of the
 * instance's zone.
 */
export const STATISTICS_PERIODS = ["week", "month", "year"] as const;
export type StatisticsPeriod = (typeof STATISTICS_PERIODS)[number];

/** A figure beside that of the period before; `evolution` in whole percent, null after nothing. */
const figureOnWire = z.object({
  valeur: z.int(),
  precedent: z.int(),
  evolution: z.int().nullable(),
});
export type FigureOnWire = z.input<typeof figureOnWire>;

/** One day of a week or a month, one month of a year; without a sale too. */
const barOnWire = z.object({
  debut: dayOnWire,
  net: z.int(),
  brut: z.int(),
  ventes: z.int(),
});
export type BarOnWire = z.input<typeof barOnWire>;

const productShareOnWire = z.object({
  id: z.string(),
  titre: z.string(),
  ventes: z.int(),
  net: z.int(),
  /** Of the period's net revenue, in whole percent; all of them add up to 100. */
  part: z.int(),
});
export type ProductShareOnWire = z.input<typeof productShareOnWire>;

const topCustomerOnWire = z.object({
  id: z.string(),
  nom: z.string(),
  achats: z.int(),
  /** What he paid, fees included. */
  montant: z.int(),
});
export type TopCustomerOnWire = z.input<typeof topCustomerOnWire>;

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
export const statisticsAnswer = z.object({
  success: z.literal(true),
  periode: z.enum(STATISTICS_PERIODS),
  /** First and last day. */
  du: dayOnWire,
  au: dayOnWire,
  net: figureOnWire,
  brut: figureOnWire,
  ventes: figureOnWire,
  /** `brut` less `net`. */
  frais: z.int(),
  /** Of `brut`, what the seller's own accounts collected: revenue, never in his balance. */
  direct: z.int(),
  nouvelles: z.int(),
  renouvellements: z.int(),
  /** People inside the seller's groups by an access, now. */
  membres: z.int(),
  barres: z.array(barOnWire),
  produits: z.array(productShareOnWire),
  /** Those behind the first five, together; null when there are none. */
  autres_produits: productShareOnWire.omit({ id: true, titre: true }).nullable(),
  clients: z.array(topCustomerOnWire),
  dernieres: z.array(transactionOnWire),
  /** Null on the free plan. */
  avancees: advancedOnWire.nullable(),
});
export type StatisticsAnswer = z.input<typeof statisticsAnswer>;
