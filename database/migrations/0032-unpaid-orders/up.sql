-- An account that never pays cannot stop sales (decision log 0037): unpaid orders are capped per person,
-- calls that open payments have a budget, and what a provider is asked follows its documented rate.
--
-- Locks: ACCESS EXCLUSIVE on payment_checks and claims, short ones; the index is as large as what is
-- being asked about.
SET LOCAL lock_timeout = '2s';

-- A signed webhook spoke of this payment: it is asked about before all others.
ALTER TABLE payment_checks ADD COLUMN reported boolean NOT NULL DEFAULT false;
DROP INDEX payment_checks_due;
CREATE INDEX payment_checks_due ON payment_checks (reported, due_at);

-- Further idempotency keys of an order: those that were answered with it because of the cap.
CREATE TABLE order_keys (
  buyer_id bigint NOT NULL REFERENCES people,
  idempotency_key text NOT NULL,
  idempotency_hash bytea NOT NULL,
  order_id bigint NOT NULL REFERENCES orders,
  PRIMARY KEY (buyer_id, idempotency_key)
);
CREATE INDEX order_keys_by_order ON order_keys (order_id);

-- How many payments a person may still open now; it fills up again with time.
CREATE TABLE opening_budgets (
  person_id bigint PRIMARY KEY REFERENCES people,
  openings_left double precision NOT NULL CHECK (openings_left >= 0),
  counted_at timestamptz NOT NULL
) WITH (fillfactor = 70);

-- Calls to an account at a provider in the last minute, in slots of five seconds which are used again.
-- key_id 0: the instance's account.
CREATE TABLE provider_calls (
  provider text NOT NULL,
  key_id bigint NOT NULL,
  class text NOT NULL CHECK (class IN ('opening', 'scheduled', 'reported')),
  slot smallint NOT NULL,
  since timestamptz NOT NULL,
  calls int NOT NULL,
  PRIMARY KEY (provider, key_id, class, slot)
) WITH (fillfactor = 50);

CREATE FUNCTION provider_slot_start(p_now timestamptz) RETURNS timestamptz
LANGUAGE sql IMMUTABLE AS $$
  SELECT to_timestamp(floor(extract(epoch FROM p_now) / 5) * 5)
$$;

-- Of all classes, or of one; a slot that is half over still counts whole.
CREATE FUNCTION provider_calls_of(
  p_provider text, p_key_id bigint, p_now timestamptz, p_class text DEFAULT NULL
) RETURNS int LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(calls), 0)::int FROM provider_calls
  WHERE provider = p_provider AND key_id = p_key_id AND (p_class IS NULL OR class = p_class)
    AND since > p_now - interval '65 seconds' AND since <= p_now
$$;

CREATE FUNCTION add_provider_calls(
  p_provider text, p_key_id bigint, p_class text, p_calls int, p_now timestamptz
) RETURNS void LANGUAGE sql AS $$
  INSERT INTO provider_calls AS c (provider, key_id, class, slot, since, calls)
  SELECT p_provider, p_key_id, p_class, (extract(epoch FROM at.start) / 5)::bigint % 13, at.start,
    p_calls
  FROM (SELECT provider_slot_start(p_now) AS start) AS at
  ON CONFLICT (provider, key_id, class, slot) DO UPDATE SET since = excluded.since,
    calls = excluded.calls + CASE WHEN c.since = excluded.since THEN c.calls ELSE 0 END
$$;

CREATE FUNCTION lock_provider_account(p_provider text, p_key_id bigint) RETURNS void
LANGUAGE sql AS $$
  SELECT pg_advisory_xact_lock(hashtextextended('calls:' || p_provider || ':' || p_key_id, 0))
$$;

