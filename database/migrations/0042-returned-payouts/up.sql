-- Money that arrived may come back: its payout stays `succeeded` (or late), and its francs go from
-- whoever paid it to the seller again (`reversed:{payout}`). A provider is believed when it says so
-- twice, and where no person said how it ended (`settled_by`). One that came back by its provider's
-- word may yet arrive after all, as one that failed; by a person's (`returned_by`) it stays.
--
-- Locks: payouts, while its rows are checked; no worker of the version before may run beside it: that
-- one would find its withdrawal rejected and its payout sent.
SET LOCAL lock_timeout = '2s';

ALTER TABLE payouts
  ADD COLUMN doubted_at timestamptz,
  ADD COLUMN settled_by bigint REFERENCES people,
  ADD COLUMN returned_at timestamptz,
  ADD COLUMN returned_by bigint REFERENCES people,
  ADD COLUMN return_reference text,
  DROP CONSTRAINT payouts_check1,
  ADD CONSTRAINT payouts_late_check
    CHECK (late_at IS NULL OR status = 'failed' OR returned_at IS NOT NULL),
  ADD CONSTRAINT payouts_returned_check
    CHECK (returned_at IS NULL OR status = 'succeeded' OR late_at IS NOT NULL),
  ADD CONSTRAINT payouts_returned_by_check
    CHECK ((returned_by IS NULL) = (return_reference IS NULL) AND (returned_by IS NULL OR returned_at IS NOT NULL));
CREATE INDEX payouts_settled_by ON payouts (settled_by) WHERE settled_by IS NOT NULL;
CREATE INDEX payouts_returned_by ON payouts (returned_by) WHERE returned_by IS NOT NULL;
CREATE INDEX payouts_by_reference_told ON payouts (upper(operator_reference))
  WHERE settled_by IS NOT NULL AND operator_reference IS NOT NULL;
CREATE UNIQUE INDEX payouts_by_return_reference ON payouts (upper(return_reference))
  WHERE return_reference IS NOT NULL;

-- Those whose late payout became an advance by the migration before were not told.
INSERT INTO outbox (topic, ref, payload, priority, due_at)
SELECT 'withdrawals.tell-seller', p.withdrawal_id, '{"news": "late"}', 1, now()
FROM payouts p JOIN schema_migrations m ON m.name = '0041-late-payouts' AND p.late_at < m.applied_at
JOIN withdrawals w ON w.id = p.withdrawal_id
JOIN seller_advances a ON a.seller_id = w.seller_id AND a.owed > 0
ORDER BY p.id;
