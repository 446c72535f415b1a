-- Whether a group is within its seller's quota: all on premium, else the three that the seller
-- chose, by default the oldest (decisions 9, 88). Chats that the bot has left do not count.
CREATE OR REPLACE FUNCTION group_in_quota(g groups) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT (SELECT s.plan FROM sellers s WHERE s.id = g.seller_id) IS NOT DISTINCT FROM 'premium'
    OR (
      SELECT count(*) FROM groups o
      WHERE o.seller_id = g.seller_id AND o.bot_present
        AND (coalesce(o.quota_rank, 2147483647), o.linked_at, o.id)
          < (coalesce(g.quota_rank, 2147483647), g.linked_at, g.id)
    ) < 3
$$;
