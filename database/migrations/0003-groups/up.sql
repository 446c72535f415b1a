-- Groups and channels linked by a seller's bot. Takes no lock on existing tables.
SET LOCAL lock_timeout = '2s';

CREATE TABLE groups (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  chat_id bigint NOT NULL UNIQUE,
  kind text NOT NULL CHECK (kind IN ('supergroup', 'channel')),
  title text NOT NULL,
  -- A chat with an address can be joined without paying: refused for sale (decision 81).
  public_username text,
  seller_id bigint NOT NULL REFERENCES sellers,
  bot_present boolean NOT NULL,
  can_manage boolean NOT NULL,
  can_invite boolean NOT NULL,
  can_restrict boolean NOT NULL,
  member_count integer,
  -- The seller's own choice of the groups inside the free plan's quota; oldest first by default.
  quota_rank integer,
  linked_at timestamptz NOT NULL,
  checked_at timestamptz NOT NULL,
  last_event text,
  last_event_at timestamptz
);
CREATE INDEX groups_by_seller ON groups (seller_id, linked_at);

-- The owner and the admins cannot buy access to their own group (decision 80).
CREATE TABLE group_admins (
  group_id bigint NOT NULL REFERENCES groups,
  telegram_id bigint NOT NULL,
  PRIMARY KEY (group_id, telegram_id)
);
