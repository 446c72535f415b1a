import { Ajv2020 } from "ajv/dist/2020.js";
import type { OpenAPIV3_1 } from "openapi-types";
import { describe, expect, test } from "vitest";
import { exampleBody, NOBODY, openCallExamples } from "./call-examples.ts";
import { startTestApp } from "./harness.ts";
import { forEach, STRANGE_IDS } from "./hostile.ts";

const app = await startTestApp();
const description = (await app.call<OpenAPIV3_1.Document>("GET", "/api/openapi.json")).body;
const { tokens, key, things, addresses } = await openCallExamples(app);
const PRODUCT = addresses["GET /api/public/products/:reference"]?.split("/").at(-1) ?? "";

/** The operator's token for the back office, the seller's API key for programs, else the seller's token. */
function tokenFor(path: string): string {
  if (path.startsWith("/api/v1/")) return key;
  return tokens[path.startsWith("/api/desk") ? "operator" : "seller"] ?? "";
}

/** Logging out, closing the account: they would end the test's own sessions. */
const LEFT_OUT = new Set(["post /api/auth/logout", "post /api/users/close"]);

const described = Object.entries(description.paths ?? {}).flatMap(([path, item]) =>
  Object.entries(item ?? {})
    .filter(([method]) => !LEFT_OUT.has(`${method} ${path}`))
    .map(([name, operation]) => {
      const method = name.toUpperCase();
      const { requestBody } = operation as OpenAPIV3_1.OperationObject;
      return {
        method,
        path,
        requestBody: requestBody as OpenAPIV3_1.RequestBodyObject | undefined,
      };
    }),
);

test("an id of an invalid form, too large or in another alphabet is as absent as an unknown one, and never an error of ours", async () => {
  const withIds = described.filter(({ path }) => path.includes("{"));
  expect(withIds.length).toBeGreaterThan(10);
  await forEach(withIds, async ({ method, path }) => {
    // With a body that is valid: only the id is at fault.
    const sent = { token: tokenFor(path), body: bodyOf(method, path) };
    const ask = (id: string) =>
      app.call(method, path.replaceAll(/\{\w+\}/g, encodeURIComponent(id)), sent);
    const unknown = await ask("999999999");
    expect([400, 404, 409], `${method} ${path}`).toContain(unknown.status);
    for (const id of STRANGE_IDS) {
      const { status, body } = await ask(id);
      expect([400, unknown.status], `${method} ${path} with ${id}`).toContain(status);
      expect(body).toMatchObject({ success: false });
    }
  });
});

test("a call without its optional body gets the route's own answer", async () => {
  const optional = app.app.http.routeTable.filter(
    ({ route }) => route?.body?.safeParse(undefined).success,
  );
  expect(optional.length).toBeGreaterThan(10);
  for (const { method, url } of optional) {
    const path = url.replaceAll(/:\w+/g, "999999999");
    const { body } = await app.call(method, path, { token: tokenFor(path) });
    expect(body, `${method} ${path}`).not.toMatchObject({ code: "request.malformed" });
  }
});

const jsonCalls = described.flatMap(({ method, path, requestBody }) => {
  const schema = requestBody?.content["application/json"]?.schema;
  if (!schema || path.startsWith("/webhooks/")) return [];
  return [{ method, path, schema: schema as OpenAPIV3_1.SchemaObject }];
});

/** Sends it as its caller, about a row that is there. */
const send = (method: string, path: string, body: unknown, headers = {}) =>
  app.call(method, filledPath(path), { token: tokenFor(path), body, headers });

function bodyOf(method: string, path: string): Readonly<Record<string, unknown>> | undefined {
  const row = app.app.http.routeTable.find(
    (each) => each.method === method && each.url.replaceAll(/:(\w+)/g, "{$1}") === path,
  );
  return exampleBody(row?.route ?? null, PRODUCT);
}

/** The row of a path with an id. An action that can be done once only gets the id of no row. */
const THINGS = [
  [/withdrawals/, "withdrawal"],
  [/^\/api\/(users|desk\/sellers)/, "user"],
  [/products/, "product"],
  [/orders/, "order"],
  [/channels/, "group"],
] as const;

