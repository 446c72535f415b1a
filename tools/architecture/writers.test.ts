import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../launch/build.ts";
import { findOwners, tablesOf } from "./writers.ts";

const FEATURES = "apps/server/src/features";
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const SOURCES = "{apps/server/src,packages/*/src,database}/**/*.{ts,sql}";
const files = Object.fromEntries(
  globSync(SOURCES, { cwd: ROOT }).map((path) => [path.replaceAll("\\", "/"), read(path)]),
);
const tables = tablesOf(read("database/tables.sql"));
const real = findOwners(files, tables);

test("each table is written by one feature, one folder of the platform or one package", () => {
  expect(tables.length).toBeGreaterThan(80);
  expect(real.wrong).toEqual([]);
});

test("docs/capabilities.md names each table once, where it is written", () => {
  const rows = read("docs/capabilities.md").split("\n");
  const documented = rows.flatMap((row) => {
    const [, name = "", place = "", cell = ""] = row.split("|").map((part) => part.trim());
    const frame = /^`(?:apps\/server\/src\/)?(packages\/\w+|\w+)`$/.exec(place)?.[1];
    return [...cell.matchAll(/`(\w+)`/g)].map(([, table = ""]) => [table, frame ?? name]);
  });
  expect(documented.sort()).toEqual([...real.owners].sort());
});

const planted: Record<string, Record<string, string>> = {
  "a statement of TypeScript": {
    [`${FEATURES}/reports/a.ts`]: "sql`UPDATE orders SET title = ${title} WHERE id = ${id}`",
  },
  "a body of PL/pgSQL": {
    [`${FEATURES}/reports/functions.sql`]:
      "CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$\nBEGIN\n  DELETE FROM ONLY orders;\nEND $$;",
  },
  "a part of a statement": {
    [`${FEATURES}/reports/a.ts`]:
      "many(db)`WITH old AS (\n  INSERT INTO public.orders (id) SELECT 1 RETURNING id\n) SELECT id FROM old`",
  },
  "a builder of statements": { [`${FEATURES}/reports/a.ts`]: 'db.updateTable("orders").set({})' },
  "a row that another file's statement is given": {
    [`${FEATURES}/reports/a.ts`]: 'const DATES = [{ table: "orders", column: "due_at" }];',
  },
  "a file of the platform": { "apps/server/src/jobs/a.ts": "sql`TRUNCATE orders`" },
  "a trigger": { "database/triggers.sql": "MERGE INTO orders USING a ON true" },
};

test.each(Object.entries(planted))("a second writer is found in %s", (_, files) => {
  const owner = { [`${FEATURES}/checkout/a.ts`]: "sql`DELETE FROM orders WHERE id = ${id}`" };
  expect(findOwners(owner, ["orders"])).toEqual({
    owners: new Map([["orders", "checkout"]]),
    wrong: [],
  });
  const { wrong } = findOwners({ ...owner, ...files }, ["orders"]);
  expect(wrong).toHaveLength(1);
  expect(wrong[0]).toMatch(/^orders has more than one writer: checkout \(.*:1\), /);
});

test("a statement that reads or locks a table, or names it after ON CONFLICT, writes nothing", () => {
  const text = `SELECT FROM orders o FOR UPDATE OF o; -- UPDATE orders
    INSERT INTO payments (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET id = 1;
    CREATE TRIGGER t BEFORE UPDATE OR DELETE ON orders`;
  const { owners } = findOwners(
    {
      [`${FEATURES}/checkout/functions.sql`]: text,
      [`${FEATURES}/reports/a.test.ts`]: "UPDATE orders",
    },
    ["orders", "payments"],
  );
  expect(owners).toEqual(new Map([["payments", "checkout"]]));
});

test("a table without a writer is found, and so is a statement that does not name its table", () => {
  const { wrong } = findOwners({ "apps/server/src/a.ts": "sql`UPDATE ${table} SET a = 1`" }, ["a"]);
  expect(wrong).toEqual([
    "apps/server/src/a.ts:1 does not name the table it writes: ${table}",
    "a is written by nobody",
  ]);
});
