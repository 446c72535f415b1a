-- Stored webhooks are kept for a limited time, and deleted in small batches by their age.
--
-- Locks: SHARE on provider_notices and payout_notices while the indexes are made: webhooks wait.
-- Before the first release no table is big (decision 127).
SET LOCAL lock_timeout = '2s';

CREATE INDEX provider_notices_by_age ON provider_notices (received_at);
-- Those that name no payment of the seller's account they came to: kept for a day.
CREATE INDEX provider_notices_unmatched ON provider_notices (received_at)
  WHERE key_id IS NOT NULL AND body = '';
CREATE INDEX payout_notices_by_age ON payout_notices (received_at);
