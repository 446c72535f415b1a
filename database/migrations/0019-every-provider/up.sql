-- Every way to pay: several payments for one order at several providers, sellers' own keys, quotes
-- in another currency, names heard before they are proved, and how each provider has answered of
-- late.
--
-- Locks: ALTER TABLE without a rewrite on orders, payments and provider_notices, for a moment; one
-- unique index of payments is made anew.
SET LOCAL lock_timeout = '2s';

SELECT ledger_open_accounts(
  array['provider:kkiapay', 'provider:cryptopay', 'provider:stars', 'platform:subscriptions'],
  false, '2026-01-01T00:00:00Z'
);

-- trial: 100 francs by a seller's own keys, to himself (decision 95).
ALTER TABLE orders DROP CONSTRAINT orders_kind_check,
  ADD CONSTRAINT orders_kind_check CHECK (kind IN ('product', 'plan', 'trial')),
  -- Paid by the seller's own keys: the francs are his, never in our books, never withdrawable.
  ADD COLUMN direct boolean NOT NULL DEFAULT false,
  -- Numbers the references of its payments.
  ADD COLUMN payments_opened integer NOT NULL DEFAULT 0,
  -- Somebody is at a provider for it until then: the end of his lease, so that two requests, in two
  -- processes, do not open two payments. No connection is held while a provider thinks.
  ADD COLUMN opening_until timestamptz;

ALTER TABLE payments
  -- NULL: the instance's account.
  ADD COLUMN key_id bigint REFERENCES seller_keys,
  -- Ours, as the provider knows it; NULL in rows of before: the order's number.
  ADD COLUMN reference text,
  ADD COLUMN quote jsonb,
  -- For the browser's page of it; nothing secret.
  ADD COLUMN widget jsonb,
  -- Their hosted page, when `checkout_url` is ours.
  ADD COLUMN hosted_url text,
  -- What a refund names, told when it was paid.
  ADD COLUMN transaction_id text,
  DROP CONSTRAINT payments_provider_provider_payment_id_key;
-- Two accounts of one provider may number their payments alike.
CREATE UNIQUE INDEX payments_by_provider_id
  ON payments (provider, provider_payment_id, coalesce(key_id, 0));

ALTER TABLE provider_notices ADD COLUMN key_id bigint;

-- Names of theirs that a widget's callback or a notice gave for a payment: to ask about, no more.
CREATE TABLE payment_rumours (
  payment_id bigint NOT NULL REFERENCES payments,
  transaction_id text NOT NULL,
  heard_at timestamptz NOT NULL,
  PRIMARY KEY (payment_id, transaction_id)
);

-- Payments in Stars, as Telegram told them in an update or in its list: one for each charge.
CREATE TABLE star_charges (
  charge_id text PRIMARY KEY,
  -- Our reference: the invoice's payload.
  reference text NOT NULL,
  telegram_id bigint NOT NULL,
  stars bigint NOT NULL CHECK (stars > 0),
  charged_at timestamptz NOT NULL,
  refunded_at timestamptz
);
CREATE INDEX star_charges_by_reference ON star_charges (reference);

-- How many of Telegram's transactions were read: its list goes forward.
CREATE TABLE star_reading (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  transactions_read bigint NOT NULL DEFAULT 0
);
INSERT INTO star_reading DEFAULT VALUES;

-- How each provider answered us, minute by minute, on the instance's account.
CREATE TABLE provider_minutes (
  provider text NOT NULL,
  minute timestamptz NOT NULL,
  answered integer NOT NULL DEFAULT 0,
  failed integer NOT NULL DEFAULT 0,
  PRIMARY KEY (provider, minute)
) WITH (fillfactor = 70);

-- As before (0008), and: each order is sold at the provider that paid it, whatever it was ordered
-- by; francs paid by a seller's own keys are noted `direct` and never enter the books. Orders of
-- products only; the others are settled by settle_plan_payments (0020).
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
      o.group_id, o.duration_minutes, o.stock_reserved_until <= p_now AS late,
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

