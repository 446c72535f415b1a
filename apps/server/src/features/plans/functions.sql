-- Adds the time of paid plans, in the order of p_orders, whose rows the caller has locked, to their
-- buyers' premium. → for each order, the end of premium and whether it was running; `audit_entry`:
-- what the caller appends to the audit log, last of all.
--
-- Lock order: sellers by id, posting alone.
CREATE OR REPLACE FUNCTION extend_plans(p_orders bigint[], p_now timestamptz)
RETURNS TABLE (order_id bigint, premium_until timestamptz, is_renewal boolean, audit_entry jsonb)
LANGUAGE plpgsql STRICT ROWS 10 AS $$
#variable_conflict use_column
DECLARE
  v_seller bigint;
  v_minutes int;
  v_plan text;
  v_until timestamptz;
  -- The audit log's format of instants, whatever the session's time zone.
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
    -- Days of grace are free: time bought in them counts from today.
    premium_until := greatest(CASE WHEN is_renewal THEN v_until END, p_now)
      + make_interval(secs => v_minutes * 60.0);
    PERFORM plan_change(v_seller, 'premium', premium_until, p_now);
    audit_entry := jsonb_build_object('by', v_seller, 'role', 'seller', 'action', 'plan.change',
      'subject', 'seller:' || v_seller,
      'before', jsonb_build_object('plan', v_plan, 'until', to_char(v_until AT TIME ZONE 'UTC', c_instant)),
      'after', jsonb_build_object('plan', 'premium', 'until', to_char(premium_until AT TIME ZONE 'UTC', c_instant),
        'order', order_id::text));
    RETURN NEXT;
  END LOOP;
END $$;
