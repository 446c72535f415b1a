import type { Readable } from "node:stream";
import {
  type AnyRefusal,
  commonRefusals,
  type RefusalOf,
  type RefusalTable,
  type Route,
  type Sentences,
} from "@sesame/contract";
import { ok, refuse } from "@sesame/kernel";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { answerRefusal } from "./answers.ts";
import { type IdempotentCall, readCall } from "./once.ts";
import type { Principal } from "./principal.ts";
import type { HttpServer } from "./server.ts";

type Tokened = "person" | "seller" | "agent" | "operator" | "key";

/** A call of a route, read and checked. */
export type Asked<R extends Route> = {
  readonly params: z.output<R["paramsShape"]>;
  readonly query: R extends { readonly query: infer Type extends z.ZodType }
    ? z.output<Type>
    : undefined;
  readonly body: R extends { readonly body: infer Type extends z.ZodType }
    ? z.output<Type>
    : undefined;
  readonly caller: R["access"] extends Tokened ? Principal : null;
  /** Of a repeatable route, with a key: the caller's own naming of the call. For `once`. */
  readonly call: IdempotentCall | null;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
};

/** What a handler answers: `success` is added where the answer has it. */
type Said<R extends Route> = R extends { readonly answer: infer Type extends z.ZodType }
  ? WithoutSuccess<z.output<Type>>
  : undefined;
type WithoutSuccess<T> = T extends { readonly success: true } ? Omit<T, "success"> : T;

type Refused<R extends Route> = {
  readonly ok: false;
  readonly refusal:
    | RefusalOf<typeof commonRefusals>
    | (R extends { readonly refusals: infer Table extends RefusalTable }
        ? RefusalOf<Table>
        : never);
};

export type Run<R extends Route> = (
  asked: Asked<R>,
) => Promise<Said<R> | Refused<R> | FastifyReply> | Said<R> | Refused<R> | FastifyReply;

/**
 * Serves a declared call. The frame reads the address, query and body by the declaration, names the
 * call by its key, and says refusals and `success`; what a person sees of his own is never kept by a cache.
 */
export function on<const R extends Route>(http: HttpServer, route: R, run: Run<R>): void {
  const { access, answer, status = 200, also, produces, summary, form } = route;
  const sentences = { ...commonRefusals, ...route.refusals } as unknown as Sentences<AnyRefusal>;
  const says = answer instanceof z.ZodObject && "success" in answer.shape;
  const isPersonal = access !== "public";
  const file = produces ? { content: { [produces]: { schema: z.string() } } } : null;
  const shape = answer ?? file;
  const response = shape ? { [status]: shape, ...(also ? { [also]: shape } : {}) } : undefined;
  http.route({
    method: route.method,
    url: route.path,
    summary,
    ...(form ? { form } : {}),
    config: {
      access,
      route,
      ...(route.scope ? { scope: route.scope } : {}),
      ...(route.repeatable ? { idempotent: true } : {}),
      ...(route.limit ? { rateLimit: { max: route.limit } } : {}),
    },
    schema: {
      ...(Object.keys(route.paramsShape.shape).length > 0 ? { params: route.paramsShape } : {}),
      ...(route.query ? { querystring: route.query } : {}),
      ...(route.body ? { body: route.body } : {}),
      ...(route.consumes ? { consumes: [...route.consumes] } : {}),
      ...(response ? { response } : {}),
    },
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const call = route.repeatable ? readCall(request) : ok(null);
      if (!call.ok) return answerRefusal(reply, call.refusal, commonRefusals);
      const { params, query, principal: caller } = request;
      // What is not declared is not looked at.
      const body = route.body ? request.body : undefined;
      const asked = { params, query, body, caller, call: call.value, request, reply };
      const said: unknown = await run(asked as unknown as Asked<R>);
      // The handler answered by itself: a reply that is awaited gives nothing.
      if (reply.sent || reply.raw.headersSent || reply.raw.destroyed) return reply;
      if (isRefused(said)) {
        const { refusal } = said;
        if ("retryAfterSeconds" in refusal) reply.header("retry-after", refusal.retryAfterSeconds);
        return answerRefusal(reply, refusal, sentences);
      }
      if (isPersonal) reply.header("cache-control", "no-store");
      if (reply.statusCode === 200) reply.code(status);
      if (!answer) return reply.send();
      return says ? { success: true, ...(said as object) } : said;
    },
  });
}

function isRefused(said: unknown): said is { ok: false; refusal: AnyRefusal } {
  return typeof said === "object" && said !== null && "ok" in said && said.ok === false;
}

/** What a query or form that its shape lets through, and its reader does not, is answered. */
export const MALFORMED = refuse({ kind: "request.malformed" } as const);

/** A CSV file, named without its ending. */
export function sendSheet(
  reply: FastifyReply,
  name: string,
  sheet: string | Readable,
): FastifyReply {
  return reply
    .header("content-disposition", `attachment; filename="${name}.csv"`)
    .header("cache-control", "no-store")
    .type("text/csv; charset=utf-8")
    .send(sheet);
}
