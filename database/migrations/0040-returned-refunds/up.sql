-- A refund may end by itself: the provider, or a bank, had returned the money already. What was kept
-- for that (a chargeback's fee) is the platform's loss.
--
-- Locks: refunds, while its rows are checked.
SET LOCAL lock_timeout = '2s';

SELECT ledger_open_accounts(array['platform:chargebacks'], false, '2026-01-01T00:00:00Z');

ALTER TABLE refunds
  DROP CONSTRAINT refunds_lane_check,
  ADD CONSTRAINT refunds_lane_check CHECK (lane IN ('provider', 'desk', 'seller', 'returned')),
  ADD COLUMN provider_fee bigint NOT NULL DEFAULT 0,
  ADD CONSTRAINT refunds_provider_fee_check
    CHECK (provider_fee = 0 OR (provider_fee > 0 AND lane = 'returned' AND NOT direct));
