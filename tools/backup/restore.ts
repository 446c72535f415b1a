import { createHash } from "node:crypto";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import pg from "pg";
import { migrate } from "../../database/migrate.ts";
import {
  copyOutStatement,
  foreignKeysOf,
  migrationsOf,
  quote,
  type Sequence,
  settle,
  tablesOf,
} from "./catalog.ts";
import { copyIn, copyOut } from "./copy.ts";
import { DamagedBackup, type Header, readBackup } from "./format.ts";

export type RestoreOptions = { url: string; imagesDir: string; file: string };
export type RestoreReport = { madeAt: string; tables: number; images: number };

/** Tables with rows of people and money: a database that has any is in use. */
const IN_USE = ["people", "ledger_transfers"];

/**
 * Puts a backup into an empty database: blank, or migrated as the backup was. The file is read
 * whole before anything is touched, everything is loaded in one transaction, then each table is
 * read back and compared, and the books are added up. A failure leaves the database as it was.
 */
export async function restore({ url, imagesDir, file }: RestoreOptions): Promise<RestoreReport> {
  const { header, sums } = await inspect(file);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  let images = 0;
  try {
    await settle(client);
    await prepareTarget(client, url, header);
    await client.query("BEGIN");
    await emptyTables(client, async () => {
      images = await load(client, file, imagesDir);
    });
    await compare(client, sums);
    await requireBalancedBooks(client);
    await client.query("COMMIT");
    // Fresh tables have no statistics: the first audit would choose its plans blindly.
    await client.query("ANALYZE");
  } finally {
    await client.end();
  }
  await migrate(url);
  return { madeAt: header.made_at, tables: sums.size, images };
}

/** Reads the file to its end: every sum is right, or this throws. */
async function inspect(file: string): Promise<{ header: Header; sums: Map<string, string> }> {
  let header: Header | undefined;
  const sums = new Map<string, string>();
  await readBackup(
    file,
    (read) => {
      header = read;
    },
    async (name, bytes) => {
      if (!("table" in name)) return;
      const hash = createHash("sha256");
      for await (const batch of bytes) hash.update(batch);
      sums.set(name.table, hash.digest("hex"));
    },
  );
  if (header === undefined) throw new DamagedBackup("The file has no beginning");
  return { header, sums };
}

async function prepareTarget(client: pg.Client, url: string, header: Header): Promise<void> {
  if ((await migrationsOf(client)).length === 0) await migrate(url, { only: header.migrations });
  const found = await migrationsOf(client);
  if (found.join() !== header.migrations.join()) {
    throw new Error(
      "The database and the backup are of different versions: restore into a blank database.",
    );
  }
  for (const table of IN_USE) {
    const { rowCount } = await client.query(`SELECT 1 FROM ${quote(table)} LIMIT 1`);
    if (rowCount !== 0) throw new Error(`The database is in use: ${table} has rows.`);
  }
}

/**
 * Loads with our own triggers asleep and references away, which the owner of the tables may do
 * where only a superuser may switch off the system's. Making the references again checks them all.
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

async function load(client: pg.Client, file: string, imagesDir: string): Promise<number> {
  let images = 0;
  await readBackup(
    file,
    () => {},
    async (name, bytes) => {
      if ("table" in name) {
        const columns = name.columns.map(quote).join(", ");
        await copyIn(client, `COPY ${quote(name.table)} (${columns}) FROM STDIN`, bytes);
      } else if ("file" in name) {
        keepImage(imagesDir, name.file, await all(bytes));
        images += 1;
      } else {
        const sequences = JSON.parse((await all(bytes)).toString()) as Sequence[];
        for (const { name: sequence, last_value, is_called } of sequences) {
          const values = [quote(sequence), last_value, is_called];
          await client.query("SELECT setval($1::regclass, $2::bigint, $3)", values);
        }
      }
    },
  );
  return images;
}

function keepImage(imagesDir: string, name: string, bytes: Buffer): void {
  const path = normalize(join(imagesDir, name));
  // A name that climbs out of the folder is no image of ours.
  if (!path.startsWith(normalize(`${imagesDir}/`))) throw new DamagedBackup(`Odd name: ${name}`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.draft`, bytes);
  renameSync(`${path}.draft`, path);
}

async function compare(client: pg.Client, sums: Map<string, string>): Promise<void> {
  for (const table of await tablesOf(client)) {
    const hash = createHash("sha256");
    await copyOut(client, copyOutStatement(table), async (bytes) => void hash.update(bytes));
    if (hash.digest("hex") !== sums.get(table.name)) {
      throw new Error(`The table ${table.name} reads back differently from the backup.`);
    }
  }
}

async function requireBalancedBooks(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ sum: string }>(
    "SELECT coalesce(sum(amount), 0)::text AS sum FROM ledger_entries",
  );
  if (rows[0]?.sum !== "0") throw new Error(`The books do not add up to zero: ${rows[0]?.sum}`);
}

async function all(bytes: AsyncIterable<Buffer>): Promise<Buffer> {
  const batches: Buffer[] = [];
  for await (const batch of bytes) batches.push(batch);
  return Buffer.concat(batches);
}
