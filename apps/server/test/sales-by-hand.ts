import { sql } from "kysely";
import type { Asked } from "../src/features/reports/statistics.ts";
import type { Db } from "../src/postgres/database.ts";

type Counted = Readonly<Record<"totals" | "runs" | "days" | "years" | "cohorts", unknown>> & {
  /** Exact also before a fold. */
  readonly sparkline: unknown;
  readonly sums: unknown;
};

/** The totals of a seller, without rows of zeros. */
export async function countedInTotals(db: Db, { sellerId, zone, now }: Asked): Promise<Counted> {
  const { rows } = await sql<Counted>`SELECT
    (SELECT coalesce(json_agg(t ORDER BY t.grain, t.starts_on, t.product_id), '[]') FROM (
      SELECT grain, starts_on, product_id, sales, renewals, gross, fees, direct FROM sale_totals
      WHERE seller_id = ${sellerId} AND sales <> 0) AS t) AS totals,
    (SELECT coalesce(json_agg(t ORDER BY t.grain, t.starts_on), '[]') FROM (
      SELECT grain, starts_on, began, renewed, ended, monthly_began, monthly_ended FROM sale_runs
      WHERE seller_id = ${sellerId} AND (began <> 0 OR ended <> 0)) AS t) AS runs,
    (SELECT coalesce(json_agg(t ORDER BY t.order_id), '[]') FROM (
      SELECT day, order_id, buyer_id, gross, renewal FROM sale_days
      WHERE seller_id = ${sellerId}) AS t) AS days,
    (SELECT coalesce(json_agg(t ORDER BY t.buyer_id), '[]') FROM (
      SELECT buyer_id, sales, gross FROM sale_buyer_years
      WHERE seller_id = ${sellerId} AND sales <> 0) AS t) AS years,
    (SELECT coalesce(json_agg(t ORDER BY t.cohort, t.month), '[]') FROM (
      SELECT cohort, month, buyers FROM sale_cohorts
      WHERE seller_id = ${sellerId} AND buyers <> 0) AS t) AS cohorts,
    (SELECT coalesce(json_agg(t ORDER BY t.product_id, t.group_id), '[]') FROM (
      SELECT product_id, group_id, sales, renewals, gross, fees FROM seller_sums(${sellerId})
      WHERE sales <> 0) AS t) AS sums,
    to_json(seller_sparkline(${sellerId}, ${zone}, ${now}::timestamptz, 7)) AS sparkline
  `.execute(db);
  return rows[0] as Counted;
}

/** The same, counted over the orders themselves with other SQL. */
export async function countedByHand(db: Db, { sellerId, zone, now }: Asked): Promise<Counted> {
  const { rows } = await sql<Counted>`
    WITH sold AS MATERIALIZED (
      SELECT o.*, (o.paid_at AT TIME ZONE ${zone}::text)::date AS day,
        (o.access_until AT TIME ZONE ${zone}::text)::date AS over_on,
        ((o.access_until - o.duration_minutes * interval '1 minute') AT TIME ZONE ${zone}::text)::date
          AS begins_on, o.price * 43200 / nullif(o.duration_minutes, 0) AS monthly
      FROM orders o WHERE o.seller_id = ${sellerId} AND o.status = 'paid'
    ), grains AS (SELECT unnest(ARRAY['day', 'month']) AS grain),
    months AS (
      SELECT m::date AS month FROM generate_series('2025-01-01'::timestamp, '2035-01-01'::timestamp,
        interval '1 month') AS m
    ), arrived AS (
      SELECT buyer_id, date_trunc('month', min(day))::date AS cohort FROM sold
      WHERE kind = 'product' GROUP BY buyer_id
    )
    SELECT
      (SELECT coalesce(json_agg(t ORDER BY t.grain, t.starts_on, t.product_id), '[]') FROM (
        SELECT grain, date_trunc(grain, day)::date AS starts_on, product_id, count(*) AS sales,
          count(*) FILTER (WHERE is_renewal) AS renewals, sum(price) AS gross, sum(fee) AS fees,
          coalesce(sum(price) FILTER (WHERE direct), 0) AS direct
        FROM sold, grains GROUP BY 1, 2, 3) AS t) AS totals,
      (SELECT coalesce(json_agg(t ORDER BY t.grain, t.starts_on), '[]') FROM (
        SELECT grain, starts_on, sum(began) AS began, sum(renewed) AS renewed, sum(ended) AS ended,
          sum(monthly_began) AS monthly_began, sum(monthly_ended) AS monthly_ended
        FROM (
          SELECT grain, date_trunc(grain, begins_on)::date AS starts_on, 1 AS began,
            is_renewal::int AS renewed, 0 AS ended, monthly AS monthly_began, 0 AS monthly_ended
          FROM sold, grains WHERE kind = 'product'
          UNION ALL
          SELECT grain, date_trunc(grain, over_on)::date, 0, 0, 1, 0, monthly FROM sold, grains
          WHERE kind = 'product'
        ) AS e GROUP BY 1, 2) AS t) AS runs,
      (SELECT coalesce(json_agg(t ORDER BY t.order_id), '[]') FROM (
        SELECT day, id AS order_id, buyer_id, price AS gross, is_renewal AS renewal FROM sold
      ) AS t) AS days,
      (SELECT coalesce(json_agg(t ORDER BY t.buyer_id), '[]') FROM (
        SELECT buyer_id, count(*) AS sales, sum(price) AS gross FROM sold
        WHERE day >= date_trunc('month', ${now}::timestamptz AT TIME ZONE ${zone}::text)
          - interval '11 months' GROUP BY buyer_id) AS t) AS years,
      (SELECT coalesce(json_agg(t ORDER BY t.cohort, t.month), '[]') FROM (
        SELECT a.cohort, m.month, count(*) AS buyers
        FROM arrived a JOIN months m ON m.month >= a.cohort
        WHERE m.month = a.cohort OR EXISTS (
          SELECT FROM sold s WHERE s.buyer_id = a.buyer_id
            AND s.begins_on < m.month + interval '1 month'
            AND s.over_on >= m.month + interval '1 month')
        GROUP BY 1, 2) AS t) AS cohorts,
      (SELECT coalesce(json_agg(t ORDER BY t.product_id, t.group_id), '[]') FROM (
        SELECT product_id, group_id, count(*) AS sales, count(*) FILTER (WHERE is_renewal) AS renewals,
          sum(price) AS gross, sum(fee) AS fees FROM sold GROUP BY 1, 2) AS t) AS sums,
      (SELECT json_agg(coalesce((SELECT sum(s.price - s.fee) FROM sold s WHERE s.day = d::date), 0)
        ORDER BY d) FROM generate_series(
          (${now}::timestamptz AT TIME ZONE ${zone}::text)::date - 6,
          (${now}::timestamptz AT TIME ZONE ${zone}::text)::date, interval '1 day') AS d) AS sparkline
  `.execute(db);
  return rows[0] as Counted;
}
