import type pg from "pg";
import { once } from "node:events";
import type { Socket } from "node:net";

export type Table = { name: string; columns: string[]; key: string[] };
export type ForeignKey = { table: string; name: string; definition: string };
export type Sequence = { name: string; last_value: string; is_called: boolean };

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

/**
 * COPY with rows in the order of their key, so that the sums of backup and restore can be compared.
 */
export function copyOutStatement({ name, columns, key }: Table): string {
  const list = columns.map(quote).join(", ");
  const order = key.length > 0 ? ` ORDER BY ${key.map(quote).join(", ")}` : "";
  return `COPY (SELECT ${list} FROM ${quote(name)}${order}) TO STDOUT`;
}

/** The part of pg's connection that COPY needs, which pg's types do not describe. */
type Wire = {
  stream: Socket;
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(message: string): void;
};

const BATCH_BYTES = 256 * 1024;

/** Runs `COPY … TO STDOUT` and passes its bytes on in batches, waiting until each is taken. */
export async function copyOut(
  client: pg.Client,
  text: string,
  take: (bytes: Buffer) => Promise<void>,
): Promise<void> {
  let rows: Buffer[] = [];
  let size = 0;
  let taken = Promise.resolve();
  let socket: Socket | undefined;
  const flush = (): void => {
    const batch = Buffer.concat(rows);
    rows = [];
    size = 0;
    if (batch.length === 0) return;
    socket?.pause();
    taken = taken.then(() => take(batch)).finally(() => socket?.resume());
    // The failure is thrown below: until then it must not be an unhandled rejection.
    taken.catch(() => {});
  };
  await submit(client, {
    submit: (wire) => {
      socket = wire.stream;
      wire.query(text);
    },
    handleCopyData: ({ chunk }) => {
      // The chunk is a part of the socket's buffer, which pg uses again: it is copied.
      rows.push(Buffer.from(chunk));
      size += chunk.length;
      if (size >= BATCH_BYTES) flush();
    },
  });
  flush();
  await taken;
}

/** Runs `COPY … FROM STDIN` with these bytes. */
export async function copyIn(
  client: pg.Client,
  text: string,
  batches: AsyncIterable<Buffer>,
): Promise<void> {
  await submit(client, {
    submit: (wire) => wire.query(text),
    handleCopyInResponse: (wire) => {
      send(wire, batches).catch((error: Error) => wire.sendCopyFail(error.message));
    },
  });
}

async function send(wire: Wire, batches: AsyncIterable<Buffer>): Promise<void> {
  for await (const batch of batches) {
    wire.sendCopyFromChunk(batch);
    if (wire.stream.writableNeedDrain) await once(wire.stream, "drain");
  }
  wire.endCopyFrom();
}

type Steps = {
  submit(wire: Wire): void;
  handleCopyData?(message: { chunk: Buffer }): void;
  handleCopyInResponse?(wire: Wire): void;
};

/** Gives pg a query object of our own: pg calls these methods as answers arrive. */
function submit(client: pg.Client, steps: Steps): Promise<void> {
  return new Promise((resolve, reject) => {
    let failure: Error | null = null;
    const query = {
      handleRowDescription: () => {},
      handleDataRow: () => {},
      handleCommandComplete: () => {},
      handleCopyData: () => {},
      handleError: (error: Error) => {
        failure = error;
        reject(error);
      },
      handleReadyForQuery: () => {
        if (failure === null) resolve();
      },
      ...steps,
    };
    client.query(query as unknown as pg.Submittable);
  });
}
