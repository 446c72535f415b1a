import type { Readable } from "node:stream";
import * as contract from "@sesame/contract";
import { ok, refuse, assert, type Result } from "@sesame/kernel";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { answerRefusal } from "./answers.ts";
import type { Principal, HttpServer } from "./server.ts";
import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { App } from "../app.ts";
import { type Db, maybe } from "../postgres/database.ts";

type Tokened = "person" | "seller" | "agent" | "operator" | "key";

/** A parsed and validated call of a route. */
export type Asked<R extends contract.Route> = {
  readonly params: z.output<R["paramsShape"]>;
  readonly query: R extends { readonly query: infer Type extends z.ZodType }
    ? z.output<Type>
    : undefined;
  readonly body: R extends { readonly body: infer Type extends z.ZodType }
    ? z.output<Type>
    : undefined;
  readonly caller: R["access"] extends Tokened ? Principal : null;
  /** For a repeatable route with a key: the caller's idempotency key. For `once`. */
  readonly call: IdempotentCall | null;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
};

/** A handler's answer: `success` is added where the answer has it. */
type Said<R extends contract.Route> = R extends { readonly answer: infer Type extends z.ZodType }
  ? WithoutSuccess<z.output<Type>>
  : undefined;
type WithoutSuccess<T> = T extends { readonly success: true } ? Omit<T, "success"> : T;

type Refused<R extends contract.Route> = {
  readonly ok: false;
  readonly refusal:
    | contract.RefusalOf<typeof contract.commonRefusals>
    | (R extends { readonly refusals: infer Table extends contract.RefusalTable }
        ? contract.RefusalOf<Table>
        : never);
};

export type Run<R extends contract.Route> = (
  asked: Asked<R>,
) => Promise<Said<R> | Refused<R> | FastifyReply> | Said<R> | Refused<R> | FastifyReply;

/**
 * Serves a declared call: parses address, query and body by the declaration, reads the idempotency key,
 * adds `success` and answers refusals; no cache stores answers to a person.
 */
export function on<const R extends contract.Route>(http: HttpServer, route: R, run: Run<R>): void {
  const { access, answer, status = 200, also, produces, summary } = route;
  const sentences = {
    ...contract.commonRefusals,
    ...route.refusals,
  } as unknown as contract.Sentences<contract.AnyRefusal>;
  const says = answer instanceof z.ZodObject && "success" in answer.shape;
  const isPersonal = access !== "public";
  const file = produces ? { content: { [produces]: { schema: z.string() } } } : null;
  const shape = answer ?? file;
  const response = shape ? { [status]: shape, ...(also ? { [also]: shape } : {}) } : undefined;
  http.route({
    method: route.method,
    url: route.path,
    summary,
    config: {
      access,
      route,
      ...(route.limit ? { rateLimit: { max: route.limit } } : {}),
    },
    schema: {
      ...(Object.keys(route.paramsShape.shape).length > 0 ? { params: route.paramsShape } : {}),
      ...(route.query ? { querystring: route.query } : {}),
      ...(route.body ? { body: route.body } : {}),
      ...(response ? { response } : {}),
    },
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const call = route.repeatable ? readCall(request) : ok(null);
      if (!call.ok) return answerRefusal(reply, call.refusal, contract.commonRefusals);
      const { params, query, principal: caller } = request;
      // A body that is not declared is ignored.
      const body = route.body ? request.body : undefined;
      const asked = { params, query, body, caller, call: call.value, request, reply };
      const said: unknown = await run(asked as unknown as Asked<R>);
      // The handler answered by itself, and returned nothing.
      if (reply.sent || reply.raw.headersSent || reply.raw.destroyed) return reply;
      if (isRefused(said)) {
        return answerRefusal(reply, said.refusal, sentences);
      }
      if (isPersonal) reply.header("cache-control", "no-store");
      if (reply.statusCode === 200) reply.code(status);
      if (!answer) return reply.send();
      return says ? { success: true, ...(said as object) } : said;
    },
  });
}

function isRefused(said: unknown): said is { ok: false; refusal: contract.AnyRefusal } {
  return typeof said === "object" && said !== null && "ok" in said && said.ok === false;
}

/** For a query or form that matches its schema but not the feature's parser. */
export const MALFORMED = refuse({ kind: "request.malformed" } as const);

