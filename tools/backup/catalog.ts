import type pg from "pg";

export type Table = { name: string; columns: string[]; key: string[] };
export type ForeignKey = { table: string; name: string; definition: string };
export type Sequence = { name: string; last_value: string; is_called: boolean };

export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Text forms differ with these: both ends of a copy must agree on them. */
export async function settle(client: pg.Client): Promise<void> {
  await client.query(`SET timezone = 'UTC'; SET datestyle = 'ISO, YMD'; SET intervalstyle = 'iso_8601';
    SET extra_float_digits = 3; SET bytea_output = 'hex'; SET search_path = public;
    SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0`);
}

/** The tables that hold data, in a fixed order, with the columns that can be written. */
export async function tablesOf(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(`
    SELECT c.relname AS name,
      (SELECT array_agg(a.attname::text ORDER BY a.attnum) FROM pg_attribute a
        WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
      ) AS columns,
      coalesce((SELECT array_agg(a.attname::text ORDER BY k.at)
        FROM pg_index i CROSS JOIN unnest(i.indkey::int2[]) WITH ORDINALITY AS k(attnum, at)
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attnum
        WHERE i.indrelid = c.oid AND i.indisprimary), '{}') AS key
    FROM pg_class c
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
      AND c.relname NOT IN ('schema_migrations', 'schema_version')
    ORDER BY c.relname COLLATE "C"`);
  return rows;
}

export async function foreignKeysOf(client: pg.Client): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(`
    SELECT r.conrelid::regclass::text AS table, r.conname AS name,
      pg_get_constraintdef(r.oid) AS definition
    FROM pg_constraint r
    WHERE r.connamespace = 'public'::regnamespace AND r.contype = 'f' AND r.conparentid = 0
    ORDER BY 1, 2`);
  return rows;
}

export async function sequencesOf(client: pg.Client): Promise<Sequence[]> {
  const { rows } = await client.query<{ name: string }>(`
    SELECT relname AS name FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'S' ORDER BY relname COLLATE "C"`);
  const sequences: Sequence[] = [];
  for (const { name } of rows) {
    const read = await client.query<Sequence>(
      `SELECT last_value::text, is_called FROM ${quote(name)}`,
    );
    sequences.push({ ...(read.rows[0] as Sequence), name });
  }
  return sequences;
}

/** What the tables were made by, "name checksum" each: a copy fits into the same alone. */
export async function migrationsOf(client: pg.Client): Promise<string[]> {
  const exists = await client.query("SELECT to_regclass('public.schema_migrations') AS found");
  if ((exists.rows[0] as { found: string | null }).found === null) return [];
  const { rows } = await client.query<{ made: string }>(
    `SELECT name || ' ' || checksum AS made FROM schema_migrations ORDER BY name COLLATE "C"`,
  );
  return rows.map(({ made }) => made);
}

/** The same rows in the same order on both sides, so that their sums can be compared. */
export function copyOutStatement({ name, columns, key }: Table): string {
  const list = columns.map(quote).join(", ");
  const order = key.length > 0 ? ` ORDER BY ${key.map(quote).join(", ")}` : "";
  return `COPY (SELECT ${list} FROM ${quote(name)}${order}) TO STDOUT`;
}
