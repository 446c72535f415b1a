import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import fc from "fast-check";
import type { OpenAPIV3_1 } from "openapi-types";
import { afterAll, describe, expect, test } from "vitest";
import type { Parameter, Schema } from "../src/docs/docs.fr.ts";
import { exampleBody } from "./call-examples.ts";
import { createDeveloperFixtures } from "./developers.ts";
import { askWithdrawal, fundSeller } from "./funds.ts";
import { OPERATOR_ID, startTestApp } from "./harness.ts";
import { forEach, HOSTILE_TEXTS, STRANGE_IDS } from "./hostile.ts";
import { orderProduct, publishProduct } from "./sales.ts";

/** R11 of the quality page: 100 000 in the long run. */
const REQUESTS_A_CALL = process.env["LONG"] === "1" ? 2_800 : 30;
/** Below a person's limit a minute on one route, so that no request is refused by a limit. */
const REQUESTS_A_SETUP = 200;

/**
 * A seller with a product and a withdrawal, a buyer with an order, an operator, and all the ids.
 */
type Setup = {
  readonly tokens: readonly string[];
  readonly staffTokens: readonly string[];
  /** API keys of a premium seller, and sometimes a token, which is none. */
  readonly keys: readonly string[];
  readonly known: KnownValues;
  readonly withdrawalId: string;
};

const app = await startTestApp();
const description = (await app.call<OpenAPIV3_1.Document>("GET", "/api/openapi.json")).body;
const needed = Math.ceil(REQUESTS_A_CALL / REQUESTS_A_SETUP);
const made: Setup[] = [];
while (made.length < needed) made.push(await openSetup());
const setups = made;
afterAll(() => app.close());

async function openSetup(): Promise<Setup> {
  const seller = await app.signInSeller();
  const buyer = await app.signInBuyer();
  const group = await app.linkGroup(seller);
  const product = await publishProduct(app, { seller, group });
  const order = await orderProduct(app, buyer, product.reference);
  const operator = await app.signInSeller({ id: OPERATOR_ID, first_name: "Opérateur" });
  await fundSeller(app, seller, 5_000);
  const withdrawal = await askWithdrawal(app, seller);
  const developers = createDeveloperFixtures(app);
  const { secret } = await developers.createKey(await app.seller({ plan: "premium" }));
  return {
    keys: [secret, secret, secret, seller.token],
    tokens: [seller.token, seller.token, buyer.token],
    staffTokens: [operator.token, operator.token, operator.token, seller.token],
    withdrawalId: withdrawal.id,
    known: {
      id: [product.id, order.id, group.id, seller.id, withdrawal.id, String(group.chatId)],
      reference: [product.reference],
      idVendeur: [seller.id],
      idProduit: [product.id],
      paymentId: [order.id],
      secret: ["x".repeat(32)],
      file: ["360.jpg", "800.avif"],
    },
  };
}

/** Of the first setup: the operator's for the back office, the API key for programs, else the seller's. */
function tokenFor(path: string): string {
  const [setup] = setups;
  return (setup ? tokensOf(setup, path) : [])[0] ?? "";
}

function tokensOf({ keys, tokens, staffTokens }: Setup, path: string): readonly string[] {
  if (path.startsWith("/api/v1/")) return keys;
  return isStaff(path) ? staffTokens : tokens;
}

function isStaff(path: string): boolean {
  return path.startsWith("/api/desk");
}

type Described = Omit<CallSource, "known"> & { readonly method: string };

/** Logging out, closing the account: they would end the test's own sessions. */
const LEFT_OUT = new Set(["post /api/auth/logout", "post /api/users/close"]);

function describedCalls(): Described[] {
  return Object.entries(description.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item ?? {})
      .filter(([method]) => !LEFT_OUT.has(`${method} ${path}`))
      .map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        operation: operation as OpenAPIV3_1.OperationObject,
      })),
  );
}

type Answer = { readonly status: number; readonly type: string; readonly text: string };

async function send(method: string, request: GeneratedRequest, token: string): Promise<Answer> {
  const response = await fetch(`${app.url}${request.path}`, {
    method,
    headers: { ...request.headers, authorization: `Bearer ${token}` },
    ...(request.body === null ? {} : { body: request.body }),
    redirect: "manual",
  });
  const type = response.headers.get("content-type") ?? "";
  return { status: response.status, type, text: await response.text() };
}

const ajv = new Ajv2020({ strict: false, validateFormats: false });
const compiled = new Map<object, ValidateFunction>();