function filledPath(path: string): string {
  const [, thing = ""] = THINGS.find(([named]) => named.test(path)) ?? [];
  return path.replace("{id}", things[thing] ?? NOBODY);
}

/** Opposite actions: an action done before is undone first. */
const OPPOSITES: Readonly<Record<string, string>> = {
  suspend: "resume",
  resume: "suspend",
  freeze: "unfreeze",
  unfreeze: "freeze",
};

/** Actions that cannot be undone are done to another row. */
const ANOTHER: Readonly<Record<string, object>> = {
  "/api/desk/day/close": { account: "float:mtn-ci" },
  "/api/desk/settings/durations": { minutes: 30_240 },
};

const ajv = new Ajv2020({ strict: false, validateFormats: false });

describe("a body", () => {
  test("exists for each call with one", () => {
    for (const { method, path } of jsonCalls) {
      expect(bodyOf(method, path), `${method} ${path}`).toBeDefined();
    }
  });

  test("with unknown fields is answered as without them", async () => {
    for (const { method, path } of jsonCalls) {
      const body = bodyOf(method, path);
      const extra = { zzz: 1, isAdmin: true, toString: {}, balanceGratuit: 1e9, seller_id: "1" };
      const plain = await send(method, path, body);
      const opposite = path.replace(/[a-z]+$/, (verb) => OPPOSITES[verb] ?? verb);
      if (plain.status === 200 && opposite !== path) {
        const undone = await send(method, opposite, body);
        expect(undone.status, `${method} ${opposite}`).toBe(200);
      }
      const filled = await send(method, path, { ...extra, ...body, ...ANOTHER[path] });
      expect(filled.status, `${method} ${path}: ${JSON.stringify(filled.body)}`).toBe(plain.status);
    }
  });

  test("with a value of the wrong type is refused, field by field", async () => {
    const wrong = [true, 12.5, "💥", [], [1], { a: 1 }, null];
    let tried = 0;
    for (const { method, path, schema } of jsonCalls) {
      for (const [name, field] of Object.entries(schema.properties ?? {})) {
        const accepts = ajv.compile(field);
        for (const value of wrong.filter((each) => !accepts(each))) {
          const { status } = await send(method, path, { ...bodyOf(method, path), [name]: value });
          const said = `${method} ${path} ${name}=${JSON.stringify(value)} → ${status}`;
          expect([400, 422], said).toContain(status);
          tried++;
        }
      }
    }
    expect(tried).toBeGreaterThan(30);
  });

  test.each([
    ["text/plain", "hello"],
    ["application/xml", "<a/>"],
    ["application/x-www-form-urlencoded", "reference=abcdef"],
    ["application/octet-stream", "\u0001"],
  ])("of type %s is refused", async (type, body) => {
    for (const { method, path } of jsonCalls) {
      const answer = await send(method, path, body, { "content-type": type });
      expect(answer, `${method} ${path}`).toMatchObject({ status: 415, body: { success: false } });
    }
  });

  test.each([
    ["NUL", `{"display_name":"a\\u0000b"}`],
    ["NUL in a name", `{"\\u0000":"a"}`],
    ["half a surrogate pair", `{"display_name":"\\ud83d"}`],
    ["a tower of brackets", `{"x":${"[".repeat(50_000)}${"]".repeat(50_000)}}`],
    ["a prototype", `{"__proto__":{"a":1}}`],
    ["half a body", `{"display_name":`],
  ])("with %s is refused", async (_what, body) => {
    const answer = await send("PUT", "/api/users/{id}", body);
    expect(answer).toMatchObject({ status: 400, body: { code: "request.malformed" } });
  });

  test("with the letters of an escape and no NUL is accepted unchanged", async () => {
    const user = { display_name: "C:\\u0000 😀" };
    const answer = await send("PUT", "/api/users/{id}", user);
    expect(answer).toMatchObject({ status: 200, body: { user } });
  });
});
