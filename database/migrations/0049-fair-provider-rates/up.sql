-- A provider's rate is shared between people (decision log 0055): a person's calls at an account are counted too,
-- and who has had some leaves some to those who have had none.
--
-- Locks: ACCESS EXCLUSIVE on seller_keys, for an instant.
SET LOCAL lock_timeout = '2s';

-- Of the keys that open the account at the provider; NULL: saved before, and counted alone.
ALTER TABLE seller_keys ADD COLUMN account_hash bytea;
CREATE INDEX seller_keys_by_account ON seller_keys (account_hash);

-- Under which account of a provider a call is counted: sellers who share one share its rate. 0: the instance's.
CREATE FUNCTION counted_account(p_key_id bigint) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT coalesce((SELECT min(same.id) FROM seller_keys own
    JOIN seller_keys same ON same.account_hash = own.account_hash WHERE own.id = p_key_id), p_key_id, 0)
$$;

-- Calls at an account that were for one person: what is left of them after `counted_at` wears off within a
-- minute (recent_calls). key_id: counted_account.
CREATE TABLE person_calls (
  provider text NOT NULL,
  key_id bigint NOT NULL,
  class text NOT NULL CHECK (class IN ('opening', 'scheduled', 'reported')),
  person_id bigint NOT NULL,
  calls double precision NOT NULL,
  counted_at timestamptz NOT NULL,
  PRIMARY KEY (provider, key_id, class, person_id)
) WITH (fillfactor = 50);

CREATE FUNCTION recent_calls(
  p_calls double precision, p_counted_at timestamptz, p_now timestamptz
) RETURNS double precision LANGUAGE sql IMMUTABLE AS $$
  -- Counted by a clock that was set back since: nothing is left of it.
  SELECT CASE WHEN p_counted_at > p_now + interval '1 minute' THEN 0 ELSE p_calls
    * least(1, greatest(0, 1 - extract(epoch FROM p_now - p_counted_at)::double precision / 60)) END
$$;

CREATE FUNCTION add_person_calls(
  p_provider text, p_key_id bigint, p_class text, p_person_id bigint, p_calls int, p_now timestamptz
) RETURNS void LANGUAGE sql AS $$
  INSERT INTO person_calls AS c (provider, key_id, class, person_id, calls, counted_at)
  VALUES (p_provider, p_key_id, p_class, p_person_id, p_calls, p_now)
  ON CONFLICT (provider, key_id, class, person_id) DO UPDATE SET counted_at = excluded.counted_at,
    calls = excluded.calls + recent_calls(c.calls, c.counted_at, excluded.counted_at)
$$;

-- What a person who has had many calls of a minute leaves to the others, of the calls that may be paced: eight are
-- what one buyer's payment costs in its first minute.
CREATE FUNCTION calls_for_others(p_paced_max int) RETURNS int LANGUAGE sql IMMUTABLE AS $$
  SELECT least(p_paced_max / 2, greatest(8, p_paced_max / 13))
$$;

