import { addMs, DAY_MS, HOUR_MS, MINUTE_MS, Outage } from "@sesame/kernel";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openOutboxFixtures, type OutboxFixtures, START } from "../../test/outbox.ts";
import { DONE } from "./outbox.ts";

let on: OutboxFixtures;

beforeEach(async () => {
  on = await openOutboxFixtures();
});
afterEach(() => on.close());

describe("an outage", () => {
  const outage = () => {
    throw new Outage("telegram did not answer", {
      party: "telegram",
      retryable: true,
      cause: new Error("ECONNREFUSED"),
    });
  };

  test("of 48 hours uses up no attempt: each message is sent once after it", async () => {
    await on.add(40);
    let isDead = true;
    let calls = 0;
    const sent: bigint[] = [];
    const outbox = on.worker(async ({ ref }) => {
      calls += 1;
      if (isDead) outage();
      sent.push(ref);
      return DONE;
    });
    for (let minutes = 0; minutes < 48 * 60; minutes += 10) {
      await outbox.drain();
      on.clock.advance(10 * MINUTE_MS);
    }
    expect(await on.rows()).toHaveLength(40);
    expect((await on.rows()).every(({ attempts, failed }) => attempts === 0 && !failed)).toBe(true);
    // The circuit sends probes, not everything that waits.
    expect(calls).toBeLessThan(48 * 6 + 40);
    isDead = false;
    for (let turn = 0; turn < 3; turn++) {
      await outbox.drain();
      on.clock.advance(10 * MINUTE_MS);
    }
    await outbox.drain();
    expect(sent.length).toBe(40);
    expect(new Set(sent).size).toBe(40);
    expect(await on.rows()).toEqual([]);
  });

  test("longer than the topic's age limit expires its jobs, which are kept", async () => {
    await on.add(2);
    const outbox = on.worker(async () => outage());
    await outbox.drain();
    on.clock.advance(7 * DAY_MS - 1);
    await outbox.drain();
    expect(await on.rows()).toMatchObject([{ failed: false }, { failed: false }]);
    on.clock.advance(20 * MINUTE_MS);
    await outbox.drain();
    expect(await on.rows()).toMatchObject([
      { failed: true, expired: true, attempts: 0 },
      { failed: true, expired: true, attempts: 0 },
    ]);
    expect([on.logged.length, on.warned.length]).toEqual([0, 2]);
  });

  test("of an hour expires a reminder, which is not sent late", async () => {
    await on.add(1, { priority: 2 });
    await on.add(1, { priority: 1 });
    const sent: number[] = [];
    const outbox = on.worker(async ({ priority }) => {
      sent.push(priority);
      return DONE;
    });
    on.clock.advance(HOUR_MS + 1);
    await outbox.drain();
    expect(sent).toEqual([1]);
    expect(await on.rows()).toMatchObject([{ failed: true, expired: true }]);
  });

  test("waits as long as the party asked, and otherwise ten minutes at most", async () => {
    await on.add(2);
    const asked = new Outage("429", { party: "telegram", retryable: true, retryAfterMs: 42_000 });
    const outbox = on.worker(async ({ ref }) => {
      if (ref === 1n) throw asked;
      return outage();
    });
    await outbox.drain();
    expect((await on.rows())[0]?.due_at).toEqual(addMs(START, 42_000));
    for (let turn = 0; turn < 20; turn++) {
      on.clock.advance(10 * MINUTE_MS);
      await outbox.drain();
    }
    const [, other] = await on.rows();
    expect(other?.due_at.getTime()).toBeLessThanOrEqual(on.clock.now().getTime() + 10 * MINUTE_MS);
  });

  test("is no answer: refusals and bugs still end a job after its attempts", async () => {
    await on.add(1);
    let runs = 0;
    const outbox = on.worker(async () => {
      runs += 1;
      if (runs % 2 === 1) outage();
      throw new Error("a bug");
    });
    for (let turn = 0; turn < 8; turn++) {
      await outbox.drain();
      on.clock.advance(10 * MINUTE_MS);
    }
    expect(await on.rows()).toMatchObject([{ attempts: 3, failed: true, expired: false }]);
  });
});
