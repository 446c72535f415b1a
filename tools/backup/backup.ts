import { createHash, type Hash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { Kysely, PostgresDialect, type PostgresPool } from "kysely";
import type pg from "pg";
import { checkChain } from "../../apps/server/src/audit/audit.store.ts";
import { databaseTypes } from "../../apps/server/src/postgres/database.ts";
import { checkLedger } from "../../apps/server/src/maintenance/maintenance.ts";
import { VERSION } from "../../apps/server/src/version.ts";
import { migrate } from "../../database/migrate.ts";
import { readSchema } from "../../database/schema.ts";
import { withClient } from "../postgres/embedded.ts";
import {
  DamagedBackup,
  FORMAT,
  type Header,
  readBackup,
  type SealedFile,
  writeBackup,
} from "./format.ts";

type Place = { url: string; imagesDir: string; file: string };

/**
 * Writes the database as of one instant, while it is in use, and the images into one file, sealed
 * with the key. The images of a row in the snapshot are written before the row and never change.
 */
export const backup = ({ url, imagesDir, file, secretsKey }: Place & { secretsKey: Uint8Array }) =>
  withClient(url, async (client) => {
    await settle(client);
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    const migrations = await migrationsOf(client);
    if (migrations.length === 0) throw new Error("This database holds nothing of Sésame.");
    const made_by = `${VERSION.version}, ${VERSION.commit}`;
    const writer = await writeBackup(file, secretsKey);
    await writer.write({ format: FORMAT, made_at: new Date().toISOString(), made_by, migrations });
    const tables = await tablesOf(client);
    for (const table of tables) {
      for await (const rows of readTable(client, table)) {
        await writer.write({ table: table.name, columns: table.columns, rows });
      }
    }
    // Sequences are not part of a snapshot: read last, they are never behind the rows.
    await writer.write({ sequences: await sequencesOf(client) });
    // A folder whose name begins with a dot is an image still being written: no row names it yet.
    const images = (existsSync(imagesDir) ? readdirSync(imagesDir, { withFileTypes: true }) : [])
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
      .flatMap(({ name }) => readdirSync(join(imagesDir, name)).map((file) => `${name}/${file}`));
    for (const image of images) {
      await writer.write({ file: image, base64: readFileSync(join(imagesDir, image), "base64") });
    }
    await writer.finish();
    return { tables: tables.length, images: images.length };
  });

type RestoreOptions = Place & {
  /** The current key and the former ones: one of them sealed the file. */
  secretsKeys: readonly Uint8Array[];
  /** Restores a backup whose ledger or audit log is broken, and lists its faults. */
  acceptFaults?: boolean;
};
/** Tables of people and money: a database with rows in them is in use. */
const IN_USE = ["people", "ledger_transfers"];

/**
 * Restores a backup into a database that is blank, or migrated by this version and empty. The file
 * is read whole before anything changes. Everything is loaded in one transaction, each table is
 * read back and compared, and the ledger and the audit log are checked as every hour. A failure
 * leaves the database and the images as they were. → what was restored; `faults`: broken invariants
 * that were accepted
 */
export async function restore({ url, imagesDir, file, secretsKeys, acceptFaults }: RestoreOptions) {
  const sealed = { path: file, secretsKeys };
  const header = await inspect(sealed);
  return withClient(url, async (client) => {
    const images = restoreImages(imagesDir);
    let blank = false;
    let tables: Table[] = [];
    let faults: string[] = [];
    try {
      await settle(client);
      blank = (await dropsOf(client)).length === 0;
      await prepareTarget(client, { url, header, blank });
      tables = await tablesOf(client);
      const sums = new Map(tables.map(({ name }) => [name, createHash("sha256")]));
      await client.query("BEGIN");
      await emptyTables(client, tables, () => load(client, sealed, { tables, sums, images }));
      await compare(client, tables, sums);
      faults = await findFaults(client);
      // The seal is right: the faults were there at the backup.
      if (faults.length > 0 && !acceptFaults) {
        throw new DamagedBackup(
          `The books are not whole: ${faults.length} faults: ${faults.slice(0, 5).join("; ")}. ` +
            "Nothing was restored; --accept-faults restores them as they are.",
        );
      }
      await client.query("COMMIT");
    } catch (error) {
      images.discard();
      // A lost connection has rolled back by itself; the error thrown below says why.
      await client.query("ROLLBACK").catch(() => {});
      const drop = async () => client.query((await dropsOf(client)).join("; "));
      if (blank) await drop().catch(() => {});
      throw error;
    }
    const count = images.publish();
    // Fresh tables have no statistics: the first audit would get poor plans.
    await client.query("ANALYZE");
    return { madeAt: header.made_at, tables: tables.length, images: count, faults };
  });
}

/** Reads the file to its end, or throws. */
async function inspect(sealed: SealedFile): Promise<Header> {
  let header: Header | undefined;
  for await (const line of readBackup(sealed)) if ("format" in line) header ??= line;
  return header as Header;
}

async function prepareTarget(
  client: pg.Client,
  { url, header, blank }: { url: string; header: Header; blank: boolean },
): Promise<void> {
  const { migrations } = await readSchema();
  const ours = migrations.map(({ name, checksum }) => `${name} ${checksum}`).sort();
  if (header.migrations.join() !== ours.join()) {
    throw new Error(
      `The backup was made by another version of Sésame (${header.made_by}): ` +
        "restore it by that version, then start the newer one, which brings it up to date.",
    );
  }
  if (blank) await migrate(url);
  if ((await migrationsOf(client)).join() !== ours.join()) {
    throw new Error("The database has other tables than the backup: restore into a blank one.");
  }
  for (const table of IN_USE) {
    const { rowCount } = await client.query(`SELECT 1 FROM ${quote(table)} LIMIT 1`);
    if (rowCount !== 0) throw new Error(`The database is in use: ${table} has rows.`);
  }
}

/**
 * Loads without our triggers and without foreign keys: the owner of the tables may do this, and
 * only a superuser may disable the system's triggers. Adding the foreign keys again checks all
 * rows.
 */
async function emptyTables(client: pg.Client, tables: Table[], fill: () => Promise<void>) {
  const names = tables.map(({ name }) => quote(name));
  const { rows: references } = await client.query<Record<"table" | "name" | "definition", string>>(`
    SELECT r.conrelid::regclass::text AS table, r.conname AS name,
      pg_get_constraintdef(r.oid) AS definition
    FROM pg_constraint r
    WHERE r.connamespace = 'public'::regnamespace AND r.contype = 'f' AND r.conparentid = 0
    ORDER BY 1, 2`);
  for (const name of names) await client.query(`ALTER TABLE ${name} DISABLE TRIGGER USER`);
  for (const { table, name } of references) {
    await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${quote(name)}`);
  }
  await client.query(`TRUNCATE ${names.join(", ")}`);
  await fill();
  for (const { table, name, definition } of references) {
    await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${quote(name)} ${definition}`);
  }
  for (const name of names) await client.query(`ALTER TABLE ${name} ENABLE TRIGGER USER`);
}

