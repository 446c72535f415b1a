-- Products of type don (decision 45), and the line of those who wait for a place (decision 82).
--
-- Locks: ALTER TABLE without a rewrite on products and orders, for a moment. The new checks of
-- orders are not asked of its old rows, which met stricter ones: nothing of it is read.
SET LOCAL lock_timeout = '2s';

-- A donation opens no group and gives no time: its price is the least that is taken.
ALTER TABLE products
  ADD COLUMN kind text NOT NULL DEFAULT 'access' CHECK (kind IN ('access', 'donation')),
  ADD COLUMN suggestions bigint[] NOT NULL DEFAULT '{}'
    CHECK (cardinality(suggestions) <= 4 AND (kind = 'donation' OR suggestions = '{}')),
  ALTER COLUMN group_id DROP NOT NULL,
  DROP CONSTRAINT products_duration_minutes_check,
  ADD CONSTRAINT products_duration_minutes_check
    CHECK (duration_minutes >= 0 AND (kind = 'donation') = (duration_minutes = 0)),
  ADD CONSTRAINT products_group_check CHECK ((kind = 'donation') = (group_id IS NULL)),
  ADD CONSTRAINT products_donation_check CHECK (kind = 'access' OR stock IS NULL);

ALTER TABLE orders
  DROP CONSTRAINT orders_kind_check,
  ADD CONSTRAINT orders_kind_check
    CHECK (kind IN ('product', 'plan', 'trial', 'donation')) NOT VALID,
  DROP CONSTRAINT orders_duration_minutes_check,
  ADD CONSTRAINT orders_duration_minutes_check
    CHECK (duration_minutes >= 0 AND (kind = 'donation') = (duration_minutes = 0)) NOT VALID,
  ADD CONSTRAINT orders_donation_check CHECK (kind <> 'donation'
    OR (seller_id IS NOT NULL AND product_id IS NOT NULL AND group_id IS NULL)) NOT VALID;

-- As settle_payments (0019), for donations: the seller is credited, no door opens and no time runs.
-- → as there.
--
-- Lock order: orders by id, payments, then the ledger's own.
CREATE FUNCTION settle_donations(
  p_payment_ids bigint[], p_occurred_at timestamptz[], p_now timestamptz
) RETURNS TABLE (
  payment_id bigint, order_id bigint, outcome text, buyer_id bigint, seller_id bigint,
  title text, price bigint, net bigint
) LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  v_payments bigint[];
  v_occurred timestamptz[];
  v_sold bigint[];
  v_paying bigint[];
  v_surplus bigint[];
  v_restored boolean;
