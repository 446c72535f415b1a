import { setTimeout as pace } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { createTestDatabase } from "../../../../tools/postgres/test-database.ts";
import { eventually } from "../../../../tools/testing/eventually.ts";
import { startFreezingProxy } from "./freezing-proxy.ts";
import { type Ear, listenTo } from "./sockets.ts";
import { findLost, openOutside, sendWebhooks, signIn } from "./stranger.ts";

/**
 * These tests prove that it happens at all; the promised seconds are proved with a test clock,
 * beside `connections.ts` and `health.ts`.
 */

const database = await createTestDatabase();
const proxy = await startFreezingProxy(database.url);
const out = await openOutside({ env: { DATABASE_URL: proxy.url, DATABASE_POOL: "8" } });
afterAll(async () => {
  await proxy.close();
  await out.close();
  await database.drop();
});

/** How often /ready answered 503, why, and the longest time, while `isOver` is false. */
async function watchReady(isOver: () => boolean) {
  const seen = { refused: 0, longestMs: 0, reasons: new Set<unknown>() };
  while (!isOver()) {
    const started = performance.now();
    const answer = await out.call<{ reason?: string }>("GET", "/ready");
    seen.longestMs = Math.max(seen.longestMs, performance.now() - started);
    if (answer.status === 503) {
      seen.refused += 1;
      seen.reasons.add(answer.body.reason);
    }
    await pace(20);
  }
  return seen;
}

describe("a network that silently holds every open connection", () => {
  let ear: Ear;

  test("is an outage that ends by itself: webhooks are accepted again, and no acknowledged one is lost", async () => {
    const seller = await signIn(out, 1_301, "vendeur");
    ear = await listenTo(out.url, { token: seller.token });
    const load = sendWebhooks(out, "frozen");
    await load.goesOn();

    proxy.freeze();
    const frozenAt = performance.now();
    let back = false;
    const watching = watchReady(() => back);
    try {
      await load.goesOn();
    } finally {
      back = true;
    }
    const backMs = performance.now() - frozenAt;
    const ready = await watching;
    await load.stop();

    expect(ready.refused).toBeGreaterThan(0);
    expect(await findLost(database.url, load.acknowledged)).toEqual([]);
    const longest = Math.round(ready.longestMs);
    process.stdout.write(
      `frozen network: back after ${(backMs / 1_000).toFixed(1)} s, ${load.acknowledged.length} ` +
        `acknowledged, 0 lost; /ready took ${longest} ms at most (${[...ready.reasons].join(", ")})\n`,
    );
  });

  test("is detected by the listening connection too, and every socket gets the reload event", async () => {
    await eventually(() => expect(ear.received).toContainEqual({ name: "resync", body: {} }));
    ear.close();
  });

  test("does not delay a stop", async () => {
    proxy.freezeAll();
    // 1: work in progress had not timed out after eight seconds, and the process left it.
    expect([0, 1]).toContain(await out.program.stop());
    expect(out.program.output()).not.toContain("SIGTERM: ");
    proxy.thaw();
    await out.restart();
    expect((await out.call("GET", "/ready")).status).toBe(200);
  });

  // The rule itself is tested with a test clock, beside `connections.ts`: these are thirty real seconds.
  test.runIf(process.env["LONG"] === "1")(
    "makes /health report that the process is stuck once nothing was answered for 30 s",
    async () => {
      proxy.freezeAll();
      await eventually(async () => {
        const answer = await out.call("GET", "/health");
        expect(answer.status).toBe(503);
        expect(answer.body).toMatchObject({ status: "stuck", version: expect.any(String) });
      });
      proxy.thaw();
      await eventually(async () => {
        expect((await out.call("GET", "/health")).status).toBe(200);
        expect((await out.call("GET", "/ready")).status).toBe(200);
      });
    },
  );
});
