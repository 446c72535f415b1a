-- What each product and each group ever sold, kept beside the other totals (decision 0020): the
-- seller's start counted his orders one by one. And the checks of orders that 0025 left unasked of
-- the rows that were there.
--
-- Every seller's totals are made anew, by the loop or by his next look; until then his start counts
-- his orders as before.
--
-- Locks: SHARE UPDATE EXCLUSIVE on orders while its rows are read, which stops neither reading nor
-- writing; then, for a moment, the rows of sale_rollups, and accesses, to drop an index that 0027's
-- replaces. The reading comes first, so that it holds nothing that somebody waits for.
SET LOCAL lock_timeout = '2s';

ALTER TABLE orders
  VALIDATE CONSTRAINT orders_kind_check,
  VALIDATE CONSTRAINT orders_duration_minutes_check,
  VALIDATE CONSTRAINT orders_donation_check;

-- Sold ever, by product and by the group it opened then: a product may move to another one.
CREATE TABLE sale_sums (
  seller_id bigint NOT NULL,
  product_id bigint NOT NULL,
  -- NULL for donations.
  group_id bigint,
  sales integer NOT NULL,
  renewals integer NOT NULL,
  gross bigint NOT NULL,
  fees bigint NOT NULL,
  UNIQUE NULLS NOT DISTINCT (seller_id, product_id, group_id)
) WITH (fillfactor = 80);

