import { addMs } from "@sesame/kernel";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sellMany } from "../../test/bulk-sales.ts";
import { startTestApp, type TestApp } from "../../test/harness.ts";
import { settleConfirmed } from "../features/checkout/settle.ts";

const TOKEN = "metrics-token-of-the-tests";
let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ env: { METRICS_TOKEN: TOKEN } });
});
afterAll(() => app?.close());

async function readMetrics(): Promise<string> {
  const answer = await app.call<string>("GET", "/metrics", { token: TOKEN });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toContain("text/plain");
  return answer.body;
}

describe("/metrics", () => {
  test("is for the holder of its token", async () => {
    for (const options of [{}, { token: "another" }]) {
      const answer = await app.call("GET", "/metrics", options);
      expect(answer).toMatchObject({ status: 401, body: { success: false } });
    }
  });

  test("is closed where no token was chosen", async () => {
    const closed = await startTestApp();
    expect((await closed.call("GET", "/metrics", { token: "" })).status).toBe(401);
    await closed.close();
  });

  test("tells how the process fares and how fast each route answers", async () => {
    await app.call("GET", "/api/orders/12");
    await app.call("GET", "/no/such/path");
    const text = await readMetrics();
    expect(text).toContain("process_resident_memory_bytes");
    expect(text).toContain("nodejs_eventloop_lag_seconds");
    const count = "sesame_http_request_duration_seconds_count";
    expect(text).toContain(`${count}{method="GET",route="/api/orders/:id",status="401"} 1`);
    expect(text).toContain(`${count}{method="GET",route="none",status="404"} 1`);
  });

  test("counts what waits: jobs by topic, payments to ask about, updates", async () => {
    const now = app.clock.now();
    const { payments } = await sellMany(app.db, { sellers: 1, buyers: 3, orders: 3, now });
    const [paymentId = 0n] = payments;
    await settleConfirmed(app.db, [{ paymentId, occurredAt: now }], now);
    const text = await readMetrics();
    expect(text).toContain('sesame_outbox_jobs{topic="access.open",state="due"} 1');
    expect(text).toContain('sesame_outbox_oldest_seconds{topic="access.open"} 0');
    expect(text).toContain("sesame_payment_checks_due 2");
    expect(text).toContain("sesame_accesses_overdue 0");
    expect(text).toContain("sesame_database_up 1");
    app.clock.setOffset(addMs(now, 31 * 86_400_000).getTime() - now.getTime());
    expect(await readMetrics()).toContain("sesame_accesses_overdue 1");
  });
});
