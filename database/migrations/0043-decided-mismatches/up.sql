-- Money that is not what was ordered has three ways out, each an operator's: honoured (what it differs
-- by is the platform's, `mismatch:{payment}`: provider → platform:mismatches), given back as any
-- surplus, or returned by its provider already. `received`: what came in of it, once decided;
-- `counted`: by the operator's word.
--
-- Locks: payments, while its rows are checked.
SET LOCAL lock_timeout = '2s';

SELECT ledger_open_accounts(array['platform:mismatches'], false, '2026-01-01T00:00:00Z');

ALTER TABLE payments
  ADD COLUMN received bigint CHECK (received > 0),
  ADD COLUMN decided_as text CHECK (decided_as IN ('honoured', 'given-back')),
  ADD COLUMN counted boolean NOT NULL DEFAULT false,
  ADD CONSTRAINT payments_decision_check
    CHECK ((received IS NULL) = (decided_as IS NULL) AND (received IS NOT NULL OR NOT counted));

-- Closed by words, and undecided; or put right since, and open.
UPDATE desk_alerts d SET resolved_at = NULL, resolved_by = NULL, resolution = NULL
FROM payments p
WHERE d.kind = 'payment.mismatch' AND d.subject = 'payment:' || p.id AND p.status = 'mismatched'
  AND d.resolved_at IS NOT NULL;
UPDATE desk_alerts d SET resolved_at = now()
FROM payments p
WHERE d.kind = 'payment.mismatch' AND d.subject = 'payment:' || p.id AND p.status = 'paid'
  AND d.resolved_at IS NULL;
