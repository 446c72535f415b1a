-- One process at a time asks a provider to give a refund back, until this instant at most.
--
-- Locks: refunds, for an instant.
SET LOCAL lock_timeout = '2s';

ALTER TABLE refunds ADD COLUMN asking_until timestamptz;