-- As before (0022), and the sums.
CREATE OR REPLACE FUNCTION sales_begin_again(p_seller bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM sale_totals x WHERE x.seller_id = p_seller;
  DELETE FROM sale_sums x WHERE x.seller_id = p_seller;
  DELETE FROM sale_runs x WHERE x.seller_id = p_seller;
  DELETE FROM sale_days x WHERE x.seller_id = p_seller;
  DELETE FROM sale_buyer_months x WHERE x.seller_id = p_seller;
  DELETE FROM sale_buyer_years x WHERE x.seller_id = p_seller;
  DELETE FROM sale_cohorts x WHERE x.seller_id = p_seller;
  WITH known AS (DELETE FROM sale_deltas d WHERE d.seller_id = p_seller)
  INSERT INTO sale_deltas
  SELECT 1, o.duration_minutes, o.id, o.seller_id, o.product_id, o.buyer_id, o.price, o.fee,
    o.paid_at, CASE WHEN o.kind = 'product' THEN o.access_until END, o.is_renewal, o.direct
  FROM orders o WHERE o.seller_id = p_seller AND o.status = 'paid';
END $$;

-- As before (0022), and the sums.
CREATE OR REPLACE FUNCTION sales_move(p_seller bigint, p_zone text, p_year date) RETURNS void
LANGUAGE sql AS $$
  WITH taken AS MATERIALIZED (
    DELETE FROM sale_deltas d WHERE d.seller_id = p_seller RETURNING d.*
  ), sale AS MATERIALIZED (
    SELECT t.sign, t.order_id, t.product_id, t.buyer_id, t.price, t.fee, t.renewal, t.direct,
      (t.sold_at AT TIME ZONE p_zone)::date AS day,
      date_trunc('month', t.sold_at AT TIME ZONE p_zone)::date AS month,
      -- In seconds: an interval in days would follow the zone's summer time.
      ((t.until - make_interval(secs => t.minutes * 60.0)) AT TIME ZONE p_zone)::date AS begins_on,
      (t.until AT TIME ZONE p_zone)::date AS ends_on,
      -- What gives no time has no price for 30 days.
      t.price * 43200 / nullif(t.minutes, 0) AS monthly
    FROM taken t
  ), totals AS (
    INSERT INTO sale_totals AS x
    SELECT p_seller, g.grain, g.starts_on, s.product_id, sum(s.sign),
      sum(s.sign * s.renewal::int), sum(s.sign * s.price), sum(s.sign * s.fee),
      sum(s.sign * s.price * s.direct::int)
    FROM sale s CROSS JOIN LATERAL (VALUES ('day', s.day), ('month', s.month)) AS g(grain, starts_on)
    GROUP BY g.grain, g.starts_on, s.product_id
    ON CONFLICT (seller_id, grain, starts_on, product_id) DO UPDATE SET
      sales = x.sales + excluded.sales, renewals = x.renewals + excluded.renewals,
      gross = x.gross + excluded.gross, fees = x.fees + excluded.fees,
      direct = x.direct + excluded.direct
  ), sums AS (
    INSERT INTO sale_sums AS x
    SELECT p_seller, s.product_id, o.group_id, sum(s.sign), sum(s.sign * s.renewal::int),
      sum(s.sign * s.price), sum(s.sign * s.fee)
    FROM sale s JOIN orders o ON o.id = s.order_id
    GROUP BY s.product_id, o.group_id
    ON CONFLICT (seller_id, product_id, group_id) DO UPDATE SET
      sales = x.sales + excluded.sales, renewals = x.renewals + excluded.renewals,
      gross = x.gross + excluded.gross, fees = x.fees + excluded.fees
  ), runs AS (
    INSERT INTO sale_runs AS x
    SELECT p_seller, g.grain, g.starts_on, sum(s.sign * g.begins),
      sum(s.sign * g.begins * s.renewal::int), sum(s.sign * (1 - g.begins)),
      sum(s.sign * g.begins * s.monthly), sum(s.sign * (1 - g.begins) * s.monthly)
    FROM sale s CROSS JOIN LATERAL (VALUES
      ('day', s.begins_on, 1), ('month', date_trunc('month', s.begins_on)::date, 1),
      ('day', s.ends_on, 0), ('month', date_trunc('month', s.ends_on)::date, 0)
    ) AS g(grain, starts_on, begins)
    WHERE s.ends_on IS NOT NULL
    GROUP BY g.grain, g.starts_on
    ON CONFLICT (seller_id, grain, starts_on) DO UPDATE SET
      began = x.began + excluded.began, renewed = x.renewed + excluded.renewed,
      ended = x.ended + excluded.ended, monthly_began = x.monthly_began + excluded.monthly_began,
      monthly_ended = x.monthly_ended + excluded.monthly_ended
  ), undone AS (
    DELETE FROM sale_days x USING (
      SELECT s.day, s.order_id FROM sale s GROUP BY s.day, s.order_id HAVING sum(s.sign) < 0
    ) AS s
    WHERE x.seller_id = p_seller AND x.day = s.day AND x.order_id = s.order_id
  ), done AS (
    INSERT INTO sale_days
    SELECT p_seller, s.day, s.order_id, min(s.buyer_id), min(s.price), bool_or(s.renewal)
    FROM sale s GROUP BY s.day, s.order_id HAVING sum(s.sign) > 0
  ), months AS MATERIALIZED (
    SELECT m.buyer_id, m.month, sum(m.sales)::int AS sales, sum(m.gross)::bigint AS gross,
      sum(m.subscriptions)::int AS subscriptions, sum(m.running)::int AS running
    FROM (
      SELECT s.buyer_id, s.month, s.sign AS sales, s.sign * s.price AS gross,
        CASE WHEN s.ends_on IS NULL THEN 0 ELSE s.sign END AS subscriptions, 0 AS running
      FROM sale s
      UNION ALL
      SELECT s.buyer_id, r.month::date, 0, 0, 0, s.sign
      FROM sale s CROSS JOIN LATERAL generate_series(date_trunc('month', s.begins_on::timestamp),
        date_trunc('month', s.ends_on::timestamp) - interval '1 month', interval '1 month')
        AS r(month)
      WHERE s.ends_on IS NOT NULL
    ) AS m GROUP BY m.buyer_id, m.month
  ), before AS MATERIALIZED (
    SELECT x.buyer_id, x.month, x.subscriptions, x.running FROM sale_buyer_months x
    WHERE x.seller_id = p_seller AND x.buyer_id IN (SELECT m.buyer_id FROM months m)
  ), buyer_months AS (
    INSERT INTO sale_buyer_months AS x
    SELECT p_seller, m.buyer_id, m.month, m.sales, m.gross, m.subscriptions, m.running FROM months m
    ON CONFLICT (seller_id, buyer_id, month) DO UPDATE SET
      sales = x.sales + excluded.sales, gross = x.gross + excluded.gross,
      subscriptions = x.subscriptions + excluded.subscriptions,
      running = x.running + excluded.running
  ), buyer_years AS (
    INSERT INTO sale_buyer_years AS x
    SELECT p_seller, m.buyer_id, sum(m.sales), sum(m.gross) FROM months m
    WHERE m.month >= p_year GROUP BY m.buyer_id
    ON CONFLICT (seller_id, buyer_id) DO UPDATE SET
      sales = x.sales + excluded.sales, gross = x.gross + excluded.gross
  ), there AS (
    -- Of each buyer touched, his months before (-1) and after (+1).
    SELECT -1 AS sign, b.buyer_id, b.month, b.subscriptions, b.running FROM before b
    UNION ALL
    SELECT 1, a.buyer_id, a.month, sum(a.subscriptions), sum(a.running)
    FROM (SELECT * FROM before UNION ALL
      SELECT m.buyer_id, m.month, m.subscriptions, m.running FROM months m) AS a
    GROUP BY a.buyer_id, a.month
  ), placed AS (
    SELECT t.sign, t.month, t.running,
      min(t.month) FILTER (WHERE t.subscriptions > 0) OVER (PARTITION BY t.sign, t.buyer_id)
        AS cohort
    FROM there t
  )
  INSERT INTO sale_cohorts AS x
  SELECT p_seller, p.cohort, p.month, sum(p.sign) FROM placed p
  WHERE p.month = p.cohort OR (p.month > p.cohort AND p.running > 0)
  GROUP BY p.cohort, p.month HAVING sum(p.sign) <> 0
  ON CONFLICT (seller_id, cohort, month) DO UPDATE SET buyers = x.buyers + excluded.buyers
$$;

-- What a seller ever sold, by product and group. Writes nothing, so it may stand in any reading:
-- sums, and what is not folded yet; his orders as long as the sums were never made.
CREATE FUNCTION seller_sums(p_seller bigint)
RETURNS TABLE (
  product_id bigint, group_id bigint, sales bigint, renewals bigint, gross bigint, fees bigint
) LANGUAGE sql STABLE AS $$
  WITH made AS MATERIALIZED (
    SELECT EXISTS (SELECT FROM sale_rollups r WHERE r.seller_id = p_seller AND r.zone <> '') AS it
  ), sold AS (
    SELECT s.product_id, s.group_id, s.sales, s.renewals, s.gross, s.fees
    FROM sale_sums s WHERE (SELECT made.it FROM made) AND s.seller_id = p_seller
    UNION ALL
    SELECT d.product_id, o.group_id, d.sign, d.sign * d.renewal::int, d.sign * d.price,
      d.sign * d.fee
    FROM sale_deltas d JOIN orders o ON o.id = d.order_id
    WHERE (SELECT made.it FROM made) AND d.seller_id = p_seller
    UNION ALL
    SELECT o.product_id, o.group_id, 1, o.is_renewal::int, o.price, o.fee
    FROM orders o
    WHERE NOT (SELECT made.it FROM made) AND o.seller_id = p_seller AND o.status = 'paid'
  )
  SELECT sold.product_id, sold.group_id, sum(sold.sales)::bigint, sum(sold.renewals)::bigint,
    sum(sold.gross)::bigint, sum(sold.fees)::bigint
  FROM sold GROUP BY sold.product_id, sold.group_id
$$;

-- A zone nobody has: the totals were never made.
UPDATE sale_rollups SET zone = '';

DROP INDEX accesses_by_group;
