-- Agents decide in the back office alone (product decision 129): what the bot showed and asked them goes.
SET LOCAL lock_timeout = '2s';

DROP TABLE desk_messages, desk_questions;
DELETE FROM outbox WHERE topic = 'desk.tell-agent';

CREATE OR REPLACE FUNCTION cancel_withdrawal(p_id bigint, p_seller bigint, p_now timestamptz)
 RETURNS text
 LANGUAGE plpgsql
AS $$
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
