import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readVersion } from "../../../../database/schema.ts";
import { eventually } from "../../../../tools/testing/eventually.ts";
import { createTestDatabase, type TestDatabase } from "../../../../tools/postgres/test-database.ts";
import { readerOf } from "../../test/tables.ts";
import { type FreezingProxy, startFreezingProxy } from "../../test/wire/freezing-proxy.ts";
import { type Database, isUnreachable, openDatabase, PREPARED } from "./database.ts";
import { withLongStatements } from "./connections.ts";
import { asOutage, DatabaseOutage, outageReason } from "./outages.ts";
import { createReadiness } from "../http/health.ts";
import { Outage } from "@sesame/kernel";

let place: TestDatabase;
let proxy: FreezingProxy;
let database: Database;
let nowMs: number;

beforeEach(async () => {
  nowMs = 1_000_000;
  place = await createTestDatabase();
  proxy = await startFreezingProxy(place.url);
  database = openDatabase({ url: proxy.url, poolSize: 2, stopwatch: () => nowMs });
});
afterEach(async () => {
  await proxy.close();
  await database.close();
  await place.drop();
});

const settingOf = (name: string) =>
  readerOf(database.db).value<string>`SELECT current_setting(${name})`;
const backend = () => readerOf(database.db).value<number>`SELECT pg_backend_pid()`;
/** A statement with a short limit, to which the proxy gives no answer. */
const askInVain = () => sql`/* limit 50 ms */ SELECT 1`.execute(database.db);

describe("a connection of the pool", () => {
  test("has limits on the server's side too, and compiles nothing", async () => {
    expect(await settingOf("statement_timeout")).toBe("12s");
    expect(await settingOf("idle_in_transaction_session_timeout")).toBe("10s");
    expect(await settingOf("jit")).toBe("off");
  });

  test("allows ten minutes to a statement known to be long, and only to that one", async () => {
    await withLongStatements(database.db, async (tx) => {
      const limit = await readerOf(tx).value`SELECT current_setting('statement_timeout')`;
      expect(limit).toBe("10min");
    });
    expect(await settingOf("statement_timeout")).toBe("12s");
  });

  test("plans a statement again after a migration made its plan stale, and keeps no old plan", async () => {
    const ask = (db = database.db) => readerOf(db).value`${PREPARED} SELECT said FROM words`;
    await sql`CREATE TABLE words AS SELECT 1 AS said`.execute(database.db);
    expect(await ask()).toBe(1);
    const first = await backend();
    await sql`ALTER TABLE words ALTER said TYPE text`.execute(database.db);
    expect(await ask()).toBe("1");
    expect(await backend()).not.toBe(first);
    expect(await database.db.transaction().execute(ask)).toBe("1");
  });

  test("that gives no answer within the limit is destroyed, and never used again", async () => {
    const first = await backend();
    proxy.freeze();
    await expect(askInVain()).rejects.toMatchObject({ reason: "slow", party: "postgres" });
    expect(await backend()).not.toBe(first);
  });

  test("is destroyed with all that have not answered since a silence was noticed", async () => {
    await Promise.all([backend(), backend()]);
    proxy.freeze();
    const asked = backend();
    await eventually(() => database.connections.count().busy === 1);
    nowMs += 5_000;
    database.connections.distrust(nowMs - 1);
    await expect(asked).rejects.toBeInstanceOf(DatabaseOutage);
    expect(await backend()).toBeGreaterThan(0);
  });

  test("that answered since is kept", async () => {
    const first = await backend();
    const at = nowMs;
    nowMs += 5_000;
    expect(await backend()).toBe(first);
    database.connections.distrust(at + 1);
    expect(await backend()).toBe(first);
  });
});

describe("a database that answers nobody", () => {
  test("is silent from the first statement on, until one is answered", async () => {
    await backend();
    expect(database.connections.silentMs()).toBe(0);
    proxy.freeze();
    await expect(askInVain()).rejects.toBeInstanceOf(DatabaseOutage);
    nowMs += 31_000;
    expect(database.connections.silentMs()).toBe(31_000);
    await backend();
    expect(database.connections.silentMs()).toBe(0);
  });

  test("is not silent when its machine answers that nobody listens", async () => {
    const away = openDatabase({ url: "postgresql://u@127.0.0.1:1/d", stopwatch: () => nowMs });
    await expect(sql`SELECT 1`.execute(away.db)).rejects.toMatchObject({ reason: "unreachable" });
    nowMs += 31_000;
    expect(away.connections.silentMs()).toBe(0);
    await away.close();
  });

  test("whose name is unknown is an outage", async () => {
    const away = openDatabase({ url: "postgresql://u@database.invalid/d" });
    await expect(sql`SELECT 1`.execute(away.db)).rejects.toMatchObject({ reason: "unreachable" });
    await away.close();
  });
});

