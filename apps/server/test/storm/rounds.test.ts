import { AsyncLocalStorage } from "node:async_hooks";
import pg from "pg";
import { afterAll, afterEach, beforeEach, expect, test, vi } from "vitest";
import { SEED } from "../../../../tools/testing/seeded.ts";
import { createRounds, type Loop } from "../../src/jobs/loop.ts";
import { one } from "../../src/postgres/database.ts";
import { untilWebhooksHaveCome } from "../harness.ts";
import { perform } from "./run-storm.ts";
import { drawOf, openStorm, type StormState } from "./state.ts";

type Ask = (...args: unknown[]) => Promise<pg.QueryResult>;

/** The run of a loop to which a statement belongs, with its statements that wrote a row. */
const look = new AsyncLocalStorage<string[]>();
const prototype = pg.Client.prototype as unknown as { query: Ask };
const ask = prototype.query;
// Before the application, whose pool keeps each connection's function.
const query = vi.spyOn(prototype, "query").mockImplementation(async function (
  this: pg.Client,
  ...args
) {
  const result = await ask.apply(this, args);
  const text = typeof args[0] === "string" ? args[0] : (args[0] as { text: string }).text;
  const isWrite = /^(INSERT|UPDATE|DELETE)$/.test(result?.command) && (result.rowCount ?? 0) > 0;
  // Old updates are deleted once an hour, whatever is due.
  if (isWrite && !/DELETE FROM telegram_updates/.test(text)) look.getStore()?.push(text);
  return result;
} as Ask);
let storm: StormState;
beforeEach(async () => {
  storm = await openStorm();
});
afterEach(() => storm.app.close());
afterAll(() => query.mockRestore());

const ROUNDS = process.env["LONG"] === "1" ? 400 : 60;

/** → what the loop wrote in a whole run although nothing was due; null: something was. */
async function lookUnasked({ app }: StormState, { due, drain }: Loop): Promise<string[] | null> {
  if (!due) return null;
  // A webhook between the check and the run would be work that the check did not see.
  await untilWebhooksHaveCome(app.emulators);
  const before = await one<{ due: boolean }>(app.db)`SELECT ${due()} AS due`;
  const written: string[] = [];
  await look.run(written, drain);
  return before.due ? null : written;
}

test(`a loop that writes had its own condition fulfilled (SESAME_SEED=${SEED})`, async () => {
  const draw = drawOf(SEED);
  const rested = new Map<string, number>();
  const worked = new Map<string, number>();
  for (let round = 0; round < ROUNDS; round++) {
    const done = await perform(storm, draw.next());
    for (const loop of storm.app.app.loops.filter(({ due }) => due)) {
      const written = await lookUnasked(storm, loop);
      expect(written ?? [], `${round} ${done}: ${loop.name}`).toEqual([]);
      const counted = written === null ? worked : rested;
      counted.set(loop.name, (counted.get(loop.name) ?? 0) + 1);
    }
  }
  // Neither always due nor never: both occurred.
  expect(worked.get("outbox")).toBeGreaterThan(0);
  expect(worked.get("checkout ask providers")).toBeGreaterThan(0);
  expect(rested.size).toBeGreaterThan(8);
  storm.app.takeErrors();
});

test("the rounds wake the loops that have work due, and no other", async () => {
  const { app, loops } = storm.app.app;
  const woken: string[] = [];
  const watched = loops.map((loop) => ({ ...loop, wake: () => void woken.push(loop.name) }));
  const rounds = createRounds(app, watched);
  await storm.app.drain();
  await rounds.drain();
  expect(woken).toEqual([]);
  await storm.app.sql`
    INSERT INTO outbox (topic, ref, due_at) VALUES ('groups.recheck', 0, ${storm.app.clock.now()})`;
  await rounds.drain();
  expect(woken).toEqual(["outbox"]);
});
