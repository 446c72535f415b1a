import { createHash } from "node:crypto";
import { glob, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type pg from "pg";

/** One step of the tables: `tables.sql`, or a file of `migrations/`. No step can be undone. */
export type Migration = {
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
  /** Null: it runs in a transaction. */
  readonly index: ConcurrentIndex | null;
};

/** The parts of a database, in the order in which they are applied. */
export type Schema = {
  /** The version of the code: raised with each change, so that an older process detects that it is older. */
  readonly version: number;
  /** The hash of all files, also part of the name of a test's template database. */
  readonly hash: string;
  /** `tables` first, then those since the first release, in the order of their numbers. */
  readonly migrations: readonly Migration[];
  readonly functions: {
    readonly files: readonly { readonly path: string; readonly sql: string }[];
    readonly names: readonly string[];
    readonly hash: string;
  };
  readonly triggers: {
    readonly statements: readonly string[];
    /** "name ON table" each. */
    readonly names: readonly string[];
    readonly hash: string;
  };
};

export const ROOT = fileURLToPath(new URL("../", import.meta.url));
const NAME = /^\d{4}-[a-z0-9-]+$/;
const VERSION = "database/version.json";
const FUNCTION = /^\s*CREATE OR REPLACE (?:FUNCTION|PROCEDURE) (\w+)/gm;
const TRIGGER = /^\s*CREATE OR REPLACE TRIGGER (\w+) [^;]*?\bON (\w+)/;

export async function readSchema(root = ROOT): Promise<Schema> {
  const migrations = [
    await readMigration(root, "database/tables.sql", "tables"),
    ...(await readMigrations(root)),
  ];
  const files = await Promise.all(
    (await list(root, "{apps,packages}/**/functions.sql")).map(async (path) => ({
      path,
      sql: await readFile(join(root, path), "utf8"),
    })),
  );
  const written = files.map(({ sql }) => sql).join("\n");
  const functions = [...written.matchAll(FUNCTION)].map(([, name = ""]) => name);
  const text = (await readFile(join(root, "database/triggers.sql"), "utf8")).replace(/--.*$/gm, "");
  const statements = text.split(";").flatMap((one) => (one.trim() === "" ? [] : [one.trim()]));
  const triggers = statements.map((one) => {
    const [, name, table] = TRIGGER.exec(one) ?? [];
    if (name === undefined) throw new Error(`database/triggers.sql: no trigger: ${one}`);
    return `${name} ON ${table}`;
  });
  const twice = [...functions, ...triggers].find((name, index, all) => all.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`${twice} is defined twice`);
  const { version } = await readVersion(root);
  const hashes = { functions: sha256(written), triggers: sha256(text) };
  const steps = migrations.map(({ name, checksum }) => `${name} ${checksum}`);
  return {
    version,
    hash: sha256([...steps, hashes.functions, hashes.triggers].join("\n")),
    migrations,
    functions: { files, names: functions, hash: hashes.functions },
    triggers: { statements, names: triggers, hash: hashes.triggers },
  };
}

/** `npm run schema`: raises the version if a file has changed since. → whether it did. */
export async function raiseVersion(root = ROOT): Promise<boolean> {
  const { hash } = await readSchema(root);
  const written = await readVersion(root);
  if (written.hash === hash) return false;
  const raised = { version: written.version + 1, hash };
  await writeFile(join(root, VERSION), `${JSON.stringify(raised, null, 2)}\n`);
  return true;
}

export async function readVersion(root = ROOT): Promise<{ version: number; hash: string }> {
  return JSON.parse(await readFile(join(root, VERSION), "utf8")) as never;
}

async function readMigrations(root: string): Promise<Migration[]> {
  const paths = await list(root, "database/migrations/*.sql");
  const names = paths.map((path) => path.replace(/^.*\/|\.sql$/g, ""));
  const odd = names.find((name) => !NAME.test(name));
  if (odd !== undefined) throw new Error(`database/migrations/${odd}.sql is not named NNNN-what`);
  const numbers = names.map((name) => name.slice(0, 4));
  const twice = numbers.find((number, index) => numbers.indexOf(number) !== index);
  if (twice !== undefined) throw new Error(`Two migrations have the number ${twice}`);
  return Promise.all(paths.map((path, index) => readMigration(root, path, names[index] ?? "")));
}

async function readMigration(root: string, path: string, name: string): Promise<Migration> {
  const sql = await readFile(join(root, path), "utf8");
  return { name, sql, checksum: sha256(sql), index: readConcurrentIndex(name, sql) };
}

/** Paths from the root, always in the same order. */
async function list(root: string, pattern: string): Promise<string[]> {
  const exclude = (name: string) => name === "node_modules";
  return (await Array.fromAsync(glob(pattern, { cwd: root, exclude }))).sort();
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** A migration that is one index and nothing else, built outside a transaction (decision 0029). */
export type ConcurrentIndex = {
  readonly name: string;
  /** The lock timeout: how long it may wait for earlier transactions. */
  readonly patience: string;
  readonly create: string;
  /** PostgreSQL's text of a complete index. */
  readonly definition: string;
};

const FORM =
  /^(?<patience>SET lock_timeout = '\w+');\s*CREATE (?<unique>UNIQUE )?INDEX CONCURRENTLY (?<name>[a-z_]+)\s+(?<rest>ON public\.[^;]+);$/;

/** Null for a migration that runs in a transaction. */
export function readConcurrentIndex(migration: string, sql: string): ConcurrentIndex | null {
  const bare = sql.replace(/--.*$/gm, "").trim();
  if (!/\bCONCURRENTLY\b/i.test(bare)) return null;
  const { patience, unique = "", name, rest } = FORM.exec(bare)?.groups ?? {};
  if (patience === undefined || name === undefined || rest === undefined) {
    throw new Error(
      `database/migrations/${migration}: what is built concurrently stands alone, as ` +
        "SET lock_timeout = '…'; CREATE INDEX CONCURRENTLY name ON public.…;",
    );
  }
  const on = rest.replace(/\s+/g, " ");
  return {
    name,
    patience,
    create: `CREATE ${unique}INDEX CONCURRENTLY ${name} ${on}`,
    definition: `CREATE ${unique}INDEX ${name} ${on}`,
  };
}

/**
 * Builds the index beside readers and writers. A complete one left by a start that died is kept, so
 * that a start with too little time still gets there; an incomplete one is built again.
 */
export async function buildConcurrently(client: pg.Client, index: ConcurrentIndex): Promise<void> {
  const { rows } = await client.query<{ valid: boolean; definition: string }>(
    `SELECT indisvalid AS valid, pg_get_indexdef(indexrelid) AS definition FROM pg_index
     WHERE indexrelid = to_regclass('public.' || $1)`,
    [index.name],
  );
  const [standing] = rows;
  if (standing?.valid && standing.definition === index.definition) return;
  await client.query(index.patience);
  if (standing) await client.query(`DROP INDEX CONCURRENTLY public.${index.name}`);
  await client.query(index.create);
}