test("of two transactions in conflict, a statement that stands alone is repeated: the one rolled back succeeds then", async () => {
  await sql`CREATE SEQUENCE tried`.execute(database.db);
  await sql`
    CREATE FUNCTION succeed_at_third() RETURNS int LANGUAGE plpgsql AS $$
    BEGIN
      IF nextval('tried') < 3 THEN RAISE EXCEPTION 'rolled back' USING ERRCODE = '40001'; END IF;
      RETURN 3;
    END $$`.execute(database.db);
  expect(await readerOf(database.db).value`SELECT succeed_at_third()`).toBe(3);
});

describe("readiness", () => {
  const ready = (version: number, answerMs = 60_000, on = database) =>
    createReadiness({
      database: on,
      schemaVersion: async () => version,
      answerMs,
      stopwatch: () => nowMs,
    });

  test("is given by a database of the code's version, and by a newer one", async () => {
    const { version } = await readVersion();
    expect(await ready(version).whyNot()).toBeNull();
    expect(await ready(version - 1).whyNot()).toBeNull();
  });

  test("is refused by a database that is older than the code", async () => {
    const { version } = await readVersion();
    expect(await ready(version + 1).whyNot()).toBe("schema-outdated");
  });

  test("is refused by a read-only database", async () => {
    await sql`ALTER ROLE CURRENT_USER IN DATABASE ${sql.id(new URL(place.url).pathname.slice(1))}
      SET default_transaction_read_only = on`.execute(database.db);
    const demoted = openDatabase({ url: place.url, poolSize: 1 });
    expect(await ready(0, 60_000, demoted).whyNot()).toBe("database-read-only");
    const change = sql`CREATE TABLE t ()`.execute(demoted.db);
    await expect(change).rejects.toMatchObject({ reason: "read-only" });
    await demoted.close();
  });

  test("is refused in time by a database that does not answer, however many ask", async () => {
    const readiness = ready(0, 200);
    await eventually(async () => expect(await readiness.whyNot()).toBeNull());
    proxy.freezeAll();
    nowMs += 20_000;
    const answers = await Promise.all(Array.from({ length: 50 }, () => readiness.whyNot()));
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toMatch(/^database-(silent|down)$/);
  });

  test("is refused from the moment the process reports that it will close", async () => {
    const readiness = ready(0);
    readiness.drain();
    expect(await readiness.whyNot()).toBe("draining");
  });
});

function errorOf(code: string, more: object = {}): Error {
  return Object.assign(new Error(`said ${code}`), { code, ...more });
}

const CODES = {
  conflict: "40001 40P01",
  "disk-full": "53100",
  overloaded: "53000 53200 53300",
  "read-only": "25006",
  slow: "25P03 57014",
  system: "58000 58030 58P01",
  unreachable: `
    08001 08006 57P01 57P02 57P03 57P05
    ENOTFOUND EAI_AGAIN EHOSTUNREACH ENETUNREACH ETIMEDOUT ECONNREFUSED ECONNRESET EPIPE
    `,
};
/** Of bugs, and of constraints. */
const OTHER_CODES = "22001 23505 23514 42601 42P01 55P03 P0001 SL001 ERR_ASSERTION";
const codesIn = (text: string) => text.trim().split(/\s+/);

test.each(Object.entries(CODES))(
  "each code of an outage of the database gives its reason: %s",
  (reason, codes) => {
    for (const code of codesIn(codes)) {
      expect(outageReason(errorOf(code)), code).toBe(reason);
      expect(isUnreachable(errorOf(code)), code).toBe(true);
    }
  },
);

test.each(codesIn(OTHER_CODES))("the code %s is no outage: a bug, or a constraint", (code) => {
  expect(outageReason(errorOf(code))).toBeNull();
});

test("a missing file is an outage of the database only while connecting to its socket", () => {
  expect(outageReason(errorOf("ENOENT", { syscall: "connect" }))).toBe("unreachable");
  expect(outageReason(errorOf("ENOENT", { syscall: "open" }))).toBeNull();
});

test.each([
  ["Query read timeout", "slow"],
  ["timeout exceeded when trying to connect", "overloaded"],
  ["Connection terminated unexpectedly", "unreachable"],
  ["Connection terminated due to connection timeout", "unreachable"],
  ["timeout expired", "unreachable"],
])("the driver's sentence « %s », which has no code, is an outage: %s", (message, reason) => {
  expect(outageReason(new Error(message))).toBe(reason);
});

test("an outage keeps the database's code, and is made only once", () => {
  const outage = asOutage(errorOf("25006"));
  expect(outage).toBeInstanceOf(DatabaseOutage);
  expect(outage).toMatchObject({ party: "postgres", retryable: true, code: "25006" });
  expect(asOutage(outage)).toBe(outage);
  const other = new Outage("silent", { party: "moneroo", retryable: true });
  expect(asOutage(other)).toBe(other);
  expect(asOutage("nonsense")).toBe("nonsense");
});
