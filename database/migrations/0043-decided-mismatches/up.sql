-- Money that is not what was ordered has three ways out, each an operator's: honoured (what it differs
-- by is the platform's, `mismatch:{payment}`: provider → platform:mismatches), given back as any
-- surplus, or returned by its provider already. `received`: what came in of it, once decided.
--
-- Locks: payments, while its rows are checked.
SET LOCAL lock_timeout = '2s';

SELECT ledger_open_accounts(array['platform:mismatches'], false, '2026-01-01T00:00:00Z');

ALTER TABLE payments ADD COLUMN received bigint CHECK (received > 0);