-- As before (0008), and: a surplus on a seller's own account is no francs of ours, so nothing is
-- suspended; whoever paid twice gets the second one back by the job `refunds.surplus`.
CREATE OR REPLACE FUNCTION settle_suspense(
  p_paying bigint[], p_surplus bigint[], p_payments bigint[], p_occurred timestamptz[],
  p_now timestamptz
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_suspense bigint := (SELECT a.id FROM ledger_accounts a WHERE a.key = 'suspense');
  v_move record;
BEGIN
  FOR v_move IN
    SELECT 'suspense:' || p.id AS id, a.id AS account, p.amount, u.occurred_at
    FROM payments p
    JOIN ledger_accounts a ON a.key = 'provider:' || p.provider
    JOIN unnest(p_payments, p_occurred) AS u(id, occurred_at) ON u.id = p.id
    WHERE p.id = ANY (p_surplus) AND p.suspended_amount IS NULL AND p.key_id IS NULL
    UNION ALL
    SELECT 'unsuspense:' || p.id, a.id, -p.suspended_amount, p_now
    FROM payments p
    JOIN ledger_accounts a ON a.key = 'provider:' || p.provider
    WHERE p.id = ANY (p_paying) AND p.suspended_amount IS NOT NULL
    ORDER BY 1
  LOOP
    IF ledger_post(array[v_move.id], array[1, 1], array[v_move.account, v_suspense],
      array[-v_move.amount, v_move.amount], array[v_move.occurred_at], p_now) <> array['posted'] THEN
      RAISE EXCEPTION 'the transfer % was posted before', v_move.id;
    END IF;
  END LOOP;
  IF p_surplus IS NOT NULL THEN
    UPDATE payments p SET suspended_amount = p.amount
    WHERE p.id = ANY (p_surplus) AND p.suspended_amount IS NULL AND p.key_id IS NULL;
    INSERT INTO desk_alerts (kind, subject, details, created_at)
    SELECT 'payment.surplus', 'payment:' || p.id, jsonb_build_object('order_id', p.order_id,
      'provider', p.provider, 'provider_payment_id', p.provider_payment_id, 'amount', p.amount), p_now
    FROM payments p WHERE p.id = ANY (p_surplus)
    ON CONFLICT (kind, subject) DO NOTHING;
    INSERT INTO outbox (topic, ref, priority, due_at)
    SELECT 'refunds.surplus', s.id, 1, p_now FROM unnest(p_surplus) AS s(id);
  END IF;
  UPDATE payments p SET suspended_amount = NULL
  WHERE p.id = ANY (p_paying) AND p.suspended_amount IS NOT NULL;
END $$;

-- As before (0008), and: the plan is read once posting is entered. Who changes a plan holds posting
-- for itself (plan_change, 0020), so no sale is credited to an account that was just emptied.
CREATE OR REPLACE FUNCTION settle_sales(p_orders bigint[], p_now timestamptz)
RETURNS void LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_fees bigint := (SELECT a.id FROM ledger_accounts a WHERE a.key = 'platform:fees');
  v_outcomes text[];
BEGIN
  PERFORM ledger_enter();
  SELECT ledger_post_sales(
    array_agg('sale:' || o.id ORDER BY o.id), array_agg(a.id ORDER BY o.id),
    array_agg(CASE WHEN s.plan = 'premium' THEN s.premium_account_id ELSE s.free_account_id END
      ORDER BY o.id),
    array_agg(o.price - o.fee ORDER BY o.id), v_fees, array_agg(o.fee ORDER BY o.id),
    array_agg(o.paid_at ORDER BY o.id), p_now)
  INTO v_outcomes
  FROM orders o
  JOIN sellers s ON s.id = o.seller_id
  JOIN ledger_accounts a ON a.key = 'provider:' || o.provider
  WHERE o.id = ANY (p_orders);
  IF 'posted' <> ANY (v_outcomes) OR cardinality(v_outcomes) <> cardinality(p_orders) THEN
    RAISE EXCEPTION 'sales of the orders % were not all new: %', p_orders, v_outcomes;
  END IF;
END $$;
