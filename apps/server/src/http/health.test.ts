import { systemClock } from "@sesame/kernel";
import { expect, test, afterEach, vi } from "vitest";
import { registerHealth, STUCK_MS, createReadiness, type ReadinessOptions } from "./health.ts";
import { createHttpServer } from "./server.ts";

async function ask(path: string, { silentMs = 0, reason = null as "draining" | null } = {}) {
  const app = await createHttpServer({
    clock: systemClock,
    publicUrl: "http://localhost:3000",
    frameAncestors: [],
    trustedProxies: 0,
    logLevel: "silent",
    metricsToken: null,
    authenticate: async () => null,
  });
  const readiness = { whyNot: async () => reason, drain: () => undefined };
  registerHealth(app, { readiness, silentMs: () => silentMs });
  const answer = await app.inject({ method: "GET", url: path });
  await app.close();
  return { status: answer.statusCode, body: answer.json<Record<string, string>>() };
}

test("/health names the version and the commit that run", async () => {
  const { status, body } = await ask("/health");
  expect(status).toBe(200);
  expect(body).toEqual({
    status: "ok",
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    commit: expect.any(String),
  });
});

test("/health is 503 stuck once the database has answered nobody for thirty seconds", async () => {
  expect((await ask("/health", { silentMs: STUCK_MS - 1 })).status).toBe(200);
  const stuck = await ask("/health", { silentMs: STUCK_MS });
  expect(stuck).toMatchObject({ status: 503, body: { status: "stuck" } });
  expect(stuck.body).toHaveProperty("version");
});

test("/ready says why it is not", async () => {
  expect(await ask("/ready")).toEqual({ status: 200, body: { status: "ready" } });
  expect(await ask("/ready", { reason: "draining" })).toEqual({
    status: 503,
    body: { status: "not ready", reason: "draining" },
  });
});

afterEach(() => vi.useRealTimers());

test("an answer comes within the second promised, whatever the database does", async () => {
  vi.useFakeTimers();
  const silent = new Promise<never>(() => {});
  const database = {} as ReadinessOptions["database"];
  const readiness = createReadiness({ database, schemaVersion: () => silent });
  let said: unknown = "nothing";
  void readiness.whyNot().then((why) => {
    said = why;
  });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(said).toBe("database-silent");
});
