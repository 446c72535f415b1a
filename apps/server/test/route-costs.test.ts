import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { needsToken, type RouteRow } from "../src/http/server.ts";
import { startTestApp } from "./harness.ts";
import { stubSite } from "./stub-site.ts";

/** Each route allows a person at least so many requests a minute (WIRE §3). */
const LOWEST_LIMIT = 120;

const site = await stubSite();
const env = { TELEGRAM_WEBHOOK_SECRET: "a-secret", PUBLIC_URL: "https://sesame.example" };
const app = await startTestApp({ site, env });
const routes = app.app.http.routeTable;

const nameOf = ({ method, url }: RouteRow) => `${method} ${url}`;

test("every route has a limit, and none below what is promised", () => {
  const wrong = routes.filter(({ limit }) => limit === null || limit < LOWEST_LIMIT);
  expect(wrong.map(nameOf)).toEqual([]);
  expect(routes.length).toBeGreaterThan(100);
});

test("every route that needs no token is in docs/route-costs.md with its limit and a measured cost", () => {
  const text = readFileSync(new URL("../../../docs/route-costs.md", import.meta.url), "utf8");
  const lines = [...text.matchAll(/^\| (\S+ \S+) \| (\d+) \| (\d+\.\d\d) \|/gm)];
  const written = new Map(lines.map(([, route = "", limit, cost]) => [route, { limit, cost }]));
  const open = routes.filter(({ access }) => !needsToken(access));
  expect([...written.keys()].toSorted()).toEqual(open.map(nameOf).toSorted());
  for (const route of open) {
    const line = written.get(nameOf(route));
    expect(line?.limit, nameOf(route)).toBe(String(route.limit));
    expect(Number(line?.cost), nameOf(route)).toBeGreaterThan(0);
  }
});
