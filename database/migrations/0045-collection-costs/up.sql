-- What a provider keeps of what it collects is a cost of ours, booked with the sale
-- (`collected:{payment}`: platform:provider-costs → provider). Of payments of before it is unknown, and
-- stays with the counts of the day.
--
-- Locks: payments, for an instant.
SET LOCAL lock_timeout = '2s';

ALTER TABLE payments ADD COLUMN cost bigint CHECK (cost >= 0);
