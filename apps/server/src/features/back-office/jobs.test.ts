import type { AnswerOf } from "@sesame/contract/routes";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type SignedInBuyer, startTestApp, type TestApp } from "../../../test/harness.ts";
import { createDeskFixtures, DESK_ENV, type DeskFixtures } from "../../../test/withdrawals.ts";
import { AGE_LIMITS } from "../../jobs/retries.ts";
import { nameTopic } from "./messages.fr.ts";

let app: TestApp;
let scene: DeskFixtures;
let operator: SignedInBuyer;

beforeAll(async () => {
  app = await startTestApp({ env: DESK_ENV });
  scene = createDeskFixtures(app);
});
afterAll(() => app?.close());
beforeEach(async () => {
  operator = await scene.operator(0);
  await sql`DELETE FROM outbox`.execute(app.db);
  await sql`DELETE FROM telegram_updates`.execute(app.db);
});
afterEach(() => expect(app.takeErrors()).toEqual([]));

const TOKEN = "123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw";

async function addFailed(topic: string, ref: number, expired = false): Promise<void> {
  const now = app.clock.now();
  await sql`
    INSERT INTO outbox (topic, ref, due_at, first_due_at, failed_at, expired, attempts, last_error)
    VALUES (${topic}, ${ref}, ${now}, ${now}, ${now}, ${expired}, 3,
      ${`POST https://api.telegram.org/bot${TOKEN}/sendMessage refused`})
  `.execute(app.db);
}

const list = async (query = "") =>
  (await scene.call<AnswerOf<"GET /api/desk/jobs">>(operator, `/jobs${query}`)).body;
const retry = (body: unknown) =>
  scene.call<AnswerOf<"POST /api/desk/jobs/retry">>(operator, "/jobs/retry", {
    method: "POST",
    body,
  });

async function failedRefs(): Promise<bigint[]> {
  const { rows } = await sql<{ ref: bigint }>`
    SELECT ref FROM outbox WHERE failed_at IS NOT NULL ORDER BY ref`.execute(app.db);
  return rows.map(({ ref }) => ref);
}

describe("failed jobs in the back office", () => {
  test("have a French name for every topic", () => {
    for (const topic of Object.keys(AGE_LIMITS)) expect(nameTopic(topic)).not.toBe(topic);
  });

  test("are listed by topic and one by one, without the secrets of their errors", async () => {
    await addFailed("groups.recheck", 1);
    await addFailed("groups.recheck", 2, true);
    await addFailed("access.close", 3);
    const { topics, jobs } = await list();
    expect(topics).toMatchObject([
      { topic: "access.close", failed: 1, expired: 0 },
      { topic: "groups.recheck", failed: 1, expired: 1 },
    ]);
    expect(jobs.map(({ ref, state }) => [ref, state]).toSorted()).toEqual([
      ["1", "failed"],
      ["2", "expired"],
      ["3", "failed"],
    ]);
    expect(JSON.stringify({ topics, jobs })).not.toContain("AAHdqTcv");
    expect((await list("?topic=access.close")).jobs).toHaveLength(1);
  });

  test("are listed page by page, each once", async () => {
    for (let ref = 1; ref <= 65; ref += 1) await addFailed("groups.recheck", ref);
    const seen: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const page: AnswerOf<"GET /api/desk/jobs"> = await list(`?cursor=${cursor}`);
      seen.push(...page.jobs.map(({ ref }) => ref));
      cursor = page.next_cursor;
    }
    expect(seen).toHaveLength(65);
    expect(new Set(seen).size).toBe(65);
  });

  test("are retried one, a topic or all at a time, and the audit log says by whom", async () => {
    for (const ref of [1, 2]) await addFailed("groups.recheck", ref);
    for (const ref of [3, 4]) await addFailed("access.close", ref);
    const one = (await list()).jobs.find(({ ref }) => ref === "1");
    expect((await retry({ id: one?.id })).body).toMatchObject({ retried: 1 });
    expect(await failedRefs()).toEqual([2n, 3n, 4n]);
    expect((await retry({ topic: "access.close" })).body).toMatchObject({ retried: 2 });
    expect(await failedRefs()).toEqual([2n]);
    expect((await retry({ all: true })).body).toMatchObject({ retried: 1 });
    expect((await retry({ all: true })).body).toMatchObject({ retried: 0 });
    const { rows } = await sql<{ attempts: number; outages: number; expired: boolean }>`
      SELECT DISTINCT attempts, outages, expired FROM outbox`.execute(app.db);
    expect(rows).toEqual([{ attempts: 0, outages: 0, expired: false }]);
    const log = (await scene.call<AnswerOf<"GET /api/desk/audit">>(operator, "/audit")).body;
    const ours = JSON.stringify(log).match(/Tâches relancées/g);
    expect(ours).toHaveLength(3);
    await sql`DELETE FROM outbox`.execute(app.db);
  });

  test("are not retried by a request that names none, or two things at once", async () => {
    await addFailed("access.close", 1);
    for (const body of [{}, { all: false }, { id: "job:1", all: true }]) {
      expect((await retry(body)).status).toBe(400);
    }
    expect(await failedRefs()).toEqual([1n]);
  });

  test("include the updates of Telegram's that were given up", async () => {
    const now = app.clock.now();
    await sql`
      INSERT INTO telegram_updates (bot, update_id, queue_key, body, received_at, due_at, handled_at,
        last_error)
      VALUES ('seller', 77, 'person:1', '{"update_id": 77}', ${now}, ${now}, ${now},
        'expired: telegram did not answer')
    `.execute(app.db);
    const { jobs } = await list();
    expect(jobs).toMatchObject([
      { id: "update:seller:77", topic: "telegram.seller", state: "expired" },
    ]);
    expect((await retry({ id: "update:seller:77" })).body).toMatchObject({ retried: 1 });
    await app.drain();
    const { rows } = await sql<{ handled: boolean; last_error: string | null }>`
      SELECT handled_at IS NOT NULL AS handled, last_error FROM telegram_updates`.execute(app.db);
    expect(rows).toEqual([{ handled: true, last_error: null }]);
  });
});
