import fc from "fast-check";
import type { OpenAPIV3_1 } from "openapi-types";
import type { Parameter, Schema } from "../src/docs/docs.fr.ts";
import { HOSTILE_TEXTS, STRANGE_IDS } from "./hostile.ts";

export type GeneratedRequest = {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
};

/** Values that exist, so that requests get past the first door. */
export type KnownValues = Readonly<Record<string, readonly string[]>>;

export type CallSource = {
  readonly path: string;
  readonly operation: OpenAPIV3_1.OperationObject;
  readonly known: KnownValues;
};

/** Requests made from a call's own description: sound ones, spoilt ones and nonsense. */
export function requestsFor({
  path,
  operation,
  known,
}: CallSource): fc.Arbitrary<GeneratedRequest> {
  const parameters = (operation.parameters ?? []) as Parameter[];
  const inPath = parameters.filter((each) => each.in === "path");
  const inQuery = parameters.filter((each) => each.in === "query");
  return fc
    .record({
      segments: fc.tuple(...inPath.map(({ name }) => segment(known[name] ?? []))),
      query: fc.tuple(...inQuery.map(queryPart), strangeQuery),
      key: fc.option(fc.constantFrom("k-1", "k-2", "x".repeat(400), "\t", "é"), { freq: 4 }),
      sent: operation.requestBody ? bodyOf(operation) : fc.constant(NOTHING),
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

/** A value the schema accepts, as far as it says. */
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

function bodyOf(operation: OpenAPIV3_1.OperationObject): fc.Arbitrary<Sent> {
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
  return fc.oneof(sound, spoilt, anyJson).map((value) => ({
    type: "application/json",
    body: JSON.stringify(value) ?? "null",
  }));
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

/** Bodies of other types, cut off, or not what their type says. */
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
