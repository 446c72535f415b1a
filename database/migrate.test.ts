import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { withClient } from "../tools/postgres/embedded.ts";
import { createBlankDatabase, type TestDatabase } from "../tools/postgres/test-database.ts";
import { askRows } from "../tools/testing/ask-rows.ts";
import { eventually } from "../tools/testing/eventually.ts";
import { migrate } from "./migrate.ts";
import { raiseVersion, readSchema, readVersion } from "./schema.ts";

const INDEX = `SET lock_timeout = '5s';
CREATE INDEX CONCURRENTLY a_by_n ON public.a USING btree (n);`;

let database: TestDatabase;
let root: string;

beforeEach(async () => {
  database = await createBlankDatabase();
  root = mkdtempSync(join(tmpdir(), "sesame-migrations-"));
  put("database/tables.sql", "CREATE TABLE a (n int)");
  put("database/triggers.sql", "");
  put("database/version.json", '{ "version": 1, "hash": "" }');
  write("0002-second", "INSERT INTO a VALUES (1)");
});

afterEach(async () => {
  await database.drop();
  rmSync(root, { recursive: true });
});

function put(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

const write = (name: string, sql: string) => put(`database/migrations/${name}.sql`, sql);

/** → what it applied */
const start = async () => (await migrate(database.url, { root })).applied;
const startFour = async () => (await Promise.all([1, 2, 3, 4].map(start))).flat();

const ask = (text: string) => askRows(database.url, text);
/** The one value of a statement. */
const value = async (text: string) => (await ask(text))[0]?.[0];
const countOfA = () => value("SELECT count(*)::int FROM a");
/** → its number, whether it is valid, and its definition */
const standingIndex = () =>
  ask(`SELECT indexrelid::int, indisvalid, pg_get_indexdef(indexrelid)
    FROM pg_index WHERE indexrelid = to_regclass('a_by_n')`);
const isIndexValid = async () => (await standingIndex())[0]?.[1];

/** Begins the index, and kills the builder while it waits for a transaction, as a crash does. */
async function dieHalfWay(): Promise<void> {
  await withClient(database.url, async (holder) => {
    await holder.query("BEGIN; INSERT INTO a VALUES (7)");
    const dying = start().catch((error: unknown) => error);
    await eventually(async () => expect(await standingIndex()).toHaveLength(1));
    // Writers do not wait for the index: the holder ends its transaction only after this.
    await ask("SET lock_timeout = '20s'; INSERT INTO a VALUES (8)");
    await ask(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND query LIKE 'CREATE INDEX CONCURRENTLY%'`);
    expect(await dying).toMatchObject({ message: expect.stringContaining("0003-index failed") });
    await holder.query("COMMIT");
  });
}

describe("migrations", () => {
  test("run once, in order, and a second start finds nothing to do", async () => {
    expect(await start()).toEqual(["tables", "0002-second", "functions", "triggers"]);
    expect(await start()).toEqual([]);
    expect(await countOfA()).toBe(1);
  });

  test("run once when four servers start together", async () => {
    expect(await startFour()).toHaveLength(4);
    expect(await countOfA()).toBe(1);
  });

  test("report after a second which process they wait for, and give up with advice", async () => {
    await withClient(database.url, async (holder) => {
      const { rows } = await holder.query<{ pid: number }>(
        "SELECT pg_backend_pid() AS pid, pg_advisory_lock(5391770403)",
      );
      const said: string[] = [];
      const onWait = (message: string) => void said.push(message);
      const waiting = migrate(database.url, { root, onWait, patienceMs: 10 });
      await expect(waiting).rejects.toThrow(`connection ${rows[0]?.pid} from`);
      expect(said).toEqual([expect.stringContaining(`connection ${rows[0]?.pid} from`)]);
    });
    expect(await start()).toHaveLength(4);
  });

  test("leave no lock on the connection, so that a pooler passes none to the next start", async () => {
    await start();
    write("0003-third", "SELECT 1/0");
    await expect(start()).rejects.toThrow("0003-third failed");
    const locks = `SELECT pid FROM pg_locks WHERE locktype = 'advisory'
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
    expect(await ask(locks)).toEqual([]);
    const source = await readFile(new URL("./migrate.ts", import.meta.url), "utf8");
    expect(source).not.toMatch(/pg_(try_)?advisory_lock/);
  });

  test("refuse a file changed after it ran", async () => {
    await start();
    write("0002-second", "INSERT INTO a VALUES (2)");
    await expect(start()).rejects.toThrow("0002-second was changed");
  });

  test("leave nothing when one fails, and continue once it is corrected", async () => {
    write("0003-third", "INSERT INTO a VALUES (3); SELECT 1/0");
    await expect(start()).rejects.toThrow("0003-third failed");
    expect(await countOfA()).toBe(1);
    write("0003-third", "INSERT INTO a VALUES (3)");
    expect(await start()).toEqual(["0003-third", "functions", "triggers"]);
  });

  test("refuse two folders with one number", async () => {
    write("0002-again", "SELECT 1");
    await expect(readSchema(root)).rejects.toThrow("number 0002");
  });

  test("build an index beside writers, once, when four servers start together", async () => {
    write("0003-index", INDEX);
    expect(await startFour()).toHaveLength(5);
    expect(await isIndexValid()).toBe(true);
  });

  test("build an index again that a crash left incomplete, and record it only then", async () => {
    await start();
    write("0003-index", INDEX);
    await dieHalfWay();
    expect(await isIndexValid()).toBe(false);
    expect(await start()).toEqual(["0003-index", "functions", "triggers"]);
    expect(await isIndexValid()).toBe(true);
    expect(await start()).toEqual([]);
    expect(await countOfA()).toBe(3);
  });

  test("keep a complete index that a crash left unrecorded, and no other with its name", async () => {
    await start();
    write("0003-index", INDEX);
    await ask("CREATE INDEX a_by_n ON a (n)");
    const [made] = await standingIndex();
    await start();
    expect(await standingIndex()).toEqual([made]);
    await ask(`DELETE FROM schema_migrations WHERE name = '0003-index';
      DROP INDEX a_by_n; CREATE INDEX a_by_n ON a (n DESC)`);
    await start();
    expect(await standingIndex()).toEqual([[expect.any(Number), true, made?.[2]]]);
  });

  test("refuse an index built concurrently among other statements", async () => {
    write("0003-index", `${INDEX} INSERT INTO a VALUES (2);`);
    await expect(start()).rejects.toThrow("0003-index: what is built");
  });

  test("of the product begin with a lock_timeout", async () => {
    for (const { name, sql } of (await readSchema()).migrations.slice(1)) {
      const firstStatement = sql.replace(/--.*$/gm, "").trim().split(";")[0];
      expect(firstStatement, name).toMatch(/^SET (LOCAL )?lock_timeout/i);
    }
  });

  test("refuse a database from before the first release, with advice to start with a new one", async () => {
    await start();
    put("database/tables.sql", "CREATE TABLE b (n int)");
    await expect(start()).rejects.toThrow(/other tables .*DATA_DIR/);
    await ask(`DROP TABLE schema_version;
      INSERT INTO schema_migrations VALUES ('0001-ledger', '', now())`);
    await expect(start()).rejects.toThrow(/version 0\.1\.0 .*DATA_DIR/);
    expect(await value("SELECT to_regclass('schema_version')")).toBeNull();
  });
});

describe("functions and triggers", () => {
  const answer = (says: string, shape = "text") =>
    put(
      "apps/one/functions.sql",
      `CREATE OR REPLACE FUNCTION says() RETURNS ${shape} LANGUAGE sql AS $$ SELECT ${says} $$;
       CREATE OR REPLACE FUNCTION marked() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN new.n = -1; RETURN new; END $$;`,
    );
  const trigger = () =>
    put(
      "database/triggers.sql",
      "CREATE OR REPLACE TRIGGER marks BEFORE INSERT ON a FOR EACH ROW EXECUTE FUNCTION marked();",
    );
  const said = () => value("SELECT says()");

  test("are applied again when a file has changed, whatever a function now returns", async () => {
    answer("'one'");
    trigger();
    expect(await start()).toEqual(["tables", "0002-second", "functions", "triggers"]);
    expect(await start()).toEqual([]);
    answer("'two'");
    expect(await start()).toEqual(["functions"]);
    expect(await said()).toBe("two");
    answer("3", "integer");
    expect(await start()).toEqual(["functions"]);
    expect(await said()).toBe(3);
    await ask("INSERT INTO a VALUES (5)");
    expect(await value("SELECT count(*)::int FROM a WHERE n = -1")).toBe(1);
  });

  test("are removed with their file, and functions of others stay", async () => {
    answer("'one'");
    trigger();
    await start();
    await ask("CREATE FUNCTION stranger() RETURNS int LANGUAGE sql AS 'SELECT 1'");
    put("apps/one/functions.sql", "");
    put("database/triggers.sql", "");
    expect(await start()).toEqual(["functions", "triggers"]);
    const left = `SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace
      UNION ALL SELECT tgname FROM pg_trigger WHERE NOT tgisinternal`;
    expect(await ask(left)).toEqual([["stranger"]]);
  });

  test("and tables are not changed by a process that is older than the database", async () => {
    answer("'old'");
    await raiseVersion(root);
    await start();
    answer("'new'");
    expect(await raiseVersion(root)).toBe(true);
    expect(await raiseVersion(root)).toBe(false);
    await start();
    answer("'old'");
    write("0003-third", "INSERT INTO a VALUES (3)");
    put("database/version.json", '{ "version": 1, "hash": "of before" }');
    await expect(start()).rejects.toThrow("lacks 0003-third");
    rmSync(join(root, "database/migrations/0003-third.sql"));
    expect(await start()).toEqual([]);
    expect([await said(), await countOfA()]).toEqual(["new", 1]);
  });

  test("that were changed and changed back leave the database with the newer version", async () => {
    answer("'one'");
    await start();
    put("database/version.json", '{ "version": 3, "hash": "" }');
    expect(await start()).toEqual([]);
    expect(await ask("SELECT version FROM schema_version")).toEqual([[3]]);
  });

  test("are replaced beside a transaction that writes, whatever they now return", async () => {
    answer("'one'");
    trigger();
    await start();
    await withClient(database.url, async (sale) => {
      await sale.query("BEGIN; INSERT INTO a VALUES (2)");
      answer("2", "integer");
      expect(await start()).toEqual(["functions"]);
      await sale.query("COMMIT");
    });
    expect(await said()).toBe(2);
  });

  test("of one name with other arguments replace the former one", async () => {
    answer("'one'");
    await start();
    put(
      "apps/one/functions.sql",
      "CREATE OR REPLACE FUNCTION says(n int DEFAULT 1) RETURNS text LANGUAGE sql AS $$ SELECT n::text $$;",
    );
    expect(await start()).toEqual(["functions"]);
    expect(await said()).toBe("1");
  });

  test("stay complete in the former version when one of them is refused", async () => {
    answer("'one'");
    await start();
    answer("'two'");
    put("apps/two/functions.sql", "CREATE OR REPLACE FUNCTION broken() RETURNS nothing AS 1;");
    await expect(start()).rejects.toThrow("apps/two/functions.sql");
    expect(await said()).toBe("one");
  });

  test("are each defined once", async () => {
    answer("'one'");
    put("apps/two/functions.sql", "CREATE OR REPLACE FUNCTION says() RETURNS int AS 'x';");
    await expect(start()).rejects.toThrow("says is defined twice");
  });

  test("of the product have the recorded version (npm run schema raises it)", async () => {
    const { hash, functions } = await readSchema();
    expect(functions.files.length).toBeGreaterThan(5);
    expect((await readVersion()).hash).toBe(hash);
  });
});
