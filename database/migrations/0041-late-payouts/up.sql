-- A payout that arrived after its francs had gone back left twice: what its seller holds too much is
-- an advance to him (`recover:{payout}`: platform:advances → payouts:suspense), which keeps him from
-- withdrawing it and is taken back from his sales. What will never come back is written off by two
-- operators (`write-off:{id}`: platform:losses → platform:advances).
--
-- Locks: none on tables that hold rows, but those of the late payouts' sellers.
SET LOCAL lock_timeout = '2s';

SELECT ledger_open_accounts(array['platform:losses'], false, '2026-01-01T00:00:00Z');

CREATE TABLE write_offs (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seller_id bigint NOT NULL REFERENCES sellers,
  amount bigint NOT NULL CHECK (amount > 0),
  asked_by bigint NOT NULL REFERENCES people,
  asked_at timestamptz NOT NULL,
  decided_by bigint REFERENCES people,
  decided_at timestamptz,
  CHECK ((decided_by IS NULL) = (decided_at IS NULL))
);
CREATE UNIQUE INDEX write_offs_open ON write_offs (seller_id) WHERE decided_at IS NULL;
CREATE INDEX write_offs_seller ON write_offs (seller_id);
CREATE INDEX write_offs_asked_by ON write_offs (asked_by);
CREATE INDEX write_offs_decided_by ON write_offs (decided_by);

DO $$
DECLARE
  v_late record;
  v_advances bigint := (SELECT id FROM ledger_accounts WHERE key = 'platform:advances');
  v_suspense bigint := (SELECT id FROM ledger_accounts WHERE key = 'payouts:suspense');
BEGIN
  FOR v_late IN
    SELECT p.id, p.amount, w.seller_id FROM payouts p JOIN withdrawals w ON w.id = p.withdrawal_id
    JOIN sellers s ON s.id = w.seller_id
    WHERE p.late_at IS NOT NULL ORDER BY w.seller_id, p.id FOR NO KEY UPDATE OF s
  LOOP
    IF ledger_post(array['recover:' || v_late.id], array[1, 1], array[v_advances, v_suspense],
      array[-v_late.amount, v_late.amount], array[now()], now()) <> array['posted'] THEN
      RAISE EXCEPTION 'the late payout % was recovered before', v_late.id;
    END IF;
    INSERT INTO seller_advances AS a (seller_id, owed, updated_at)
    VALUES (v_late.seller_id, v_late.amount, now())
    ON CONFLICT (seller_id) DO UPDATE
      SET owed = a.owed + excluded.owed, updated_at = excluded.updated_at;
  END LOOP;
END $$;
