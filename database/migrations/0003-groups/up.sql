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
  -- A word of the contract: linked, rights_changed, member_joined …
  last_event text,
  last_event_at timestamptz,
  -- What the seller was last told of its state: he is told again only when it changes.
  told_state text
);
CREATE INDEX groups_by_seller ON groups (seller_id, linked_at);

-- The owner and the admins cannot buy access to their own group (decision 80).
CREATE TABLE group_admins (
  group_id bigint NOT NULL REFERENCES groups,
  telegram_id bigint NOT NULL,
  PRIMARY KEY (group_id, telegram_id)
);

-- Chats the bot was added to, that are nobody's yet: the person has not signed in as a seller, acts
-- anonymously (telegram_id NULL), or must first turn a basic group into a supergroup.
CREATE TABLE group_claims (
  chat_id bigint PRIMARY KEY,
  telegram_id bigint,
  kind text NOT NULL CHECK (kind IN ('group', 'supergroup', 'channel')),
  title text NOT NULL,
  public_username text,
  can_manage boolean NOT NULL,
  can_invite boolean NOT NULL,
  can_restrict boolean NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX group_claims_by_person ON group_claims (telegram_id);

-- Whether a group is among those its seller's plan allows: all on premium, else the three he
-- picked, the oldest by default (decisions 9, 88). Chats the bot has left hold no place.
CREATE FUNCTION group_in_quota(g groups) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT (SELECT s.plan FROM sellers s WHERE s.id = g.seller_id) IS NOT DISTINCT FROM 'premium'
    OR (
      SELECT count(*) FROM groups o
      WHERE o.seller_id = g.seller_id AND o.bot_present
        AND (coalesce(o.quota_rank, 2147483647), o.linked_at, o.id)
          < (coalesce(g.quota_rank, 2147483647), g.linked_at, g.id)
    ) < 3
$$;

-- Whether access to it can be sold now: the same rule as the contract's policy of groups.
CREATE FUNCTION group_is_healthy(g groups) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT g.bot_present AND g.public_username IS NULL
    AND g.can_manage AND g.can_invite AND g.can_restrict AND group_in_quota(g)
$$;