BEGIN
  PERFORM FROM orders o
  WHERE o.id IN (SELECT p.order_id FROM payments p WHERE p.id = ANY (p_payment_ids))
  ORDER BY o.id FOR NO KEY UPDATE;

  -- Read after the locks: what another settlement has paid meanwhile is seen here.
  WITH asked AS MATERIALIZED (
    SELECT p.id, p.order_id, i.occurred_at, p.suspended_amount IS NOT NULL AS suspended,
      p.provider, p.key_id IS NOT NULL AS direct,
      row_number() OVER (PARTITION BY p.order_id ORDER BY p.id) AS nth
    FROM (
      SELECT u.id, min(u.occurred_at) AS occurred_at
      FROM unnest(p_payment_ids, p_occurred_at) AS u(id, occurred_at) GROUP BY u.id
    ) AS i
    JOIN payments p ON p.id = i.id
    JOIN orders o ON o.id = p.order_id
    WHERE p.status <> 'paid' AND o.kind = 'donation'
  ), gift AS MATERIALIZED (
    SELECT a.id AS payment_id, a.occurred_at, a.provider, a.direct, o.id AS order_id
    FROM asked a JOIN orders o ON o.id = a.order_id
    WHERE a.nth = 1 AND o.status IN ('pending', 'failed')
  ), paid AS (
    UPDATE orders o SET status = 'paid', paid_at = g.occurred_at, settled_at = p_now,
      provider = g.provider, direct = g.direct, fee = CASE WHEN g.direct THEN 0 ELSE o.fee END
    FROM gift g WHERE o.id = g.order_id
  ), decided AS (
    UPDATE payments p SET status = 'paid', decided_at = p_now
    FROM asked a WHERE p.id = a.id
  ), answered AS (
    DELETE FROM payment_checks c USING asked a WHERE c.payment_id = a.id
  ), told AS (
    INSERT INTO outbox (topic, ref, priority, due_at)
    SELECT job.topic, g.order_id, 1, p_now
    FROM gift g CROSS JOIN (VALUES ('donations.thank', 1), ('sales.tell-seller', 2)) AS job(topic, nth)
    ORDER BY g.order_id, job.nth
  )
  SELECT array_agg(a.id ORDER BY a.id), array_agg(a.occurred_at ORDER BY a.id),
    array_agg(g.order_id ORDER BY a.id) FILTER (WHERE g.order_id IS NOT NULL AND NOT a.direct),
    array_agg(a.id ORDER BY a.id) FILTER (WHERE g.order_id IS NOT NULL),
    array_agg(a.id ORDER BY a.id) FILTER (WHERE g.order_id IS NULL),
    bool_or(a.suspended)
  INTO v_payments, v_occurred, v_sold, v_paying, v_surplus, v_restored
  FROM asked a LEFT JOIN gift g ON g.payment_id = a.id;

  IF v_surplus IS NOT NULL OR v_restored THEN
    PERFORM settle_suspense(v_paying, v_surplus, v_payments, v_occurred, p_now);
  END IF;
  IF v_sold IS NOT NULL THEN
    PERFORM settle_sales(v_sold, p_now);
  END IF;
  IF v_payments IS NOT NULL THEN
    PERFORM pg_notify('sesame_outbox', '');
  END IF;

  RETURN QUERY
  SELECT p.id, o.id, CASE WHEN p.id = ANY (v_surplus) THEN 'surplus' ELSE 'settled' END,
    o.buyer_id, o.seller_id, o.title, o.price, o.price - o.fee
  FROM payments p JOIN orders o ON o.id = p.order_id
  WHERE p.id = ANY (v_payments);
END $$;

-- Who waits for a place of a product with limited places, in the order of the rows' ids.
--   waiting   held_until IS NULL
--   held      told that a place is his until held_until
--   over      ended_at: he bought, withdrew, let his time pass, or the product sells no more
CREATE TABLE place_waits (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  product_id bigint NOT NULL REFERENCES products,
  person_id bigint NOT NULL REFERENCES people,
  asked_at timestamptz NOT NULL,
  held_until timestamptz,
  ended_at timestamptz,
  outcome text CHECK (outcome IN ('bought', 'withdrawn', 'lapsed', 'closed')),
  CHECK ((ended_at IS NULL) = (outcome IS NULL))
);
-- One row alive for a person and a product: asking again changes nothing.
CREATE UNIQUE INDEX place_waits_one ON place_waits (product_id, person_id) WHERE ended_at IS NULL;
CREATE INDEX place_waits_line ON place_waits (product_id, id) WHERE ended_at IS NULL;

-- When the line of a product is looked at next; a row while somebody waits.
CREATE TABLE place_lines (
  product_id bigint PRIMARY KEY REFERENCES products,
  due_at timestamptz NOT NULL
) WITH (fillfactor = 70);
CREATE INDEX place_lines_due ON place_lines (due_at);

-- As before (0011), and: a place that is kept for one of the line is taken. Once for a person,
-- whatever holds his place.
CREATE OR REPLACE FUNCTION product_places_taken(p_product_id bigint, p_now timestamptz)
RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT count(*) FROM (
    SELECT o.buyer_id FROM orders o
    WHERE o.product_id = p_product_id
      AND ((o.status = 'paid' AND o.access_until > p_now)
        OR (o.status = 'pending' AND o.stock_reserved_until > p_now))
    UNION
    SELECT w.person_id FROM place_waits w
    WHERE w.product_id = p_product_id AND w.ended_at IS NULL AND w.held_until > p_now
  ) AS holder
$$;

-- Who waits and has not been told: a place that frees is theirs first.
CREATE FUNCTION product_places_waited(p_product_id bigint) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT count(*) FROM place_waits w
  WHERE w.product_id = p_product_id AND w.ended_at IS NULL AND w.held_until IS NULL
$$;
