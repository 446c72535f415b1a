import * as contract from "@sesame/contract/reports";
import {
  addDays,
  addMonths,
  type Day,
  dayOf,
  type Fcfa,
  ok,
  refuse,
  MINUTE_MS,
} from "@sesame/kernel";
import { csvText } from "@sesame/contract/csv";
import { sql } from "kysely";
import type { z } from "zod";
import type { App } from "../../app.ts";
import { type Db, many, one, PREPARED } from "../../postgres/database.ts";
import { refuseCapability } from "../plans/index.ts";
import { BUYER_NAME, lastSales } from "./history.ts";
import { createLoop, type Loop } from "../../jobs/loop.ts";

// Every figure is read from totals that `foldSales` updated: no query grows with the sales of a
// seller, except the best customers of a month, which grow with that month's sales.

const SHOWN = 5;

/**
 * Sales in figures that agree: one snapshot of the database. `avancees` if the seller's plan
 * includes them. As JSON, because the developer API reads it too.
 */
export async function statisticsOf(app: App, sellerId: bigint, period: contract.StatisticsPeriod) {
  const { db } = app;
  const advanced = (await refuseCapability(db, sellerId, "advanced-statistics")) === null;
  const asked = askedBy(app, sellerId);
  await foldSales(db, asked);
  const spans = spansOf(period, dayOf(asked.now, asked.zone));
  return db
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute(async (tx) => {
      const bars = await viewBars(tx, sellerId, spans);
      const clients = await viewBestCustomers(tx, sellerId, spans);
      const dernieres = await lastSales(tx, sellerId, SHOWN);
      return contract.statisticsAnswer.encode({
        success: true,
        periode: period,
        du: spans.now.from,
        au: spans.now.to,
        ...figuresOf(bars, spans),
        ...sharesOf(bars, spans, await viewBestProducts(tx, sellerId, spans)),
        membres: await countMembers(tx, sellerId),
        clients,
        dernieres,
        avancees: advanced ? await readAdvanced(tx, sellerId, spans) : null,
      });
    });
}

/** A period as a spreadsheet, for premium: a line for each day, or month, and product. */
export async function statisticsSheet(
  app: App,
  sellerId: bigint,
  period: contract.StatisticsPeriod,
) {
  const { db } = app;
  const refusal = await refuseCapability(db, sellerId, "advanced-statistics");
  if (refusal) return refuse(refusal);
  const asked = askedBy(app, sellerId);
  await foldSales(db, asked);
  const { grain, now } = spansOf(period, dayOf(asked.now, asked.zone));
  const rows = await many<BarRow & { readonly product: string }>(db)`
    SELECT t.starts_on::text, p.title AS product, t.sales, t.renewals, t.gross, t.fees, t.direct
    FROM sale_totals t JOIN products p ON p.id = t.product_id
    WHERE t.seller_id = ${sellerId} AND t.grain = ${grain} AND t.sales > 0
      AND t.starts_on BETWEEN ${now.from}::date AND ${now.to}::date
    ORDER BY t.starts_on, p.title, p.id
  `;
  const lines = rows.map(({ starts_on: day, product, sales, renewals, gross, fees, direct }) => {
    const date = grain === "month" ? day.slice(0, 7) : day;
    return [date, product, sales, renewals, gross, fees, gross - fees, direct];
  });
  return ok(csvText([contract.EXPORT_COLUMNS, ...lines]));
}

type BarRow = {
  readonly starts_on: Day;
  readonly sales: number;
  readonly renewals: number;
  readonly gross: Fcfa;
  readonly fees: Fcfa;
  readonly direct: Fcfa;
};

/** Sales by day, or by month, from the previous period to now; days without sales are absent. */
export function viewBars(db: Db, sellerId: bigint, spans: PeriodSpans): Promise<BarRow[]> {
  return many<BarRow>(db)`
    SELECT starts_on::text, sum(sales)::int AS sales, sum(renewals)::int AS renewals,
      sum(gross)::bigint AS gross, sum(fees)::bigint AS fees, sum(direct)::bigint AS direct
    FROM sale_totals
    WHERE seller_id = ${sellerId} AND grain = ${spans.grain}
      AND starts_on BETWEEN ${spans.before.from}::date AND ${spans.now.to}::date
    GROUP BY starts_on HAVING sum(sales) <> 0 ORDER BY starts_on
  `;
}

