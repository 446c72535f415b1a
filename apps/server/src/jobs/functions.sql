-- Notifies the workers of each topic at the commit, whether TypeScript or SQL writes the jobs.
CREATE OR REPLACE FUNCTION outbox_notify() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('sesame_outbox', topic) FROM (SELECT DISTINCT topic FROM written) AS t;
  RETURN NULL;
END $$;

-- Writes a job of each topic about each of these rows, as `enqueue` does for TypeScript.
CREATE OR REPLACE FUNCTION enqueue_jobs(
  p_topics text[], p_priorities int[], p_refs bigint[], p_due_at timestamptz
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO outbox (topic, ref, priority, due_at)
  SELECT t.topic, r.ref, t.priority, p_due_at
  FROM unnest(p_refs) AS r(ref)
  CROSS JOIN unnest(p_topics, p_priorities) WITH ORDINALITY AS t(topic, priority, nth)
  ORDER BY r.ref, t.nth;
END $$;
