-- Gives the francs of a withdrawal back to what its seller can spend: released where they were
-- held, and moved to the account of his present plan when that is another one (decision 7), so that
-- no franc is stranded. The withdrawal's row is locked by the caller.
CREATE OR REPLACE FUNCTION release_withdrawal(p_id bigint, p_now timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  v_seller bigint;
  v_from bigint;
  v_amount bigint;
  v_to bigint;
BEGIN
  SELECT w.seller_id, w.account_id, w.amount INTO STRICT v_seller, v_from, v_amount
  FROM withdrawals w WHERE w.id = p_id;
  -- His plan cannot change from here to the commit.
  SELECT CASE s.plan WHEN 'premium' THEN s.premium_account_id ELSE s.free_account_id END
  INTO STRICT v_to FROM sellers s WHERE s.id = v_seller FOR SHARE;
  PERFORM ledger_enter();
  PERFORM ledger_lock_accounts(ARRAY(SELECT DISTINCT unnest(ARRAY[v_from, v_to])));
  IF ledger_release_hold('hold:' || p_id, p_now) <> 'released' THEN
    RAISE EXCEPTION 'the hold of the withdrawal % had ended', p_id;
  END IF;
  IF v_from <> v_to AND ledger_post(ARRAY['move:' || p_id], ARRAY[1, 1], ARRAY[v_from, v_to],
    ARRAY[-v_amount, v_amount], ARRAY[p_now], p_now) <> ARRAY['posted'] THEN
    RAISE EXCEPTION 'the move of the withdrawal % was posted before', p_id;
  END IF;
END $$;

-- The seller takes his request back (decision 63). → 'cancelled', 'taken' (decided, or an agent is
-- on it), 'unknown' (none of this seller's).
CREATE OR REPLACE FUNCTION cancel_withdrawal(p_id bigint, p_seller bigint, p_now timestamptz)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_free boolean;
BEGIN
  SELECT w.status = 'pending' AND coalesce(w.claimed_until <= p_now, true) INTO v_free
  FROM withdrawals w WHERE w.id = p_id AND w.seller_id = p_seller FOR UPDATE;
  IF v_free IS NULL THEN
    RETURN 'unknown';
  END IF;
  IF NOT v_free THEN
    RETURN 'taken';
  END IF;
  UPDATE withdrawals SET status = 'cancelled', decided_at = p_now, decided_by = p_seller,
    claimed_by = NULL, claimed_until = NULL
  WHERE id = p_id;
  PERFORM release_withdrawal(p_id, p_now);
  RETURN 'cancelled';
END $$
;

-- Judges requests in the given order, as if each came alone, and takes those that pass: the francs
-- are held, the row is written, agents are told by a job. What needs no database was checked before
-- (checkWithdrawal of @sesame/contract/withdrawals); the order of the rest is its. → for each:
--   'accepted'   written now
--   'repeated'   its key was accepted before, with this very content; `withdrawal_id` is that one's
--   'key-reused' its key was accepted before, with other content
--   'run-before' its automatic date has a request, which `withdrawal_id` is
--   'too-large' 'too-low' 'closed' 'suspended' 'frozen' 'weekly' 'first-too-large'   refused
-- Keys are a seller's own. Every seller is known. What a seller owes the platform for refunds it
-- advanced is not his to withdraw: who advances and who takes back hold the seller's row, as this does.
-- Before anything was paid to a seller, what he asks for counts together (decision 99).
--
-- Lock order, here and wherever a withdrawal changes: withdrawal, seller, posting, accounts, holds.
CREATE OR REPLACE FUNCTION request_withdrawals(
  p_sellers bigint[], p_keys text[], p_hashes bytea[], p_amounts bigint[], p_methods text[],
  p_operators text[], p_countries text[], p_phones text[], p_whatsapps text[],
  p_automatic_on date[], p_max_free bigint, p_max_premium bigint, p_max_first bigint,
  p_week_from timestamptz, p_due_at timestamptz, p_now timestamptz
) RETURNS TABLE (
  ord integer, outcome text, plan text, withdrawal_id bigint, reference text,
  created_at timestamptz, due_at timestamptz, reopens_at timestamptz, reason text,
  review_at timestamptz, frozen_by text, first_left bigint
) LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
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
END $$;
