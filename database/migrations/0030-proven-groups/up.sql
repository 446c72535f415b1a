-- A group belongs to who can prove it (decisions 81, 110, 126): its seller's own standing in the chat
-- is known and pauses sales, its creator is known and can take it back.
--
-- Locks: ACCESS EXCLUSIVE on groups, group_admins and group_claims for an instant: each new column has
-- a constant default or none. The index is on a table of a few thousand rows.
SET LOCAL lock_timeout = '2s';

-- Since when the seller is neither the creator nor an administrator who may invite and restrict;
-- NULL while one of them. Only Telegram's own words change it.
ALTER TABLE groups ADD COLUMN seller_lost_rights_at timestamptz;
-- When Telegram is asked about the chat the next time.
ALTER TABLE groups ADD COLUMN recheck_due_at timestamptz NOT NULL DEFAULT '-infinity';
CREATE INDEX groups_by_recheck ON groups (recheck_due_at) WHERE bot_present;

-- A hint of who may take the group back: Telegram is asked again when it happens.
ALTER TABLE group_admins ADD COLUMN is_creator boolean NOT NULL DEFAULT false;
CREATE INDEX group_creators ON group_admins (telegram_id) WHERE is_creator;

-- What was last said about this chat that waits, so that nothing is said twice.
ALTER TABLE group_claims ADD COLUMN told_state text;

-- As before (0003), and: its seller may still invite and restrict there.
CREATE OR REPLACE FUNCTION group_is_healthy(g groups) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT g.bot_present AND g.public_username IS NULL AND g.seller_lost_rights_at IS NULL
    AND g.can_manage AND g.can_invite AND g.can_restrict AND group_in_quota(g)
$$;