type Sums = ReadonlyMap<string, Hash>;
type Target = { tables: Table[]; sums: Sums; images: ReturnType<typeof restoreImages> };

async function load(client: pg.Client, sealed: SealedFile, target: Target): Promise<void> {
  for await (const line of readBackup(sealed)) {
    if ("table" in line) {
      // Only tables and columns of the schema: never a table of PostgreSQL itself.
      const table = target.tables.find(({ name }) => name === line.table);
      if (!table || table.columns.join() !== line.columns.join()) {
        throw new DamagedBackup(`The schema has no such table: ${line.table}`);
      }
      for (const row of line.rows) target.sums.get(table.name)?.update(JSON.stringify(row));
      await writeRows(client, table, line.rows);
    } else if ("file" in line) {
      target.images.keep(line.file, Buffer.from(line.base64, "base64"));
    } else if ("sequences" in line) {
      for (const { name, next } of line.sequences) {
        // Rolled back with the transaction, which setval() is not.
        const start = `ALTER SEQUENCE public.${quote(name)} RESTART WITH ${BigInt(next)}`;
        await client.query(start);
      }
    }
  }
}

async function compare(client: pg.Client, tables: Table[], sums: Sums): Promise<void> {
  for (const table of tables) {
    const hash = createHash("sha256");
    for await (const rows of readTable(client, table)) {
      for (const row of rows) hash.update(JSON.stringify(row));
    }
    if (hash.digest("hex") !== sums.get(table.name)?.digest("hex")) {
      throw new Error(`The table ${table.name} reads back differently from the backup.`);
    }
  }
}

