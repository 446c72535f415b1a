-- Money that arrived may come back: its payout stays `succeeded` (or late), and its francs go from
-- whoever paid it to the seller again (`reversed:{payout}`). A provider is believed when it says so
-- twice. One that came back may yet arrive after all, as one that failed.
--
-- Locks: payouts, while its rows are checked; no worker of the version before may run beside it: that
-- one would find its withdrawal rejected and its payout sent.
SET LOCAL lock_timeout = '2s';

ALTER TABLE payouts
  ADD COLUMN doubted_at timestamptz,
  ADD COLUMN returned_at timestamptz,
  DROP CONSTRAINT payouts_check1,
  ADD CONSTRAINT payouts_late_check
    CHECK (late_at IS NULL OR status = 'failed' OR returned_at IS NOT NULL),
  ADD CONSTRAINT payouts_returned_check
    CHECK (returned_at IS NULL OR status = 'succeeded' OR late_at IS NOT NULL);

-- Those whose late payout became an advance by the migration before were not told.
INSERT INTO outbox (topic, ref, payload, priority, due_at)
SELECT 'withdrawals.tell-seller', p.withdrawal_id, '{"news": "late"}', 1, now()
FROM payouts p JOIN schema_migrations m ON m.name = '0041-late-payouts' AND p.late_at < m.applied_at
ORDER BY p.id;
