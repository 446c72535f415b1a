-- The money sent for an approved withdrawal. No lock on existing tables.
--
-- Francs: approval pays the hold, seller → `payouts:in-transit` (`payout:{withdrawal}`); success,
-- in transit → `provider:{lane}`, or `float:{method}` when an agent paid by hand (`sent:{payout}`);
-- failure, in transit → the account of the seller's plan (`return:{withdrawal}`). A success that
-- comes after the francs were given back: `payouts:suspense` → `provider:{lane}` (`late:{payout}`),
-- so the provider's account stays what the provider says; the suspense says what left twice.
--
-- Lock order: the withdrawal, its payout, then the ledger's own.
SET LOCAL lock_timeout = '2s';

SELECT ledger_open_accounts(
  array['payouts:in-transit', 'payouts:suspense', 'platform:provider-costs', 'provider:paydunya',
    'provider:fedapay'],
  false, '2026-01-01T00:00:00Z'
);

CREATE TABLE payouts (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  withdrawal_id bigint NOT NULL REFERENCES withdrawals,
  lane text NOT NULL CHECK (lane IN ('manual', 'paydunya', 'moneroo', 'fedapay')),
  -- Ours, as the provider knows it, the same for ever: looking it up and sending it again name one
  -- payout.
  reference text NOT NULL UNIQUE,
  amount bigint NOT NULL CHECK (amount > 0),
  method text NOT NULL,
  phone text NOT NULL,
  -- ready      approved; nothing asked of anybody (by hand: to be paid by the agent)
  -- prepared   the provider gave a handle; no money moves by it
  -- sending    written before the call that moves money: who dies here leaves it uncertain
  -- uncertain  no answer to that call: only looked up
  -- sent       the provider took it and has not said the end
  status text NOT NULL DEFAULT 'ready'
    CHECK (status IN ('ready', 'prepared', 'sending', 'uncertain', 'sent', 'succeeded', 'failed')),
  -- The provider's token, saved before money moves.
  handle text,
  provider_payout_id text,
  -- The mobile operator's, typed by the agent or told by the provider.
  operator_reference text,
  -- The provider's last word, for the trace; and why it failed.
  word text,
  failure text,
  -- The provider's, in francs: the platform's cost (decision 84).
  cost bigint NOT NULL DEFAULT 0 CHECK (cost >= 0),
  created_by bigint REFERENCES people,
  created_at timestamptz NOT NULL,
  -- The last time it was told to send.
  submitted_at timestamptz,
  settled_at timestamptz,
  -- It said yes after the francs had gone back: they left twice, and somebody must decide.
  late_at timestamptz,
  -- When to look next; also the end of a worker's lease. A failed one is looked at for three days
  -- more: a late yes must not be lost.
  check_at timestamptz,
  checks integer NOT NULL DEFAULT 0,
  CHECK ((status IN ('succeeded', 'failed')) = (settled_at IS NOT NULL)),
  CHECK (late_at IS NULL OR status = 'failed'),
  CHECK (status <> 'succeeded' OR lane <> 'manual' OR operator_reference IS NOT NULL)
) WITH (fillfactor = 50);
-- One lane per request: a request has one payout that is not failed.
CREATE UNIQUE INDEX payouts_one_alive ON payouts (withdrawal_id) WHERE status <> 'failed';
CREATE UNIQUE INDEX payouts_by_provider_id ON payouts (lane, provider_payout_id)
  WHERE provider_payout_id IS NOT NULL;
CREATE UNIQUE INDEX payouts_by_handle ON payouts (lane, handle) WHERE handle IS NOT NULL;
-- The same reference of an operator proves one payment only.
CREATE UNIQUE INDEX payouts_by_operator_reference ON payouts (upper(operator_reference))
  WHERE lane = 'manual' AND operator_reference IS NOT NULL;
CREATE INDEX payouts_by_withdrawal ON payouts (withdrawal_id, id);
CREATE INDEX payouts_due ON payouts (check_at) WHERE check_at IS NOT NULL;
CREATE INDEX payouts_open ON payouts (lane, status) WHERE status NOT IN ('succeeded', 'failed');

-- What happened to each, for the agent who must decide on an uncertain one. Append-only.
CREATE TABLE payout_steps (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  payout_id bigint NOT NULL REFERENCES payouts,
  at timestamptz NOT NULL,
  -- A status, or: asked-again, refused-again, mismatch, late-success, linked, taken-over.
  step text NOT NULL,
  details text
);
CREATE INDEX payout_steps_by_payout ON payout_steps (payout_id, id);
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON payout_steps
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();

-- What a provider said of payouts, stored once by the hash of its raw body.
CREATE TABLE payout_notices (
  provider text NOT NULL,
  body_hash bytea NOT NULL,
  body bytea NOT NULL,
  received_at timestamptz NOT NULL,
  PRIMARY KEY (provider, body_hash)
);

-- Names of payouts that notices spoke of and that none of ours bears yet: the provider is asked
-- whose it is. Moneroo tells our reference in no other way when its answer was lost.
CREATE TABLE payout_rumours (
  provider text NOT NULL,
  -- Theirs, opaque: an id, or the handle.
  name text NOT NULL,
  is_handle boolean NOT NULL,
  heard_at timestamptz NOT NULL,
  -- NULL once it is known whose it is, or that it is nobody's.
  check_at timestamptz,
  checks integer NOT NULL DEFAULT 0,
  outcome text,
  PRIMARY KEY (provider, name)
);
CREATE INDEX payout_rumours_due ON payout_rumours (check_at) WHERE check_at IS NOT NULL;

-- The provider's word against ours, both ways.
CREATE TABLE reconciliations (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  provider text NOT NULL,
  what text NOT NULL CHECK (what IN ('payouts', 'payments')),
  -- Compared from here on.
  since timestamptz NOT NULL,
  started_at timestamptz NOT NULL,
  finished_at timestamptz,
  -- By the provider's list, or one by one where it has none.
  by_list boolean NOT NULL,
  compared integer NOT NULL DEFAULT 0,
  differences integer NOT NULL DEFAULT 0,
  -- Why it ended before its end; the next one begins again.
  stopped text
);
CREATE INDEX reconciliations_by_provider ON reconciliations (provider, what, id DESC);

CREATE TABLE reconciliation_differences (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  provider text NOT NULL,
  what text NOT NULL CHECK (what IN ('payouts', 'payments')),
  kind text NOT NULL CHECK (kind IN ('missing-there', 'missing-here', 'amount', 'status',
    'reference', 'duplicate', 'cost', 'ledger')),
  -- payout:12, payment:7, or theirs: fedapay:55
  subject text NOT NULL,
  ours jsonb,
  theirs jsonb,
  first_seen_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL,
  -- The run that last saw it, and the time a later one no longer did.
  reconciliation_id bigint NOT NULL REFERENCES reconciliations,
  gone_at timestamptz,
  UNIQUE (provider, what, kind, subject)
);
CREATE INDEX reconciliation_differences_open ON reconciliation_differences (provider, what)
  WHERE gone_at IS NULL;

INSERT INTO upkeep_tasks (name, due_at) VALUES ('payouts.reconcile', '-infinity');
