import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { OPERATOR_ID, startTestApp, type TestApp } from "../../test/harness.ts";

let app: TestApp;
let token: string;

beforeAll(async () => {
  app = await startTestApp({ env: { LOG_LEVEL: "warn" } });
  ({ token } = await app.signInBuyer({ id: OPERATOR_ID, first_name: "Olga" }));
});
afterAll(() => app?.close());

describe("a call whose handler answers by itself", () => {
  test.each([
    "/api/desk/day/export?date=2026-11-16",
    "/api/desk/audit/export?from=2026-11-01&to=2026-11-30",
  ])("is answered once: %s", async (path) => {
    const answer = await app.call<string>("GET", path, { token });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toContain("text/csv");
    expect(app.takeErrors()).toEqual([]);
  });

  test("is answered once to a client that leaves", async () => {
    const leaving = new AbortController();
    const path = `${app.url}/api/desk/audit/export?from=2026-11-01&to=2026-11-30`;
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(path, { headers, signal: leaving.signal });
    leaving.abort();
    await expect(response.text()).rejects.toThrow("aborted");
    await app.call("GET", "/api/desk", { token });
    expect(app.takeErrors()).toEqual([]);
  });
});
