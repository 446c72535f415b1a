import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ownFolder } from "../postgres/leftovers.ts";
import {
  createBlankDatabase,
  createTestDatabase,
  type TestDatabase,
} from "../postgres/test-database.ts";
import { askRows as ask } from "../testing/ask-rows.ts";
import { backup, restore } from "./backup.ts";
import { FORMAT, type Line, writeBackup } from "./format.ts";

const SALE = join(import.meta.dirname, "../../database/examples/a-sale.sql");
const secretsKey = new Uint8Array(Buffer.from("a key of thirty-two bytes, drawn."));
const secretsKeys = [secretsKey];
const SERVER = process.env["TEST_DATABASE_URL"] ?? "";

let folder: string;
/** The address of the database that is backed up. */
let source: string;
const databases: TestDatabase[] = [];

beforeEach(async () => {
  folder = ownFolder("backup");
  source = await migrated();
});

afterEach(async () => {
  for (const database of databases.splice(0)) await database.drop();
  rmSync(folder, { recursive: true });
});

function contentOf(file: Buffer): Buffer | null {
  try {
    return zstdDecompressSync(file);
  } catch {
    return null;
  }
}

/** Books with two entries, a table with text of every kind, and an image. → the folder of images */
async function fillSource(): Promise<string> {
  // The ledger check looks for the order of each `sale:` transfer, and for the payments of each
  // `provider:` account: the example's names are changed so that it looks for neither.
  const sale = readFileSync(SALE, "utf8")
    .replaceAll("sale:example", "example")
    .replaceAll("provider:example", "float:example");
  await ask(source, sale);
  for (const n of [1, 2, 3]) {
    await ask(
      source,
      `SELECT audit_append('2026-01-0${n}', NULL, 'system', 'a.b', 'c:${n}', NULL, NULL, 'words')`,
    );
  }
  await ask(
    source,
    "INSERT INTO outbox (topic, ref, payload, due_at) SELECT 'a.b', n, jsonb_build_object('text', repeat(E'é\\t\\n\\\\N ', 50), 'n', n), '2026-01-01 10:00:00.123456+01' FROM generate_series(1, 2000) n",
  );
  const images = join(folder, "images");
  mkdirSync(join(images, "ab"), { recursive: true });
  writeFileSync(join(images, "ab", "one.webp"), Buffer.from([0, 1, 2, 255]));
  return images;
}

/** The filled source in a file. → the file, and how it is restored elsewhere */
async function backUp(fault?: string, key = secretsKey) {
  const imagesDir = await fillSource();
  // As a superuser may, behind the triggers that refuse it.
  if (fault) await ask(source, `SET session_replication_role = replica; ${fault}`);
  const file = join(folder, "all.backup");
  const report = await backup({ url: source, imagesDir, file, secretsKey: key });
  const into = (url: string, more: object = {}) =>
    restore({ url, imagesDir: join(folder, "restored", "images"), file, secretsKeys, ...more });
  return { file, report, into };
}

const own = (database: TestDatabase): string => {
  databases.push(database);
  return database.url;
};
/** → the address of a new database */
const blank = async () => own(await createBlankDatabase());
const migrated = async () => own(await createTestDatabase());

/** → the address of a new database, opened as its owner, who is no superuser */
async function owned(): Promise<string> {
  const { url, drop } = await createBlankDatabase();
  const place = new URL(url);
  const owner = place.pathname.slice(1);
  await ask(url, `CREATE ROLE ${owner} LOGIN PASSWORD '${owner}'`);
  await ask(url, `ALTER DATABASE ${owner} OWNER TO ${owner}`);
  own({
    url,
    async drop() {
      await drop();
      await ask(SERVER, `DROP ROLE ${owner}`);
    },
  });
  place.username = owner;
  place.password = owner;
  return place.href;
}

