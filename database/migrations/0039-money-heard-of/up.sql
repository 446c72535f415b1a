-- A surplus that was set aside short while it was a mismatch is set aside whole: it is what was paid,
-- and what is asked of the provider when it is given back.
--
-- Locks: reconciliations, for an instant.
SET LOCAL lock_timeout = '2s';

CREATE OR REPLACE FUNCTION settle_suspense(
  p_paying bigint[], p_surplus bigint[], p_payments bigint[], p_occurred timestamptz[],
  p_now timestamptz
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_suspense bigint := (SELECT a.id FROM ledger_accounts a WHERE a.key = 'suspense');
  v_move record;
BEGIN
  FOR v_move IN
    SELECT CASE WHEN p.suspended_amount IS NULL THEN 'suspense:' ELSE 'suspense-rest:' END || p.id
        AS id,
      a.id AS account, p.amount - coalesce(p.suspended_amount, 0) AS amount, u.occurred_at
    FROM payments p
    JOIN ledger_accounts a ON a.key = 'provider:' || p.provider
    JOIN unnest(p_payments, p_occurred) AS u(id, occurred_at) ON u.id = p.id
    WHERE p.id = ANY (p_surplus) AND p.suspended_amount IS DISTINCT FROM p.amount
      AND p.key_id IS NULL
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
    WHERE p.id = ANY (p_surplus) AND p.key_id IS NULL;
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

-- Reconciliation goes through all payments in turn: where the last run ended.
ALTER TABLE reconciliations ADD COLUMN last_payment_id bigint;
