import { addMs, DAY_MS, HOUR_MS, MINUTE_MS, Outage } from "@sesame/kernel";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../../test/harness.ts";
import { injectedLeaseClock, endDatesAhead } from "../jobs/leases.ts";
import { createUpdateDesk, type UpdateHandler } from "./update-desk.ts";
import { leaseUpdates, UPDATES_DATES } from "./updates.store.ts";

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterEach(() => expect(app.takeErrors()).toEqual([]));
afterAll(() => app?.close());

function deskOf(handler: UpdateHandler) {
  const { db, clock } = app;
  return createUpdateDesk({ db, clock, log: app.app.http.log }, "seller", [handler]);
}

describe("an update", () => {
  test("whose handling was cut short by a kill is handled by another within ten seconds", async () => {
    const { clock, db } = app;
    const now = clock.now();
    await sql`
      INSERT INTO telegram_updates (bot, update_id, queue_key, body, received_at, due_at)
      VALUES ('seller', 77, 'person:1', '{"update_id": 77}', ${now}, ${now})
    `.execute(db);
    const lease = { limit: 1, clock: injectedLeaseClock(clock) };
    expect(await leaseUpdates(db, "seller", lease)).toHaveLength(1);
    const handled: number[] = [];
    const desk = deskOf(async (update) => void handled.push(update.update_id));
    clock.advance(9_999);
    await desk.drain();
    expect(handled).toEqual([]);
    clock.advance(1);
    await desk.drain();
    await desk.stop();
    expect(handled).toEqual([77]);
  });

  test("leased by a clock forty days ahead is handled when the clock is put back", async () => {
    const { clock, db } = app;
    const later = addMs(clock.now(), 40 * DAY_MS);
    await sql`
      INSERT INTO telegram_updates (bot, update_id, queue_key, body, received_at, due_at, lease)
      VALUES ('seller', 78, 'person:1', '{"update_id": 78}', ${later}, ${later}, gen_random_uuid()),
        ('seller', 79, 'person:2', '{"update_id": 79}', ${later}, ${later}, NULL)
    `.execute(db);
    const handled: number[] = [];
    const desk = deskOf(async (update) => void handled.push(update.update_id));
    await desk.drain();
    expect(handled, "what nobody has begun waits for no clock").toEqual([79]);
    for (const date of UPDATES_DATES) await endDatesAhead(db, date, injectedLeaseClock(clock));
    await desk.drain();
    await desk.stop();
    expect(handled.toSorted()).toEqual([78, 79]);
  });

  test("waits out 48 hours without Telegram, and is handled once when Telegram is back", async () => {
    const { clock, db } = app;
    const now = clock.now();
    await sql`
      INSERT INTO telegram_updates (bot, update_id, queue_key, body, received_at, due_at)
      SELECT 'seller', n, 'person:' || n, jsonb_build_object('update_id', n, 'chat_join_request', '{}'),
        ${now}, ${now} FROM generate_series(100, 119) n
    `.execute(db);
    const handled: number[] = [];
    let isDead = true;
    const desk = deskOf(async (update) => {
      if (!isDead) return void handled.push(update.update_id);
      const cause = new Error("ECONNREFUSED");
      throw new Outage("telegram did not answer", { party: "telegram", retryable: true, cause });
    });
    for (let hours = 0; hours < 48; hours += 1) {
      await desk.drain();
      clock.advance(HOUR_MS);
    }
    isDead = false;
    for (let turn = 0; turn < 3; turn += 1) {
      await desk.drain();
      clock.advance(10 * MINUTE_MS);
    }
    await desk.stop();
    const everyOne = Array.from({ length: 20 }, (_, index) => 100 + index);
    expect(handled.toSorted((a, b) => a - b)).toEqual(everyOne);
  });
});