describe("a backup", () => {
  test("restores every row, sequence and image into a blank and into a migrated database", async () => {
    const { report, into } = await backUp();
    expect(report.images).toBe(1);
    for (const open of [blank, migrated, owned]) {
      const url = await open();
      const restored = join(folder, open.name);
      await into(url, { imagesDir: restored });
      const everything = "SELECT id, payload::text, due_at::text FROM outbox ORDER BY id";
      expect(await ask(url, everything)).toEqual(await ask(source, everything));
      const next = "SELECT nextval(pg_get_serial_sequence('outbox', 'id'))::int";
      expect(await ask(url, next)).toEqual([[2_001]]);
      expect([...readFileSync(join(restored, "ab", "one.webp"))]).toEqual([0, 1, 2, 255]);
      await expect(ask(url, "DELETE FROM ledger_entries")).rejects.toThrow("refused");
    }
  });

  test("restores into a database whose letters sort otherwise", async () => {
    const { into } = await backUp(
      "INSERT INTO digests SELECT unnest('{a-b,ab,aB,Ab,é,z}'::text[]), now()",
    );
    const url = await blank();
    const name = new URL(url).pathname.slice(1);
    await ask(SERVER, `DROP DATABASE ${name}`);
    await ask(
      SERVER,
      `CREATE DATABASE ${name} TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'fr' ENCODING 'UTF8'`,
    );
    const byLocale = "SELECT string_agg(key, ' ' ORDER BY key) FROM digests";
    await into(url);
    expect(await ask(url, byLocale)).not.toEqual(await ask(source, byLocale));
  });

  test("restores into a blank database whose owner gave default privileges", async () => {
    const { into } = await backUp();
    const url = await owned();
    const given = "ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT ON TABLES TO PUBLIC";
    await ask(url, given);
    await into(url);
    const rows =
      "SELECT count(*)::int, has_table_privilege('pg_monitor', 'outbox', 'SELECT') FROM outbox";
    expect(await ask(url, rows)).toEqual([[2_000, true]]);
  });

  test("is not made without its images, when their folder cannot be read", async () => {
    const file = join(folder, "half.backup");
    const imagesDir = join(folder, "no-folder");
    writeFileSync(imagesDir, "");
    const attempt = backup({ url: source, imagesDir, file, secretsKey });
    await expect(attempt).rejects.toThrow("ENOTDIR");
    expect(existsSync(file)).toBe(false);
  });

  test("is refused when any byte of it changed, and leaves the database blank", async () => {
    const { file, into } = await backUp();
    const whole = readFileSync(file);
    const content = zstdDecompressSync(whole);
    const target = await blank();
    for (const share of [0.01, 0.3, 0.6, 0.95]) {
      const damaged = Buffer.from(whole);
      // Three bits in five thousand mean nothing to zstd (measured): then the next byte is changed
      // too.
      for (
        let at = Math.floor(whole.length * share);
        contentOf(damaged)?.equals(content);
        at += 1
      ) {
        damaged.writeUInt8(whole.readUInt8(at) ^ 0x10, at);
      }
      writeFileSync(file, damaged);
      await expect(into(target)).rejects.toThrow();
    }
    writeFileSync(file, whole.subarray(0, -20));
    await expect(into(target)).rejects.toThrow();
    const absent = join(folder, "absent");
    await expect(into(target, { file: absent })).rejects.toThrow("cannot be read");
    expect(await ask(target, "SELECT to_regclass('people')")).toEqual([[null]]);
  });

  test.each(['{"format":3}\n', "5\n", "PGCOPY\n", "PGCOPY"])(
    "of another format (%j) is refused as such",
    async (first) => {
      const { file, into } = await backUp();
      writeFileSync(file, zstdCompressSync(first));
      await expect(into(await blank())).rejects.toThrow("no backup of this version");
    },
  );

  test("is not restored over a database in use", async () => {
    const { into } = await backUp();
    await expect(into(source)).rejects.toThrow("in use");
  });

  test.each<[string, string, RegExp]>([
    [
      "two amounts that still add up to zero",
      "UPDATE ledger_entries SET amount = amount * 2 WHERE transfer_id = 'example:1'",
      /books are not whole.*legs of a transfer/,
    ],
    [
      "an entry too many",
      "INSERT INTO ledger_entries (account_id, amount, transfer_id) VALUES (2, 1, 'x')",
      /books are not whole/,
    ],
    ["the last audit entry removed", "DELETE FROM audit_log WHERE seq = 3", /books are not whole/],
    [
      "a word of an audit entry changed",
      "UPDATE audit_log SET reason = 'other' WHERE seq = 2",
      /books are not whole/,
    ],
  ])("with %s is refused, and leaves nothing behind", async (_what, fault, why) => {
    const { into } = await backUp(fault);
    const target = await blank();
    await expect(into(target)).rejects.toThrow(why);
    expect(readdirSync(join(folder, "restored"))).toEqual([]);
    const accepted = await into(target, { acceptFaults: true });
    expect(accepted.faults.length).toBeGreaterThan(0);
  });

  test("that is refused leaves a blank database blank, and the sequences of a migrated one as they were", async () => {
    const { into } = await backUp("DELETE FROM audit_log WHERE seq = 3");
    const target = await blank();
    await expect(into(target)).rejects.toThrow("books are not whole");
    const left = "SELECT count(*)::int FROM pg_class WHERE relnamespace = 'public'::regnamespace";
    expect(await ask(target, left)).toEqual([[0]]);

    const other = await migrated();
    const numbers = "SELECT sequencename, last_value FROM pg_sequences ORDER BY 1";
    const before = await ask(other, numbers);
    await expect(into(other)).rejects.toThrow("books are not whole");
    expect(await ask(other, numbers)).toEqual(before);
  });

  test("sealed with another key is refused before anything is touched", async () => {
    const other = new Uint8Array(secretsKey).fill(7);
    const { into } = await backUp(undefined, other);
    const target = await blank();
    await expect(into(target)).rejects.toThrow("The seal does not fit");
    // A former key still opens what it sealed.
    await into(target, { secretsKeys: [secretsKey, other] });
  });

  test.each<[string, Line]>([
    [
      "a table of the server's own",
      { table: "pg_authid", columns: ["rolname", "rolsuper", "rolcanlogin"], rows: ["(evil,t,t)"] },
    ],
    [
      "a column that the table does not have",
      { table: "people", columns: ["id", "evil"], rows: ["(1,1)"] },
    ],
    ["a picture whose name climbs out of its folder", { file: "../../evil.jpg", base64: "eA==" }],
    ["a picture whose name is a draft", { file: ".evil/1.jpg", base64: "eA==" }],
  ])("with %s is refused, even under the right seal", async (_what, line) => {
    await fillSource();
    const file = join(folder, "all.backup");
    const applied = "SELECT name || ' ' || checksum FROM schema_migrations ORDER BY name";
    const migrations = (await ask<[string]>(source, applied)).flat();
    const writer = await writeBackup(file, secretsKey);
    await writer.write({ format: FORMAT, made_at: "2026-01-01", made_by: "1", migrations });
    await writer.write(line);
    await writer.finish();
    const url = await blank();
    const imagesDir = join(folder, "restored", "images");
    const attempt = restore({ url, imagesDir, file, secretsKeys });
    await expect(attempt).rejects.toThrow(/The schema has no such table|Odd name/);
    expect(await ask(url, "SELECT FROM pg_roles WHERE rolname = 'evil'")).toEqual([]);
    expect(readdirSync(join(folder, "restored"))).toEqual([]);
  });
});
