import { readdirSync, readFileSync } from "node:fs";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { check } from "./index.ts";
import { openTestLedger, type TestLedger } from "./testing/open-test-ledger.ts";

const FOLDER = new URL("../../../database/examples/", import.meta.url);
const examples = readdirSync(FOLDER).filter((name) => name.endsWith(".sql"));

let books: TestLedger;

beforeAll(async () => {
  books = await openTestLedger();
});
afterAll(() => books.close());

describe("the examples of database/examples", () => {
  test("exist", () => {
    expect(examples.length).toBeGreaterThanOrEqual(3);
  });

  test.each(examples)("%s runs and its assertions hold", async (name) => {
    const text = readFileSync(new URL(name, FOLDER), "utf8");
    const rolledBack = new Error("rolled back");
    const running = books.db.transaction().execute(async (tx) => {
      await sql.raw(text).execute(tx);
      expect(await check(tx)).toEqual([]);
      throw rolledBack;
    });
    await expect(running).rejects.toBe(rolledBack);
  });
});
