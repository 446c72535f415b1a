-- Records orders that became paid, or whose sale changed: by an UPDATE, or row by row by the INSERT of a
-- seed. An order not paid before is new, and needs no comparison: a batch of sales is one INSERT.
CREATE OR REPLACE FUNCTION sales_note_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF tg_op = 'INSERT' THEN
    INSERT INTO sale_deltas
    VALUES (1, NEW.duration_minutes, NEW.id, NEW.seller_id, NEW.product_id, NEW.buyer_id, NEW.price,
      NEW.fee, NEW.paid_at, CASE WHEN NEW.kind = 'product' THEN NEW.access_until END, NEW.is_renewal,
      NEW.direct);
    RETURN NULL;
  ELSIF NOT EXISTS (SELECT FROM old_rows o WHERE o.status = 'paid') THEN
    INSERT INTO sale_deltas
    SELECT 1, n.duration_minutes, n.id, n.seller_id, n.product_id, n.buyer_id, n.price, n.fee,
      n.paid_at, CASE WHEN n.kind = 'product' THEN n.access_until END, n.is_renewal, n.direct
    FROM new_rows n WHERE n.status = 'paid' AND n.seller_id IS NOT NULL;
    RETURN NULL;
  END IF;
  INSERT INTO sale_deltas
  SELECT e.sign, e.duration_minutes, e.id, e.seller_id, e.product_id, e.buyer_id, e.price, e.fee,
    e.paid_at, CASE WHEN e.kind = 'product' THEN e.access_until END, e.is_renewal, e.direct
  FROM (
    SELECT -1 AS sign, o.*, n.status AS other, n.price - n.fee AS other_net,
      n.access_until AS other_until FROM old_rows o JOIN new_rows n ON n.id = o.id
    UNION ALL
    SELECT 1, n.*, o.status, o.price - o.fee, o.access_until
    FROM old_rows o JOIN new_rows n ON n.id = o.id
  ) AS e
  WHERE e.status = 'paid' AND e.seller_id IS NOT NULL
    AND (e.status, e.price - e.fee, e.access_until)
      IS DISTINCT FROM (e.other, e.other_net, e.other_until);
  RETURN NULL;
END $$;

-- Updates a seller's totals to what is committed now.
CREATE OR REPLACE FUNCTION sales_fold(p_seller bigint, p_zone text, p_now timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  v_year date := (date_trunc('month', p_now AT TIME ZONE p_zone) - interval '11 months')::date;
  v_made sale_rollups;
BEGIN
  IF EXISTS (SELECT FROM sale_rollups r
    WHERE r.seller_id = p_seller AND r.zone = p_zone AND r.year_from = v_year)
    AND NOT EXISTS (SELECT FROM sale_deltas d WHERE d.seller_id = p_seller) THEN
    RETURN;
  END IF;
  INSERT INTO sale_rollups (seller_id, zone, year_from) VALUES (p_seller, '', v_year)
  ON CONFLICT DO NOTHING;
  -- One fold of a seller at a time; sales continue.
  SELECT * INTO STRICT v_made FROM sale_rollups r WHERE r.seller_id = p_seller FOR NO KEY UPDATE;
  IF v_made.zone <> p_zone THEN
    -- Deletes totals and sums, and records all sales as changes. One statement, one snapshot: a change
    -- that it does not see stays recorded, and its order is read as it was before.
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
  ELSIF v_made.year_from <> v_year THEN
    DELETE FROM sale_buyer_years y WHERE y.seller_id = p_seller;
    INSERT INTO sale_buyer_years (seller_id, buyer_id, sales, gross)
    SELECT p_seller, m.buyer_id, sum(m.sales), sum(m.gross) FROM sale_buyer_months m
    WHERE m.seller_id = p_seller AND m.month >= v_year GROUP BY m.buyer_id;
  END IF;
  IF (v_made.zone, v_made.year_from) <> (p_zone, v_year) THEN
    UPDATE sale_rollups r SET zone = p_zone, year_from = v_year WHERE r.seller_id = p_seller;
  END IF;
  -- Applies the changes to totals and sums.
  WITH taken AS MATERIALIZED (
    DELETE FROM sale_deltas d WHERE d.seller_id = p_seller RETURNING d.*
  ), sale AS MATERIALIZED (
    SELECT t.sign, t.order_id, t.product_id, t.buyer_id, t.price, t.fee, t.renewal, t.direct,
      (t.sold_at AT TIME ZONE p_zone)::date AS day,
      date_trunc('month', t.sold_at AT TIME ZONE p_zone)::date AS month,
      -- In seconds: an interval in days would follow the zone's summer time.
      ((t.until - make_interval(secs => t.minutes * 60.0)) AT TIME ZONE p_zone)::date AS begins_on,
      (t.until AT TIME ZONE p_zone)::date AS ends_on,
      -- Without time there is no price for 30 days.
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
    WHERE m.month >= v_year GROUP BY m.buyer_id
    ON CONFLICT (seller_id, buyer_id) DO UPDATE SET
      sales = x.sales + excluded.sales, gross = x.gross + excluded.gross
  ), there AS (
    -- For each buyer concerned, the months before (-1) and after (+1).
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
  ON CONFLICT (seller_id, cohort, month) DO UPDATE SET buyers = x.buyers + excluded.buyers;
END $$;

-- Net francs of a seller's last days, oldest first, today included: for the card at home. Writes
-- nothing, so any query may call it: totals, plus changes not folded yet.
CREATE OR REPLACE FUNCTION seller_sparkline(p_seller bigint, p_zone text, p_now timestamptz, p_days int)
RETURNS bigint[] LANGUAGE sql STABLE AS $$
  WITH made AS (
    SELECT EXISTS (SELECT FROM sale_rollups r WHERE r.seller_id = p_seller AND r.zone = p_zone) AS it
  ), today AS (SELECT (p_now AT TIME ZONE p_zone)::date AS day), sold AS (
    SELECT t.starts_on AS day, t.gross - t.fees AS net FROM sale_totals t, made, today
    WHERE made.it AND t.seller_id = p_seller AND t.grain = 'day' AND t.starts_on > today.day - p_days
    UNION ALL
    SELECT (d.sold_at AT TIME ZONE p_zone)::date, d.sign * (d.price - d.fee)
    FROM sale_deltas d, made WHERE made.it AND d.seller_id = p_seller
    UNION ALL
    SELECT (o.paid_at AT TIME ZONE p_zone)::date, o.price - o.fee
    FROM orders o, made WHERE NOT made.it AND o.seller_id = p_seller AND o.status = 'paid'
  )
  SELECT array_agg(coalesce(s.net, 0) ORDER BY n.back DESC)
  FROM today CROSS JOIN generate_series(0, p_days - 1) AS n(back)
  LEFT JOIN (SELECT sold.day, sum(sold.net)::bigint AS net FROM sold GROUP BY sold.day) AS s
    ON s.day = today.day - n.back
$$;

-- All sales of a seller, by product and group. Writes nothing, so any query may call it: sums, plus
-- changes not folded yet; the orders themselves as long as there are no sums.
CREATE OR REPLACE FUNCTION seller_sums(p_seller bigint)
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
