-- There is no waiting list for places (product decision 130): a place is reserved for who is paying.
--
-- Locks: ACCESS EXCLUSIVE on the two tables, for an instant.
SET LOCAL lock_timeout = '2s';

CREATE OR REPLACE FUNCTION product_places_taken(p_product_id bigint, p_now timestamptz)
RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT count(DISTINCT o.buyer_id) FROM orders o
  WHERE o.product_id = p_product_id AND order_holds_place(o, p_now)
$$;
DROP FUNCTION product_places_waited(bigint);
DROP TABLE place_waits, place_lines;
