-- Only the buyer, only for the time paid (decision 0036): who comes in without paid time is written
-- down, closed again or reported; time a seller gives is an entry of its own and never a sale; and
-- whether members may add members is read for each group, again each hour.
--
-- Locks: ACCESS EXCLUSIVE on accesses for a moment, to let a membership stand without an order;
-- groups and people are only read, and referenced by empty tables.
SET LOCAL lock_timeout = '2s';

-- A membership that was only ever given has no order.
ALTER TABLE accesses ALTER COLUMN order_id DROP NOT NULL;

-- How people can come into a group beside our links, and what is done about it.
CREATE TABLE group_entry_rules (
  group_id bigint PRIMARY KEY REFERENCES groups ON DELETE CASCADE,
  -- Telegram's default permission `can_invite_users`. NULL: a channel, or not read yet.
  members_can_add boolean,
  -- The seller's switch: people whom a member adds without paid time are removed.
  remove_added boolean NOT NULL DEFAULT false,
  -- When Telegram is asked again.
  due_at timestamptz NOT NULL,
  -- Since when the seller knows of the fault; NULL while there is none.
  fault_notified_at timestamptz
) WITH (fillfactor = 70);

CREATE INDEX group_entry_rules_due ON group_entry_rules (due_at);

-- Spread over the hour, so that Telegram is not asked about all groups at once.
INSERT INTO group_entry_rules (group_id, due_at)
SELECT g.id, now() + make_interval(secs => g.id % 3600) FROM groups g;

-- The last time a person came into a group without paid time.
CREATE TABLE unpaid_entries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  group_id bigint NOT NULL REFERENCES groups ON DELETE CASCADE,
  person_id bigint NOT NULL REFERENCES people,
  entered_at timestamptz NOT NULL,
  door text NOT NULL CHECK (door IN ('link', 'hand', 'folder')),
  -- Who opened it; NULL: the person alone, a bot, or an administrator who acts anonymously.
  let_in_by bigint REFERENCES people,
  by_administrator boolean,
  -- `new` Telegram has not said yet who let the person in; `open` inside, the seller may decide;
  -- `closed` paid time is over and the door is shut again.
  status text NOT NULL CHECK (status IN
    ('new', 'open', 'removing', 'removed', 'closed', 'granted', 'allowed', 'left')),
  reported_at timestamptz,
  UNIQUE (group_id, person_id)
) WITH (fillfactor = 70);

CREATE INDEX unpaid_entries_by_person ON unpaid_entries (person_id);
CREATE INDEX unpaid_entries_by_host ON unpaid_entries (let_in_by) WHERE let_in_by IS NOT NULL;

-- The white list of a group: nobody on it is removed or reported.
CREATE TABLE allowed_members (
  group_id bigint NOT NULL REFERENCES groups ON DELETE CASCADE,
  person_id bigint NOT NULL REFERENCES people,
  allowed_by bigint NOT NULL REFERENCES people,
  allowed_at timestamptz NOT NULL,
  PRIMARY KEY (group_id, person_id)
);

CREATE INDEX allowed_members_by_person ON allowed_members (person_id);

-- Time a seller gave: never revenue. `until` is the end it made, as an order's access_until.
CREATE TABLE membership_grants (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  person_id bigint NOT NULL REFERENCES people,
  group_id bigint NOT NULL,
  minutes integer NOT NULL CHECK (minutes > 0),
  until timestamptz NOT NULL,
  granted_by bigint NOT NULL REFERENCES people,
  granted_at timestamptz NOT NULL,
  reason text NOT NULL CHECK (reason IN ('let-in')),
  -- What asked for it: given again, it gives nothing twice.
  request_key text NOT NULL UNIQUE
);

CREATE INDEX membership_grants_by_person ON membership_grants (person_id, group_id);

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON membership_grants
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();