-- Takes one payment's calls out of the account's share for openings and one opening out of the person's
-- budget. Who has opened some in the last minute leaves as much to the others, and a quarter to those who have
-- opened none. → NULL, or why not: 'account' or 'person'; nothing is taken then.
-- Locks: the account, then the person's rows.
CREATE OR REPLACE FUNCTION take_opening(
  p_provider text, p_key_id bigint, p_person_id bigint, p_calls int, p_now timestamptz,
  p_openings_max int, p_paced_max int, p_person_max int, p_refill_seconds int
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_key_id bigint := counted_account(nullif(p_key_id, 0));
  v_openings int;
  v_all int;
  v_had double precision;
  v_left double precision;
BEGIN
  IF p_calls > 0 THEN
    PERFORM lock_provider_account(p_provider, v_key_id);
    v_openings := p_openings_max - p_calls
      - provider_calls_of(p_provider, v_key_id, p_now, 'opening');
    v_all := p_paced_max - p_calls - provider_calls_of(p_provider, v_key_id, p_now);
    v_had := coalesce((SELECT recent_calls(c.calls, c.counted_at, p_now) FROM person_calls c
      WHERE c.provider = p_provider AND c.key_id = v_key_id AND c.class = 'opening'
        AND c.person_id = p_person_id), 0);
    IF v_openings < 0 OR v_all < least(v_had, calls_for_others(p_paced_max))
      OR (v_had > 0 AND v_openings < v_had + p_calls + p_openings_max / 4.0)
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
    PERFORM add_provider_calls(p_provider, v_key_id, 'opening', p_calls, p_now);
    PERFORM add_person_calls(p_provider, v_key_id, 'opening', p_person_id, p_calls, p_now);
  END IF;
  RETURN NULL;
END $$;

-- Takes payments to ask about until p_lease_end: first those a signed webhook spoke of, whatever the rate,
-- but of a person only a few a minute for nothing; then the others, as far as the rate of each account allows:
-- those of the persons who were asked about least, the oldest order first. Who was asked about often leaves some calls to the others, and
-- so does what the provider refused. KkiaPay is called for each name of theirs that was heard, and not before.
-- p_paced_max: calls a minute by p_providers; one without a rate is not paced.
-- Locks: payment_checks (skipping what is locked) and reported calls, then accounts in order.
CREATE OR REPLACE FUNCTION claim_payment_checks(
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
  v_max int;
  v_kept int;
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
  ), called AS (
    SELECT p.id, p.provider, o.buyer_id,
      counted_account(p.key_id) AS key_id,
      CASE p.provider WHEN 'kkiapay' THEN (SELECT count(*)::int FROM payment_rumours r
        WHERE r.payment_id = p.id) ELSE 1 END AS calls
    FROM due JOIN payments p ON p.id = due.payment_id JOIN orders o ON o.id = p.order_id
  ), accounts AS (
    -- What is asked of a person for nothing: less where there is little room, and never less than one purchase needs.
    SELECT a.*, CASE WHEN a.paced IS NULL THEN 2147483647 ELSE greatest(3, least(
        calls_for_others(a.paced),
        a.paced - calls_for_others(a.paced) - provider_calls_of(a.provider, a.key_id, p_now)
      )) END AS most
    FROM (SELECT DISTINCT k.provider, k.key_id,
      p_paced_max[array_position(p_providers, k.provider)] AS paced FROM called k) AS a
  ), shared AS MATERIALIZED (
    SELECT k.*, had.alone <= a.most AS fits, had.alone - k.calls
      + sum(k.calls) OVER (PARTITION BY k.provider, k.key_id, k.buyer_id ORDER BY k.id) <= a.most
      AS taken
    FROM called k JOIN accounts a ON a.provider = k.provider AND a.key_id = k.key_id
    LEFT JOIN person_calls c ON c.provider = k.provider
      AND c.key_id = k.key_id AND c.class = 'reported' AND c.person_id = k.buyer_id
    CROSS JOIN LATERAL (
      SELECT k.calls + coalesce(recent_calls(c.calls, c.counted_at, p_now), 0) AS alone
    ) AS had
  ), taken AS (
    -- What does not fit waits with the others; what fits by itself, for the next look.
    UPDATE payment_checks c SET reported = s.fits,
      due_at = CASE WHEN s.fits THEN p_lease_end ELSE c.due_at END
    FROM shared s JOIN payments p ON p.id = s.id JOIN orders o ON o.id = p.order_id
    WHERE c.payment_id = s.id AND (s.taken OR NOT s.fits)
    RETURNING p.id, p.order_id, o.kind, p.provider, p.key_id, p.provider_payment_id, p.status,
      p.transaction_id, coalesce(p.reference, p.order_id::text), p.quote, p.amount, p.created_at,
      c.give_up_at, c.reported,
      ARRAY(SELECT r.transaction_id FROM payment_rumours r WHERE r.payment_id = p.id
        ORDER BY r.heard_at, r.transaction_id)
  ), counted AS (
    INSERT INTO provider_calls AS k (provider, key_id, class, slot, since, calls)
    SELECT s.provider, s.key_id, 'reported',
      (extract(epoch FROM provider_slot_start(p_now)) / 5)::bigint % 13,
      provider_slot_start(p_now), sum(s.calls)
    FROM shared s WHERE s.taken GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (provider, key_id, class, slot) DO UPDATE SET since = excluded.since,
      calls = excluded.calls + CASE WHEN k.since = excluded.since THEN k.calls ELSE 0 END
  )
  SELECT * FROM taken t WHERE t.reported;
  GET DIAGNOSTICS v_reported = ROW_COUNT;

  FOR v_account IN
    SELECT k.provider, k.key_id, array_agg(due.id) AS due FROM (
      SELECT p.provider, counted_account(p.key_id) AS key_id, array_agg(c.payment_id) AS due
      FROM (
        SELECT c.payment_id FROM payment_checks c
        WHERE NOT c.reported AND c.due_at <= p_now
        AND (cardinality(p_except) = 0 OR NOT EXISTS (SELECT FROM payments busy
          WHERE busy.id = c.payment_id AND busy.provider = ANY (p_except)))
        ORDER BY c.due_at LIMIT 5000
      ) AS c JOIN payments p ON p.id = c.payment_id
      GROUP BY p.provider, p.key_id
    ) AS k CROSS JOIN LATERAL unnest(k.due) AS due(id)
    GROUP BY 1, 2 ORDER BY 1, 2
  LOOP
    v_room := p_limit - v_reported - cardinality(v_ids);
    EXIT WHEN v_room <= 0;
    PERFORM lock_provider_account(v_account.provider, v_account.key_id);
    v_max := p_paced_max[array_position(p_providers, v_account.provider)];
    v_kept := calls_for_others(v_max);
    v_take := v_max - provider_calls_of(v_account.provider, v_account.key_id, p_now);
    -- There a question may be no call.
    CONTINUE WHEN v_take <= 0 AND v_account.provider <> 'kkiapay';
    WITH turns AS MATERIALIZED (
      SELECT c.payment_id, o.id AS order_id, o.buyer_id, k.calls,
        p.status = 'refused' AS refused,
        round(coalesce(recent_calls(had.calls, had.counted_at, p_now), 0))
          + sum(k.calls) OVER (PARTITION BY o.buyer_id
            ORDER BY p.status = 'refused', o.id, c.payment_id) - k.calls AS had
      FROM unnest(v_account.due) AS due
      JOIN payment_checks c ON c.payment_id = due AND c.due_at <= p_now
      JOIN payments p ON p.id = due JOIN orders o ON o.id = p.order_id
      CROSS JOIN LATERAL (SELECT CASE p.provider WHEN 'kkiapay' THEN (
          SELECT least(count(*), v_max)::int FROM payment_rumours r WHERE r.payment_id = p.id)
        ELSE 1 END AS calls) AS k
      LEFT JOIN person_calls had ON had.provider = v_account.provider
        AND had.key_id = v_account.key_id AND had.class = 'scheduled' AND had.person_id = o.buyer_id
    ), fitting AS (
      -- What does not fit by itself stands before nobody. NULL: no call, nothing to leave.
      SELECT t.*, k.kept FROM turns t CROSS JOIN LATERAL (SELECT CASE WHEN t.calls > 0 THEN
        least(v_max - t.calls, CASE WHEN NOT t.refused THEN least(t.had + t.calls - 1, v_kept)
          WHEN t.had > 0 THEN 2 * v_kept ELSE v_kept / 2 END) END AS kept) AS k
      WHERE (t.calls + k.kept <= v_take) IS NOT FALSE
    ), chosen AS (
      SELECT t.payment_id, t.buyer_id, t.calls, t.nth FROM (
        SELECT *, sum(t.calls) OVER turn AS all_calls, row_number() OVER turn AS nth FROM fitting t
        WINDOW turn AS (ORDER BY t.refused, t.had + t.calls, t.order_id, t.payment_id)
      ) AS t
      WHERE (t.all_calls + t.kept <= v_take) IS NOT FALSE
      ORDER BY t.nth LIMIT v_room
    ), due AS MATERIALIZED (
      SELECT chosen.* FROM chosen JOIN payment_checks c ON c.payment_id = chosen.payment_id
      WHERE c.due_at <= p_now
      FOR UPDATE OF c SKIP LOCKED
    ), taken AS (
      UPDATE payment_checks c SET due_at = p_lease_end FROM due
      WHERE c.payment_id = due.payment_id RETURNING due.*
    ), counted AS (
      INSERT INTO person_calls AS k (provider, key_id, class, person_id, calls, counted_at)
      SELECT v_account.provider, v_account.key_id, 'scheduled', t.buyer_id, sum(t.calls), p_now
      FROM taken t WHERE t.calls > 0 GROUP BY 4 ORDER BY 4
      ON CONFLICT (provider, key_id, class, person_id) DO UPDATE SET counted_at = excluded.counted_at,
        calls = excluded.calls + recent_calls(k.calls, k.counted_at, excluded.counted_at)
    )
    SELECT array_agg(t.payment_id ORDER BY t.nth), sum(t.calls) INTO v_some, v_take FROM taken t;
    CONTINUE WHEN v_some IS NULL;
    IF v_take > 0 THEN
      PERFORM add_provider_calls(v_account.provider, v_account.key_id, 'scheduled', v_take, p_now);
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
