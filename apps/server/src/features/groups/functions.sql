-- Whether a group is among those its seller's plan allows: all on premium, else the three he
-- picked, the oldest by default (decisions 9, 88). Chats the bot has left hold no place.
CREATE OR REPLACE FUNCTION group_in_quota(g groups) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT (SELECT s.plan FROM sellers s WHERE s.id = g.seller_id) IS NOT DISTINCT FROM 'premium'
    OR (
      SELECT count(*) FROM groups o
      WHERE o.seller_id = g.seller_id AND o.bot_present
        AND (coalesce(o.quota_rank, 2147483647), o.linked_at, o.id)
          < (coalesce(g.quota_rank, 2147483647), g.linked_at, g.id)
    ) < 3
$$;

-- Whether access to it can be sold now: the same rule as the contract's policy of groups, and its
-- seller may still invite and restrict there.
CREATE OR REPLACE FUNCTION group_is_healthy(g groups) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT g.bot_present AND g.public_username IS NULL AND g.seller_lost_rights_at IS NULL
    AND g.can_manage AND g.can_invite AND g.can_restrict AND group_in_quota(g)
$$;
