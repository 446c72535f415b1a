-- A seller's members and the days of his calendar are read from an index alone, however many people
-- his groups have had.
--
-- Locks: none that stops a reader or a writer. It waits for the transactions that were there before
-- it, and nobody waits for it: hence its patience.
SET lock_timeout = '10min';

CREATE INDEX CONCURRENTLY accesses_by_group_end
  ON public.accesses USING btree (group_id, ends_at) INCLUDE (status);
