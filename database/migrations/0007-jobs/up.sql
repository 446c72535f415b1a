-- What must be done as soon as possible, written in the transaction that decided it, and what came
-- in from Telegram. No lock on existing tables.
SET LOCAL lock_timeout = '2s';

CREATE TABLE outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- A job's name: capability.verb.
  topic text NOT NULL,
  -- The business row it is about.
  ref bigint NOT NULL,
  payload jsonb NOT NULL DEFAULT '{}',
  -- 0 access, 1 messages about money and access, 2 reminders, 3 the rest.
  priority smallint NOT NULL DEFAULT 1,
  due_at timestamptz NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  last_error text,
  failed_at timestamptz
) WITH (fillfactor = 50);
CREATE INDEX outbox_due ON outbox (priority, due_at) WHERE failed_at IS NULL;

CREATE TABLE telegram_updates (
  bot text NOT NULL CHECK (bot IN ('seller', 'buyer')),
  update_id bigint NOT NULL,
  -- Updates about one chat or one person are handled one after the other.
  queue_key text NOT NULL,
  body jsonb NOT NULL,
  received_at timestamptz NOT NULL,
  -- Not before: the end of a lease, or of a back-off.
  due_at timestamptz NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  last_error text,
  handled_at timestamptz,
  PRIMARY KEY (bot, update_id)
) WITH (fillfactor = 70);
CREATE INDEX telegram_updates_waiting ON telegram_updates (bot, queue_key, update_id)
  WHERE handled_at IS NULL;
CREATE INDEX telegram_updates_handled ON telegram_updates (handled_at) WHERE handled_at IS NOT NULL;

-- What Telegram last said of our bots: share links need the names while it is silent.
CREATE TABLE bots (
  bot text PRIMARY KEY CHECK (bot IN ('seller', 'buyer')),
  telegram_id bigint NOT NULL,
  username text NOT NULL
);

CREATE TABLE desk_alerts (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL,
  subject text NOT NULL,
  details jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  resolved_at timestamptz,
  UNIQUE (kind, subject)
);
