import type { Fcfa } from "@sesame/kernel";
import { sql } from "kysely";
import { type Db, many } from "../../postgres/database.ts";
import type { Day, PeriodSpans, Span } from "./periods.ts";

// Everything here reads totals that `foldSales` brought up to date: no reading grows with the sales
// of a seller, but for the best customers of a month, which grows with the sales of that month.

export type BarRow = {
  readonly starts_on: Day;
  readonly sales: number;
  readonly renewals: number;
  readonly gross: Fcfa;
  readonly fees: Fcfa;
  readonly direct: Fcfa;
};

/** What was sold by day, or by month, from the period before to now; days of nothing are absent. */
export async function viewBars(db: Db, sellerId: bigint, spans: PeriodSpans): Promise<BarRow[]> {
  return many<BarRow>(db)`
    SELECT starts_on::text, sum(sales)::int AS sales, sum(renewals)::int AS renewals,
      sum(gross)::bigint AS gross, sum(fees)::bigint AS fees, sum(direct)::bigint AS direct
    FROM sale_totals
    WHERE seller_id = ${sellerId} AND grain = ${spans.grain}
      AND starts_on BETWEEN ${spans.before.from}::date AND ${spans.now.to}::date
    GROUP BY starts_on HAVING sum(sales) <> 0 ORDER BY starts_on
  `;
}

export type ProductRow = {
  readonly id: bigint;
  readonly title: string;
  readonly sales: number;
  readonly net: Fcfa;
};

/** The products that brought most in the period, best first. */
export async function viewBestProducts(
  db: Db,
  sellerId: bigint,
  { spans, limit }: { readonly spans: PeriodSpans; readonly limit: number },
): Promise<ProductRow[]> {
  return many<ProductRow>(db)`
    SELECT t.product_id AS id, p.title, t.sales, t.net FROM (
      SELECT product_id, sum(sales)::int AS sales, sum(gross - fees)::bigint AS net
      FROM sale_totals
      WHERE seller_id = ${sellerId} AND grain = ${spans.grain}
        AND starts_on BETWEEN ${spans.now.from}::date AND ${spans.now.to}::date
      GROUP BY product_id HAVING sum(sales) > 0
      ORDER BY net DESC, product_id LIMIT ${limit}
    ) AS t JOIN products p ON p.id = t.product_id
    ORDER BY t.net DESC, t.product_id
  `;
}

export type CustomerRow = {
  readonly id: bigint;
  readonly name: string;
  readonly sales: number;
  readonly gross: Fcfa;
};

/** Who paid most in the period, best first. */
export async function viewBestCustomers(
  db: Db,
  sellerId: bigint,
  { spans, limit }: { readonly spans: PeriodSpans; readonly limit: number },
): Promise<CustomerRow[]> {
  // A year's are kept, in the order of what they paid; those of some days are added up.
  const best =
    spans.grain === "month"
      ? sql`SELECT buyer_id, sales, gross FROM sale_buyer_years
          WHERE seller_id = ${sellerId} AND gross > 0`
      : sql`SELECT buyer_id, count(*)::int AS sales, sum(gross)::bigint AS gross FROM sale_days
          WHERE seller_id = ${sellerId}
            AND day BETWEEN ${spans.now.from}::date AND ${spans.now.to}::date GROUP BY buyer_id`;
  return many<CustomerRow>(db)`
    SELECT b.buyer_id AS id, b.sales, b.gross,
      concat_ws(' ', p.first_name, p.last_name) AS name
    FROM (${best} ORDER BY gross DESC, buyer_id LIMIT ${limit}) AS b
    JOIN people p ON p.id = b.buyer_id
    ORDER BY b.gross DESC, b.buyer_id
  `;
}

export type RunsRow = {
  readonly began: number;
  readonly renewed: number;
  readonly ended: number;
  /** Of those begun less those ended, prices for 30 days. */
  readonly monthly: Fcfa;
};

/** Time sold that began and ended on some days: whole months by the month. `from` null: ever. */
export async function viewRuns(
  db: Db,
  sellerId: bigint,
  { from, to }: { readonly from: Day | null; readonly to: Day },
): Promise<RunsRow> {
  const wholeFrom = from === null ? sql`'-infinity'::date` : sql`${from}::date`;
  // Months are read where the span begins with one; days from the first of the last month, or all.
  const byMonth = from === null || from.endsWith("-01");
  const monthOf = sql`date_trunc('month', ${to}::date)::date`;
  const daysFrom = byMonth ? sql`greatest(${wholeFrom}, ${monthOf})` : wholeFrom;
  const { rows } = await sql<RunsRow>`
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
  `.execute(db);
  return rows[0] ?? { began: 0, renewed: 0, ended: 0, monthly: 0n as Fcfa };
}

export type CohortRow = { readonly cohort: Day; readonly month: Day; readonly buyers: number };

/** Who came in each month and was there at the end of later ones, up to `to`; oldest first. */
export async function viewCohorts(db: Db, sellerId: bigint, span: Span): Promise<CohortRow[]> {
  return many<CohortRow>(db)`
    SELECT cohort::text, month::text, buyers FROM sale_cohorts
    WHERE seller_id = ${sellerId} AND cohort >= ${span.from}::date AND buyers > 0
      AND (month <= ${span.to}::date OR month = cohort)
    ORDER BY cohort, month
  `;
}

/** People inside the seller's groups by an access. */
export async function countMembers(db: Db, sellerId: bigint): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM groups g JOIN accesses a ON a.group_id = g.id
    WHERE g.seller_id = ${sellerId} AND a.status = 'inside'
  `.execute(db);
  return rows[0]?.count ?? 0;
}

export type ExportRow = BarRow & { readonly product: string };

/** What was sold by day, or by month, and by product: oldest first. */
export async function viewForExport(
  db: Db,
  sellerId: bigint,
  { grain, now }: PeriodSpans,
): Promise<ExportRow[]> {
  return many<ExportRow>(db)`
    SELECT t.starts_on::text, p.title AS product, t.sales, t.renewals, t.gross, t.fees, t.direct
    FROM sale_totals t JOIN products p ON p.id = t.product_id
    WHERE t.seller_id = ${sellerId} AND t.grain = ${grain} AND t.sales > 0
      AND t.starts_on BETWEEN ${now.from}::date AND ${now.to}::date
    ORDER BY t.starts_on, p.title, p.id
  `;
}