-- Takes one payment's calls out of the account's share for openings and one opening out of the person's
-- budget. → NULL, or why not: 'account' or 'person'; nothing is taken then.
-- Locks: the account, then the person's row.
CREATE FUNCTION take_opening(
  p_provider text, p_key_id bigint, p_person_id bigint, p_calls int, p_now timestamptz,
  p_openings_max int, p_paced_max int, p_person_max int, p_refill_seconds int
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_left double precision;
BEGIN
  IF p_calls > 0 THEN
    PERFORM lock_provider_account(p_provider, p_key_id);
    IF provider_calls_of(p_provider, p_key_id, p_now, 'opening') + p_calls > p_openings_max
      OR provider_calls_of(p_provider, p_key_id, p_now) + p_calls > p_paced_max
    THEN RETURN 'account';
    END IF;
  END IF;
  INSERT INTO opening_budgets (person_id, openings_left, counted_at)
  VALUES (p_person_id, p_person_max, p_now) ON CONFLICT DO NOTHING;
  SELECT least(p_person_max, b.openings_left
      + greatest(0, extract(epoch FROM p_now - b.counted_at)) / p_refill_seconds)
  INTO v_left FROM opening_budgets b WHERE b.person_id = p_person_id FOR NO KEY UPDATE;
  IF v_left < 1 THEN RETURN 'person'; END IF;
  UPDATE opening_budgets SET openings_left = v_left - 1, counted_at = p_now
  WHERE person_id = p_person_id;
  IF p_calls > 0 THEN
    PERFORM add_provider_calls(p_provider, p_key_id, 'opening', p_calls, p_now);
  END IF;
  RETURN NULL;
END $$;

-- Makes a person's new orders take turns until the transaction ends, and says since when the person has
-- p_same_max unpaid orders of the same thing, and p_all_max in all; NULL: fewer than that.
CREATE FUNCTION lock_unpaid_orders(
  p_buyer_id bigint, p_kind text, p_product_id bigint, p_provider text, p_since timestamptz,
  p_same_max int, p_all_max int
) RETURNS TABLE (same_since timestamptz, all_since timestamptz) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('order:' || p_buyer_id, 0));
  -- A query of its own: it sees what those before in the turn have written.
  RETURN QUERY
  SELECT (array_agg(o.created_at ORDER BY o.created_at DESC) FILTER (WHERE o.kind = p_kind
      AND o.product_id IS NOT DISTINCT FROM p_product_id
      AND (o.kind <> 'trial' OR o.provider = p_provider)))[p_same_max],
    (array_agg(o.created_at ORDER BY o.created_at DESC))[p_all_max]
  FROM orders o
  WHERE o.buyer_id = p_buyer_id AND o.status IN ('pending', 'failed') AND o.created_at > p_since;
END $$;

