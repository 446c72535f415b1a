import type pg from "pg";

/** `order`: terms that sort its rows by their key, the same on every machine. */
export type Table = { name: string; columns: string[]; order: string[] };

export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** These settings change how values are written as text: backup and restore must agree on them. */
export async function settle(client: pg.Client): Promise<void> {
  await client.query(`SET timezone = 'UTC'; SET datestyle = 'ISO, YMD'; SET intervalstyle = 'iso_8601';
    SET extra_float_digits = 3; SET bytea_output = 'hex'; SET search_path = public;
    SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0`);
}

/** The tables with data, in a fixed order, with the columns that can be written. */
export async function tablesOf(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(`
    SELECT c.relname AS name,
      (SELECT array_agg(a.attname::text ORDER BY a.attnum) FROM pg_attribute a
        WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
      ) AS columns,
      coalesce((SELECT array_agg(quote_ident(a.attname)
          || CASE WHEN a.attcollation = 0 THEN '' ELSE ' COLLATE "C"' END ORDER BY k.at)
        FROM pg_index i CROSS JOIN unnest(i.indkey::int2[]) WITH ORDINALITY AS k(attnum, at)
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attnum
        WHERE i.indrelid = c.oid AND i.indisprimary), '{}') AS "order"
    FROM pg_class c
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
      AND c.relname NOT IN ('schema_migrations', 'schema_version')
    ORDER BY c.relname COLLATE "C"`);
  return rows;
}

/** The sequences, and the number that each gives next. */
export async function sequencesOf(client: pg.Client): Promise<{ name: string; next: string }[]> {
  const { rows } = await client.query<{ name: string; next: string }>(`
    SELECT relname AS name FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'S' ORDER BY relname COLLATE "C"`);
  for (const sequence of rows) {
    const read = await client.query<{ next: string }>(
      `SELECT (last_value + is_called::int)::text AS next FROM ${quote(sequence.name)}`,
    );
    Object.assign(sequence, read.rows[0]);
  }
  return rows;
}

/**
 * Migrations that made the tables, "name checksum" each: a backup fits only into the same tables.
 */
export async function migrationsOf(client: pg.Client): Promise<string[]> {
  const exists = await client.query("SELECT to_regclass('public.schema_migrations') AS found");
  if ((exists.rows[0] as { found: string | null }).found === null) return [];
  const { rows } = await client.query<{ made: string }>(
    `SELECT name || ' ' || checksum AS made FROM schema_migrations ORDER BY name COLLATE "C"`,
  );
  return rows.map(({ made }) => made);
}

const FETCHED_ROWS = 200;
/** One row more may be in a batch: it stays below the longest line. */
const BATCH_CHARACTERS = 4_000_000;

/**
 * Reads a table inside a transaction in batches of rows, each row as PostgreSQL writes it in text,
 * in the order of their key, so that the sums of backup and restore can be compared. The last batch
 * may be empty.
 */
export async function* readTable(client: pg.Client, table: Table): AsyncGenerator<string[], void> {
  const { name, order } = table;
  const sorted = order.length > 0 ? ` ORDER BY ${order.join(", ")}` : "";
  await client.query(`DECLARE whole_table NO SCROLL CURSOR FOR
    SELECT whole_row::text FROM ${quote(name)} AS whole_row${sorted}`);
  let batch: string[] = [];
  let characters = 0;
  for (;;) {
    const text = `FETCH ${FETCHED_ROWS} FROM whole_table`;
    const { rows } = await client.query<[string]>({ text, rowMode: "array" });
    if (rows.length === 0) break;
    for (const [row] of rows) {
      batch.push(row);
      characters += row.length;
      if (characters < BATCH_CHARACTERS) continue;
      yield batch;
      batch = [];
      characters = 0;
    }
  }
  yield batch;
  await client.query("CLOSE whole_table");
}

/** Writes a batch of `readTable`. */
export async function writeRows(
  client: pg.Client,
  { name, columns }: Table,
  rows: readonly string[],
): Promise<void> {
  const list = columns.map(quote);
  // Materialized: each row is read from its text once, and not once for each column.
  const text = `WITH rows AS MATERIALIZED (
      SELECT one::public.${quote(name)} AS whole_row FROM json_array_elements_text($1) AS one)
    INSERT INTO public.${quote(name)} (${list.join(", ")}) OVERRIDING SYSTEM VALUE
    SELECT ${list.map((column) => `(whole_row).${column}`).join(", ")} FROM rows`;
  await client.query(text, [JSON.stringify(rows)]);
}
