-- Money given back to buyers, and their claims. No lock on existing tables; request_withdrawals
-- (0014) is written again.
--
-- Francs of a refund (decision 83): the whole price leaves the seller (his net) and the platform
-- (its fee) for `refunds:in-transit` (`refund:{id}`); by the operator when the seller is short, what
-- he lacks is advanced from `platform:advances` and comes back from his next sales
-- (`recover:{seller}:{n}`). A surplus leaves `suspense`. Given back by the provider: in transit →
-- `provider:{provider}`; by hand: in transit → `float:{method}` (`given-back:{id}`).
-- Sales by own keys (`direct`) have no francs of ours: no transfer.
--
-- Lock order: the claim, the order, the refund, the access, the seller, then the ledger's own.
SET LOCAL lock_timeout = '2s';

SELECT ledger_open_accounts(array['refunds:in-transit', 'platform:advances'], false,
  '2026-01-01T00:00:00Z');

-- A buyer who paid and got nothing (one alive for an order). The seller has 72 h, then the operator.
CREATE TABLE claims (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  order_id bigint NOT NULL REFERENCES orders,
  buyer_id bigint NOT NULL REFERENCES people,
  -- NULL for a plan, or money we never saw: the operator's from the start.
  seller_id bigint REFERENCES sellers,
  kind text NOT NULL CHECK (kind IN ('paid-not-confirmed', 'no-access', 'other')),
  -- seller: it is his to answer; operator: time is over, or he contests.
  status text NOT NULL DEFAULT 'seller'
    CHECK (status IN ('seller', 'operator', 'refunded', 'rejected', 'solved', 'withdrawn')),
  opened_at timestamptz NOT NULL,
  seller_due_at timestamptz NOT NULL,
  -- The seller was told once more, a day before.
  reminded_at timestamptz,
  closed_at timestamptz,
  CHECK ((status IN ('seller', 'operator')) = (closed_at IS NULL))
);
CREATE UNIQUE INDEX claims_one_open ON claims (order_id) WHERE closed_at IS NULL;
CREATE INDEX claims_by_seller ON claims (seller_id, id DESC);
CREATE INDEX claims_by_buyer ON claims (buyer_id, id DESC);
CREATE INDEX claims_open ON claims (seller_due_at) WHERE closed_at IS NULL;

-- The record both sides see. Append-only.
CREATE TABLE claim_entries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  claim_id bigint NOT NULL REFERENCES claims,
  author text NOT NULL CHECK (author IN ('buyer', 'seller', 'operator', 'system')),
  author_id bigint REFERENCES people,
  -- opened, said, contested, timed-out, refund-begun, refunded, rejected, solved, withdrawn
  step text NOT NULL,
  words text,
  at timestamptz NOT NULL
);
CREATE INDEX claim_entries_by_claim ON claim_entries (claim_id, id);
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON claim_entries
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();

