-- Work that comes round by itself, and is done by one process at a time. No lock on existing tables.
SET LOCAL lock_timeout = '2s';

CREATE TABLE upkeep_tasks (
  name text PRIMARY KEY,
  -- Also the end of a worker's lease.
  due_at timestamptz NOT NULL
);

INSERT INTO upkeep_tasks (name, due_at)
VALUES ('ledger.snapshot', '-infinity'), ('books.audit', '-infinity');
