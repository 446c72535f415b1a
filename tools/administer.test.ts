import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createTestDatabase, type TestDatabase } from "./postgres/test-database.ts";
import { askRows } from "./testing/ask-rows.ts";
import { jobsCommand } from "./administer.ts";

let database: TestDatabase;
let printed: string[];

beforeEach(async () => {
  database = await createTestDatabase();
  printed = [];
  vi.spyOn(console, "log").mockImplementation((line: string) => void printed.push(line));
  vi.spyOn(console, "error").mockImplementation((line: string) => void printed.push(line));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await database.drop();
});

const run = (...args: string[]) => jobsCommand(args, { DATABASE_URL: database.url });

test("npm run jobs lists failed and expired jobs, and retries one, a topic or all", async () => {
  const ask = (text: string) => askRows(database.url, text);
  await ask(`
    INSERT INTO outbox (topic, ref, due_at, failed_at, expired, last_error)
    SELECT 'access.close', n, now(), now(), n = 1, 'no answer' FROM generate_series(1, 3) n`);
  expect(await run("list")).toBe(0);
  expect(printed.join("\n")).toContain("access.close: 2 failed, 1 expired");
  expect(await run("list", "access.close")).toBe(0);
  const key = /job:\d+/.exec(printed.join("\n"))?.[0] ?? "";
  expect(await run("retry", key)).toBe(0);
  expect(await run("retry", key)).toBe(1);
  expect(await run("retry", "access.close")).toBe(0);
  expect(await ask("SELECT FROM outbox WHERE failed_at IS NOT NULL")).toEqual([]);
  const audited = await ask("SELECT subject FROM audit_log WHERE action = 'jobs.retry'");
  expect(audited).toHaveLength(2);
});

test("npm run jobs without a known verb prints how it is used", async () => {
  expect(await run("delete")).toBe(2);
  expect(await run("retry")).toBe(2);
  expect(printed.join("\n")).toContain("npm run jobs -- retry");
});