-- Takes payments to ask about until p_lease_end: those a signed webhook spoke of, always; then the
-- others, as far as the rate of each account allows: one of each person in turn, the oldest order first.
-- p_paced_max: calls a minute by p_providers; one without a rate is not paced.
-- Locks: payment_checks (skipping what is locked), then accounts in order.
CREATE FUNCTION claim_payment_checks(
  p_now timestamptz, p_lease_end timestamptz, p_limit int, p_except text[], p_providers text[],
  p_paced_max int[]
) RETURNS TABLE (
  payment_id bigint, order_id bigint, kind text, provider text, key_id bigint,
  provider_payment_id text, status text, transaction_id text, reference text, quote jsonb,
  amount bigint, created_at timestamptz, give_up_at timestamptz, reported boolean, heard text[]
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  v_reported int;
  v_ids bigint[] := '{}';
  v_some bigint[];
  v_room int;
  v_take int;
  v_account record;
BEGIN
  RETURN QUERY
  WITH due AS MATERIALIZED (
    SELECT c.payment_id FROM payment_checks c
    WHERE c.reported AND c.due_at <= p_now
      AND (cardinality(p_except) = 0 OR NOT EXISTS (SELECT FROM payments busy
        WHERE busy.id = c.payment_id AND busy.provider = ANY (p_except)))
    ORDER BY c.due_at LIMIT p_limit
    FOR UPDATE SKIP LOCKED
  ), taken AS (
    UPDATE payment_checks c SET due_at = p_lease_end
    FROM due JOIN payments p ON p.id = due.payment_id JOIN orders o ON o.id = p.order_id
    WHERE c.payment_id = due.payment_id
    RETURNING p.id, p.order_id, o.kind, p.provider, p.key_id, p.provider_payment_id, p.status,
      p.transaction_id, coalesce(p.reference, p.order_id::text), p.quote, p.amount, p.created_at,
      c.give_up_at, c.reported,
      ARRAY(SELECT r.transaction_id FROM payment_rumours r WHERE r.payment_id = p.id
        ORDER BY r.heard_at, r.transaction_id)
  ), counted AS (
    INSERT INTO provider_calls AS k (provider, key_id, class, slot, since, calls)
    SELECT t.provider, coalesce(t.key_id, 0), 'reported',
      (extract(epoch FROM provider_slot_start(p_now)) / 5)::bigint % 13,
      provider_slot_start(p_now), count(*)
    FROM taken t GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (provider, key_id, class, slot) DO UPDATE SET since = excluded.since,
      calls = excluded.calls + CASE WHEN k.since = excluded.since THEN k.calls ELSE 0 END
  )
  SELECT * FROM taken;
  GET DIAGNOSTICS v_reported = ROW_COUNT;

  FOR v_account IN
    SELECT p.provider, coalesce(p.key_id, 0) AS key_id, named.named, count(*)::int AS due
    FROM (
      SELECT c.payment_id FROM payment_checks c
      WHERE NOT c.reported AND c.due_at <= p_now
      AND (cardinality(p_except) = 0 OR NOT EXISTS (SELECT FROM payments busy
        WHERE busy.id = c.payment_id AND busy.provider = ANY (p_except)))
      ORDER BY c.due_at LIMIT 5000
    ) AS c JOIN payments p ON p.id = c.payment_id
    -- Before a name of theirs is heard, KkiaPay is not called.
    CROSS JOIN LATERAL (SELECT p.provider <> 'kkiapay' OR EXISTS (
      SELECT FROM payment_rumours r WHERE r.payment_id = p.id) AS named) AS named
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  LOOP
    v_room := p_limit - v_reported - cardinality(v_ids);
    EXIT WHEN v_room <= 0;
    v_take := p_paced_max[array_position(p_providers, v_account.provider)];
    IF v_take IS NOT NULL AND v_account.named THEN
      PERFORM lock_provider_account(v_account.provider, v_account.key_id);
      v_take := v_take - provider_calls_of(v_account.provider, v_account.key_id, p_now);
    ELSE
      v_take := v_room;
    END IF;
    CONTINUE WHEN v_take <= 0;
    WITH turns AS MATERIALIZED (
      SELECT c.payment_id, o.id AS order_id,
        row_number() OVER (PARTITION BY o.buyer_id ORDER BY o.id, c.payment_id) AS turn
      FROM (
        SELECT c.payment_id FROM payment_checks c
        WHERE NOT c.reported AND c.due_at <= p_now
        AND (cardinality(p_except) = 0 OR NOT EXISTS (SELECT FROM payments busy
          WHERE busy.id = c.payment_id AND busy.provider = ANY (p_except)))
        ORDER BY c.due_at LIMIT 5000
      ) AS c JOIN payments p ON p.id = c.payment_id JOIN orders o ON o.id = p.order_id
      WHERE p.provider = v_account.provider AND coalesce(p.key_id, 0) = v_account.key_id
        AND v_account.named = (p.provider <> 'kkiapay' OR EXISTS (
          SELECT FROM payment_rumours r WHERE r.payment_id = p.id))
    ), due AS MATERIALIZED (
      SELECT c.payment_id FROM (
        SELECT t.payment_id FROM turns t ORDER BY t.turn, t.order_id, t.payment_id
        LIMIT least(v_take, v_room)
      ) AS chosen JOIN payment_checks c ON c.payment_id = chosen.payment_id
      WHERE c.due_at <= p_now
      FOR UPDATE OF c SKIP LOCKED
    ), taken AS (
      UPDATE payment_checks c SET due_at = p_lease_end FROM due
      WHERE c.payment_id = due.payment_id RETURNING c.payment_id
    )
    SELECT array_agg(t.payment_id) INTO v_some FROM taken t;
    CONTINUE WHEN v_some IS NULL;
    IF v_account.named THEN
      PERFORM add_provider_calls(v_account.provider, v_account.key_id, 'scheduled',
        cardinality(v_some), p_now);
    END IF;
    v_ids := v_ids || v_some;
  END LOOP;
  IF cardinality(v_ids) = 0 THEN RETURN; END IF;

  RETURN QUERY
  SELECT p.id, p.order_id, o.kind, p.provider, p.key_id, p.provider_payment_id, p.status,
    p.transaction_id, coalesce(p.reference, p.order_id::text), p.quote, p.amount, p.created_at,
    c.give_up_at, c.reported,
    ARRAY(SELECT r.transaction_id FROM payment_rumours r WHERE r.payment_id = p.id
      ORDER BY r.heard_at, r.transaction_id)
  FROM unnest(v_ids) WITH ORDINALITY AS taken(id, nth)
  JOIN payments p ON p.id = taken.id JOIN orders o ON o.id = p.order_id
  JOIN payment_checks c ON c.payment_id = p.id
  ORDER BY taken.nth;
END $$;

-- Complaints that a payment was not confirmed are announced to operators together, not one by one.
ALTER TABLE claims ADD COLUMN operators_notified_at timestamptz;
UPDATE claims SET operators_notified_at = opened_at WHERE kind = 'paid-not-confirmed';
CREATE INDEX claims_not_announced ON claims (opened_at)
  WHERE kind = 'paid-not-confirmed' AND operators_notified_at IS NULL;
