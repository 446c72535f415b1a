import swagger from "@fastify/swagger";
import { type Access, refusalBody, type Route } from "@sesame/contract";
import * as contract from "@sesame/contract/developers";
import type { RouteOptions } from "fastify";
import { createJsonSchemaTransform } from "fastify-type-provider-zod";
import type { OpenAPIV3_1 } from "openapi-types";
import { z } from "zod";
import { sendOnce } from "../http/compress.ts";
import { needsToken, type HttpServer } from "../http/server.ts";

/** The first chapter, for sellers' programs. */
export const DEVELOPERS_CHAPTER = "API développeur";

/**
 * The chapters in their order, each with prefixes of its calls' addresses after /api/, and the
 * method where it matters. The longest matching prefix decides.
 */
const CHAPTERS: Readonly<Record<string, readonly string[]>> = {
  [DEVELOPERS_CHAPTER]: ["v1"],
  Identité: ["auth", "socket", "users"],
  Offres: ["plans", "groups", "users/:id/abonnement"],
  "Groupes et canaux": ["channels", "bot"],
  Catalogue: ["config", "images", "products", "public", "shop", "soni"],
  "Commandes et paiements": ["orders", "payment", "transactions POST", "verify", "webhooks"],
  Accès: ["me/access"],
  Ventes: ["subscriptions", "transactions"],
  Retraits: ["users/paiement", "users/retrait"],
  "Agrégateurs du vendeur": ["payment-aggregators", "user-aggregators"],
  "Statistiques et calendrier": ["calendar", "statistics"],
  Remboursements: ["desk/orders", "desk/payments", "desk/refunds", "orders/:id/refund", "refunds"],
  Réclamations: ["complaints", "desk/complaints", "orders/:id/complaint"],
  Support: ["desk/tickets", "support"],
  "Données personnelles": ["me"],
  "Clés et webhooks": ["developers"],
  Bureau: ["desk"],
  Réglages: ["desk/settings"],
  Signalements: ["reports"],
  Service: ["health", "ready", "webhooks/telegram"],
};

const ANSWERS: Readonly<Record<string, string>> = {
  200: "Fait.",
  201: "Créé.",
  400: "Demande mal formée.",
  401: "Preuve d'identité absente, fausse, périmée ou révoquée.",
  403: "Rôle, offre ou signature insuffisants.",
  404: "Absent, ou à quelqu'un d'autre.",
  409: "Même clé avec un autre contenu, ou état qui l'interdit.",
  413: "Envoi trop volumineux.",
  415: "Format d'envoi qui n'est pas accepté.",
  422: "Refus, avec sa phrase.",
  429: "Trop de demandes : l'en-tête Retry-After dit combien de secondes attendre.",
  503: "Momentanément indisponible : à redemander plus tard.",
};

const DESCRIPTION =
  "Accès payants et limités dans le temps à des groupes et canaux Telegram, en francs CFA. " +
  "Les montants sont des entiers, en francs ; les instants sont en UTC ; les identifiants " +
  "voyagent en texte. Un champ inconnu est ignoré, un champ d'un mauvais type est refusé.";

const IDEMPOTENCY_KEY: OpenAPIV3_1.ParameterObject = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description: "La même clé avec le même contenu répond comme la première fois, sans second effet.",
  schema: { type: "string", maxLength: 200 },
};

const SENT: Readonly<Record<contract.EventType, z.ZodType>> = {
  "order.paid": contract.apiOrder,
  "order.refunded": contract.apiOrder,
  "access.started": contract.apiAccess,
  "access.ended": contract.apiAccess,
  "product.updated": contract.apiProduct,
  "withdrawal.paid": contract.apiWithdrawal,
};

/** A codec is described by its JSON output: a date and a bigint are no JSON. */
const AS_WRITTEN: z.core.ToJSONSchemaParams = {
  unrepresentable: "any",
  override: ({ zodSchema, jsonSchema }) => {
    if (!(zodSchema instanceof z.ZodCodec)) return;
    const { $schema: _, ...written } = z.toJSONSchema(zodSchema.def.in as z.ZodType);
    for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
    Object.assign(jsonSchema, written);
  },
};
const transform = createJsonSchemaTransform({ zodToJsonConfig: AS_WRITTEN });

/** The description of every call, from the routes themselves: /api/openapi.json. Before any route. */
export async function registerOpenapi(http: HttpServer, publicUrl: string): Promise<void> {
  const routes = new Map<string, RouteOptions>();
  await http.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: { title: "Sésame", version: "0.1.0", description: DESCRIPTION },
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
      for (const method of [input.route.method].flat()) {
        routes.set(`${method} ${input.url}`, input.route);
      }
      return transform(input);
    },
    transformObject: (input) =>
      "openapiObject" in input
        ? complete(input.openapiObject as OpenAPIV3_1.Document, routes)
        : input.swaggerObject,
  });
  // Some 300 kB: created at the first request, when all routes exist, and kept.
  const description = () => JSON.stringify(http.swagger());
  http.get(
    "/api/openapi.json",
    { config: { access: "public" }, schema: { hide: true } },
    sendOnce(description, "application/json; charset=utf-8"),
  );
}

/** Adds what is common to every route of a kind: who may call it, and its refusals. */
function complete(document: OpenAPIV3_1.Document, routes: ReadonlyMap<string, RouteOptions>) {
  const paths = Object.entries(document.paths ?? {}).map(([path, item]) => {
    const url = path.replaceAll(/\{(\w+)\}/g, ":$1");
    const operations = Object.entries(item ?? {}).flatMap(([method, operation]) => {
      const route = routes.get(`${method.toUpperCase()} ${url}`);
      const call = { url, method, operation: operation as OpenAPIV3_1.OperationObject };
      return route ? [[method, completeOperation(call, route)] as const] : [];
    });
    return [path, Object.fromEntries(operations)] as const;
  });
  const sent = contract.EVENT_TYPES.map((type) => [type, { post: sentFor(type) }] as const);
  return {
    ...document,
    paths: Object.fromEntries(paths),
    webhooks: Object.fromEntries(sent) as Record<string, OpenAPIV3_1.PathItemObject>,
    tags: Object.keys(CHAPTERS).map((name) => ({ name })),
    components: {
      ...document.components,
      schemas: { ...document.components?.schemas, Refusal: schemaOf(refusalBody) },
    },
  };
}

