import { EVENT_TYPES } from "@sesame/contract/developers";
import { assert } from "@sesame/kernel";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { OpenAPIV3_1 } from "openapi-types";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { startTestApp } from "../../test/harness.ts";
import type { Access } from "@sesame/contract";
import { needsToken } from "../http/server.ts";
import { docsHtml } from "./docs.fr.ts";

const app = await startTestApp({
  env: { TELEGRAM_WEBHOOK_SECRET: "a-webhook-secret", PUBLIC_URL: "https://sesame.example" },
});
const answer = await app.call<OpenAPIV3_1.Document>("GET", "/api/openapi.json");
expect(answer.status).toBe(200);
const description = answer.body;

/** Pages and the operator's endpoints. */
const HIDDEN = ["/api/openapi.json", "/docs", "/metrics", "/confidentialite", "/conditions"];

/** Routes for people and programs, each with its description. */
const described = app.app.http.routeTable
  .filter(({ url }) => !HIDDEN.includes(url))
  .map((row) => {
    const name = `${row.method} ${row.url}`;
    const item = description.paths?.[row.url.replaceAll(/:(\w+)/g, "{$1}")];
    const operation = item?.[row.method.toLowerCase() as "get"];
    assert(operation, `${name} is not described`);
    return { ...row, name, operation: operation as OpenAPIV3_1.OperationObject };
  });

