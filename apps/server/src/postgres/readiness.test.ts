import { afterEach, expect, test, vi } from "vitest";
import { createReadiness, type ReadinessOptions } from "../http/health.ts";

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
