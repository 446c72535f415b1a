-- Gives the time of paid orders, whose rows the caller has locked, to their buyers, all at once. → for
-- each order, the end of its time, and whether time was left before; `banned`: the group's admins banned
-- the person: time is added, the membership stays closed.
--
-- Locks: accesses by person and group.
CREATE OR REPLACE FUNCTION grant_accesses(p_orders bigint[], p_now timestamptz)
RETURNS TABLE (order_id bigint, access_until timestamptz, is_renewal boolean, banned boolean)
LANGUAGE plpgsql STRICT ROWS 100 AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  WITH sold AS MATERIALIZED (
    SELECT o.id, o.buyer_id, o.group_id, o.duration_minutes,
      row_number() OVER (same_access ORDER BY o.id) AS nth,
      (sum(o.duration_minutes) OVER (same_access ORDER BY o.id DESC))::int
        - o.duration_minutes AS minutes_after
    FROM orders o WHERE o.id = ANY (p_orders)
    WINDOW same_access AS (PARTITION BY o.buyer_id, o.group_id)
  ), granted AS (
    INSERT INTO accesses AS x
      (person_id, group_id, status, ends_at, started_at, order_id, updated_at)
    SELECT s.buyer_id, s.group_id, 'waiting',
      p_now + make_interval(mins => sum(s.duration_minutes)::int), p_now, max(s.id), p_now
    FROM sold s GROUP BY s.buyer_id, s.group_id ORDER BY s.buyer_id, s.group_id
    ON CONFLICT (person_id, group_id) DO UPDATE SET
      status = CASE WHEN x.status IN ('inside', 'banned') THEN x.status ELSE 'waiting' END,
      -- In seconds: an interval in days would follow the session's summer time.
      ends_at = greatest(x.ends_at, p_now)
        + make_interval(secs => extract(epoch FROM excluded.ends_at - p_now)::float8),
      started_at = CASE WHEN x.ends_at > p_now THEN x.started_at ELSE p_now END,
      joined_at = CASE WHEN x.status = 'inside' THEN x.joined_at END,
      order_id = excluded.order_id, updated_at = p_now
    RETURNING x.person_id, x.group_id, x.ends_at, x.status
  )
  SELECT s.id, g.ends_at - make_interval(mins => s.minutes_after),
    s.nth > 1
      OR g.ends_at - make_interval(mins => s.minutes_after + s.duration_minutes) > p_now,
    g.status = 'banned'
  FROM sold s JOIN granted g ON g.person_id = s.buyer_id AND g.group_id = s.group_id;
END $$;
