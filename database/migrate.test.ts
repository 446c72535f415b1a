import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createBlankDatabase, type TestDatabase } from "../tools/postgres/test-database.ts";
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

/** Begins the index, and kills the builder while it waits for a transaction, as a crash does. */
async function dieHalfWay(): Promise<void> {
  await connected(async (holder) => {
    await holder.query("BEGIN; INSERT INTO a VALUES (7)");
    const dying = migrate(database.url, { root }).catch((error: unknown) => error);
    await connected(async (witness) => {
      await eventually(async () => expect(await standingIndex(witness)).toBeDefined());
      // Writers do not wait for the index: the holder ends its transaction only after this.
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
    expect(await migrate(database.url, { root })).toEqual({
      applied: ["tables", "0002-second", "functions", "triggers"],
    });
    expect(await migrate(database.url, { root })).toEqual({ applied: [] });
    expect(await countOfA()).toBe(1);
  });

  test("run once when four servers start together", async () => {
    const all = await Promise.all([1, 2, 3, 4].map(() => migrate(database.url, { root })));
    expect(all.flatMap(({ applied }) => applied)).toHaveLength(4);
    expect(await countOfA()).toBe(1);
  });

  test("report after a second which process they wait for, and give up with advice", async () => {
    await connected(async (holder) => {
      const { rows } = await holder.query<{ pid: number }>(
        "SELECT pg_backend_pid() AS pid, pg_advisory_lock(5391770403)",
      );
      const said: string[] = [];
      const onWait = (message: string) => void said.push(message);
      const waiting = migrate(database.url, { root, onWait, patienceMs: 10 });
      await expect(waiting).rejects.toThrow(`connection ${rows[0]?.pid} from`);
      expect(said).toEqual([expect.stringContaining(`connection ${rows[0]?.pid} from`)]);
    });
    expect((await migrate(database.url, { root })).applied).toHaveLength(4);
  });

  test("leave no lock on the connection, so that a pooler passes none to the next start", async () => {
    await migrate(database.url, { root });
    write("0003-third", "SELECT 1/0");
    await expect(migrate(database.url, { root })).rejects.toThrow("0003-third failed");
    await connected(async (witness) => {
      const { rows } = await witness.query(`SELECT pid FROM pg_locks WHERE locktype = 'advisory'
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`);
      expect(rows).toEqual([]);
    });
    const source = await readFile(new URL("./migrate.ts", import.meta.url), "utf8");
    expect(source).not.toMatch(/pg_(try_)?advisory_lock/);
  });

  test("refuse a file changed after it ran", async () => {
    await migrate(database.url, { root });
    write("0002-second", "INSERT INTO a VALUES (2)");
    await expect(migrate(database.url, { root })).rejects.toThrow("0002-second was changed");
  });

  test("leave nothing when one fails, and continue once it is corrected", async () => {
    write("0003-third", "INSERT INTO a VALUES (3); SELECT 1/0");
    await expect(migrate(database.url, { root })).rejects.toThrow("0003-third failed");
    expect(await countOfA()).toBe(1);
    write("0003-third", "INSERT INTO a VALUES (3)");
    expect((await migrate(database.url, { root })).applied).toEqual([
      "0003-third",
      "functions",
      "triggers",
    ]);
  });

  test("refuse two folders with one number", async () => {
    write("0002-again", "SELECT 1");
    await expect(readSchema(root)).rejects.toThrow("number 0002");
  });

  test("build an index beside writers, once, when four servers start together", async () => {
    write("0003-index", INDEX);
    const all = await Promise.all([1, 2, 3, 4].map(() => migrate(database.url, { root })));
    expect(all.flatMap(({ applied }) => applied)).toHaveLength(5);
    expect(await connected(standingIndex)).toMatchObject({ valid: true });
  });

  test("build an index again that a crash left incomplete, and record it only then", async () => {
    await migrate(database.url, { root });
    write("0003-index", INDEX);
    await dieHalfWay();
    expect(await connected(standingIndex)).toMatchObject({ valid: false });
    expect(await migrate(database.url, { root })).toEqual({
      applied: ["0003-index", "functions", "triggers"],
    });
    expect(await connected(standingIndex)).toMatchObject({ valid: true });
    expect(await migrate(database.url, { root })).toEqual({ applied: [] });
    expect(await countOfA()).toBe(3);
  });

  test("keep a complete index that a crash left unrecorded, and no other with its name", async () => {
    await migrate(database.url, { root });
    write("0003-index", INDEX);
    const made = await connected(async (client) => {
      await client.query("CREATE INDEX a_by_n ON a (n)");
      return standingIndex(client);
    });
    await migrate(database.url, { root });
    expect(await connected(standingIndex)).toEqual(made);
    await connected((client) =>
      client.query(`DELETE FROM schema_migrations WHERE name = '0003-index';
        DROP INDEX a_by_n; CREATE INDEX a_by_n ON a (n DESC)`),
    );
    await migrate(database.url, { root });
    expect(await connected(standingIndex)).toMatchObject({ valid: true, says: made?.says });
  });

  test("refuse an index built concurrently among other statements", async () => {
    write("0003-index", `${INDEX} INSERT INTO a VALUES (2);`);
    await expect(migrate(database.url, { root })).rejects.toThrow("0003-index: what is built");
  });

  test("of the product begin with a lock_timeout", async () => {
    for (const { name, sql } of (await readSchema()).migrations.slice(1)) {
      const firstStatement = sql.replace(/--.*$/gm, "").trim().split(";")[0];
      expect(firstStatement, name).toMatch(/^SET (LOCAL )?lock_timeout/i);
    }
  });

  test("refuse a database from before the first release, with advice to start with a new one", async () => {
    await migrate(database.url, { root });
    put("database/tables.sql", "CREATE TABLE b (n int)");
    await expect(migrate(database.url, { root })).rejects.toThrow(/other tables .*DATA_DIR/);
    await connected((client) =>
      client.query(`DROP TABLE schema_version;
        INSERT INTO schema_migrations VALUES ('0001-ledger', '', now())`),
    );
    await expect(migrate(database.url, { root })).rejects.toThrow(/version 0\.1\.0 .*DATA_DIR/);
    const untouched = "SELECT to_regclass('schema_version') AS made";
    expect((await connected((client) => client.query(untouched))).rows).toEqual([{ made: null }]);
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
  const said = () =>
    connected(async (client) => (await client.query("SELECT says() AS says")).rows[0]?.says);
  const start = async () => (await migrate(database.url, { root })).applied;

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
    await connected((client) => client.query("INSERT INTO a VALUES (5)"));
    expect(
      await connected(
        async (client) => (await client.query("SELECT FROM a WHERE n = -1")).rowCount,
      ),
    ).toBe(1);
  });

  test("are removed with their file, and functions of others stay", async () => {
    answer("'one'");
    trigger();
    await start();
    await connected((client) =>
      client.query("CREATE FUNCTION stranger() RETURNS int LANGUAGE sql AS 'SELECT 1'"),
    );
    put("apps/one/functions.sql", "");
    put("database/triggers.sql", "");
    expect(await start()).toEqual(["functions", "triggers"]);
    const left = await connected((client) =>
      client.query(`SELECT proname AS name FROM pg_proc WHERE pronamespace = 'public'::regnamespace
        UNION ALL SELECT tgname FROM pg_trigger WHERE NOT tgisinternal`),
    );
    expect(left.rows).toEqual([{ name: "stranger" }]);
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
    const { rows } = await connected((client) =>
      client.query("SELECT version FROM schema_version"),
    );
    expect(rows).toEqual([{ version: 3 }]);
  });

  test("are replaced beside a transaction that writes, whatever they now return", async () => {
    answer("'one'");
    trigger();
    await start();
    await connected(async (sale) => {
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
