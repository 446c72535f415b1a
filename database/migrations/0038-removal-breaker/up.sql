-- How many memberships ended in each hour: a sweep that would end far more than usual stops and asks.
--
-- Locks: none on tables that hold rows.
SET LOCAL lock_timeout = '2s';

CREATE TABLE membership_sweep_hours (
  hour timestamptz PRIMARY KEY,
  ended integer NOT NULL CHECK (ended >= 0)
) WITH (fillfactor = 70);
