import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createBlankDatabase, type TestDatabase } from "../tools/postgres/test-database.ts";
import { eventually } from "../tools/testing/eventually.ts";
import { migrate, readMigrations } from "./migrate.ts";

const INDEX = `SET lock_timeout = '5s';
CREATE INDEX CONCURRENTLY a_by_n ON public.a USING btree (n);`;

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

async function connected<T>(run: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
  }
}

const countOfA = () =>
  connected(async (client) => {
    const { rows } = await client.query<{ n: number }>("SELECT count(*)::int AS n FROM a");
    return rows[0]?.n ?? -1;
  });

type Standing = { readonly oid: number; readonly valid: boolean; readonly says: string };

const standingIndex = (client: pg.Client) =>
  client
    .query<Standing>(
      `SELECT indexrelid::int AS oid, indisvalid AS valid, pg_get_indexdef(indexrelid) AS says
       FROM pg_index WHERE indexrelid = to_regclass('a_by_n')`,
    )
    .then(({ rows }) => rows[0]);

/** Begins the index, kills who builds it while it waits for a transaction, as a crash does. */
async function dieHalfWay(): Promise<void> {
  await connected(async (holder) => {
    await holder.query("BEGIN; INSERT INTO a VALUES (7)");
    const dying = migrate(database.url, { folder }).catch((error: unknown) => error);
    await connected(async (witness) => {
      await eventually(async () => expect(await standingIndex(witness)).toBeDefined());
      // Nobody who writes waits for it: the holder lets go only after this.
      await witness.query("SET lock_timeout = '20s'; INSERT INTO a VALUES (8)");
      await witness.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND query LIKE 'CREATE INDEX CONCURRENTLY%'`);
    });
    expect(await dying).toMatchObject({ message: expect.stringContaining("0003-index failed") });
    await holder.query("COMMIT");
  });
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

  test("say after a second whom they wait for, and give up with the way out", async () => {
    await connected(async (holder) => {
      const { rows } = await holder.query<{ pid: number }>(
        "SELECT pg_backend_pid() AS pid, pg_advisory_lock(5391770403)",
      );
      const said: string[] = [];
      const onWait = (message: string) => void said.push(message);
      const waiting = migrate(database.url, { folder, onWait, patienceMs: 10 });
      await expect(waiting).rejects.toThrow(`connection ${rows[0]?.pid} from`);
      expect(said).toEqual([expect.stringContaining(`connection ${rows[0]?.pid} from`)]);
    });
    expect((await migrate(database.url, { folder })).applied).toHaveLength(2);
  });

  test("leave no lock on the connection, so that a pooler hands none to the next start", async () => {
    await migrate(database.url, { folder });
    write("0003-third", "SELECT 1/0");
    await expect(migrate(database.url, { folder })).rejects.toThrow("0003-third failed");
    await connected(async (witness) => {
      const { rows } = await witness.query(`SELECT pid FROM pg_locks WHERE locktype = 'advisory'
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`);
      expect(rows).toEqual([]);
    });
    const source = await readFile(new URL("./migration-lock.ts", import.meta.url), "utf8");
    expect(source).not.toMatch(/pg_(try_)?advisory_lock/);
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

  test("build an index beside those who write, once, when four servers start together", async () => {
    write("0003-index", INDEX);
    const all = await Promise.all([1, 2, 3, 4].map(() => migrate(database.url, { folder })));
    expect(all.flatMap(({ applied }) => applied)).toHaveLength(3);
    expect(await connected(standingIndex)).toMatchObject({ valid: true });
  });

  test("build anew an index that a crash left half built, and only then say it is there", async () => {
    await migrate(database.url, { folder });
    write("0003-index", INDEX);
    await dieHalfWay();
    expect(await connected(standingIndex)).toMatchObject({ valid: false });
    expect(await migrate(database.url, { folder })).toEqual({ applied: ["0003-index"] });
    expect(await connected(standingIndex)).toMatchObject({ valid: true });
    expect(await migrate(database.url, { folder })).toEqual({ applied: [] });
    expect(await countOfA()).toBe(3);
  });

  test("keep a whole index that a crash left unsaid, and no other of its name", async () => {
    await migrate(database.url, { folder });
    write("0003-index", INDEX);
    const made = await connected(async (client) => {
      await client.query("CREATE INDEX a_by_n ON a (n)");
      return standingIndex(client);
    });
    await migrate(database.url, { folder });
    expect(await connected(standingIndex)).toEqual(made);
    await connected((client) =>
      client.query(`DELETE FROM schema_migrations WHERE name = '0003-index';
        DROP INDEX a_by_n; CREATE INDEX a_by_n ON a (n DESC)`),
    );
    await migrate(database.url, { folder });
    expect(await connected(standingIndex)).toMatchObject({ valid: true, says: made?.says });
  });

  test("refuse an index built concurrently among other statements", async () => {
    write("0003-index", `${INDEX} INSERT INTO a VALUES (2);`);
    await expect(migrate(database.url, { folder })).rejects.toThrow("0003-index: what is built");
  });

  test("of the product write an index as PostgreSQL says it", async () => {
    const schema = await readFile(new URL("./schema.sql", import.meta.url), "utf8");
    const indexes = (await readMigrations()).flatMap(({ index }) => index ?? []);
    expect(indexes.length).toBeGreaterThan(0);
    for (const { definition } of indexes) expect(schema).toContain(`${definition};`);
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
