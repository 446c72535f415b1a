import { z } from "zod";
import type { RefusalTable } from "./refusal.ts";
import { idInPath } from "./wire.ts";

/**
 * Calls a minute, on one route, by one person or one address. By address they are loose: a whole
 * mobile network sits behind one. What a call costs stands in docs/route-costs.md; none is below
 * 120 (WIRE §3).
 */
export const CALLS_A_MINUTE = {
  /** A caller with a known token. */
  person: 240,
  address: 3_000,
  /** A link that spreads is opened by many people behind one carrier's address. */
  page: 30_000,
  /** Built files and pictures, several for each page. */
  file: 60_000,
  /** A product, from memory. */
  product: 600_000,
} as const;

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Who may call a route. `public`: anybody. `init-data`: the handler verifies Telegram's signature.
 * `webhook`: a provider's or Telegram's signed call. `person`: each valid token. `key`: a seller's own
 * program, by a key of his with the route's scope, and nobody by a token. `agent`: whoever treats withdrawals
 * and complaints, and the operator; `operator`: whoever runs the instance, alone.
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

/** The owner of the row that an id names: for everybody else it answers like an absent one. */
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
   * test compares the answers to every role with it.
   */
  readonly owns?: Readonly<Record<string, Owned>> | null;
  /** Parameters of the address that are not an id of ours. */
  readonly params?: Readonly<Record<string, z.ZodType>>;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** The fields of a form that the handler reads by itself, in place of a body. */
  readonly form?: z.ZodObject;
  readonly consumes?: readonly string[];
  /** Null: nothing, or something that is not JSON. Its `success` is the frame's. */
  readonly answer: z.ZodType | null;
  /** Of a success; 200 when absent. */
  readonly status?: 200 | 201 | 204;
  /** A second success with the same answer, which the handler sends by itself. */
  readonly also?: 200;
  /** Of a success that is not JSON, sent by the handler itself: `text/csv`. */
  readonly produces?: string;
  /** In the order they are checked. */
  readonly refusals?: RefusalTable;
  /** A valid call: address, query and body. */
  readonly example?: {
    readonly params?: Readonly<Record<string, string>>;
    readonly query?: Readonly<Record<string, string>>;
    readonly body?: unknown;
  };
  /** Calls a minute of one caller, where it is another than its access has. */
  readonly limit?: number;
  /** The same `Idempotency-Key` is answered as the first time. */
  readonly repeatable?: true;
};

/** The owner of an id in the address or in a body must be declared, and the fields of a body. */
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

/** Declares a call of the API once: the server, the web, its description and its tests read it here. */
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
