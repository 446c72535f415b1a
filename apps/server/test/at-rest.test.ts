import pg from "pg";
import { afterAll, expect, test, vi } from "vitest";
import { createRounds } from "../src/jobs/loop.ts";
import { startTestApp } from "./harness.ts";

// Before the application: its pool keeps each connection's function.
const query = vi.spyOn(pg.Client.prototype, "query");

const app = await startTestApp();
await app.drain();
afterAll(async () => {
  query.mockRestore();
  await app.close();
});

/** The listening connection's pulse comes by the real clock, into whatever is under way. */
const asked = () => query.mock.calls.map(([first]) => first).filter((text) => text !== "SELECT 1");

/** What a process with every role says to the database while nothing happens. */
test("a process at rest makes at most two statements a second, planned once and outside transactions", async () => {
  const perSecond: Record<string, number> = {};
  const planned = new Set<string>();
  const { app: within, loops } = app.app;
  for (const loop of [...loops, createRounds(within, loops)]) {
    // Whole looks under way, then one more: what is done once an hour is not counted twice.
    await loop.drain();
    query.mockClear();
    await loop.drain();
    // Without a name it is planned anew, or begins a transaction in which nothing is due.
    if (asked().some((statement) => !Object(statement).name)) planned.add(loop.name);
    if (loop.everyMs === null) expect(asked()).toEqual([]);
    else perSecond[loop.name] = asked().length / (loop.everyMs / 1_000);
  }
  // The best plan of the outbox's statement depends on how many jobs there is room for.
  expect([...planned]).toEqual(["outbox"]);
  const total = Object.values(perSecond).reduce((sum, each) => sum + each, 0);
  expect(perSecond["rounds"]).toBe(1);
  expect(total, JSON.stringify(perSecond)).toBeLessThanOrEqual(2);
  if (process.env["LONG"] === "1") console.log(total, perSecond);
});
