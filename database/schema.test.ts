import { readFileSync } from "node:fs";
import pg from "pg";
import { expect, test } from "vitest";
import { createTestDatabase } from "../tools/postgres/test-database.ts";
import { dumpSchema } from "../tools/schema/dump.ts";

test("schema.sql says what the migrations make (npm run schema writes it)", async () => {
  const database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const schema = await dumpSchema(client);
  await client.end();
  await database.drop();
  expect(schema.match(/^CREATE TABLE /gm)?.length).toBeGreaterThan(5);
  expect(readFileSync(new URL("./schema.sql", import.meta.url), "utf8")).toBe(schema);
});
