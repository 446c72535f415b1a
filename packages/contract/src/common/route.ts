import { z } from "zod";
import type { RefusalTable } from "./refusal.ts";
import { idInPath } from "./wire.ts";

/**
 * Calls a minute on one route, by one person or one address. Limits by address are loose: a whole
 * mobile network shares one. docs/route-costs.md lists what a call costs; no limit is below 120
 * (WIRE §3).
 */
export const CALLS_A_MINUTE = {
  /** A caller with a valid token. */
  person: 240,
  address: 3_000,
  /** A popular link is opened by many people behind one carrier's address. */
  page: 30_000,
  /** Built files and pictures, several for each page. */
  file: 60_000,
  /** A product, answered from a cache. */
  product: 600_000,
} as const;

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Who may call a route. `public`: anybody. `init-data`: the handler verifies Telegram's signature. `webhook`:
 * a signed call of a provider or Telegram. `person`: each valid token. `key`: a seller's program with an API
 * key of the route's scope; no token is accepted. `agent`: agents and the operator, who handle withdrawals
 * and complaints; `operator`: only who runs the instance.
 */
export type Access =
  | "public"
  | "init-data"
  | "webhook"
  | "person"
  | "seller"
  | "agent"
  | "operator"
  | "metrics"
  | "key";

/** The owner of the row of an id: everybody else gets the answer of an id that does not exist. */
export type Owned = {
  readonly thing: string;
  readonly by: readonly ("buyer" | "seller" | "agent" | "operator")[];
};

type ParamNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

export type RouteSpec = {
  /** The purpose of the call, in French, for /docs. */
  readonly summary: string;
  readonly access: Access;
  /** For `key`: the scope that the key needs. */
  readonly scope?: string;
  /**
   * The owner of each id in the address or the body, by its name; null where the id has no owner. A
   * test compares this table with the answers to every role.
   */
  readonly owns?: Readonly<Record<string, Owned>> | null;
  /** Parameters of the address that are no id of ours. */
  readonly params?: Readonly<Record<string, z.ZodType>>;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** The fields of a form that the handler parses itself, instead of a body. */
  readonly form?: z.ZodObject;
  readonly consumes?: readonly string[];
  /** Null: no body, or not JSON. The server adds `success`. */
  readonly answer: z.ZodType | null;
  /** The status of a success; default 200. */
  readonly status?: 200 | 201 | 204;
  /** A second success status with the same answer, sent by the handler itself. */
  readonly also?: 200;
  /** The type of a success that is not JSON, sent by the handler itself: `text/csv`. */
  readonly produces?: string;
  /** In the order of the checks. */
  readonly refusals?: RefusalTable;
  /** A valid call: address, query and body. */
  readonly example?: {
    readonly params?: Readonly<Record<string, string>>;
    readonly query?: Readonly<Record<string, string>>;
    readonly body?: unknown;
  };
  /** Calls a minute of one caller, if different from the limit of its access. */
  readonly limit?: number;
  /** A second call with the same `Idempotency-Key` gets the first answer. */
  readonly repeatable?: true;
};

/** A route with an id must declare the owner, and a route with a body must declare an example. */
type MustSay<Call extends string, Spec extends RouteSpec> = ([ParamNames<Call>] extends [never]
  ? unknown
  : Required<Pick<RouteSpec, "owns">>) &
  (Spec extends { readonly body: z.ZodType } | { readonly form: z.ZodObject }
    ? Required<Pick<RouteSpec, "owns" | "example">>
    : unknown);

export type Params<Call extends string, Spec extends RouteSpec> = {
  [Name in ParamNames<Call>]: Spec["params"] extends Readonly<Record<Name, infer Type>>
    ? Type extends z.ZodType
      ? Type
      : never
    : typeof idInPath;
};

export type Route<Call extends string = string, Spec extends RouteSpec = RouteSpec> = Spec & {
  /** `GET /api/complaints/:id` */
  readonly call: Call;
  readonly method: Method;
  readonly path: string;
  readonly paramsShape: z.ZodObject<Params<Call, Spec>>;
};

/** Declares a call of the API once, for the server, the web app, its documentation and its tests. */
export function route<const Call extends `${Method} /${string}`, const Spec extends RouteSpec>(
  call: Call,
  spec: Spec & MustSay<Call, Spec>,
): Route<Call, Spec> {
  const [method, path] = call.split(" ") as [Method, string];
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
  const shape = Object.fromEntries(names.map((name) => [name, spec.params?.[name] ?? idInPath]));
  const paramsShape = z.object(shape) as unknown as z.ZodObject<Params<Call, Spec>>;
  return { ...spec, call, method, path, paramsShape };
}