function expectShape(schema: object, text: string): void {
  const whole = { ...schema, components: description.components };
  const validate = compiled.get(schema) ?? ajv.compile(whole);
  compiled.set(schema, validate);
  validate(JSON.parse(text));
  expect(validate.errors ?? []).toEqual([]);
}

/** Texts of a program or a query: none may ever leave the server. */
const INSIDES =
  /\n\s+at |node_modules|\.ts:\d|postgres|kysely|zod|SELECT |INSERT |violates|FST_ERR|Error:|ECONN/i;

function checkAnswer(call: Described, answer: Answer): void {
  const { status, type, text } = answer;
  expect(status, text).toBeLessThan(500);
  const declared = call.operation.responses?.[status] as OpenAPIV3_1.ResponseObject | undefined;
  expect(declared, `status ${status} is declared`).toBeDefined();
  if (status >= 400) {
    expect(text).not.toMatch(INSIDES);
    expect({ type, body: JSON.parse(text) as unknown }).toEqual({
      type: "application/json; charset=utf-8",
      body: {
        success: false,
        code: expect.stringMatching(/^[a-z]+\.[a-z-]+$/),
        // A French sentence, no internal text.
        message: expect.stringMatching(/^[A-ZÀÉ][^{}<>]+$/),
      },
    });
    return;
  }
  const schema = declared?.content?.["application/json"]?.schema;
  if (schema) expectShape(schema, text);
}

test("whatever is sent is answered in the declared form or refused in French", {
  timeout: 3_600_000,
}, async () => {
  let sent = 0;
  await forEach(describedCalls(), async (call) => {
    for (const setup of setups) {
      const { known } = setup;
      await fc.assert(
        fc.asyncProperty(
          requestsFor({ ...call, known }),
          fc.constantFrom(...tokensOf(setup, call.path)),
          async (request, token) => {
            sent++;
            checkAnswer(call, await send(call.method, request, token));
          },
        ),
        { numRuns: Math.min(REQUESTS_A_CALL, REQUESTS_A_SETUP) },
      );
    }
  });
  expect(app.takeErrors()).toEqual([]);
  expect(sent).toBeGreaterThan(30 * REQUESTS_A_CALL);
});

test("an id of an invalid form, too large or in another alphabet is as absent as an unknown one, and never an error of ours", async () => {
  const withIds = describedCalls().filter(({ path }) => path.includes("{"));
  expect(withIds.length).toBeGreaterThan(10);
  await forEach(withIds, async ({ method, path }) => {
    for (const id of STRANGE_IDS) {
      const filled = path.replaceAll(/\{\w+\}/g, encodeURIComponent(id));
      const { status, body } = await app.call(method, filled, { token: tokenFor(path) });
      expect([400, 404], `${method} ${filled} → ${status}`).toContain(status);
      expect(body).toMatchObject({ success: false });
    }
  });
});

function jsonCalls(): (Described & { readonly schema: OpenAPIV3_1.SchemaObject })[] {
  return describedCalls().flatMap((call) => {
    if (call.path.startsWith("/webhooks/")) return [];
    const body = call.operation.requestBody as OpenAPIV3_1.RequestBodyObject | undefined;
    const schema = body?.content["application/json"]?.schema as
      | OpenAPIV3_1.SchemaObject
      | undefined;
    return schema ? [{ ...call, schema }] : [];
  });
}

function bodyOf(method: string, path: string): Readonly<Record<string, unknown>> | undefined {
  const reference = setups[0]?.known["reference"]?.[0] ?? "";
  const row = app.app.http.routeTable.find(
    (each) => each.method === method && each.url.replaceAll(/:(\w+)/g, "{$1}") === path,
  );
  return exampleBody(row?.route ?? null, reference);
}

