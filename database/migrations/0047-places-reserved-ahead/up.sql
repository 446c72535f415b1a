-- Places that unpaid orders reserve, by until when: a reservation that a wrong clock wrote is found.
SET lock_timeout = '2s';
CREATE INDEX CONCURRENTLY orders_reserving ON public.orders USING btree (stock_reserved_until)
  WHERE ((stock_reserved_until IS NOT NULL) AND (status = ANY (ARRAY['pending'::text, 'failed'::text])));