describe("the description of the calls", () => {
  test("has the structure of OpenAPI 3.1", () => {
    expect(openapi.safeParse(description).error?.issues).toBeUndefined();
  });

  test("has schemas that are valid JSON Schema 2020-12, and references with targets", () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const schemas = collectSchemas(description);
    expect(schemas.length).toBeGreaterThan(50);
    for (const schema of schemas) expect(ajv.validateSchema(schema)).toBe(true);
    for (const [, name] of JSON.stringify(description).matchAll(
      /"\$ref":"#\/components\/schemas\/(\w+)"/g,
    )) {
      expect(description.components?.schemas).toHaveProperty(name ?? "");
    }
  });

  test("has every route, in a chapter, with a summary and an answer of a known form", () => {
    expect(described.length).toBeGreaterThan(30);
    const chapters = description.tags?.map(({ name }) => name);
    for (const { name, operation } of described) {
      const { summary, tags, responses = {} } = operation;
      expect(summary, `${name}: summary`).toBeTruthy();
      expect(tags, `${name}: tags`).toHaveLength(1);
      expect(chapters).toContain(tags?.[0]);
      const accepted = Object.keys(responses).filter((code) => code < "300");
      expect(accepted, `${name}: an answer`).not.toEqual([]);
      const schemas = Object.values(responses).flatMap((answer) =>
        Object.values((answer as OpenAPIV3_1.ResponseObject).content ?? {}),
      );
      expect(schemas, `${name}: a schema`).not.toEqual([]);
    }
  });

  test("has no route that does not exist", () => {
    const documented = Object.entries(description.paths ?? {}).flatMap(([path, item]) =>
      Object.keys(item ?? {}).map(
        (method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`,
      ),
    );
    expect(new Set(documented)).toEqual(new Set(described.map(({ name }) => name)));
  });

  test("names every call once", () => {
    const ids = described.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("shows who may call each route, and that a refusal is possible", () => {
    for (const { name, access, operation } of described) {
      const { security = [], responses = {} } = operation;
      const due = proofsOf(access);
      expect(security.flatMap(Object.keys), name).toEqual(due);
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(["400", "429", "503"]));
      expect("401" in responses).toBe(due.length > 0);
    }
  });

  test("has an example of every JSON body, which the call itself accepts", () => {
    for (const { name, route, operation } of described) {
      const body = operation.requestBody as OpenAPIV3_1.RequestBodyObject | undefined;
      const json = body?.content["application/json"];
      // A provider's webhook has no declared route.
      if (!json || !route) continue;
      const { error } = (route.body ?? route.form)?.safeParse(json.example) ?? {};
      expect(json.example, name).toBeDefined();
      expect(error?.issues, name).toBeUndefined();
    }
  });

  test("has every parameter of a path", () => {
    for (const { name, url, operation } of described) {
      const due = [...url.matchAll(/:(\w+)/g)].map(([, parameter]) => parameter);
      const parameters = (operation.parameters ?? []) as OpenAPIV3_1.ParameterObject[];
      const documented = parameters.filter((each) => each.in === "path").map((each) => each.name);
      expect(documented.sort(), name).toEqual(due.sort());
    }
  });
});

describe("the chapter for developers", () => {
  test("comes first, with how to begin, pages, errors, webhooks and signatures", async () => {
    const { body } = await app.call<string>("GET", "/docs");
    const [first = ""] = body.split("<section").slice(1);
    for (const words of ["identifier", "Lire par pages", "Erreurs et limites", "Vérifier une"]) {
      expect(first).toContain(words);
    }
    expect(first).toContain("https://sesame.example/api/v1/orders");
  });

  test("describes every event that is sent, for programs too", () => {
    expect(Object.keys(description.webhooks ?? {})).toEqual([...EVENT_TYPES]);
  });
});

describe("the page of the calls", () => {
  test("shows every call, without external files and with a policy without unsafe sources", async () => {
    const page = await app.call<string>("GET", "/docs");
    expect(page.status).toBe(200);
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    const policy = page.headers.get("content-security-policy") ?? "";
    expect(policy).not.toMatch(/unsafe/);
    expect(policy).toContain("default-src 'self'");
    for (const { url } of described) {
      expect(page.body).toContain(`<code>${url.replaceAll(/:(\w+)/g, "{$1}")}</code>`);
    }
    expect(page.body).not.toMatch(/<script|https?:\/\/(?!sesame\.example)|style="/);
  });

  test("escapes every text of the description", () => {
    const hostile = `<img src=x onerror=alert(1)>"'&`;
    const html = docsHtml({
      openapi: "3.1.0",
      info: { title: hostile, version: "1", description: hostile },
      tags: [{ name: hostile }],
      paths: {
        "/<b>": {
          get: {
            operationId: hostile,
            tags: [hostile],
            summary: hostile,
            parameters: [
              { name: hostile, in: "query", schema: { type: "string", pattern: hostile } },
            ],
            responses: {
              200: {
                description: hostile,
                content: {
                  [hostile]: { schema: { type: "object", properties: { [hostile]: {} } } },
                },
              },
            },
          },
        },
      },
    });
    expect(html).not.toMatch(/<img|<b>/);
  });
});

function proofsOf(access: Access): string[] {
  if (access === "init-data") return ["initData"];
  if (access === "key") return ["developerKey"];
  return needsToken(access) ? ["token"] : [];
}

function collectSchemas(value: unknown): OpenAPIV3_1.SchemaObject[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    key === "schema" ? [item as OpenAPIV3_1.SchemaObject] : collectSchemas(item),
  );
}

const text = z.string().min(1);
const schema = z.looseObject({});
const mediaType = z.string().regex(/^[a-z]+\/[a-z0-9.+*-]+$/);
const content = z
  .record(mediaType, z.strictObject({ schema: schema.optional(), example: z.unknown().optional() }))
  .refine((types) => Object.keys(types).length > 0);
const named = { name: text, description: text.optional(), schema };
const operation = z.strictObject({
  operationId: text,
  tags: z.array(text).optional(),
  summary: text.optional(),
  parameters: z
    .array(
      z.discriminatedUnion("in", [
        z.strictObject({ ...named, in: z.literal("path"), required: z.literal(true) }),
        z.strictObject({
          ...named,
          in: z.enum(["query", "header", "cookie"]),
          required: z.boolean().optional(),
        }),
      ]),
    )
    .optional(),
  requestBody: z.strictObject({ required: z.boolean().optional(), content }).optional(),
  responses: z
    .record(
      z.string().regex(/^[1-5]\d\d$/),
      z.strictObject({ description: text, content: content.optional() }),
    )
    .refine((answers) => Object.keys(answers).length > 0),
  security: z.array(z.partialRecord(z.enum(["token", "initData", "developerKey"]), z.tuple([]))),
});
/** The structure of OpenAPI 3.1, for the parts this application uses. Anything else is refused. */
const openapi = z.strictObject({
  openapi: z.string().regex(/^3\.1\.\d+$/),
  info: z.strictObject({ title: text, version: text, description: text }),
  servers: z.array(z.looseObject({ url: text })),
  tags: z.array(z.looseObject({ name: text })),
  paths: z.record(
    z.string().startsWith("/"),
    z.partialRecord(z.enum(["get", "post", "put", "patch", "delete"]), operation),
  ),
  webhooks: z.record(text, z.strictObject({ post: operation })),
  components: z.strictObject({
    schemas: z.record(text, schema),
    securitySchemes: z.record(text, z.looseObject({ type: z.enum(["http", "apiKey"]) })),
  }),
});