function addUp(rows: readonly BarRow[]) {
  const sum = (pick: (row: BarRow) => number | bigint) =>
    rows.reduce((total, row) => total + Number(pick(row)), 0);
  const gross = sum((row) => row.gross);
  return {
    sales: sum((row) => row.sales),
    renewals: sum((row) => row.renewals),
    gross,
    net: gross - sum((row) => row.fees),
    direct: sum((row) => row.direct),
  };
}

function figuresOf(rows: readonly BarRow[], { now, bars }: PeriodSpans) {
  const current = rows.filter((row) => row.starts_on >= now.from);
  const sums = addUp(current);
  const before = addUp(rows.filter((row) => row.starts_on < now.from));
  return {
    net: figureOf(sums.net, before.net),
    brut: figureOf(sums.gross, before.gross),
    ventes: figureOf(sums.sales, before.sales),
    frais: sums.gross - sums.net,
    direct: sums.direct,
    nouvelles: sums.sales - sums.renewals,
    renouvellements: sums.renewals,
    barres: bars.map((debut) => {
      const { sales, gross, net } = addUp(current.filter((row) => row.starts_on === debut));
      return { debut, net, brut: gross, ventes: sales };
    }),
  };
}

/** A figure compared with the previous period. */
function figureOf(now: bigint | number, before: bigint | number): contract.FigureOnWire {
  const valeur = Number(now);
  const precedent = Number(before);
  const evolution = precedent === 0 ? null : Math.round(((valeur - precedent) / precedent) * 100);
  return { valeur, precedent, evolution };
}

type Answer = z.output<typeof contract.statisticsAnswer>;
type ProductRow = Omit<Answer["produits"][number], "part">;

/** The products with the most revenue in the period, best first. */
export function viewBestProducts(db: Db, sellerId: bigint, spans: PeriodSpans) {
  return many<ProductRow>(db)`
    SELECT t.product_id AS id, p.title AS titre, t.sales AS ventes, t.net FROM (
      SELECT product_id, sum(sales)::int AS sales, sum(gross - fees)::bigint AS net
      FROM sale_totals
      WHERE seller_id = ${sellerId} AND grain = ${spans.grain}
        AND starts_on BETWEEN ${spans.now.from}::date AND ${spans.now.to}::date
      GROUP BY product_id HAVING sum(sales) > 0
      ORDER BY net DESC, product_id LIMIT ${SHOWN}
    ) AS t JOIN products p ON p.id = t.product_id
    ORDER BY t.net DESC, t.product_id
  `;
}

/** The best products and the rest, with shares that add up to 100: the largest remainders are rounded up. */
function sharesOf(rows: readonly BarRow[], { now }: PeriodSpans, products: readonly ProductRow[]) {
  const all = addUp(rows.filter((row) => row.starts_on >= now.from));
  const rest = {
    ventes: all.sales - products.reduce((sum, one) => sum + one.ventes, 0),
    net: all.net - products.reduce((sum, one) => sum + Number(one.net), 0),
  };
  const amounts = products.map(({ net }) => Number(net));
  const parts = partsOf(rest.ventes > 0 ? [...amounts, rest.net] : amounts);
  return {
    produits: products.map((one, index) => ({ ...one, part: parts[index] ?? 0 })),
    autres_produits: rest.ventes > 0 ? { ...rest, part: parts.at(-1) ?? 0 } : null,
  };
}

export function partsOf(amounts: readonly number[]): number[] {
  const total = amounts.reduce((sum, amount) => sum + amount, 0);
  if (total <= 0) return amounts.map(() => 0);
  const exact = amounts.map((amount) => (amount / total) * 100);
  const parts = exact.map(Math.floor);
  let left = 100 - parts.reduce((sum, part) => sum + part, 0);
  const order = exact
    .map((value, index) => ({ index, remainder: value - Math.floor(value) }))
    .sort((a, b) => b.remainder - a.remainder || a.index - b.index);
  for (const { index } of order) {
    if (left <= 0) break;
    parts[index] = (parts[index] ?? 0) + 1;
    left -= 1;
  }
  return parts;
}

