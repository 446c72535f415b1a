import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  createBlankDatabase,
  createTestDatabase,
  type TestDatabase,
} from "../postgres/test-database.ts";
import { backup } from "./backup.ts";
import { restore } from "./restore.ts";

let folder: string;
let source: TestDatabase;
const databases: TestDatabase[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "sesame-backup-"));
  source = await createTestDatabase();
  databases.push(source);
});

afterEach(async () => {
  for (const database of databases.splice(0)) await database.drop();
  rmSync(folder, { recursive: true });
});

async function ask(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query({ text: sql, rowMode: "array" })).rows;
  } finally {
    await client.end();
  }
}

/** Books with two entries, a table with text of every kind, and an image. */
async function fillSource(): Promise<string> {
  await ask(
    source.url,
    "INSERT INTO ledger_accounts (key, guarded, created_at) VALUES ('a', false, '2026-01-01'), ('b', false, '2026-01-01')",
  );
  await ask(
    source.url,
    "INSERT INTO ledger_transfers VALUES ('sale:1', '1:-5000,2:5000', '2026-01-01', '2026-01-01')",
  );
  await ask(
    source.url,
    "INSERT INTO ledger_entries (account_id, amount, transfer_id) VALUES (1, -5000, 'sale:1'), (2, 5000, 'sale:1')",
  );
  await ask(
    source.url,
    "INSERT INTO outbox (topic, ref, payload, due_at) SELECT 'a.b', n, jsonb_build_object('text', repeat(E'é\\t\\n\\\\N ', 50), 'n', n), '2026-01-01 10:00:00.123456+01' FROM generate_series(1, 2000) n",
  );
  const images = join(folder, "images");
  mkdirSync(join(images, "ab"), { recursive: true });
  writeFileSync(join(images, "ab", "one.webp"), Buffer.from([0, 1, 2, 255]));
  return images;
}

async function blank(): Promise<TestDatabase> {
  const database = await createBlankDatabase();
  databases.push(database);
  return database;
}

describe("a backup", () => {
  test("restores every row, number and image into a blank and into a migrated database", async () => {
    const imagesDir = await fillSource();
    const file = join(folder, "all.backup");
    const report = await backup({ url: source.url, imagesDir, file });
    expect(report.images).toBe(1);
    const migrated = await createTestDatabase();
    databases.push(migrated);

    for (const target of [await blank(), migrated]) {
      const restored = join(folder, `images-${databases.length}`);
      await restore({ url: target.url, imagesDir: restored, file });
      const everything = "SELECT id, payload::text, due_at::text FROM outbox ORDER BY id";
      expect(await ask(target.url, everything)).toEqual(await ask(source.url, everything));
      const next = "SELECT nextval(pg_get_serial_sequence('outbox', 'id'))::int";
      expect(await ask(target.url, next)).toEqual([[2_001]]);
      expect([...readFileSync(join(restored, "ab", "one.webp"))]).toEqual([0, 1, 2, 255]);
      await expect(ask(target.url, "DELETE FROM ledger_entries")).rejects.toThrow("refused");
    }
  });

  test("is refused when any byte of it changed, and leaves the database blank", async () => {
    const imagesDir = await fillSource();
    const file = join(folder, "all.backup");
    await backup({ url: source.url, imagesDir, file });
    const whole = readFileSync(file);
    const target = await blank();
    for (const share of [0.01, 0.3, 0.6, 0.95]) {
      const damaged = Buffer.from(whole);
      const at = Math.floor(whole.length * share);
      damaged.writeUInt8(damaged.readUInt8(at) ^ 0x10, at);
      writeFileSync(file, damaged);
      await expect(restore({ url: target.url, imagesDir: folder, file })).rejects.toThrow();
    }
    writeFileSync(file, whole);
    truncateSync(file, statSync(file).size - 20);
    await expect(restore({ url: target.url, imagesDir: folder, file })).rejects.toThrow();
    expect(await ask(target.url, "SELECT to_regclass('people')")).toEqual([[null]]);
  });

  test("is not restored over a database in use", async () => {
    const imagesDir = await fillSource();
    const file = join(folder, "all.backup");
    await backup({ url: source.url, imagesDir, file });
    await expect(restore({ url: source.url, imagesDir, file })).rejects.toThrow("in use");
  });

  test("is not restored when its books do not add up to zero", async () => {
    const imagesDir = await fillSource();
    await ask(
      source.url,
      "INSERT INTO ledger_entries (account_id, amount, transfer_id) VALUES (2, 1, 'x')",
    );
    const file = join(folder, "all.backup");
    await backup({ url: source.url, imagesDir, file });
    const target = await blank();
    const attempt = restore({ url: target.url, imagesDir: join(folder, "x"), file });
    await expect(attempt).rejects.toThrow("do not add up");
    expect(await ask(target.url, "SELECT count(*)::int FROM outbox")).toEqual([[0]]);
  });
});
