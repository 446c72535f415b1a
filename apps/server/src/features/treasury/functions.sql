-- The number of an account's last entry recorded before an instant; 0 when there is none. Entries
-- are numbered in order of recording, so a binary search finds it in a few lookups.
CREATE OR REPLACE FUNCTION ledger_seq_before(p_account bigint, p_instant timestamptz) RETURNS bigint
LANGUAGE plpgsql STABLE AS $$
DECLARE
  v_low bigint := 0;
  v_high bigint := coalesce(
    (SELECT max(e.seq) FROM ledger_entries e WHERE e.account_id = p_account), 0);
  v_middle bigint;
  v_seq bigint;
  v_at timestamptz;
BEGIN
  WHILE v_low < v_high LOOP
    v_middle := v_low + (v_high - v_low + 1) / 2;
    SELECT e.seq, t.recorded_at INTO v_seq, v_at
    FROM ledger_entries e JOIN ledger_transfers t ON t.id = e.transfer_id
    WHERE e.account_id = p_account AND e.seq >= v_middle AND e.seq <= v_high
    ORDER BY e.seq LIMIT 1;
    IF v_at < p_instant THEN
      v_low := v_seq;
    ELSE
      v_high := v_middle - 1;
    END IF;
  END LOOP;
  RETURN coalesce(
    (SELECT max(e.seq) FROM ledger_entries e WHERE e.account_id = p_account AND e.seq <= v_low), 0);
END $$;
