-- What a product's stock is counted with (decisions 38 and 82). Creates a function only; no lock on
-- existing tables.
SET LOCAL lock_timeout = '2s';

-- Places of a product that are taken: buyers whose paid time runs, and those paying now.
CREATE FUNCTION product_places_taken(p_product_id bigint, p_now timestamptz)
RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT count(DISTINCT o.buyer_id) FROM orders o
  WHERE o.product_id = p_product_id
    AND ((o.status = 'paid' AND o.access_until > p_now)
      OR (o.status = 'pending' AND o.stock_reserved_until > p_now))
$$;
