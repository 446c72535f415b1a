-- Jobs are leased by topic for a few seconds, outages are counted apart from answers, and a job that
-- waited longer than its topic allows has expired (decision 0040).
--
-- Locks: ACCESS EXCLUSIVE on outbox and telegram_updates for the columns, which have no value to be
-- written; SHARE on outbox while its indexes are made. The table holds open jobs only: about a second
-- with a million of them.
SET LOCAL lock_timeout = '2s';

ALTER TABLE outbox
  -- Who holds the job until due_at. NULL: nobody does, and due_at is when it may run.
  ADD COLUMN lease uuid,
  -- Times somebody outside did not answer. `attempts` counts answers and bugs only.
  ADD COLUMN outages integer NOT NULL DEFAULT 0,
  -- When it was due the first time: its age is counted from then. NULL until the first lease.
  ADD COLUMN first_due_at timestamptz,
  -- Why failed_at is set: an outage lasted longer than the topic's age limit.
  ADD COLUMN expired boolean NOT NULL DEFAULT false,
  -- A lease looks at each of them.
  ADD CONSTRAINT outbox_priority_check CHECK (priority BETWEEN 0 AND 3),
  -- Done jobs leave a dead row each: a backlog that drains must not slow its own leases.
  SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
    autovacuum_analyze_scale_factor = 0.05);

UPDATE outbox SET first_due_at = due_at WHERE attempts > 0;

DROP INDEX outbox_due;
-- A worker finds the due jobs of one topic without reading those of the others.
CREATE INDEX outbox_due ON outbox (topic, priority, due_at) WHERE failed_at IS NULL;
CREATE INDEX outbox_failed ON outbox (topic, failed_at) WHERE failed_at IS NOT NULL;
-- A job that waits for a person or for a bot's rights is found by what it is about. Those never
-- leased need no such look, and their insertion pays nothing for it.
CREATE INDEX outbox_tried ON outbox (topic, ref) WHERE first_due_at IS NOT NULL;

ALTER TABLE telegram_updates
  ADD COLUMN lease uuid,
  ADD COLUMN outages integer NOT NULL DEFAULT 0;
-- Those given up are listed and retried from the back office.
CREATE INDEX telegram_updates_given_up ON telegram_updates (handled_at)
  WHERE handled_at IS NOT NULL AND last_error IS NOT NULL;

-- Wakes the workers of each topic at the commit, whoever writes the jobs: TypeScript or SQL.
CREATE FUNCTION outbox_notify() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('sesame_outbox', topic) FROM (SELECT DISTINCT topic FROM written) AS t;
  RETURN NULL;
END $$;
CREATE TRIGGER outbox_written AFTER INSERT ON outbox
  REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION outbox_notify();
