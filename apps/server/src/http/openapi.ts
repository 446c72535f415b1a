import swagger from "@fastify/swagger";
import { refusalBody } from "@sesame/contract";
import type { FastifyInstance } from "fastify";
import { jsonSchemaTransform } from "fastify-type-provider-zod";
import type { OpenAPIV3_1 } from "openapi-types";
import { z } from "zod";
import { type MadeOnce, makeOnce } from "./made-once.ts";
import { type Access, needsToken } from "./principal.ts";

export type CallText = {
  /** The chapter it stands in. */
  readonly tag: string;
  readonly summary: string;
  /** What the schemas of a route cannot say: a multipart body, an image, a header. */
  readonly more?: OpenAPIV3_1.OperationObject;
};

/** What people read in the description: it comes from who knows the business. */
export type OpenapiTexts = {
  readonly description: string;
  /** The chapters, in the order they are read. */
  readonly tags: readonly string[];
  /** What is sent to others. */
  readonly webhooks?: Readonly<Record<string, { readonly post: OpenAPIV3_1.OperationObject }>>;
  /** By status. */
  readonly answers: Readonly<Record<string, string>>;
  /** Null for a call nobody has described. */
  describe(method: string, url: string): CallText | null;
};

export type OpenapiOptions = { readonly publicUrl: string; readonly texts?: OpenapiTexts };

const NO_TEXTS: OpenapiTexts = { description: "", tags: [], answers: {}, describe: () => null };

/** The description of every call, from the routes' own schemas: /api/openapi.json. */
export async function registerOpenapi(
  app: FastifyInstance,
  { publicUrl, texts = NO_TEXTS }: OpenapiOptions,
): Promise<void> {
  const routes = new Map<string, DescribedRoute>();
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: { title: "Sésame", version: "0.1.0", description: texts.description },
      servers: [{ url: publicUrl }],
      components: {
        securitySchemes: {
          token: { type: "http", scheme: "bearer" },
          initData: { type: "apiKey", in: "header", name: "X-Telegram-Init-Data" },
          developerKey: { type: "http", scheme: "bearer", bearerFormat: "sk_sesame_…" },
        },
      },
    },
    transform: (input) => {
      const { method, url, config } = input.route;
      for (const each of [method].flat()) {
        const access = config?.access ?? "public";
        routes.set(`${each} ${pathOf(url)}`, { access, text: texts.describe(each, url) });
      }
      return jsonSchemaTransform(input);
    },
    transformObject: (input) =>
      "openapiObject" in input
        ? complete(input.openapiObject as OpenAPIV3_1.Document, routes, texts)
        : input.swaggerObject,
  });
  // Some 300 kB for whoever asks: made for the first who does, when all routes are there, and kept.
  let made: MadeOnce | null = null;
  const description = () => {
    made ??= makeOnce(JSON.stringify(app.swagger()), "application/json; charset=utf-8");
    return made;
  };
  app.get(
    "/api/openapi.json",
    { config: { access: "public" }, schema: { hide: true } },
    (request, reply) => description().send(request, reply),
  );
}

type DescribedRoute = { readonly access: Access; readonly text: CallText | null };

function pathOf(url: string): string {
  return url.replaceAll(/:(\w+)/g, "{$1}");
}

type Webhooks = Record<string, OpenAPIV3_1.PathItemObject>;

const METHODS = ["get", "post", "put", "patch", "delete"] as const;
type Method = (typeof METHODS)[number];

/** Adds what holds for every route of a kind: who may call it, and how it refuses. */
function complete(
  document: OpenAPIV3_1.Document,
  routes: ReadonlyMap<string, DescribedRoute>,
  texts: OpenapiTexts,
): OpenAPIV3_1.Document {
  const paths: OpenAPIV3_1.PathsObject = {};
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    const completed = METHODS.flatMap((method) => {
      const operation = item?.[method];
      const route = routes.get(`${method.toUpperCase()} ${path}`);
      if (!operation || !route) return [];
      return [[method, completeOperation({ path, method, operation }, route, texts)] as const];
    });
    paths[path] = Object.fromEntries(completed) as OpenAPIV3_1.PathItemObject;
  }
  const refusal = z.toJSONSchema(refusalBody) as OpenAPIV3_1.SchemaObject;
  const { $schema: _, ...Refusal } = refusal;
  return {
    ...document,
    paths,
    ...(texts.webhooks ? { webhooks: texts.webhooks as Webhooks } : {}),
    tags: texts.tags.map((name) => ({ name })),
    components: { ...document.components, schemas: { ...document.components?.schemas, Refusal } },
  };
}

type Described = {
  readonly path: string;
  readonly method: Method;
  readonly operation: OpenAPIV3_1.OperationObject;
};

function completeOperation(
  { path, method, operation }: Described,
  { access, text }: DescribedRoute,
  texts: OpenapiTexts,
): OpenAPIV3_1.OperationObject {
  const more = text?.more ?? {};
  const refused = refusalsOf({ path, method, access }).map((status) => [status, REFUSED]);
  const responses: OpenAPIV3_1.ResponsesObject = {
    ...Object.fromEntries(refused),
    ...operation.responses,
    ...more.responses,
  };
  const parameters = [...(operation.parameters ?? []), ...(more.parameters ?? [])];
  return {
    operationId: operationIdOf(method, path),
    ...(text ? { tags: [text.tag], summary: text.summary } : {}),
    ...operation,
    ...more,
    security: securityOf(access),
    ...(parameters.length > 0 ? { parameters } : {}),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, answer]) => [
        status,
        { ...answer, description: texts.answers[status] ?? status },
      ]),
    ),
  };
}

const REFUSED: OpenAPIV3_1.ResponseObject = {
  description: "",
  content: { "application/json": { schema: { $ref: "#/components/schemas/Refusal" } } },
};

type Kind = { readonly path: string; readonly method: Method; readonly access: Access };

/** What a call may answer besides what its own schema says (WIRE §2). */
function refusalsOf({ path, method, access }: Kind): string[] {
  const writes = method !== "get";
  return [
    "400",
    ...(needsToken(access) || access === "key" || access === "init-data" ? ["401"] : []),
    ...(needsToken(access) || access === "key" || access === "notice" ? ["403"] : []),
    ...(path.includes("{") || writes ? ["404"] : []),
    ...(writes ? ["409", "413", "415", "422"] : []),
    "429",
    "503",
  ];
}

function securityOf(access: Access): OpenAPIV3_1.SecurityRequirementObject[] {
  if (access === "init-data") return [{ initData: [] }];
  if (access === "key") return [{ developerKey: [] }];
  return needsToken(access) ? [{ token: [] }] : [];
}

/** `get /api/orders/{id}` → `getOrdersById`: what generated clients name the call. */
function operationIdOf(method: Method, path: string): string {
  const words = path
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => `by-${name}`)
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== "" && word !== "api");
  return method + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}
