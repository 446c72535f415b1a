import { createHash } from "node:crypto";
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
import pg from "pg";
import { checkChain } from "../../apps/server/src/audit/audit.store.ts";
import { databaseTypes } from "../../apps/server/src/postgres/database.ts";
import { checkLedger } from "../../apps/server/src/maintenance/maintenance.ts";
import { VERSION } from "../../apps/server/src/version.ts";
import { migrate } from "../../database/migrate.ts";
import { readSchema } from "../../database/schema.ts";
import {
  foreignKeysOf,
  migrationsOf,
  quote,
  readTable,
  type Sequence,
  sequencesOf,
  settle,
  tablesOf,
  writeTable,
} from "./tables.ts";
import {
  DamagedBackup,
  FORMAT,
  type Header,
  readBackup,
  type SealedFile,
  writeBackup,
} from "./format.ts";

export type BackupOptions = {
  url: string;
  imagesDir: string;
  file: string;
  /** Seals the file. */
  secretsKey: Uint8Array;
};
export type BackupReport = { tables: number; images: number };

/**
 * Writes the database as of one instant, while it is in use, and the images into one file. The
 * images of a row in the snapshot are written before the row and never change.
 */
export async function backup(options: BackupOptions): Promise<BackupReport> {
  const { url, imagesDir, file, secretsKey } = options;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await settle(client);
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    const migrations = await migrationsOf(client);
    if (migrations.length === 0) throw new Error("This database holds nothing of Sésame.");
    const made_at = new Date().toISOString();
    const made_by = `${VERSION.version}, ${VERSION.commit}`;
    const header: Header = { format: FORMAT, made_at, made_by, migrations };
    const writer = await writeBackup(file, { header, secretsKey });
    const tables = await tablesOf(client);
    for (const table of tables) {
      await writer.section({ table: table.name, columns: table.columns }, (write) =>
        readTable(client, table, write),
      );
    }
    // Sequences are not part of a snapshot: read last, they are never behind the rows.
    const sequences = await sequencesOf(client);
    await writer.section({ sequences: true }, (write) =>
      write(Buffer.from(JSON.stringify(sequences))),
    );
    const images = listFiles(imagesDir);
    for (const image of images) {
      await writer.section({ file: image }, (write) => write(readFileSync(join(imagesDir, image))));
    }
    await writer.finish();
    return { tables: tables.length, images: images.length };
  } finally {
    await client.end();
  }
}

/** A name that begins with a dot is an image still being written: no row names it yet. */
function listFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => !path.startsWith("."))
    .sort();
}

export type RestoreOptions = {
  url: string;
  imagesDir: string;
  file: string;
  /** The current key and the former ones: one of them sealed the file. */
  secretsKeys: readonly Uint8Array[];
  /** Restores a backup whose ledger or audit log is broken, and lists its faults. */
  acceptFaults?: boolean;
};
export type RestoreReport = {
  madeAt: string;
  tables: number;
  images: number;
  /** Broken invariants that were accepted; empty when ledger and audit log are whole. */
  faults: string[];
};

/** Tables of people and money: a database with rows in them is in use. */
const IN_USE = ["people", "ledger_transfers"];

/**
 * Restores a backup into a database that is blank, or migrated by this version and empty. The file
 * is read whole before anything changes. Everything is loaded in one transaction, each table is
 * read back and compared, and the ledger and the audit log are checked as every hour. A failure
 * leaves the database and the images as they were.
 */
export async function restore(options: RestoreOptions): Promise<RestoreReport> {
  const { url, imagesDir } = options;
  const sealed = { path: options.file, secretsKeys: options.secretsKeys };
  const { header, sums } = await inspect(sealed);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const images = restoreImages(imagesDir);
  let blank = false;
  let faults: string[] = [];
  try {
    await settle(client);
    blank = await isBlank(client);
    await prepareTarget(client, { url, header, blank });
    await client.query("BEGIN");
    await emptyTables(client, () => load(client, sealed, images));
    await compare(client, sums);
    faults = await findFaults(client);
    if (faults.length > 0 && !options.acceptFaults) throw new FaultyBooks(faults);
    await client.query("COMMIT");
  } catch (error) {
    images.discard();
    // A lost connection has rolled back by itself; the error thrown below says why.
    await client.query("ROLLBACK").catch(() => {});
    if (blank) await makeBlank(client).catch(() => {});
    await client.end();
    throw error;
  }
  const count = images.publish();
  // Fresh tables have no statistics: the first audit would get poor plans.
  await client.query("ANALYZE");
  await client.end();
  return { madeAt: header.made_at, tables: sums.size, images: count, faults };
}

/** Reads the file to its end, or throws. → the sum of each table */
async function inspect(sealed: SealedFile): Promise<{ header: Header; sums: Map<string, string> }> {
  const sums = new Map<string, string>();
  const header = await readBackup(sealed, async (name, bytes) => {
    if (!("table" in name)) return;
    if (sums.has(name.table)) throw new DamagedBackup(`The table ${name.table} comes twice`);
    const hash = createHash("sha256");
    for await (const batch of bytes) hash.update(batch);
    sums.set(name.table, hash.digest("hex"));
  });
  return { header, sums };
}

