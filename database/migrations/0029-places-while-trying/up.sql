-- A place is kept while another payment of its order is opened (decision 82): an order that had failed
-- held none from the look at the places until the provider's answer, and the place was sold twice.
-- And a late yes is flagged also where its order had failed before its reservation was over.
--
-- Locks: SHARE on place_waits while a small index is made.
SET LOCAL lock_timeout = '2s';

-- What a person waited for is given to him, and ends with his data (decision 101).
CREATE INDEX place_waits_by_person ON place_waits (person_id);

-- NULL where nothing says until when: no place.
CREATE FUNCTION order_holds_place(o orders, p_now timestamptz) RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT CASE o.status
    WHEN 'paid' THEN o.access_until > p_now
    WHEN 'pending' THEN o.stock_reserved_until > p_now
    -- Somebody is at a provider for it: it waits again, or he gives the place back.
    WHEN 'failed' THEN o.stock_reserved_until > p_now AND o.opening_until > p_now
  END
$$;

-- As before (0025), by order_holds_place.
CREATE OR REPLACE FUNCTION product_places_taken(p_product_id bigint, p_now timestamptz)
RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT count(*) FROM (
    SELECT o.buyer_id FROM orders o
    WHERE o.product_id = p_product_id AND order_holds_place(o, p_now)
    UNION
    SELECT w.person_id FROM place_waits w
    WHERE w.product_id = p_product_id AND w.ended_at IS NULL AND w.held_until > p_now
  ) AS holder
$$;

-- As before (0019), and: an order that had failed is late too, whatever its reservation says.
CREATE OR REPLACE FUNCTION settle_payments(
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
  v_banned bigint[];
  v_late bigint[];
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
    WHERE p.status <> 'paid'
  ), sale AS MATERIALIZED (
    SELECT a.id AS payment_id, a.occurred_at, a.provider, a.direct, o.id AS order_id, o.buyer_id,
      o.group_id, o.duration_minutes,
      o.stock_reserved_until <= p_now OR o.status = 'failed' AS late,
      row_number() OVER (same_access ORDER BY o.id) AS nth,
      (sum(o.duration_minutes) OVER (same_access ORDER BY o.id DESC))::int
        - o.duration_minutes AS minutes_after
    FROM asked a JOIN orders o ON o.id = a.order_id
    WHERE a.nth = 1 AND o.status IN ('pending', 'failed') AND o.kind = 'product'
    WINDOW same_access AS (PARTITION BY o.buyer_id, o.group_id)
  ), granted AS (
    -- An access its admins ended (banned) is theirs: time is added, the door stays shut.
    INSERT INTO accesses AS x
      (person_id, group_id, status, ends_at, started_at, order_id, updated_at)
    SELECT s.buyer_id, s.group_id, 'waiting',
      p_now + make_interval(mins => sum(s.duration_minutes)::int), p_now, max(s.order_id), p_now
    FROM sale s GROUP BY s.buyer_id, s.group_id ORDER BY s.buyer_id, s.group_id
    ON CONFLICT (person_id, group_id) DO UPDATE SET
      status = CASE WHEN x.status IN ('inside', 'banned') THEN x.status ELSE 'waiting' END,
      -- In seconds: an interval in days would follow the session's summer time.
      ends_at = greatest(x.ends_at, p_now)
        + make_interval(secs => extract(epoch FROM excluded.ends_at - p_now)::float8),
      started_at = CASE WHEN x.ends_at > p_now THEN x.started_at ELSE p_now END,
      joined_at = CASE WHEN x.status = 'inside' THEN x.joined_at END,
      order_id = excluded.order_id, updated_at = p_now
    RETURNING x.person_id, x.group_id, x.ends_at, x.status
  ), paid AS (
    UPDATE orders o SET status = 'paid', paid_at = s.occurred_at, settled_at = p_now,
      provider = s.provider, direct = s.direct, fee = CASE WHEN s.direct THEN 0 ELSE o.fee END,
      access_until = g.ends_at - make_interval(mins => s.minutes_after),
      -- Time was left when this order's was added to it.
      is_renewal = s.nth > 1
        OR g.ends_at - make_interval(mins => s.minutes_after + s.duration_minutes) > p_now
    FROM sale s
    JOIN granted g ON g.person_id = s.buyer_id AND g.group_id = s.group_id
    WHERE o.id = s.order_id
    RETURNING o.id
  ), decided AS (
    UPDATE payments p SET status = 'paid', decided_at = p_now
    FROM asked a WHERE p.id = a.id
  ), answered AS (
    DELETE FROM payment_checks c USING asked a WHERE c.payment_id = a.id
  ), told AS (
    INSERT INTO outbox (topic, ref, priority, due_at)
    SELECT job.topic, s.order_id, job.priority, p_now
    FROM sale s CROSS JOIN (VALUES ('access.open', 0), ('sales.tell-seller', 1)) AS job(topic, priority)
  )
  SELECT array_agg(a.id ORDER BY a.id), array_agg(a.occurred_at ORDER BY a.id),
    array_agg(s.order_id ORDER BY a.id) FILTER (WHERE s.order_id IS NOT NULL AND NOT a.direct),
    array_agg(a.id ORDER BY a.id) FILTER (WHERE s.order_id IS NOT NULL),
    array_agg(a.id ORDER BY a.id) FILTER (WHERE s.order_id IS NULL),
    array_agg(s.order_id) FILTER (WHERE g.status = 'banned'),
    array_agg(s.order_id) FILTER (WHERE s.late), bool_or(a.suspended)
  INTO v_payments, v_occurred, v_sold, v_paying, v_surplus, v_banned, v_late, v_restored
  FROM asked a
  LEFT JOIN sale s ON s.payment_id = a.id
  LEFT JOIN granted g ON g.person_id = s.buyer_id AND g.group_id = s.group_id;

  IF v_banned IS NOT NULL THEN
    INSERT INTO desk_alerts (kind, subject, details, created_at)
    SELECT 'access.paid-while-banned', 'order:' || b.id, jsonb_build_object('order_id', b.id), p_now
    FROM unnest(v_banned) AS b(id)
    ON CONFLICT (kind, subject) DO NOTHING;
  END IF;
  IF v_late IS NOT NULL THEN
    -- Granted all the same, and flagged when there was no place left (decision 82).
    INSERT INTO desk_alerts (kind, subject, details, created_at)
    SELECT 'places.exceeded', 'order:' || o.id,
      jsonb_build_object('order_id', o.id, 'product_id', o.product_id, 'stock', p.stock), p_now
    FROM orders o JOIN products p ON p.id = o.product_id
    WHERE o.id = ANY (v_late) AND product_places_taken(p.id, p_now) > p.stock
    ON CONFLICT (kind, subject) DO NOTHING;
  END IF;
  IF v_surplus IS NOT NULL OR v_restored THEN
    PERFORM settle_suspense(v_paying, v_surplus, v_payments, v_occurred, p_now);
  END IF;
  IF v_sold IS NOT NULL THEN
    PERFORM settle_sales(v_sold, p_now);
  END IF;
  IF v_paying IS NOT NULL OR v_surplus IS NOT NULL THEN
    PERFORM pg_notify('sesame_outbox', '');
  END IF;

  RETURN QUERY
  SELECT p.id, o.id, CASE WHEN p.id = ANY (v_surplus) THEN 'surplus' ELSE 'settled' END,
    o.buyer_id, o.seller_id, o.title, o.price, o.price - o.fee
  FROM payments p JOIN orders o ON o.id = p.order_id
  WHERE p.id = ANY (v_payments);
END $$;
