import { MINUTE_MS } from "@sesame/kernel";
import { describe, expect, test } from "vitest";
import { startTestApp } from "./harness.ts";
import { forEach } from "./hostile.ts";
import type { Called, SomeBody } from "./http.ts";

/** WIRE §3: no limit is below this, a minute, per person and route. */
const PROMISED = 120;
const REFUSED_SIGN_INS = 20;

const app = await startTestApp();

/** → the statuses of so many calls, a few at once: quickly, so that all are in one minute */
async function callMany(count: number, call: () => Promise<Called<SomeBody>>) {
  const answers = await forEach(Array.from({ length: count }), call);
  return new Set(answers.map(({ status }) => status));
}

test("one person on one route passes as often as promised, then waits, and only there", async () => {
  const seller = await app.signInSeller();
  const neighbour = await app.signInSeller();
  const list = (token: string) => () => app.call("GET", "/api/channels", { token });
  expect(await callMany(PROMISED, list(seller.token))).toEqual(new Set([200]));
  expect(await callMany(10 * PROMISED, list(seller.token))).toEqual(new Set([200, 429]));

  const refused = await list(seller.token)();
  expect(refused.status).toBe(429);
  const seconds = Number(refused.headers.get("retry-after"));
  expect(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60).toBe(true);
  expect(refused.body).toEqual({
    success: false,
    code: "request.too-many",
    message: expect.stringMatching(/^Trop de demandes\. Veuillez réessayer dans \d+ s\.$/),
  });

  // Other routes of the person, and other people behind the same address, still pass.
  expect((await app.call("GET", "/api/products", seller)).status).toBe(200);
  expect((await list(neighbour.token)()).status).toBe(200);
});

test("a mobile network behind one address reads pages and signs in without being counted as one person", async () => {
  const plans = () => app.call("GET", "/api/plans");
  expect(await callMany(5 * PROMISED, plans)).toEqual(new Set([200]));
  for (let count = 0; count < 30; count++) {
    await app.signInBuyer();
    await app.signInSeller();
  }
});

describe("refused sign-ins", () => {
  const forged = (raw: string, headers: Record<string, string> = {}) =>
    app.call("POST", "/api/auth/vendeur", {
      headers: { "x-telegram-init-data": raw.replace(/hash=\w/, "hash=f0"), ...headers },
    });

  test("are limited to twenty a minute, and limit nobody else", async () => {
    const victim = await app.person();
    const raw = app.initData(victim);
    for (let count = 0; count < REFUSED_SIGN_INS; count++) {
      expect((await forged(raw)).status).toBe(401);
    }
    const refused = await forged(raw);
    expect(refused).toMatchObject({ status: 429, body: { code: "request.too-many" } });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);

    // The person's own valid proof passes, whatever others try in that name.
    expect((await app.signInSeller(victim)).token).toBeTruthy();
    expect((await forged(app.initData(await app.person()))).status).toBe(401);
    app.clock.advance(MINUTE_MS);
    expect((await forged(raw)).status).toBe(401);
  });

  test("are counted by the address that called, not by one in a header", async () => {
    const raw = app.initData(await app.person());
    const statuses: number[] = [];
    for (let count = 0; count <= REFUSED_SIGN_INS; count++) {
      statuses.push((await forged(raw, { "x-forwarded-for": `10.0.0.${count}` })).status);
    }
    expect(statuses.at(-1)).toBe(429);
  });
});
