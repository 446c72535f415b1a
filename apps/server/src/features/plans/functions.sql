-- As the audit log has instants, whatever the session's time zone: 2026-11-16T09:00:00.000Z.
CREATE OR REPLACE FUNCTION plan_instant(p_at timestamptz) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT to_char(p_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

-- Puts a seller, whose row the caller has locked FOR NO KEY UPDATE, on a plan: what he can spend
-- moves to that plan's account by a transfer of its own (decision 7); what is held follows when it
-- is released. Posting is held alone until the commit (as a snapshot does), so that no sale under
-- way credits the account he leaves: called first of all that posts in its transaction.
CREATE OR REPLACE FUNCTION plan_change(p_seller bigint, p_plan text, p_until timestamptz, p_now timestamptz)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_seller sellers;
  v_from bigint;
  v_to bigint;
  v_amount bigint;
BEGIN
  PERFORM ledger_enter_alone();
  SELECT s.* INTO STRICT v_seller FROM sellers s WHERE s.id = p_seller;
  v_from := CASE v_seller.plan WHEN 'premium' THEN v_seller.premium_account_id
    ELSE v_seller.free_account_id END;
  v_to := CASE p_plan WHEN 'premium' THEN v_seller.premium_account_id
    ELSE v_seller.free_account_id END;
  PERFORM seller_set_plan(p_seller, p_plan, p_until, p_now);
  IF v_from = v_to THEN
    RETURN;
  END IF;
  PERFORM ledger_lock_accounts(array[v_from, v_to]);
  SELECT a.posted - a.held INTO v_amount FROM ledger_accounts a WHERE a.id = v_from;
  IF v_amount > 0 AND ledger_post(
    array['plan-move:' || p_seller || ':' || v_seller.plan_changes + 1], array[1, 1],
    array[v_from, v_to], array[-v_amount, v_amount], array[p_now], p_now) <> array['posted'] THEN
    RAISE EXCEPTION 'the balance of the seller % was moved before', p_seller;
  END IF;
END $$;

-- As settle_payments, for orders that open no door: a plan, whose price is the platform's
-- (`sale:{order}`: provider → platform:subscriptions) and adds its time to the buyer's premium, and
-- a trial of own keys, which moves nothing of ours. Never in one transaction with settle_payments:
-- a change of plan holds posting alone. → as there.
--
-- Lock order: orders by id, sellers by id, posting alone, then the ledger's own.
CREATE OR REPLACE FUNCTION settle_plan_payments(
  p_payment_ids bigint[], p_occurred_at timestamptz[], p_now timestamptz,
  p_costs bigint[] DEFAULT NULL
) RETURNS TABLE (
  payment_id bigint, order_id bigint, outcome text, buyer_id bigint, title text, price bigint,
  kind text
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  v_item record;
  v_surplus bigint[] := '{}';
  v_paying bigint[] := '{}';
  v_payments bigint[] := '{}';
  v_occurred timestamptz[] := '{}';
  v_costs bigint[] := '{}';
  v_mismatched boolean := false;
  v_until timestamptz;
  v_plan text;
  v_deeds jsonb[] := '{}';
  v_deed jsonb;
BEGIN
  PERFORM FROM orders o
  WHERE o.id IN (SELECT p.order_id FROM payments p WHERE p.id = ANY (p_payment_ids))
  ORDER BY o.id FOR NO KEY UPDATE;
  PERFORM FROM sellers s
  WHERE s.id IN (SELECT o.buyer_id FROM orders o JOIN payments p ON p.order_id = o.id
    WHERE p.id = ANY (p_payment_ids) AND o.kind = 'plan')
  ORDER BY s.id FOR NO KEY UPDATE;
  PERFORM ledger_enter_alone();

  -- Read after the locks, one by one: plans are few.
  FOR v_item IN
    SELECT p.id, p.order_id, p.provider, p.key_id, p.amount, p.suspended_amount, u.occurred_at,
      u.cost, p.mismatched_since,
      o.kind, o.status, o.buyer_id, o.price, o.duration_minutes,
      row_number() OVER (PARTITION BY p.order_id ORDER BY p.id) AS nth
    FROM (
      SELECT i.id, min(i.occurred_at) AS occurred_at, min(i.cost) AS cost
      FROM unnest(p_payment_ids, p_occurred_at, p_costs) AS i(id, occurred_at, cost) GROUP BY i.id
    ) AS u
    JOIN payments p ON p.id = u.id
    JOIN orders o ON o.id = p.order_id
    WHERE p.status <> 'paid' AND o.kind IN ('plan', 'trial')
    ORDER BY p.id
  LOOP
    UPDATE payments SET status = 'paid', decided_at = p_now WHERE id = v_item.id;
    DELETE FROM payment_checks c WHERE c.payment_id = v_item.id;
    v_payments := v_payments || v_item.id;
    v_occurred := v_occurred || v_item.occurred_at;
    v_costs := v_costs || v_item.cost;
    v_mismatched := v_mismatched OR v_item.mismatched_since IS NOT NULL;
    IF v_item.nth > 1 OR v_item.status NOT IN ('pending', 'failed') THEN
      v_surplus := v_surplus || v_item.id;
      CONTINUE;
    END IF;
    IF v_item.amount <> v_item.price THEN
      RAISE EXCEPTION 'payment %: % F would pay for % F', v_item.id, v_item.amount, v_item.price;
    END IF;
    v_paying := v_paying || v_item.id;
    UPDATE orders SET status = 'paid', paid_at = v_item.occurred_at, settled_at = p_now,
      provider = v_item.provider, direct = v_item.key_id IS NOT NULL,
      is_renewal = v_item.kind = 'plan' AND EXISTS (
        SELECT FROM sellers s WHERE s.id = v_item.buyer_id AND s.plan = 'premium')
    WHERE id = v_item.order_id;
    IF v_item.kind = 'plan' THEN
      SELECT s.plan, s.premium_until INTO v_plan, v_until FROM sellers s WHERE s.id = v_item.buyer_id;
      v_deed := jsonb_build_object('plan', v_plan, 'until', plan_instant(v_until));
      -- Days of grace are given: time bought in them counts from today.
      v_until := greatest(CASE WHEN v_plan = 'premium' THEN v_until END, p_now)
        + make_interval(secs => v_item.duration_minutes * 60.0);
      PERFORM plan_change(v_item.buyer_id, 'premium', v_until, p_now);
      v_deeds := v_deeds || jsonb_build_object('seller', v_item.buyer_id, 'before', v_deed,
        'after', jsonb_build_object('plan', 'premium', 'until', plan_instant(v_until),
          'order', v_item.order_id::text));
      UPDATE orders SET access_until = v_until WHERE id = v_item.order_id;
      PERFORM enqueue_jobs(array['plans.tell-bought'], array[1], array[v_item.order_id], p_now);
    END IF;
  END LOOP;

  PERFORM settle_suspense(v_paying, v_surplus, v_payments, v_occurred, p_now)
  WHERE cardinality(v_payments) > 0;
  FOR v_item IN
    SELECT o.id, o.price, o.paid_at, provider.id AS provider, ours.id AS ours
    FROM orders o
    JOIN payments p ON p.order_id = o.id AND p.id = ANY (v_paying)
    JOIN ledger_accounts provider ON provider.key = 'provider:' || o.provider
    JOIN ledger_accounts ours ON ours.key = 'platform:subscriptions'
    WHERE o.kind = 'plan' ORDER BY o.id
  LOOP
    IF ledger_post(array['sale:' || v_item.id], array[1, 1], array[v_item.provider, v_item.ours],
      array[-v_item.price, v_item.price], array[v_item.paid_at], p_now) <> array['posted'] THEN
      RAISE EXCEPTION 'the sale of the plan % was posted before', v_item.id;
    END IF;
  END LOOP;
  PERFORM settle_on_closed_accounts(array_agg(p.order_id), p_now)
  FROM payments p WHERE p.id = ANY (v_paying);
  PERFORM settle_rest(nullif(v_payments, '{}'), v_costs, NULL, v_mismatched, p_now);
  -- Last of all: whoever writes to the log waits from here to the commit.
  FOREACH v_deed IN ARRAY v_deeds LOOP
    PERFORM audit_append(p_now, (v_deed ->> 'seller')::bigint, 'seller', 'plan.change',
      'seller:' || (v_deed ->> 'seller'), v_deed -> 'before', v_deed -> 'after', NULL);
  END LOOP;

  RETURN QUERY
  SELECT p.id, o.id, CASE WHEN p.id = ANY (v_surplus) THEN 'surplus' ELSE 'settled' END,
    o.buyer_id, o.title, o.price, o.kind
  FROM payments p JOIN orders o ON o.id = p.order_id
  WHERE p.id = ANY (v_payments);
END $$;