type Customer = Answer["clients"][number];

/** The customers who paid most in the period, best first. */
export function viewBestCustomers(db: Db, sellerId: bigint, spans: PeriodSpans) {
  // A year's are stored, in the order of what they paid; those of some days are summed.
  const best =
    spans.grain === "month"
      ? sql`SELECT buyer_id, sales, gross FROM sale_buyer_years
          WHERE seller_id = ${sellerId} AND gross > 0`
      : sql`SELECT buyer_id, count(*)::int AS sales, sum(gross)::bigint AS gross FROM sale_days
          WHERE seller_id = ${sellerId}
            AND day BETWEEN ${spans.now.from}::date AND ${spans.now.to}::date GROUP BY buyer_id`;
  return many<Customer>(db)`
    SELECT b.buyer_id AS id, ${BUYER_NAME} AS nom, b.sales AS achats, b.gross AS montant
    FROM (${best} ORDER BY gross DESC, buyer_id LIMIT ${SHOWN}) AS b
    JOIN people p ON p.id = b.buyer_id
    ORDER BY b.gross DESC, b.buyer_id
  `;
}

/** Members inside the seller's groups by a membership. */
export async function countMembers(db: Db, sellerId: bigint): Promise<number> {
  const { count } = await one<{ count: number }>(db)`
    SELECT count(*)::int AS count FROM groups g JOIN accesses a ON a.group_id = g.id
    WHERE g.seller_id = ${sellerId} AND a.status = 'inside'
  `;
  return count;
}

/** Premium's figures: recurring revenue, renewals, losses, cohorts. The contract defines each. */
async function readAdvanced(db: Db, sellerId: bigint, spans: PeriodSpans) {
  const { from, to: today } = spans.now;
  const eve = addDays(from, -1);
  const running = await viewRuns(db, sellerId, { from: null, to: today });
  const before = await viewRuns(db, sellerId, { from: null, to: eve });
  // Up to yesterday: what ends today can still be extended.
  const within = await viewRuns(db, sellerId, { from, to: addDays(today, -1) });
  const perdus = Math.max(0, within.ended - within.renewed);
  const servis = Math.max(perdus, before.began - before.ended + within.began - within.renewed);
  // A refund can move a renewal to the front of the time it extended: never more than all.
  const renouveles = Math.min(within.renewed, within.ended);
  return {
    mrr: figureOf(running.monthly, before.monthly),
    abonnes: running.began - running.ended,
    echeances: within.ended,
    renouveles,
    taux_renouvellement: percent(renouveles, within.ended),
    perdus,
    servis,
    taux_attrition: percent(perdus, servis),
    cohortes: await readCohorts(db, sellerId, today),
  };
}

/** Whole percent; null if the whole is zero. */
function percent(part: number, whole: number): number | null {
  return whole > 0 ? Math.round((part / whole) * 100) : null;
}

type Runs = {
  readonly began: number;
  readonly renewed: number;
  readonly ended: number;
  /** Begun less ended, as prices for 30 days. */
  readonly monthly: Fcfa;
};

/** Paid periods that began and ended in a span of days: whole months from monthly rows. `from` null: ever. */
export function viewRuns(
  db: Db,
  sellerId: bigint,
  { from, to }: { readonly from: Day | null; readonly to: Day },
): Promise<Runs> {
  const wholeFrom = from === null ? sql`'-infinity'::date` : sql`${from}::date`;
  // Monthly rows are read where the span begins with a month; daily rows from the first of the last month, or all.
  const byMonth = from === null || from.endsWith("-01");
  const monthOf = sql`date_trunc('month', ${to}::date)::date`;
  const daysFrom = byMonth ? sql`greatest(${wholeFrom}, ${monthOf})` : wholeFrom;
  return one<Runs>(db)`
    SELECT coalesce(sum(began), 0)::int AS began, coalesce(sum(renewed), 0)::int AS renewed,
      coalesce(sum(ended), 0)::int AS ended,
      coalesce(sum(monthly_began - monthly_ended), 0)::bigint AS monthly
    FROM (
      SELECT * FROM sale_runs WHERE ${byMonth} AND seller_id = ${sellerId} AND grain = 'month'
        AND starts_on >= ${wholeFrom} AND starts_on < ${monthOf}
      UNION ALL
      SELECT * FROM sale_runs WHERE seller_id = ${sellerId} AND grain = 'day'
        AND starts_on BETWEEN ${daysFrom} AND ${to}::date
    ) AS r
  `;
}