/** As the hourly check reads them, in the transaction that loaded them. */
async function findFaults(client: pg.Client): Promise<string[]> {
  // A pool of one connection, which reads the same types as the server.
  const connection = {
    query: (text: string, values: readonly unknown[]) =>
      client.query({ text, values: [...values], types: databaseTypes }),
    release: () => {},
  };
  const pool = { connect: async () => connection, end: async () => {} } as unknown as PostgresPool;
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  const broken = [
    ...(await checkLedger(db)).flatMap(({ invariants }) => invariants),
    ...(await checkChain(db)),
  ];
  return broken.map(({ invariant, subject }) => `${invariant} (${subject})`);
}

/** What stands in the schema, as statements that drop it: none in a blank one. */
async function dropsOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ drop: string }>(`
    SELECT format('DROP %s IF EXISTS %s CASCADE', type, identity) AS drop
    FROM pg_depend, pg_identify_object(classid, objid, 0)
    WHERE refclassid = 'pg_namespace'::regclass AND refobjid = 'public'::regnamespace
      AND deptype = 'n'
    -- A sequence of a table's column goes with its table.
    ORDER BY type <> 'table'`);
  return rows.map(({ drop }) => drop);
}

/** `{folder}/{file}`, as the server names images: without a leading dot or a path upwards. */
const NAME = /^[A-Za-z0-9_-]{1,64}(\/[A-Za-z0-9_-][A-Za-z0-9_.-]{0,63})$/;

/** Images of a backup, kept in a folder of their own until the rows are committed. */
function restoreImages(imagesDir: string) {
  mkdirSync(dirname(imagesDir), { recursive: true });
  const aside = mkdtempSync(`${imagesDir}.restoring-`);
  let count = 0;
  return {
    keep(name: string, bytes: Buffer) {
      if (!NAME.test(name)) throw new DamagedBackup(`Odd name: ${name}`);
      const path = join(aside, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, bytes, { flag: "wx" });
      count += 1;
    },
    /** Moves them to the folder that the server reads. → how many */
    publish() {
      mkdirSync(imagesDir, { recursive: true });
      for (const folder of readdirSync(aside)) {
        rmSync(join(imagesDir, folder), { recursive: true, force: true });
        renameSync(join(aside, folder), join(imagesDir, folder));
      }
      rmSync(aside, { recursive: true });
      return count;
    },
    discard: () => rmSync(aside, { recursive: true, force: true }),
  };
}

/** `order`: terms that sort its rows by their key, the same on every machine. */
type Table = { name: string; columns: string[]; order: string[] };

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** These settings change how values are written as text: backup and restore must agree on them. */
async function settle(client: pg.Client): Promise<void> {
  await client.query(`SET timezone = 'UTC'; SET datestyle = 'ISO, YMD'; SET intervalstyle = 'iso_8601';
    SET extra_float_digits = 3; SET bytea_output = 'hex'; SET search_path = public;
    SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0`);
}

/** The tables with data, in a fixed order, with the columns that can be written. */
async function tablesOf(client: pg.Client): Promise<Table[]> {
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
async function sequencesOf(client: pg.Client): Promise<{ name: string; next: string }[]> {
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
async function migrationsOf(client: pg.Client): Promise<string[]> {
  const exists = await client.query("SELECT to_regclass('public.schema_migrations') AS found");
  if ((exists.rows[0] as { found: string | null }).found === null) return [];
  const { rows } = await client.query<{ made: string }>(
    `SELECT name || ' ' || checksum AS made FROM schema_migrations ORDER BY name COLLATE "C"`,
  );
  return rows.map(({ made }) => made);
}

/** The longest rows, Telegram's stored updates, have less than 600 kB: a batch fits in one line. */
const BATCH_ROWS = 100;

/**
 * Reads a table inside a transaction in batches of rows, each row as PostgreSQL writes it in text,
 * in the order of their key, so that the sums of backup and restore can be compared. The last batch
 * is empty.
 */
async function* readTable(
  client: pg.Client,
  { name, order }: Table,
): AsyncGenerator<string[], void> {
  const sorted = order.length > 0 ? ` ORDER BY ${order.join(", ")}` : "";
  await client.query(`DECLARE whole_table NO SCROLL CURSOR FOR
    SELECT whole_row::text FROM ${quote(name)} AS whole_row${sorted}`);
  const next = { text: `FETCH ${BATCH_ROWS} FROM whole_table`, rowMode: "array" } as const;
  let rows: [string][];
  do {
    ({ rows } = await client.query<[string]>(next));
    yield rows.flat();
  } while (rows.length > 0);
  await client.query("CLOSE whole_table");
}

/** Writes a batch of `readTable`. */
async function writeRows(
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
