import type { OpenAPIV3_1 } from "openapi-types";

/** What the page reads of a JSON schema; whatever else it says is left out. */
export type Schema = {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly format?: string;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly $ref?: string;
};

export type Parameter = {
  readonly name: string;
  readonly in: "path" | "query" | "header" | "cookie";
  readonly required?: boolean;
  readonly schema?: Schema;
};

type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

/** A call of the description, as the page shows it. */
export type Call = {
  readonly method: string;
  readonly path: string;
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly proof: "none" | "token" | "initData" | "key";
  readonly parameters: readonly Parameter[];
  readonly bodies: Content;
  readonly answers: readonly {
    readonly status: string;
    readonly description: string;
    readonly content: Content;
  }[];
};

export function callsOf(document: OpenAPIV3_1.Document): Call[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item ?? {}).map(([method, operation]) =>
      callOf(method, path, operation as OpenAPIV3_1.OperationObject),
    ),
  );
}

function callOf(method: string, path: string, operation: OpenAPIV3_1.OperationObject): Call {
  const [security] = operation.security ?? [];
  const body = (operation.requestBody ?? {}) as { content?: Content };
  const responses = Object.entries(operation.responses ?? {}) as [string, Answer][];
  return {
    method: method.toUpperCase(),
    path,
    id: operation.operationId ?? `${method}${path}`,
    tag: operation.tags?.[0] ?? "",
    summary: operation.summary ?? "",
    proof: proofOf(security ?? {}),
    parameters: (operation.parameters ?? []) as Parameter[],
    bodies: body.content ?? {},
    answers: responses.map(([status, { description = "", content = {} }]) => ({
      status,
      description,
      content,
    })),
  };
}

function proofOf(security: OpenAPIV3_1.SecurityRequirementObject): Call["proof"] {
  if (security["token"]) return "token";
  if (security["developerKey"]) return "key";
  return security["initData"] ? "initData" : "none";
}

type Answer = { readonly description?: string; readonly content?: Content };