async function prepareTarget(
  client: pg.Client,
  { url, header, blank }: { url: string; header: Header; blank: boolean },
): Promise<void> {
  const { migrations } = await readSchema();
  const ours = migrations.map(({ name, checksum }) => `${name} ${checksum}`).sort();
  if (header.migrations.join() !== ours.join()) {
    throw new Error(
      `The backup was made by another version of Sésame (${header.made_by ?? "before 0.2"}): ` +
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
async function emptyTables(client: pg.Client, fill: () => Promise<void>): Promise<void> {
  const tables = (await tablesOf(client)).map(({ name }) => quote(name));
  const references = await foreignKeysOf(client);
  for (const table of tables) await client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
  for (const { table, name } of references) {
    await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${quote(name)}`);
  }
  await client.query(`TRUNCATE ${tables.join(", ")}`);
  await fill();
  for (const { table, name, definition } of references) {
    await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${quote(name)} ${definition}`);
  }
  for (const table of tables) await client.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
}

async function load(client: pg.Client, sealed: SealedFile, images: RestoredImages): Promise<void> {
  const tables = new Map((await tablesOf(client)).map((table) => [table.name, table]));
  const sequences = new Set((await sequencesOf(client)).map(({ name }) => name));
  await readBackup(sealed, async (name, bytes) => {
    if ("table" in name) {
      // Only tables and columns of the schema: never a table of PostgreSQL itself.
      const table = tables.get(name.table);
      if (!table || table.columns.join() !== name.columns.join()) {
        throw new DamagedBackup(`The schema has no such table: ${name.table}`);
      }
      await writeTable(client, table, bytes);
    } else if ("file" in name) {
      await images.keep(name.file, bytes);
    } else {
      await setSequences(client, sequences, await gather(bytes, SEQUENCES_BYTES_MAX));
    }
  });
}

const SEQUENCES_BYTES_MAX = 1024 * 1024;

async function setSequences(
  client: pg.Client,
  known: ReadonlySet<string>,
  bytes: Buffer,
): Promise<void> {
  for (const { name, last_value, is_called } of JSON.parse(bytes.toString()) as Sequence[]) {
    if (!known.has(name)) throw new DamagedBackup(`The schema has no such sequence: ${name}`);
    // Rolled back with the transaction, which setval() is not.
    const next = BigInt(last_value) + (is_called ? 1n : 0n);
    await client.query(`ALTER SEQUENCE public.${quote(name)} RESTART WITH ${next}`);
  }
}

async function compare(client: pg.Client, sums: Map<string, string>): Promise<void> {
  for (const table of await tablesOf(client)) {
    const hash = createHash("sha256");
    await readTable(client, table, async (batch) => void hash.update(batch));
    if (hash.digest("hex") !== sums.get(table.name)) {
      throw new Error(`The table ${table.name} reads back differently from the backup.`);
    }
  }
}

/**
 * The seal is right and the ledger or the audit log is not: the faults were there at the backup.
 */
class FaultyBooks extends DamagedBackup {
  constructor(faults: readonly string[]) {
    const shown = faults.slice(0, 5).join("; ");
    super(
      `The books are not whole: ${faults.length} faults: ${shown}. Nothing was restored; ` +
        "--accept-faults restores them as they are.",
    );
  }
}

/** As the hourly check reads them, in the transaction that loaded them. */
async function findFaults(client: pg.Client): Promise<string[]> {
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: poolOf(client) }) });
  const broken = [
    ...(await checkLedger(db)).flatMap(({ invariants }) => invariants),
    ...(await checkChain(db)),
  ];
  return broken.map(({ invariant, subject }) => `${invariant} (${subject})`);
}

/** A pool of one connection, which reads the same types as the server. */
function poolOf(client: pg.Client): PostgresPool {
  const connection = {
    query: (text: string, values: readonly unknown[]) =>
      client.query({ text, values: [...values], types: databaseTypes }),
    release: () => {},
  };
  return { connect: async () => connection, end: async () => {} } as unknown as PostgresPool;
}

/** Whether the schema is empty: then whatever the restore makes in it may be dropped again. */
async function isBlank(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ blank: boolean }>(`
    SELECT NOT EXISTS (SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace)
      AND NOT EXISTS (SELECT FROM pg_proc WHERE pronamespace = 'public'::regnamespace)
      AND NOT EXISTS (SELECT FROM pg_type WHERE typnamespace = 'public'::regnamespace) AS blank`);
  return rows[0]?.blank === true;
}

/** Drops everything in a schema that was blank before the restore. */
async function makeBlank(client: pg.Client): Promise<void> {
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

/** `{folder}/{file}`, as the server names images: without a leading dot or a path upwards. */
const NAME = /^[A-Za-z0-9_-]{1,64}(\/[A-Za-z0-9_-][A-Za-z0-9_.-]{0,63}){1,2}$/;
/** An upload is 5 MB at most, and the stored image is smaller. */
const FILE_BYTES_MAX = 16 * 1024 * 1024;

type RestoredImages = ReturnType<typeof restoreImages>;

/** Images of a backup, kept in a folder of their own until the rows are committed. */
function restoreImages(imagesDir: string) {
  mkdirSync(dirname(imagesDir), { recursive: true });
  const aside = mkdtempSync(`${imagesDir}.restoring-`);
  let count = 0;
  return {
    async keep(name: string, bytes: AsyncIterable<Buffer>) {
      if (!NAME.test(name)) throw new DamagedBackup(`Odd name: ${name}`);
      const path = join(aside, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, await gather(bytes, FILE_BYTES_MAX), { flag: "wx" });
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

/** Reads a small section whole. A longer one is not from a backup of ours. */
async function gather(bytes: AsyncIterable<Buffer>, bytesMax: number): Promise<Buffer> {
  const batches: Buffer[] = [];
  let size = 0;
  for await (const batch of bytes) {
    size += batch.length;
    if (size > bytesMax) throw new DamagedBackup(`A section of more than ${bytesMax} bytes`);
    batches.push(batch);
  }
  return Buffer.concat(batches);
}