type CohortRow = { readonly cohort: Day; readonly month: Day; readonly buyers: number };

/** For each month, how many of its new members were there at the end of later months, up to `to`; oldest first. */
export function viewCohorts(db: Db, sellerId: bigint, { from, to }: Span): Promise<CohortRow[]> {
  return many<CohortRow>(db)`
    SELECT cohort::text, month::text, buyers FROM sale_cohorts
    WHERE seller_id = ${sellerId} AND cohort >= ${from}::date AND buyers > 0
      AND (month <= ${to}::date OR month = cohort)
    ORDER BY cohort, month
  `;
}

async function readCohorts(db: Db, sellerId: bigint, today: Day): Promise<contract.CohortOnWire[]> {
  const over = addMonths(today, -1);
  const rows = await viewCohorts(db, sellerId, { from: addMonths(today, -11), to: over });
  const own = rows.filter(({ cohort, month }) => cohort === month);
  return own.map(({ cohort, buyers }) => {
    const there = rows.filter((row) => row.cohort === cohort);
    const restes: contract.CohortOnWire["restes"] = [];
    // One for each past month since then, without gaps.
    for (let mois = addMonths(cohort, 1); mois <= over; mois = addMonths(mois, 1)) {
      const clients = there.find(({ month }) => month === mois)?.buyers ?? 0;
      restes.push({ mois, clients, part: percent(clients, buyers) ?? 0 });
    }
    return { mois: cohort, clients: buyers, restes };
  });
}

/** Days from one to another, both included. */
type Span = { readonly from: Day; readonly to: Day };

export type PeriodSpans = ReturnType<typeof spansOf>;

const SPANS = {
  week: ["day", 7, addDays],
  month: ["day", 30, addDays],
  year: ["month", 12, addMonths],
} as const;

/** A period, and the period it is compared with: the contract documents both. */
export function spansOf(period: contract.StatisticsPeriod, today: Day) {
  const [grain, count, add] = SPANS[period];
  const from = add(today, 1 - count);
  return {
    grain,
    now: { from, to: today },
    before: { from: add(from, -count), to: addDays(from, -1) },
    /** The first day of each bar, oldest first. */
    bars: Array.from({ length: count }, (_, index) => add(from, index)),
  };
}

export type Asked = {
  readonly sellerId: bigint;
  /** The instance's time zone, which defines a day. */
  readonly zone: string;
  readonly now: Date;
};

export function askedBy({ config, clock }: App, sellerId: bigint): Asked {
  return { sellerId, zone: config.timeZone, now: clock.now() };
}

/** Updates a seller's totals to what is committed now (decision 0020); one query when nothing changed. */
export async function foldSales(db: Db, { sellerId, zone, now }: Asked): Promise<void> {
  await sql`SELECT sales_fold(${sellerId}, ${zone}, ${now}::timestamptz)`.execute(db);
}

const AT_ONCE = 200;

/** Keeps every seller's totals up to date, so that a reader does not wait. */
export function reportsLoops({ config, db, clock, log }: App): Loop[] {
  const zone = config.timeZone;
  const run = async () => {
    const now = clock.now();
    // Sellers whose totals are incomplete: a change, a new month, or no totals.
    const sellers = await many<{ id: bigint }>(db)`${PREPARED}
      SELECT DISTINCT d.seller_id AS id FROM sale_deltas d
      UNION
      SELECT s.id FROM sellers s LEFT JOIN sale_rollups r ON r.seller_id = s.id
      WHERE (r.zone, r.year_from)
        IS DISTINCT FROM (${zone}::text,
          (date_trunc('month', ${now}::timestamptz AT TIME ZONE ${zone}) - interval '11 months')::date)
      LIMIT ${AT_ONCE}
    `;
    for (const { id: sellerId } of sellers) await foldSales(db, { sellerId, zone, now });
    return sellers.length === AT_ONCE;
  };
  return [createLoop({ name: "reports fold", clock, log, everyMs: MINUTE_MS, run })];
}
