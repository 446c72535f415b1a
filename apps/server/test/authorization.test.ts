import { readFileSync } from "node:fs";
import type { Access } from "@sesame/contract";
import { MINUTE_MS } from "@sesame/kernel";
import { describe, expect, test } from "vitest";
import type { RouteRow } from "../src/http/server.ts";
import { callOf, openCallExamples } from "./call-examples.ts";
import { openTestApp, startTestApp } from "./harness.ts";
import { stubSite } from "./stub-site.ts";

/**
 * Written by hand, as a second opinion on each declaration: `METHOD path access owners|- [mark]`.
 * Played in this order: a call that ends something is last. Marks: `refused`, the examples refuse the
 * owners too; `premium`, only the examples' seller has that plan, and everybody else is refused.
 */
const LINES = readFileSync(new URL("./access.txt", import.meta.url), "utf8")
  .trim()
  .split("\n");

/** Registered only with a webhook secret: refused without it. */
const WEBHOOK_ROUTES = ["POST /webhooks/telegram/seller", "POST /webhooks/telegram/buyer"];
/** Registered only with the built web app: open to anybody, without data of a person. */
const PAGE_ROUTES = `
  / /* /IndexPaiement /IndexPaiementAbonnement /MonerooPaymentStatus /PaymentSelector
  /PaymentStatus /PaymentStatusFedapay /PaymentStatusFedapayFalse /achat /achat/* /achats /achats/* /assets/:name
  /boutique/:idVendeur /checkout /checkout/* /commande/:order /mes-acces /paiement /paiement/* /paiement/page
  /paiement/page/:secret /paiement/retour/:secret /payment-error /payment-error/* /payment-success /payment-success/*
`
  .trim()
  .split(/\s+/)
  .map((path) => `GET ${path}`);

const stub = await stubSite();
const app = await startTestApp();
const examples = await openCallExamples(app);
type TestRole = keyof typeof examples.tokens;
const ROLES = Object.keys(examples.tokens) as TestRole[];

const nameOf = ({ method, url }: RouteRow): string => `${method} ${url}`;

function lineOf(row: RouteRow): string {
  const owners = Object.values(row.route?.owns ?? {}).map(({ by }) => by.join(","));
  return `${nameOf(row)} ${row.access} ${owners.join(";") || "-"}`;
}

describe("the lines of who may call each route", () => {
  test("are those of the routes, and no other", () => {
    const lines = LINES.map((line) => line.split(" ").slice(0, 4).join(" "));
    expect(lines.toSorted()).toEqual(app.app.http.routeTable.map(lineOf).toSorted());
  });

  test("and the routes that exist only with their configuration are known", async () => {
    const PUBLIC_URL = "https://sesame.example";
    const env = { TELEGRAM_WEBHOOK_SECRET: "a-webhook-secret", PUBLIC_URL };
    const { worker: _, ...pages } = stub;
    const full = await openTestApp({ env, site: pages });
    const always = new Set(app.app.http.routeTable.map(nameOf));
    const extra = full.app.http.routeTable.filter((row) => !always.has(nameOf(row)));
    expect(new Set(extra.map(nameOf))).toEqual(new Set([...WEBHOOK_ROUTES, ...PAGE_ROUTES]));
    for (const { method, url, access, route } of extra) {
      expect(route).toBeNull();
      expect(access).toBe(method === "GET" ? "public" : "webhook");
      if (access !== "webhook") continue;
      const answer = await full.call(method, url, { body: { update_id: 1 } });
      expect(answer.status).toBe(403);
    }
    await full.close();
  });
});

describe.each(LINES)("%s", (line) => {
  const [method = "", url = "", access = "", owners = "", mark = ""] = line.split(" ");

  test.each(ROLES)("by %s", async (role) => {
    const row = app.app.http.routeTable.find((each) => nameOf(each) === `${method} ${url}`);
    if (!row) return expect.unreachable("the server has no such route");
    // Refused sign-ins are limited in a minute.
    if (access === "init-data" || access === "metrics") app.clock.advance(MINUTE_MS);
    const answer = await ask(row, role, "own");
    expect(answer.status).toBeLessThan(500);
    const refused = ANSWERS[access as Access](role, url);
    if (refused) return expect(answer).toMatchObject(refused);
    if (mark === "premium" && role !== "seller") {
      const code = "plans.premium-required";
      return expect(answer).toMatchObject({ status: 403, body: { code } });
    }
    expect([401, 403]).not.toContain(answer.status);
    if (owners === "-") return;

    const absent = await ask(row, role, "absent");
    expect(absent.status).toBe(404);
    if (!owners.split(",").includes(role)) {
      expect([answer.status, answer.body]).toEqual([404, absent.body]);
    } else if (mark === "refused") expect(answer.status).not.toBe(404);
    else expect([200, 201]).toContain(answer.status);
  });
});

function ask(row: RouteRow, role: TestRole, about: "own" | "absent") {
  const { path, body } = callOf(row, examples, about);
  const token = examples.tokens[role];
  return app.call(row.method, path, {
    token: token ?? undefined,
    body: row.method === "GET" ? undefined : body,
  });
}

type AccessAnswer = (role: TestRole, url: string) => object | null;

const openTo =
  (...passing: TestRole[]): AccessAnswer =>
  (role) => {
    if (role === "none") return { status: 401, body: { code: "identity.token-missing" } };
    if (role === "expired" || role === "forged") {
      return { status: 401, body: { code: "identity.token-refused" } };
    }
    const wrong = { status: 403, body: { success: false, code: "identity.wrong-role" } };
    return passing.includes(role) ? null : wrong;
  };

/**
 * The refusal of a role by a route's access; null where it passes. Not read from the server's own
 * `mayPass`. Agents and operators signed in as sellers.
 */
const ANSWERS: Readonly<Record<Access, AccessAnswer>> = {
  public: () => null,
  person: openTo("buyer", "seller", "other seller", "agent", "operator"),
  seller: openTo("seller", "other seller", "agent", "operator"),
  agent: openTo("agent", "operator"),
  operator: openTo("operator"),
  // Refused without Telegram's or a provider's signature: tokens have no effect.
  "init-data": () => ({ status: 401 }),
  metrics: () => ({ status: 401 }),
  webhook: (_, url) => ({ status: url.includes(":") ? 404 : 403 }),
  // Tokens are no API keys. Another test covers what keys open.
  key: (role) => {
    const code = role === "none" ? "developers.key-missing" : "developers.key-refused";
    return { status: 401, body: { success: false, code } };
  },
};