function schemaOf(type: z.ZodType, io: "input" | "output" = "output"): OpenAPIV3_1.SchemaObject {
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io, ...AS_WRITTEN });
  return schema as OpenAPIV3_1.SchemaObject;
}

type Call = {
  readonly url: string;
  readonly method: string;
  readonly operation: OpenAPIV3_1.OperationObject;
};

function completeOperation(call: Call, route: RouteOptions): OpenAPIV3_1.OperationObject {
  const { url, method, operation } = call;
  const { access = "public", route: declared } = route.config ?? {};
  const refused = Object.values(declared?.refusals ?? {}).map(({ status }) => status);
  const answers = { ...refusalsOf(call, access, refused), ...operation.responses };
  const headers = declared?.repeatable ? [IDEMPOTENCY_KEY] : [];
  const parameters = [...(operation.parameters ?? []), ...headers];
  const taken = operation.requestBody as OpenAPIV3_1.RequestBodyObject | undefined;
  const requestBody = withExample(bodyOf(declared, access) ?? taken, declared?.example?.body);
  return {
    operationId: operationIdOf(method, url),
    tags: chapterOf(method, url),
    summary: route.summary ?? "",
    ...operation,
    ...(requestBody ? { requestBody } : {}),
    security: securityOf(access),
    ...(parameters.length > 0 ? { parameters } : {}),
    responses: Object.fromEntries(
      Object.entries(answers).map(([status, answer]) => [
        status,
        { ...answer, description: ANSWERS[status] ?? status },
      ]),
    ),
  };
}

function withExample(body: OpenAPIV3_1.RequestBodyObject | undefined, example: unknown) {
  const json = body?.content["application/json"];
  if (!body || !json || example === undefined) return body;
  return { ...body, content: { ...body.content, "application/json": { ...json, example } } };
}

/** Nothing for an address without a chapter. */
function chapterOf(method: string, url: string): string[] {
  const call = `${url.replace(/^\/(api\/)?/, "")} ${method.toUpperCase()}`;
  const fitting = Object.entries(CHAPTERS).flatMap(([chapter, beginnings]) =>
    beginnings
      .filter((beginning) => call.startsWith(beginning))
      .map(({ length }) => ({ chapter, length })),
  );
  const [longest] = fitting.sort((a, b) => b.length - a.length);
  return longest ? [longest.chapter] : [];
}

/** Bodies without a schema in Fastify: a form parsed by its handler, a provider's webhook. */
function bodyOf(declared: Route | undefined, access: Access) {
  if (access === "webhook")
    return { required: true, content: { "application/json": { schema: {} } } };
  if (!declared?.form) return null;
  const { form, consumes = [] } = declared;
  const image = z.string().meta({ format: "binary" }).optional();
  const content = consumes.map((type) => {
    const fields = type === "multipart/form-data" ? form.extend({ image }) : form;
    return [type, { schema: schemaOf(fields, "input") }] as const;
  });
  return { required: true, content: Object.fromEntries(content) };
}

const REFUSED: OpenAPIV3_1.ResponseObject = {
  description: "",
  content: { "application/json": { schema: { $ref: "#/components/schemas/Refusal" } } },
};

/** The statuses of a call besides those of its own schema (WIRE §2). */
function refusalsOf({ url, method }: Call, access: Access, declared: readonly number[]) {
  const writes = method !== "get";
  const statuses = [
    400,
    ...(needsToken(access) || access === "key" || access === "init-data" ? [401] : []),
    ...(needsToken(access) || access === "key" || access === "webhook" ? [403] : []),
    ...(url.includes(":") || writes ? [404] : []),
    ...(writes ? [409, 413, 415, 422] : []),
    429,
    503,
    // A read uses its feature's table, of which most refusals are about writes.
    ...declared.filter((status) => status === 403 || status === 404),
  ];
  return Object.fromEntries(statuses.map((status) => [status, REFUSED]));
}

function securityOf(access: Access): OpenAPIV3_1.SecurityRequirementObject[] {
  if (access === "init-data") return [{ initData: [] }];
  if (access === "key") return [{ developerKey: [] }];
  return needsToken(access) ? [{ token: [] }] : [];
}

/** `get /api/orders/:id` → `getOrdersById`: the name of the call in generated clients. */
function operationIdOf(method: string, url: string): string {
  const words = url
    .replaceAll(/:(\w+)/g, "by-$1")
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== "" && word !== "api");
  return method + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

/** A webhook that we send, in the form of OpenAPI 3.1. */
function sentFor(type: contract.EventType): OpenAPIV3_1.OperationObject {
  const body = z.object({ type: z.literal(type), timestamp: z.string(), data: SENT[type] });
  const header = (name: string) =>
    ({ name, in: "header", required: true, schema: { type: "string" } }) as const;
  return {
    operationId: `webhook.${type}`,
    summary: contract.EVENT_NAMES[type],
    parameters: ["webhook-id", "webhook-timestamp", "webhook-signature"].map(header),
    requestBody: { required: true, content: { "application/json": { schema: schemaOf(body) } } },
    responses: { 200: { description: "Reçu : toute réponse 2xx, en moins de 10 secondes." } },
    security: [],
  };
}
