-- What the bot has said to agents about requests, so that each message can be brought up to date.
-- Locks withdrawals for a moment: an index on those approved and not paid, which are few.
SET LOCAL lock_timeout = '2s';

-- The desk's second list: approved, the money not received yet.
CREATE INDEX withdrawals_unsettled ON withdrawals (due_at, id)
  WHERE status = 'approved' AND paid_at IS NULL;

-- Requests the agents have been told of: the first at once, those of the next seconds together.
CREATE TABLE desk_tellings (
  withdrawal_id bigint PRIMARY KEY REFERENCES withdrawals,
  told_at timestamptz NOT NULL
);
CREATE INDEX desk_tellings_newest ON desk_tellings (told_at DESC);

-- A message of the seller bot to an agent, and the requests it speaks of: one, or a list.
CREATE TABLE desk_messages (
  person_id bigint NOT NULL REFERENCES people,
  message_id bigint NOT NULL,
  withdrawal_id bigint NOT NULL REFERENCES withdrawals,
  -- Hash of what it shows, so that nothing is written twice.
  shown bytea NOT NULL,
  PRIMARY KEY (person_id, message_id, withdrawal_id)
) WITH (fillfactor = 70);
CREATE INDEX desk_messages_by_withdrawal ON desk_messages (withdrawal_id);

-- What the bot asked an agent, who answers with a message: a reference, or a reason.
CREATE TABLE desk_questions (
  person_id bigint NOT NULL REFERENCES people,
  message_id bigint NOT NULL,
  withdrawal_id bigint NOT NULL REFERENCES withdrawals,
  asks text NOT NULL CHECK (asks IN ('reference', 'failure', 'reject-reason')),
  asked_at timestamptz NOT NULL,
  answered_at timestamptz,
  PRIMARY KEY (person_id, message_id)
);
CREATE INDEX desk_questions_open ON desk_questions (person_id, asked_at DESC)
  WHERE answered_at IS NULL;
