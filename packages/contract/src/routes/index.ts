import type { z } from "zod";
import type * as declared from "./index.ts";
export * from "../back-office/routes.ts";
export * from "../back-office/settings-routes.ts";
export * from "../cases/routes.ts";
export * from "../catalogue/routes.ts";
export * from "../checkout/routes.ts";
export * from "../developers/routes.ts";
export * from "../groups/routes.ts";
export * from "../identity/routes.ts";
export * from "../memberships/index.ts";
export * from "../payment-accounts/routes.ts";
export * from "../plans/routes.ts";
export * from "../refunds/routes.ts";
export * from "../reports/routes.ts";
export * from "../treasury/routes.ts";
export * from "../withdrawals/routes.ts";

/** The modules also export schemas. */
type Declared = Extract<
  (typeof declared)[keyof typeof declared],
  { readonly call: string; readonly paramsShape: z.ZodObject }
>;
type Declarations = { readonly [R in Declared as R["call"]]: R };

/** `GET /api/complaints/:id`: the name of a call for clients. */
export type CallName = keyof Declarations;

/** The body of the server's answer; undefined where it is not JSON. */
export type AnswerOf<C extends CallName> = Declarations[C] extends {
  readonly answer: infer Type extends z.ZodType;
}
  ? z.input<Type>
  : unknown;

type Named<Names> = { readonly [Name in keyof Names]: string };

/** A call without a declared body ignores what is sent: `{}`, or a body of old clients. */
type BodyType<Route> = Route extends { readonly body: infer Body extends z.ZodType }
  ? z.input<Body>
  : object | undefined;

export type BodyOf<C extends CallName> = NonNullable<BodyType<Declarations[C]>>;

/** The whole input of a call: parameters of its address, its query, its body. */
export type Sent<C extends CallName> = (keyof Declarations[C]["paramsShape"]["shape"] extends never
  ? { readonly params?: undefined }
  : { readonly params: Named<Declarations[C]["paramsShape"]["shape"]> }) &
  (Declarations[C] extends { readonly query: infer Query extends z.ZodType }
    ? { readonly query?: { readonly [Name in keyof z.input<Query>]?: string | number | undefined } }
    : { readonly query?: undefined }) &
  (Declarations[C] extends { readonly form: infer Form extends z.ZodType }
    ?
        | { readonly form: FormData }
        | (Declarations[C] extends { readonly consumes: readonly [string, "application/json"] }
            ? { readonly body: z.input<Form> }
            : never)
    : undefined extends BodyType<Declarations[C]>
      ? { readonly body?: BodyType<Declarations[C]> }
      : { readonly body: BodyType<Declarations[C]> });
