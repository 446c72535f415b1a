-- Wakes the workers of each topic at the commit, whoever writes the jobs: TypeScript or SQL.
CREATE OR REPLACE FUNCTION outbox_notify() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('sesame_outbox', topic) FROM (SELECT DISTINCT topic FROM written) AS t;
  RETURN NULL;
END $$;
