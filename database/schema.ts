import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { glob, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type ConcurrentIndex, readConcurrentIndex } from "./concurrent-index.ts";

/** One step of the tables: `tables.sql`, or a file of `migrations/`. There is no way back. */
export type Migration = {
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
  /** Null: it runs in a transaction. */
  readonly index: ConcurrentIndex | null;
};

/** What a database is made of, in the order in which it is applied. */
export type Schema = {
  /** Of the code: raised with each change, so that an older process knows that it is older. */
  readonly version: number;
  /** Of all files: names templates of tests, too. */
  readonly hash: string;
  /** `tables` first, then those since the first release, in the order of their numbers. */
  readonly migrations: readonly Migration[];
  /** Each `functions.sql`, then the triggers. */
  readonly functions: readonly { readonly path: string; readonly sql: string }[];
};

export const ROOT = fileURLToPath(new URL("../", import.meta.url));
const NAME = /^\d{4}-[a-z0-9-]+$/;
const VERSION = "database/version.json";

export async function readSchema(root = ROOT): Promise<Schema> {
  const migrations = [
    await readMigration(root, "database/tables.sql", "tables"),
    ...(await readMigrations(root)),
  ];
  const places = [
    ...(await list(root, "{apps,packages}/**/functions.sql")),
    "database/triggers.sql",
  ];
  const functions = await Promise.all(
    places.map(async (path) => ({ path, sql: await readFile(join(root, path), "utf8") })),
  );
  const all = [...migrations.map(({ sql }) => sql), ...functions.map(({ sql }) => sql)];
  refuseTwice(all.join("\n"));
  const { version } = await readVersion(root);
  return { version, hash: sha256(all.join("\n")), migrations, functions };
}

/** `npm run schema`: raises the version when a file has changed since; says whether it did. */
export async function raiseVersion(root = ROOT): Promise<boolean> {
  const { hash } = await readSchema(root);
  const written = await readVersion(root);
  if (written.hash === hash) return false;
  const raised = { version: written.version + 1, hash };
  await writeFile(join(root, VERSION), `${JSON.stringify(raised, null, 2)}\n`);
  return true;
}

export async function readVersion(root = ROOT): Promise<{ version: number; hash: string }> {
  if (!existsSync(join(root, VERSION))) return { version: 0, hash: "" };
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

const DEFINITION = /^CREATE (?:OR REPLACE )?(?:FUNCTION (\w+)|TRIGGER (\w+)[^;]*? ON (\w+))/gm;

function refuseTwice(sql: string): void {
  const names = [...sql.matchAll(DEFINITION)].map((found) => found.slice(1).join(" ").trim());
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`${twice} is defined twice`);
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