CREATE TABLE refunds (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- sale: the order's own payment; surplus: a second payment of an order that was paid already.
  kind text NOT NULL CHECK (kind IN ('sale', 'surplus')),
  order_id bigint NOT NULL REFERENCES orders,
  payment_id bigint NOT NULL UNIQUE REFERENCES payments,
  buyer_id bigint NOT NULL REFERENCES people,
  seller_id bigint REFERENCES sellers,
  amount bigint NOT NULL CHECK (amount > 0),
  -- Paid by the seller's own keys.
  direct boolean NOT NULL,
  -- Of the amount, what the platform advanced for the seller.
  advanced bigint NOT NULL DEFAULT 0 CHECK (advanced >= 0),
  asked_by bigint REFERENCES people,
  asked_as text NOT NULL CHECK (asked_as IN ('seller', 'operator', 'system')),
  reason text NOT NULL,
  claim_id bigint REFERENCES claims,
  -- provider: by its call; desk: an agent sends it to the buyer's number; seller: his own account
  -- has no such call, he gives it back himself and says so.
  lane text NOT NULL CHECK (lane IN ('provider', 'desk', 'seller')),
  -- sending    to be told to the provider, or told and not answered: asked again, harmless
  -- needs-number  the buyer must say where
  -- to-pay     an agent's (or the seller's) turn
  status text NOT NULL CHECK (status IN ('sending', 'needs-number', 'to-pay', 'done')),
  -- Where the desk pays: one of the fifteen methods, a number in E.164.
  method text,
  phone text,
  -- Why the last number he gave did not do.
  number_refused text,
  -- An agent has it in hand until then, so that no two send the money.
  taken_by bigint REFERENCES people,
  taken_until timestamptz,
  operator_reference text,
  paid_by bigint REFERENCES people,
  created_at timestamptz NOT NULL,
  done_at timestamptz,
  check_at timestamptz,
  checks integer NOT NULL DEFAULT 0,
  CHECK ((status = 'done') = (done_at IS NOT NULL)),
  CHECK ((method IS NULL) = (phone IS NULL)),
  CHECK ((taken_by IS NULL) = (taken_until IS NULL)),
  CHECK (lane <> 'desk' OR status <> 'to-pay' OR phone IS NOT NULL),
  CHECK (lane <> 'desk' OR status <> 'done' OR operator_reference IS NOT NULL),
  CHECK (advanced <= amount),
  CHECK (direct OR lane <> 'seller')
) WITH (fillfactor = 70);
CREATE INDEX refunds_by_order ON refunds (order_id);
CREATE UNIQUE INDEX refunds_one_sale ON refunds (order_id) WHERE kind = 'sale';
CREATE INDEX refunds_by_seller ON refunds (seller_id, id DESC);
CREATE INDEX refunds_open ON refunds (lane, id) WHERE status <> 'done';
CREATE INDEX refunds_due ON refunds (check_at) WHERE check_at IS NOT NULL;
-- An operator's reference proves one payment only.
CREATE UNIQUE INDEX refunds_by_operator_reference ON refunds (upper(operator_reference))
  WHERE operator_reference IS NOT NULL;

-- What the platform advanced for a seller and has not taken back from his sales.
CREATE TABLE seller_advances (
  seller_id bigint PRIMARY KEY REFERENCES sellers,
  owed bigint NOT NULL CHECK (owed >= 0),
  recoveries integer NOT NULL DEFAULT 0,
  updated_at timestamptz NOT NULL
) WITH (fillfactor = 70);
CREATE INDEX seller_advances_owed ON seller_advances (seller_id) WHERE owed > 0;

-- As before (0014), and: what a seller owes the platform for refunds it advanced is not his to
-- withdraw. Who advances and who takes back hold the seller's row, as this does.
CREATE OR REPLACE FUNCTION request_withdrawals(
  p_sellers bigint[], p_keys text[], p_hashes bytea[], p_amounts bigint[], p_methods text[],
  p_operators text[], p_countries text[], p_phones text[], p_whatsapps text[],
  p_automatic_on date[], p_max_free bigint, p_max_premium bigint, p_max_first bigint,
  p_week_from timestamptz, p_due_at timestamptz, p_now timestamptz
) RETURNS TABLE (
  ord int, outcome text, plan text, withdrawal_id bigint, reference text, created_at timestamptz,
  due_at timestamptz, reopens_at timestamptz, reason text, review_at timestamptz, frozen_by text
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
  -- Who asks for more than a first payout may be: read only where it decides.
  v_big bigint[] := ARRAY(
    SELECT DISTINCT u.seller FROM unnest(p_sellers, p_amounts) AS u(seller, amount)
    WHERE u.amount > p_max_first);
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
        -- Nothing was ever paid to him.
        s.id = ANY (v_big) AND NOT EXISTS (
          SELECT FROM withdrawals w WHERE w.seller_id = s.id AND w.paid_at IS NOT NULL
        ) AS first_limited
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
      f.plan, f.account, f.available, f.standing, f.last_at, f.first_limited,
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
    ELSIF v_item.first_limited AND v_item.amount > p_max_first THEN
      v_outcome := 'first-too-large';
    ELSE
      v_outcome := 'accepted';
      v_available[v_item.seller_no] :=
        coalesce(v_available[v_item.seller_no], v_item.available) - v_item.amount;
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
    p.frozen_by
  FROM unnest(p_sellers, v_outcomes, v_plans, v_ids, v_reopens)
    WITH ORDINALITY AS r(seller, outcome, plan, id, reopens_at, ord)
  LEFT JOIN withdrawals w ON w.id = CASE WHEN r.id < 0 THEN v_ids[-r.id] ELSE r.id END
  LEFT JOIN sellers s ON s.id = r.seller AND r.outcome = 'suspended'
  LEFT JOIN payout_profiles p ON p.seller_id = r.seller AND r.outcome = 'frozen'
  ORDER BY r.ord;
END $$;
