-- What a provider keeps of what it collects is a cost of ours, booked with the sale
-- (`collected:{payment}`: platform:provider-costs → provider). Of payments of before it is unknown, and
-- stays with the counts of the day.
--
-- Locks: payments, while its rows are checked. No worker of the version before may run beside it: its
-- hourly comparison of the cash at a provider knows no costs.
SET LOCAL lock_timeout = '2s';

ALTER TABLE payments ADD COLUMN cost bigint CHECK (cost >= 0);
