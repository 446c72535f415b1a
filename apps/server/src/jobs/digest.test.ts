import { addMs, MINUTE_MS } from "@sesame/kernel";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../../test/harness.ts";
import { digest, DONE } from "./outbox.ts";

let app: TestApp;
let told: Date[];

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.close());

const later = (afterMs: number) => ({ kind: "later", afterMs, reason: "told with the next ones" });

/** A job that tells whatever has gathered under this key. */
function run(key: string, { now = app.clock.now(), gathered = true } = {}) {
  return app.db.transaction().execute((tx) =>
    digest(tx, { key, everyMs: MINUTE_MS, now }, async () => {
      if (gathered) told.push(now);
      return gathered;
    }),
  );
}

test("what gathers is told at once, and what follows together", async () => {
  told = [];
  const start = app.clock.now();
  expect(await run("one")).toEqual(DONE);
  expect(await run("one", { now: addMs(start, 1_000) })).toEqual(later(59_000));
  // Somebody else is told of his own.
  expect(await run("other")).toEqual(DONE);
  const end = addMs(start, MINUTE_MS);
  expect(await run("one", { now: end })).toEqual(DONE);
  expect(told).toEqual([start, start, end]);
});

test("nothing told makes nobody wait", async () => {
  told = [];
  expect(await run("nothing", { gathered: false })).toEqual(DONE);
  expect(await run("nothing")).toEqual(DONE);
  expect(told).toHaveLength(1);
});

test("what a clock that was set back has told makes nobody wait", async () => {
  told = [];
  await run("ahead", { now: addMs(app.clock.now(), 60 * MINUTE_MS) });
  expect(await run("ahead")).toEqual(DONE);
  expect(told).toHaveLength(2);
});

test("of several at once one tells", async () => {
  told = [];
  const outcomes = await Promise.all(Array.from({ length: 5 }, () => run("at once")));
  expect(outcomes.filter(({ kind }) => kind === "later")).toHaveLength(4);
  expect(told).toHaveLength(1);
});
