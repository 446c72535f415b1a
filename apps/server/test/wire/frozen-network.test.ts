import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../../tools/postgres/test-database.ts";
import { type FreezingProxy, startFreezingProxy } from "./freezing-proxy.ts";
import { openOutside, type Outside, signIn } from "./outside.ts";
import { eventually } from "./program.ts";
import { type Ear, listenTo } from "./sockets.ts";
import { countStored, IN_A_ROW, sendWebhooks } from "./webhook-load.ts";

/** The bound of the specification. */
const BACK_WITHIN_MS = 15_000;
/** The specification says one second; a loaded machine measures its own pauses too. */
const READY_WITHIN_MS = 2_000;

let database: TestDatabase;
let proxy: FreezingProxy;
let out: Outside;

beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await startFreezingProxy(database.url);
  out = await openOutside({ env: { DATABASE_URL: proxy.url, DATABASE_POOL: "8" } });
});
afterAll(async () => {
  await proxy.close();
  await out.close();
  await database.drop();
});

/** How often /ready said 503, and the longest it took, while `isOver` is false. */
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
  }
  return seen;
}

describe("a network that holds every open connection without a word", () => {
  let ear: Ear;

  test("is an outage of at most 15 s: webhooks are taken again, and none acknowledged is lost", async () => {
    const seller = await signIn(out, 1_301, "vendeur");
    ear = await listenTo(out.url, { token: seller.token });
    const load = sendWebhooks(out, "frozen");
    await eventually(() => expect(load.inARow).toBeGreaterThan(IN_A_ROW));
    const before = load.acknowledged.length;

    proxy.freeze();
    const frozenAt = performance.now();
    load.inARow = 0;
    let back = false;
    const watching = watchReady(() => back);
    try {
      await eventually(() => expect(load.inARow).toBeGreaterThan(IN_A_ROW), BACK_WITHIN_MS);
    } finally {
      back = true;
    }
    const backMs = performance.now() - frozenAt;
    const ready = await watching;
    await load.stop();

    expect(ready.longestMs).toBeLessThan(READY_WITHIN_MS);
    expect(ready.refused).toBeGreaterThan(0);
    expect(load.acknowledged.length).toBeGreaterThan(before + IN_A_ROW);
    expect(await countStored(database.url, "frozen")).toBeGreaterThanOrEqual(
      load.acknowledged.length,
    );
    const longest = Math.round(ready.longestMs);
    process.stdout.write(
      `frozen network: back after ${(backMs / 1_000).toFixed(1)} s, ${load.acknowledged.length} ` +
        `acknowledged, 0 lost; /ready took ${longest} ms at most (${[...ready.reasons].join(", ")})\n`,
    );
  });

  test("is found by the listening connection too, and every socket is told to ask again", async () => {
    await eventually(() => {
      expect(ear.heard).toContainEqual({ name: "resync", body: {} });
    }, BACK_WITHIN_MS);
    ear.close();
  });

  test("leaves a stop its ten seconds, even while it lasts", async () => {
    proxy.freezeNew();
    proxy.freeze();
    const { code, tookMs } = await out.program.stop();
    expect(code, out.program.output()).toBe(0);
    expect(tookMs).toBeLessThan(10_000);
    proxy.thaw();
    await out.restart();
    expect((await out.call("GET", "/ready")).status).toBe(200);
  });

  // The rule itself is tested on a stopwatch, beside `connections.ts`: here are thirty real seconds.
  test.runIf(process.env["LONG"] === "1")(
    "makes /health say that the process is stuck once nothing was answered for 30 s",
    async () => {
      proxy.freezeNew();
      proxy.freeze();
      await eventually(async () => {
        const answer = await out.call("GET", "/health");
        expect(answer.status).toBe(503);
        expect(answer.body).toMatchObject({ status: "stuck", version: expect.any(String) });
      }, 45_000);
      proxy.thaw();
      await eventually(async () => {
        expect((await out.call("GET", "/health")).status).toBe(200);
        expect((await out.call("GET", "/ready")).status).toBe(200);
      }, BACK_WITHIN_MS);
    },
  );
});