/** A CSV file, named without its extension. */
export function sendSheet(reply: FastifyReply, name: string, sheet: string | Readable) {
  return reply
    .header("content-disposition", `attachment; filename="${name}.csv"`)
    .header("cache-control", "no-store")
    .type("text/csv; charset=utf-8")
    .send(sheet);
}

export type IdempotentCall = {
  readonly personId: bigint;
  /** Method and route pattern: "POST /api/products". */
  readonly route: string;
  readonly key: string;
  /** Identifies the content: the same key with other content is refused. */
  readonly content: string | Uint8Array;
};

/** Rolls back the transaction with the reserved key: a refused call is checked again. */
class Undone<D> extends Error {
  readonly done: D;
  constructor(done: D) {
    super("refused");
    this.done = done;
  }
}

/**
 * The effect and its answer in one transaction; with a key, once: the same call gets the same
 * answer (WIRE §2).
 */
export async function once<Done extends Result<unknown, contract.AnyRefusal>>(
  { db, clock }: Pick<App, "db" | "clock">,
  call: IdempotentCall | null,
  effect: (tx: Db) => Promise<Done>,
): Promise<Done | { readonly ok: false; readonly refusal: contract.CommonRefusal }> {
  const now = clock.now();
  try {
    return await db.transaction().execute(async (tx) => {
      const reservation = call ? await reserveKey(tx, call, now) : null;
      if (reservation?.kind === "other-content") return refuse({ kind: "request.key-reused" });
      if (reservation?.kind === "repeated") return ok(reservation.answer) as Done;
      const done = await effect(tx);
      if (!done.ok) throw new Undone(done);
      if (call) {
        await sql`
          UPDATE idempotency_keys SET status = 200, answer = ${JSON.stringify(done.value)}
          WHERE person_id = ${call.personId} AND route = ${call.route} AND key = ${call.key}
        `.execute(tx);
      }
      return done;
    });
  } catch (error) {
    if (error instanceof Undone) return error.done as Done;
    throw error;
  }
}

type Reservation =
  | { readonly kind: "new" }
  | { readonly kind: "repeated"; readonly answer: unknown }
  | { readonly kind: "other-content" };

/**
 * Reserves a key inside the transaction of the effect. A second call with the same key waits here
 * until the first has committed (then: repeated) or rolled back (then: new).
 */
async function reserveKey(tx: Db, call: IdempotentCall, now: Date): Promise<Reservation> {
  const hash = createHash("sha256").update(call.content).digest();
  const inserted = await maybe(tx)`
    INSERT INTO idempotency_keys (person_id, route, key, body_hash, created_at)
    VALUES (${call.personId}, ${call.route}, ${call.key}, ${hash}, ${now})
    ON CONFLICT DO NOTHING
    RETURNING key
  `;
  if (inserted) return { kind: "new" };
  const row = await maybe<{ body_hash: Buffer; status: number | null; answer: unknown }>(tx)`
    SELECT body_hash, status, answer FROM idempotency_keys
    WHERE person_id = ${call.personId} AND route = ${call.route} AND key = ${call.key}
  `;
  if (!row || row.status === null) return { kind: "new" };
  if (!row.body_hash.equals(hash)) return { kind: "other-content" };
  return { kind: "repeated", answer: row.answer };
}

/** Stored answers to repeated calls contain the person's data of that time. */
export async function forgetAnswers(tx: Db, personId: bigint): Promise<void> {
  await sql`DELETE FROM idempotency_keys WHERE person_id = ${personId}`.execute(tx);
}

/** The idempotency key of this call (`Idempotency-Key`, WIRE §2), if any: its route, its key, its content. */
export function readCall(request: FastifyRequest) {
  const header = request.headers["idempotency-key"];
  if (header === undefined || header === "") return ok(null);
  if (typeof header !== "string" || !/^[\x20-\x7e]{1,200}$/.test(header)) {
    return refuse({ kind: "request.malformed" });
  }
  const route = `${request.method} ${request.routeOptions.url ?? ""}`;
  // Parameters are parsed already: ids are no JSON.
  const content = JSON.stringify([request.params, request.body ?? null], (_key, value: unknown) =>
    typeof value === "bigint" ? String(value) : value,
  );
  assert(request.principal, "a call without a caller has no key");
  const { personId } = request.principal;
  return ok({ personId, route, key: header.trim(), content });
}
