import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MINUTE_MS } from "@sesame/kernel";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  AUTHORIZATION,
  type Audience,
  NOTICE_ROUTES,
  PAGE_ROUTES,
  ROLES,
  type Row,
  type Stage,
  type TestRole,
} from "./authorization.table.ts";
import type { Site } from "../src/pages/site.ts";
import { openAuthorizationStage, type TokensByRole } from "./authorization-stage.ts";
import { startTestApp, type TestApp } from "./harness.ts";
import type { CallOptions } from "./http-call.ts";

let app: TestApp;
let stage: Stage;
let tokens: TokensByRole;

beforeAll(async () => {
  app = await startTestApp();
  ({ stage, tokens } = await openAuthorizationStage(app));
});
afterAll(() => app?.close());

const rows = Object.entries(AUTHORIZATION);

describe("the table of who may call what", () => {
  test("has a row for each route, and no other", () => {
    const routes = app.app.http.routeTable.map(({ method, url }) => `${method} ${url}`);
    expect(new Set(routes)).toEqual(new Set(Object.keys(AUTHORIZATION)));
  });

  test("knows the doors that stand only with their configuration", async () => {
    const PUBLIC_URL = "https://sesame.example";
    const env = { TELEGRAM_WEBHOOK_SECRET: "a-webhook-secret", PUBLIC_URL };
    const full = await startTestApp({ env, site: await emptySite() });
    const extra = full.app.http.routeTable.filter(
      ({ method, url }) => !(`${method} ${url}` in AUTHORIZATION),
    );
    const known = new Set([...NOTICE_ROUTES, ...PAGE_ROUTES]);
    expect(new Set(extra.map(({ method, url }) => `${method} ${url}`))).toEqual(known);
    for (const { method, url, access } of extra) {
      expect(access).toBe(method === "GET" ? "public" : "notice");
      if (access !== "notice") continue;
      const answer = await full.call(method, url, { body: { update_id: 1 } });
      expect(answer.status).toBe(403);
    }
    await full.close();
  });
});

/** A built web without any page in it. */
async function emptySite(): Promise<Site> {
  return {
    shell: "<!doctype html><title>Sésame</title>",
    shellScripts: [],
    shellStyles: [],
    buyerEntry: "/assets/entry.js",
    buyerPreload: [],
    buyerCss: "",
    bootScript: "",
    widgetEntry: "/assets/widget.js",
    widgetPreload: [],
    widgetCss: "",
    renderBuyerPage: () => "",
    assetsFolder: await mkdtemp(join(tmpdir(), "sesame-site-")),
  };
}

describe.each(rows)("%s", (route, row) => {
  const [method = "", url = ""] = route.split(" ");
  test.each(ROLES)("by %s", async (role) => {
    await play(row, { method, url, role });
  });
});

type Turn = { readonly method: string; readonly url: string; readonly role: TestRole };

async function play(row: Row, turn: Turn): Promise<void> {
  switch (row.kind) {
    case "open": {
      const answer = await callAs(turn, row.path?.(stage) ?? turn.url, {});
      expect([401, 403]).not.toContain(answer.status);
      expect(answer.status).toBeLessThan(500);
      return;
    }
    case "proof": {
      // Refused sign-ins are held back after some in a minute.
      app.clock.advance(MINUTE_MS);
      const answer = await callAs(turn, turn.url, turn.method === "GET" ? {} : { body: {} });
      expect(answer.status).toBe(row.status);
      return;
    }
    case "key": {
      const answer = await callAs(turn, turn.url, turn.method === "GET" ? {} : { body: {} });
      const code = turn.role === "none" ? "developers.key-missing" : "developers.key-refused";
      return expect(answer).toMatchObject({ status: 401, body: { success: false, code } });
    }
    case "mine": {
      const answer = await callAs(turn, row.path?.(stage) ?? turn.url, row.options ?? {});
      const door = doorOf(row.for, turn.role);
      if (door) return expect(answer).toMatchObject(door);
      if (row.premium && turn.role !== "seller") {
        const code = "plans.premium-required";
        return expect(answer).toMatchObject({ status: 403, body: { code } });
      }
      expect([401, 403]).not.toContain(answer.status);
      expect(answer.status).toBeLessThan(500);
      return;
    }
    case "owned": {
      const own = { path: row.own(stage), options: row.options ?? {} };
      const absent = { path: row.absent, options: row.options ?? {} };
      return playOwned({ ...row, own, absent }, turn);
    }
    case "named": {
      const own = { path: turn.url, options: { body: row.body(row.own(stage)) } };
      const absent = { path: turn.url, options: { body: row.body(row.absent) } };
      return playOwned({ ...row, own, absent }, turn);
    }
  }
}

type Address = { readonly path: string; readonly options: CallOptions };
type OwnedTurn = {
  readonly for: Audience;
  readonly own: Address;
  readonly absent: Address;
  readonly owners: readonly TestRole[];
};

async function playOwned(row: OwnedTurn, turn: Turn): Promise<void> {
  const answer = await callAs(turn, row.own.path, row.own.options);
  const door = doorOf(row.for, turn.role);
  if (door) return expect(answer).toMatchObject(door);
  if (row.owners.includes(turn.role)) return expect([200, 201]).toContain(answer.status);
  const absent = await callAs(turn, row.absent.path, row.absent.options);
  expect(answer.status).toBe(404);
  expect(answer.body).toEqual(absent.body);
  expect(absent.status).toBe(404);
}

/** What the door itself answers this role; null when it lets the role pass. */
function doorOf(audience: Audience, role: TestRole): object | null {
  if (role === "none") return { status: 401, body: { code: "identity.token-missing" } };
  if (role === "expired" || role === "forged") {
    return { status: 401, body: { code: "identity.token-refused" } };
  }
  const passing: Readonly<Record<Audience, readonly TestRole[]>> = {
    person: ["buyer", "seller", "other seller", "agent", "operator"],
    seller: ["seller", "other seller", "agent", "operator"],
    agent: ["agent", "operator"],
    operator: ["operator"],
  };
  const wrong = { status: 403, body: { success: false, code: "identity.wrong-role" } };
  return passing[audience].includes(role) ? null : wrong;
}

function callAs(turn: Turn, path: string, options: CallOptions) {
  const token = tokens[turn.role];
  return app.call(turn.method, path, { ...options, ...(token === null ? {} : { token }) });
}