function filledPath(path: string): string {
  const [productId = "", , , sellerId = ""] = setups[0]?.known["id"] ?? [];
  if (path.includes("withdrawals")) return path.replace("{id}", setups[0]?.withdrawalId ?? "");
  const isSeller = path.startsWith("/api/users") || path.startsWith("/api/desk/sellers");
  return path.replace("{id}", isSeller ? sellerId : productId);
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

describe("a body", () => {
  test("exists for each call with one", () => {
    for (const { method, path } of jsonCalls()) {
      expect(bodyOf(method, path), `${method} ${path}`).toBeDefined();
    }
  });

  test("with unknown fields is answered as without them", async () => {
    for (const { method, path } of jsonCalls()) {
      const body = bodyOf(method, path);
      const extra = { zzz: 1, isAdmin: true, toString: {}, balanceGratuit: 1e9, seller_id: "1" };
      const token = tokenFor(path);
      const plain = await app.call(method, filledPath(path), { token, body });
      const opposite = filledPath(path).replace(/[a-z]+$/, (verb) => OPPOSITES[verb] ?? verb);
      if (plain.status === 200 && opposite !== filledPath(path)) {
        const undone = await app.call(method, opposite, { token, body });
        expect(undone.status, `${method} ${opposite}`).toBe(200);
      }
      const more = { ...extra, ...body, ...ANOTHER[path] };
      const filled = await app.call(method, filledPath(path), { token, body: more });
      expect(filled.status, `${method} ${path}: ${JSON.stringify(filled.body)}`).toBe(plain.status);
    }
  });

  test("with a value of the wrong type is refused, field by field", async () => {
    const wrong = [true, 12.5, "💥", [], [1], { a: 1 }, null];
    let tried = 0;
    for (const { method, path, schema } of jsonCalls()) {
      for (const [name, field] of Object.entries(schema.properties ?? {})) {
        const accepts = ajv.compile(field);
        for (const value of wrong.filter((each) => !accepts(each))) {
          const body = { ...bodyOf(method, path), [name]: value };
          const answer = await app.call(method, filledPath(path), { token: tokenFor(path), body });
          const said = `${method} ${path} ${name}=${JSON.stringify(value)} → ${answer.status}`;
          expect([400, 422], said).toContain(answer.status);
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
    for (const { method, path } of jsonCalls()) {
      const headers = { "content-type": type };
      const token = tokenFor(path);
      const answer = await app.call(method, filledPath(path), { token, body, headers });
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
    const path = filledPath("/api/users/{id}");
    const answer = await app.call("PUT", path, { token: tokenFor(path), body });
    expect(answer).toMatchObject({ status: 400, body: { code: "request.malformed" } });
  });

  test("with the letters of an escape and no NUL is accepted unchanged", async () => {
    const path = filledPath("/api/users/{id}");
    const body = { display_name: "C:\\u0000 😀" };
    const answer = await app.call("PUT", path, { token: tokenFor(path), body });
    expect(answer).toMatchObject({
      status: 200,
      body: { user: { display_name: body.display_name } },
    });
  });
});

type GeneratedRequest = {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
};

/** Values that exist, so that requests pass the first checks. */
type KnownValues = Readonly<Record<string, readonly string[]>>;

type CallSource = {
  readonly path: string;
  readonly operation: OpenAPIV3_1.OperationObject;
  readonly known: KnownValues;
};

/** Requests generated from a call's own description: valid ones, spoilt ones and nonsense. */
function requestsFor({ path, operation, known }: CallSource): fc.Arbitrary<GeneratedRequest> {
  const parameters = (operation.parameters ?? []) as Parameter[];
  const inPath = parameters.filter((each) => each.in === "path");
  const inQuery = parameters.filter((each) => each.in === "query");
  return fc
    .record({
      segments: fc.tuple(...inPath.map(({ name }) => segment(known[name] ?? []))),
      query: fc.tuple(...inQuery.map(queryPart), strangeQuery),
      key: fc.option(fc.constantFrom("k-1", "k-2", "x".repeat(400), "\t", "é"), { freq: 4 }),
      sent: operation.requestBody ? sentBodyOf(operation) : fc.constant(NOTHING),
    })
    .map(({ segments, query, key, sent }) => {
      const values = new Map(inPath.map(({ name }, index) => [name, segments[index] ?? ""]));
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values.get(name) ?? "");
      const search = query.filter((part) => part !== null).join("&");
      return {
        path: search === "" ? filled : `${filled}?${search}`,
        headers: {
          ...(key === null ? {} : { "idempotency-key": key }),
          ...(sent.type === null ? {} : { "content-type": sent.type }),
        },
        body: sent.body,
      };
    });
}

type Sent = { readonly type: string | null; readonly body: string | null };
const NOTHING: Sent = { type: null, body: null };

const hostile = fc.constantFrom(...HOSTILE_TEXTS, ...STRANGE_IDS);
const anyText = fc.oneof(hostile, fc.string({ unit: "binary", maxLength: 40 }));

function segment(known: readonly string[]): fc.Arbitrary<string> {
  const strange = anyText.map((text) => encodeURIComponent(text.toWellFormed()));
  const broken = fc.constantFrom("%00", "%E0%A4%A", "%", "%ff", "a%2Fb");
  const weighted = [
    { arbitrary: strange, weight: 3 },
    { arbitrary: broken, weight: 1 },
  ];
  if (known.length === 0) return fc.oneof(...weighted);
  const sound = fc.constantFrom(...known).map(encodeURIComponent);
  return fc.oneof({ arbitrary: sound, weight: 3 }, ...weighted);
}

function queryPart({ name, schema }: Parameter): fc.Arbitrary<string | null> {
  const sound = valueOf(schema).map((each) =>
    typeof each === "string" ? each : `${JSON.stringify(each)}`,
  );
  const value = fc.oneof(sound, anyText);
  return fc.option(value.map((text) => `${name}=${encodeURIComponent(text.toWellFormed())}`));
}

const strangeQuery = fc.option(
  fc.constantFrom("x=1", "__proto__=1", "cursor[]=1", "limit=1&limit=2", "%00=%00", "=", "%"),
  { freq: 6 },
);

const anyJson = fc.oneof(
  fc.jsonValue({ depthSize: "small", stringUnit: "binary" }),
  anyText,
  fc.constantFrom(Number.MAX_SAFE_INTEGER + 2, -1, 1e308, 0.1, -0),
);

/** A value the schema accepts, as far as it is described. */
function valueOf(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(valueOf));
  switch (schema.type) {
    case "string":
      if (schema.pattern) return fc.stringMatching(new RegExp(schema.pattern));
      return anyText.map((text) => text.slice(0, schema.maxLength ?? 200));
    case "integer":
    case "number":
      return fc.integer({ min: schema.minimum ?? -10, max: Math.min(schema.maximum ?? 1e6, 1e6) });
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array":
      return fc.array(valueOf(schema.items ?? {}), { maxLength: 3 });
    case "object":
      return objectOf(schema);
    default:
      return anyJson;
  }
}

function objectOf({ properties = {}, required = [] }: Schema): fc.Arbitrary<object> {
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [name, valueOf(field)]),
  );
  return fc.record(fields, { requiredKeys: [...required] });
}

function sentBodyOf(operation: OpenAPIV3_1.OperationObject): fc.Arbitrary<Sent> {
  const { content } = operation.requestBody as OpenAPIV3_1.RequestBodyObject;
  const bodies = Object.entries(content).map(([type, { schema }]) =>
    type === "multipart/form-data" ? multipart(schema as Schema) : json(schema as Schema),
  );
  return fc.oneof(
    { arbitrary: fc.oneof(...bodies), weight: 8 },
    { arbitrary: nonsense, weight: 2 },
    { arbitrary: fc.constant(NOTHING), weight: 1 },
  );
}

function json(schema: Schema): fc.Arbitrary<Sent> {
  const sound = valueOf(schema);
  const names = Object.keys(schema.properties ?? {});
  const spoilt = fc
    .tuple(sound, fc.constantFrom("extra", "__proto__x", ...names), anyJson)
    .map(([value, name, other]) =>
      typeof value === "object" && value !== null ? { ...value, [name]: other } : other,
    );
  return fc
    .oneof(sound, spoilt, anyJson)
    .map((value) => ({ type: "application/json", body: JSON.stringify(value) ?? "null" }));
}

const BOUNDARY = "----generated";

function multipart(schema: Schema): fc.Arbitrary<Sent> {
  const names = [...Object.keys(schema.properties ?? {}), "extra"];
  const field = fc.tuple(fc.constantFrom(...names), fc.boolean(), anyText);
  return fc.array(field, { maxLength: 8 }).map((fields) => {
    const parts = fields.map(([name, isFile, value]) => {
      const file = isFile ? `; filename="x.png"\r\ncontent-type: image/png` : "";
      return `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"${file}\r\n\r\n${value}\r\n`;
    });
    return {
      type: `multipart/form-data; boundary=${BOUNDARY}`,
      body: `${parts.join("")}--${BOUNDARY}--\r\n`,
    };
  });
}

/** Bodies of other types, cut off, or not of their declared type. */
const nonsense: fc.Arbitrary<Sent> = fc.record({
  type: fc.constantFrom(
    "application/json",
    "application/json; charset=utf-16",
    "text/plain",
    "application/xml",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "multipart/form-data; boundary=x",
    "x",
  ),
  body: fc.constantFrom(
    `{"a":`,
    `{"__proto__":{"isAdmin":true}}`,
    `{"constructor":{"prototype":{"x":1}}}`,
    `"\\u0000"`,
    `{"display_name":"\\u0000","title":"\\ud800"}`,
    `[[[[`,
    "[".repeat(20_000) + "]".repeat(20_000),
    `--x\r\ncontent-disposition: form-data; name="title"\r\n\r\ncut off`,
    "a=1&b=2",
    "<a/>",
    "1e999",
  ),
});
