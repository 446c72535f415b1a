import type pg from "pg";

/** Whether the schema holds nothing at all: what is made in it then is ours to take away. */
export async function isBlank(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ blank: boolean }>(`
    SELECT NOT EXISTS (SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace)
      AND NOT EXISTS (SELECT FROM pg_proc WHERE pronamespace = 'public'::regnamespace)
      AND NOT EXISTS (SELECT FROM pg_type WHERE typnamespace = 'public'::regnamespace) AS blank`);
  return rows[0]?.blank === true;
}

/** Drops everything in the schema, which was blank before the restore. */
export async function makeBlank(client: pg.Client): Promise<void> {
  await client.query(`
    DO $$ DECLARE one record; BEGIN
      FOR one IN SELECT oid::regclass AS name FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
      LOOP EXECUTE format('DROP TABLE IF EXISTS %s CASCADE', one.name); END LOOP;
      FOR one IN SELECT oid::regclass AS name FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind = 'v'
      LOOP EXECUTE format('DROP VIEW IF EXISTS %s CASCADE', one.name); END LOOP;
      FOR one IN SELECT oid::regclass AS name FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind = 'S'
      LOOP EXECUTE format('DROP SEQUENCE IF EXISTS %s CASCADE', one.name); END LOOP;
      FOR one IN SELECT oid::regprocedure AS name FROM pg_proc
        WHERE pronamespace = 'public'::regnamespace
      LOOP EXECUTE format('DROP ROUTINE IF EXISTS %s CASCADE', one.name); END LOOP;
      FOR one IN SELECT oid::regtype AS name FROM pg_type
        WHERE typnamespace = 'public'::regnamespace AND typtype IN ('c', 'd', 'e')
      LOOP EXECUTE format('DROP TYPE IF EXISTS %s CASCADE', one.name); END LOOP;
    END $$`);
}
