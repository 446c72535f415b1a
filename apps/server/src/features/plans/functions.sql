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

-- Adds the time of plans that are paid, in the order of p_orders, whose rows the caller has locked, to
-- their buyers' premium. → of each order, until when premium is bought and whether it ran; `deed`: what
-- the caller appends to the audit log, last of all.
--
-- Lock order: sellers by id, posting alone.
CREATE OR REPLACE FUNCTION extend_plans(p_orders bigint[], p_now timestamptz)
RETURNS TABLE (order_id bigint, premium_until timestamptz, is_renewal boolean, deed jsonb)
LANGUAGE plpgsql STRICT ROWS 10 AS $$
#variable_conflict use_column
DECLARE
  v_seller bigint;
  v_minutes int;
  v_plan text;
  v_until timestamptz;
  -- As the audit log has instants, whatever the session's time zone.
  c_instant CONSTANT text := 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"';
BEGIN
  PERFORM FROM sellers s
  WHERE s.id IN (SELECT o.buyer_id FROM orders o WHERE o.id = ANY (p_orders))
  ORDER BY s.id FOR NO KEY UPDATE;
  -- One by one: plans are few.
  FOR order_id, v_seller, v_minutes IN
    SELECT o.id, o.buyer_id, o.duration_minutes
    FROM unnest(p_orders) WITH ORDINALITY AS u(id, nth) JOIN orders o ON o.id = u.id ORDER BY u.nth
  LOOP
    SELECT s.plan, s.premium_until INTO v_plan, v_until FROM sellers s WHERE s.id = v_seller;
    is_renewal := v_plan IS NOT DISTINCT FROM 'premium';
    -- Days of grace are given: time bought in them counts from today.
    premium_until := greatest(CASE WHEN is_renewal THEN v_until END, p_now)
      + make_interval(secs => v_minutes * 60.0);
    PERFORM plan_change(v_seller, 'premium', premium_until, p_now);
    deed := jsonb_build_object('by', v_seller, 'role', 'seller', 'action', 'plan.change',
      'subject', 'seller:' || v_seller,
      'before', jsonb_build_object('plan', v_plan, 'until', to_char(v_until AT TIME ZONE 'UTC', c_instant)),
      'after', jsonb_build_object('plan', 'premium', 'until', to_char(premium_until AT TIME ZONE 'UTC', c_instant),
        'order', order_id::text));
    RETURN NEXT;
  END LOOP;
END $$;
