/** The structure OpenAPI 3.1 asks for, of the parts this application uses. Nothing else may stand. */
const text = { type: "string", minLength: 1 } as const;
const schema = { type: "object" } as const;

const content = {
  type: "object",
  minProperties: 1,
  propertyNames: { pattern: "^[a-z]+/[a-z0-9.+*-]+$" },
  additionalProperties: {
    type: "object",
    properties: { schema },
    additionalProperties: false,
  },
} as const;

const parameterFields = { name: text, description: text, schema } as const;

/** A parameter of the path is always required, and says so. */
const parameter = {
  anyOf: [
    {
      type: "object",
      properties: { ...parameterFields, in: { const: "path" }, required: { const: true } },
      required: ["name", "in", "schema", "required"],
      additionalProperties: false,
    },
    {
      type: "object",
      properties: {
        ...parameterFields,
        in: { enum: ["query", "header", "cookie"] },
        required: { type: "boolean" },
      },
      required: ["name", "in", "schema"],
      additionalProperties: false,
    },
  ],
} as const;

const operation = {
  type: "object",
  properties: {
    operationId: text,
    tags: { type: "array", items: text },
    summary: text,
    description: text,
    parameters: { type: "array", items: parameter },
    requestBody: {
      type: "object",
      properties: { required: { type: "boolean" }, description: text, content },
      required: ["content"],
      additionalProperties: false,
    },
    responses: {
      type: "object",
      minProperties: 1,
      patternProperties: {
        "^[1-5][0-9]{2}$": {
          type: "object",
          properties: { description: text, content },
          required: ["description"],
          additionalProperties: false,
        },
      },
      additionalProperties: false,
    },
    security: {
      type: "array",
      items: {
        type: "object",
        properties: {
          token: { const: [] },
          initData: { const: [] },
          developerKey: { const: [] },
        },
        additionalProperties: false,
      },
    },
  },
  required: ["operationId", "responses", "security"],
  additionalProperties: false,
} as const;

export const openapiShape = {
  type: "object",
  properties: {
    openapi: { type: "string", pattern: "^3\\.1\\.\\d+$" },
    info: {
      type: "object",
      properties: { title: text, version: text, description: text },
      required: ["title", "version"],
      additionalProperties: false,
    },
    servers: {
      type: "array",
      items: { type: "object", properties: { url: text }, required: ["url"] },
    },
    tags: {
      type: "array",
      items: { type: "object", properties: { name: text }, required: ["name"] },
    },
    paths: {
      type: "object",
      patternProperties: {
        "^/": {
          type: "object",
          properties: {
            get: operation,
            post: operation,
            put: operation,
            patch: operation,
            delete: operation,
          },
          additionalProperties: false,
        },
      },
      additionalProperties: false,
    },
    webhooks: {
      type: "object",
      additionalProperties: {
        type: "object",
        properties: { post: operation },
        required: ["post"],
        additionalProperties: false,
      },
    },
    components: {
      type: "object",
      properties: {
        schemas: { type: "object", additionalProperties: schema },
        securitySchemes: {
          type: "object",
          additionalProperties: {
            type: "object",
            properties: { type: { enum: ["http", "apiKey"] } },
            required: ["type"],
          },
        },
      },
      additionalProperties: false,
    },
  },
  required: ["openapi", "info", "paths", "components"],
  additionalProperties: false,
} as const;
