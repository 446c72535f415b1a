-- Before anything was paid to a seller, what he asks for counts together (decision 99), and an order
-- paid late is flagged when it found no place, whatever was settled with it.
--
-- Locks: none beyond the functions.
SET LOCAL lock_timeout = '2s';

DROP FUNCTION request_withdrawals(bigint[], text[], bytea[], bigint[], text[], text[], text[], text[], text[], date[], bigint, bigint, bigint, timestamp with time zone, timestamp with time zone, timestamp with time zone);

CREATE OR REPLACE FUNCTION public.request_withdrawals(p_sellers bigint[], p_keys text[], p_hashes bytea[], p_amounts bigint[], p_methods text[], p_operators text[], p_countries text[], p_phones text[], p_whatsapps text[], p_automatic_on date[], p_max_free bigint, p_max_premium bigint, p_max_first bigint, p_week_from timestamp with time zone, p_due_at timestamp with time zone, p_now timestamp with time zone)
 RETURNS TABLE(ord integer, outcome text, plan text, withdrawal_id bigint, reference text, created_at timestamp with time zone, due_at timestamp with time zone, reopens_at timestamp with time zone, reason text, review_at timestamp with time zone, frozen_by text, first_left bigint)
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
#variable_conflict use_column
DECLARE
  v_item record;
  v_outcome text;
  v_id bigint;
  v_before int;
  v_count int[] := ARRAY[cardinality(p_sellers)];
  -- What the requests before left, by seller (numbered in the order of their ids).
  v_available bigint[] := array_fill(NULL::bigint, v_count);
  v_last timestamptz[] := array_fill(NULL::timestamptz, v_count);
  -- The request accepted under a key, for an automatic date.
  v_of_key int[] := array_fill(NULL::int, v_count);
  v_of_run int[] := array_fill(NULL::int, v_count);
  -- What became of each.
  v_outcomes text[] := array_fill(NULL::text, v_count);
  v_ids bigint[] := array_fill(NULL::bigint, v_count);
  v_plans text[] := array_fill(NULL::text, v_count);
  v_reopens timestamptz[] := array_fill(NULL::timestamptz, v_count);
  -- By seller: what he may still ask for before anything was paid to him.
  v_first bigint[] := array_fill(NULL::bigint, v_count);
  v_lefts bigint[] := array_fill(NULL::bigint, v_count);
  -- Those accepted.
  v_taken int[] := '{}';
  v_accounts bigint[] := '{}';
  v_new_ids bigint[];
