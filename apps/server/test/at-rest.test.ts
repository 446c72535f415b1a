import pg from "pg";
import { afterAll, expect, test, vi } from "vitest";
import { createRounds } from "../src/jobs/loop.ts";
import { ON_CONNECT } from "../src/postgres/connections.ts";
import { startTestApp } from "./harness.ts";

// Before the application, whose pool keeps each connection's function.
const query = vi.spyOn(pg.Client.prototype, "query");

const app = await startTestApp();
await app.drain();
afterAll(async () => query.mockRestore());

/** Without the listening connection's pulse, and the settings of a connection that the pool opens: both follow the real clock. */
const asked = () =>
  query.mock.calls
    .map(([first]) => first as unknown)
    .filter((each) => each !== "SELECT 1" && Object(each).text !== ON_CONNECT);

/** The statements of a process with every role while nothing happens. */
test("a process at rest makes at most two statements a second, planned once and outside transactions", async () => {
  const perSecond: Record<string, number> = {};
  const planned = new Set<string>();
  const { app: within, loops } = app.app;
  for (const loop of [...loops, createRounds(within, loops)]) {
    // Whole runs first, then one more, so that hourly work is not counted.
    await loop.drain();
    query.mockClear();
    await loop.drain();
    // A statement without a name is planned each time, or begins a transaction in which nothing is due.
    if (asked().some((statement) => !Object(statement).name)) planned.add(loop.name);
    if (loop.everyMs === null) expect(asked()).toEqual([]);
    else perSecond[loop.name] = asked().length / (loop.everyMs / 1_000);
  }
  // The best plan of the outbox's statement depends on the number of free places.
  expect([...planned]).toEqual(["outbox"]);
  const total = Object.values(perSecond).reduce((sum, each) => sum + each, 0);
  expect(perSecond["rounds"]).toBe(1);
  expect(total, JSON.stringify(perSecond)).toBeLessThanOrEqual(2);
  if (process.env["LONG"] === "1") console.log(total, perSecond);
});
