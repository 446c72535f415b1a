import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createBlankDatabase, type TestDatabase } from "../tools/postgres/test-database.ts";
import { migrate, readMigrations } from "./migrate.ts";

let database: TestDatabase;
let folder: string;

beforeEach(async () => {
  database = await createBlankDatabase();
  folder = mkdtempSync(join(tmpdir(), "sesame-migrations-"));
  write("0001-first", "CREATE TABLE a (n int)");
  write("0002-second", "INSERT INTO a VALUES (1)");
});

afterEach(async () => {
  await database.drop();
  rmSync(folder, { recursive: true });
});

function write(name: string, sql: string): void {
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, name, "up.sql"), sql);
}

async function countOfA(): Promise<number> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query<{ n: number }>("SELECT count(*)::int AS n FROM a");
  await client.end();
  return rows[0]?.n ?? -1;
}

describe("migrations", () => {
  test("run once, in order, and a second start finds nothing to do", async () => {
    expect(await migrate(database.url, { folder })).toEqual({
      applied: ["0001-first", "0002-second"],
    });
    expect(await migrate(database.url, { folder })).toEqual({ applied: [] });
    expect(await countOfA()).toBe(1);
  });

  test("run once when four servers start together", async () => {
    const all = await Promise.all([1, 2, 3, 4].map(() => migrate(database.url, { folder })));
    expect(all.flatMap(({ applied }) => applied)).toHaveLength(2);
    expect(await countOfA()).toBe(1);
  });

  test("refuse a file changed after it ran", async () => {
    await migrate(database.url, { folder });
    write("0002-second", "INSERT INTO a VALUES (2)");
    await expect(migrate(database.url, { folder })).rejects.toThrow("0002-second was changed");
  });

  test("leave nothing of one that fails, and go on once it is mended", async () => {
    write("0003-third", "INSERT INTO a VALUES (3); SELECT 1/0");
    await expect(migrate(database.url, { folder })).rejects.toThrow("0003-third failed");
    expect(await countOfA()).toBe(1);
    write("0003-third", "INSERT INTO a VALUES (3)");
    expect((await migrate(database.url, { folder })).applied).toEqual(["0003-third"]);
  });

  test("refuse two folders with one number", async () => {
    write("0002-again", "SELECT 1");
    await expect(readMigrations(folder)).rejects.toThrow("number 0002");
  });

  test("of the product begin with a lock_timeout", async () => {
    const all = await readMigrations();
    expect(all.length).toBeGreaterThan(0);
    for (const { name, sql } of all) {
      const firstStatement = sql.replace(/--.*$/gm, "").trim().split(";")[0];
      expect(firstStatement, name).toMatch(/^SET (LOCAL )?lock_timeout/i);
    }
  });
});