BEGIN
  PERFORM FROM sellers s WHERE s.id = ANY (p_sellers) ORDER BY s.id FOR NO KEY UPDATE;
  PERFORM ledger_lock_accounts(ARRAY(
    SELECT CASE s.plan WHEN 'premium' THEN s.premium_account_id ELSE s.free_account_id END
    FROM sellers s WHERE s.id = ANY (p_sellers)));

  -- Read after the locks: what another batch has written meanwhile is seen here.
  FOR v_item IN
    WITH facts AS MATERIALIZED (
      SELECT s.id, coalesce(s.plan, 'free') AS plan, a.id AS account, a.posted - a.held - coalesce(advance.owed, 0) AS available,
        CASE WHEN s.closed_at IS NOT NULL THEN 'closed'
          WHEN s.suspended_at IS NOT NULL THEN 'suspended'
          WHEN p.frozen_at IS NOT NULL THEN 'frozen' END AS standing,
        -- The week of the free plan runs from the newest that is pending or approved.
        CASE WHEN s.plan IS DISTINCT FROM 'premium' THEN (
          SELECT w.created_at FROM withdrawals w
          WHERE w.seller_id = s.id AND w.status IN ('pending', 'approved')
          ORDER BY w.id DESC LIMIT 1
        ) END AS last_at,
        -- Nothing was ever paid to him: what is open counts together.
        CASE WHEN NOT EXISTS (
          SELECT FROM withdrawals w WHERE w.seller_id = s.id AND w.paid_at IS NOT NULL
        ) THEN greatest(0, p_max_first - coalesce((
          SELECT sum(w.amount) FROM withdrawals w
          WHERE w.seller_id = s.id AND w.status IN ('pending', 'approved')), 0))::bigint
        END AS first_left
      FROM sellers s
      JOIN ledger_accounts a
        ON a.id = CASE s.plan WHEN 'premium' THEN s.premium_account_id ELSE s.free_account_id END
      LEFT JOIN payout_profiles p ON p.seller_id = s.id
      LEFT JOIN seller_advances advance ON advance.seller_id = s.id
      WHERE s.id = ANY (p_sellers)
    )
    SELECT i.ord::int, i.amount, i.hash, i.key IS NOT NULL AS keyed, i.run IS NOT NULL AS is_run,
      (dense_rank() OVER (ORDER BY i.seller))::int AS seller_no,
      (dense_rank() OVER (ORDER BY i.seller, i.key))::int AS key_no,
      (dense_rank() OVER (ORDER BY i.seller, i.run))::int AS run_no,
      f.plan, f.account, f.available, f.standing, f.last_at, f.first_left,
      CASE WHEN i.key IS NOT NULL THEN (
        SELECT w.id FROM withdrawals w WHERE w.seller_id = i.seller AND w.idempotency_key = i.key
      ) END AS known_id,
      CASE WHEN i.run IS NOT NULL THEN (
        SELECT w.id FROM withdrawals w WHERE w.seller_id = i.seller AND w.automatic_on = i.run
      ) END AS run_id
    FROM unnest(p_sellers, p_keys, p_hashes, p_amounts, p_automatic_on)
      WITH ORDINALITY AS i(seller, key, hash, amount, run, ord)
    JOIN facts f ON f.id = i.seller
    ORDER BY i.ord
  LOOP
    v_id := v_item.known_id;
    v_before := CASE WHEN v_item.keyed THEN v_of_key[v_item.key_no] END;
    IF v_item.run_id IS NOT NULL OR (v_item.is_run AND v_of_run[v_item.run_no] IS NOT NULL) THEN
      v_outcome := 'run-before';
      v_id := v_item.run_id;
      v_before := v_of_run[v_item.run_no];
    ELSIF v_before IS NOT NULL THEN
      v_outcome := CASE WHEN p_hashes[v_before] = v_item.hash THEN 'repeated' ELSE 'key-reused' END;
    ELSIF v_id IS NOT NULL THEN
      v_outcome := CASE WHEN EXISTS (
        SELECT FROM withdrawals w WHERE w.id = v_id AND w.idempotency_hash = v_item.hash
      ) THEN 'repeated' ELSE 'key-reused' END;
    ELSIF v_item.amount
      > (CASE v_item.plan WHEN 'premium' THEN p_max_premium ELSE p_max_free END) THEN
      v_outcome := 'too-large';
    ELSIF v_item.amount > coalesce(v_available[v_item.seller_no], v_item.available) THEN
      v_outcome := 'too-low';
    ELSIF v_item.standing IS NOT NULL THEN
      v_outcome := v_item.standing;
    ELSIF v_item.plan = 'free'
      AND coalesce(v_last[v_item.seller_no], v_item.last_at) > p_week_from THEN
      v_outcome := 'weekly';
      -- In seconds: an interval in days would follow the session's summer time.
      v_reopens[v_item.ord] := coalesce(v_last[v_item.seller_no], v_item.last_at)
        + make_interval(secs => extract(epoch FROM p_now - p_week_from)::float8);
    ELSIF v_item.amount > coalesce(v_first[v_item.seller_no], v_item.first_left) THEN
      v_outcome := 'first-too-large';
      v_lefts[v_item.ord] := coalesce(v_first[v_item.seller_no], v_item.first_left);
    ELSE
      v_outcome := 'accepted';
      v_available[v_item.seller_no] :=
        coalesce(v_available[v_item.seller_no], v_item.available) - v_item.amount;
      v_first[v_item.seller_no] :=
        coalesce(v_first[v_item.seller_no], v_item.first_left) - v_item.amount;
      v_last[v_item.seller_no] := p_now;
      v_taken := v_taken || v_item.ord;
      v_accounts := v_accounts || v_item.account;
      IF v_item.keyed THEN
        v_of_key[v_item.key_no] := v_item.ord;
      END IF;
      IF v_item.is_run THEN
        v_of_run[v_item.run_no] := v_item.ord;
      END IF;
    END IF;
    v_outcomes[v_item.ord] := v_outcome;
    v_plans[v_item.ord] := v_item.plan;
    -- Of the same batch: its id is not drawn yet, its place is kept below zero.
    v_ids[v_item.ord] :=
      CASE WHEN v_outcome IN ('repeated', 'run-before') THEN coalesce(v_id, -v_before) END;
  END LOOP;

  IF cardinality(v_taken) > 0 THEN
    v_new_ids := ARRAY(
      SELECT nextval('withdrawals_id_seq') FROM generate_series(1, cardinality(v_taken)));
    PERFORM ledger_hold_all(
      ARRAY(SELECT 'hold:' || n.id FROM unnest(v_new_ids) WITH ORDINALITY AS n(id, o) ORDER BY n.o),
      v_accounts, ARRAY(
        SELECT p_amounts[t.ord] FROM unnest(v_taken) WITH ORDINALITY AS t(ord, o) ORDER BY t.o),
      p_now);
    INSERT INTO withdrawals (id, seller_id, account_id, plan, amount, method, operator, country,
      phone, whatsapp, reference, idempotency_key, idempotency_hash, origin, automatic_on,
      created_at, due_at)
    OVERRIDING SYSTEM VALUE
    SELECT t.id, p_sellers[t.ord], t.account, v_plans[t.ord], p_amounts[t.ord], p_methods[t.ord],
      p_operators[t.ord], p_countries[t.ord], p_phones[t.ord], p_whatsapps[t.ord],
      'RT-' || lpad(t.id::text, greatest(6, length(t.id::text)), '0'), p_keys[t.ord],
      CASE WHEN p_keys[t.ord] IS NOT NULL THEN p_hashes[t.ord] END,
      CASE WHEN p_automatic_on[t.ord] IS NULL THEN 'manual' ELSE 'automatic' END,
      p_automatic_on[t.ord], p_now, p_due_at
    FROM unnest(v_taken, v_new_ids, v_accounts) AS t(ord, id, account);
    INSERT INTO outbox (topic, ref, priority, due_at)
    SELECT 'desk.tell-agents', n.id, 1, p_now FROM unnest(v_new_ids) AS n(id);
    PERFORM pg_notify('sesame_outbox', '');
    FOR i IN 1 .. cardinality(v_taken) LOOP
      v_ids[v_taken[i]] := v_new_ids[i];
    END LOOP;
  END IF;

  RETURN QUERY
  SELECT r.ord::int, r.outcome, r.plan, w.id, w.reference, w.created_at, w.due_at, r.reopens_at,
    CASE r.outcome WHEN 'suspended' THEN s.suspended_reason WHEN 'frozen' THEN p.frozen_reason END,
    CASE r.outcome WHEN 'suspended' THEN s.suspended_review_at
      WHEN 'frozen' THEN p.frozen_review_at END,
    p.frozen_by, r.first_left
  FROM unnest(p_sellers, v_outcomes, v_plans, v_ids, v_reopens, v_lefts)
    WITH ORDINALITY AS r(seller, outcome, plan, id, reopens_at, first_left, ord)
  LEFT JOIN withdrawals w ON w.id = CASE WHEN r.id < 0 THEN v_ids[-r.id] ELSE r.id END
  LEFT JOIN sellers s ON s.id = r.seller AND r.outcome = 'suspended'
  LEFT JOIN payout_profiles p ON p.seller_id = r.seller AND r.outcome = 'frozen'
  ORDER BY r.ord;
END $function$
;

CREATE OR REPLACE FUNCTION public.settle_payments(p_payment_ids bigint[], p_occurred_at timestamp with time zone[], p_now timestamp with time zone)
 RETURNS TABLE(payment_id bigint, order_id bigint, outcome text, buyer_id bigint, seller_id bigint, title text, price bigint, net bigint)
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
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
    WHERE o.id = ANY (v_late)
      -- Judged by the places it found: those of this batch that came after it have taken theirs since.
      AND product_places_taken(p.id, p_now) - (
        SELECT count(DISTINCT l.buyer_id) FROM orders l
        WHERE l.id = ANY (v_late) AND l.product_id = p.id AND l.id > o.id AND NOT EXISTS (
          SELECT FROM orders h WHERE h.buyer_id = l.buyer_id AND h.product_id = p.id
            AND order_holds_place(h, p_now) AND NOT (h.id = ANY (v_late) AND h.id > o.id))
      ) > p.stock
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
END $function$
;
