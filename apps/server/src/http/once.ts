import type { CommonRefusal } from "@sesame/contract";
import { ok, type Result, refuse } from "@sesame/kernel";
import type { FastifyRequest } from "fastify";
import type { App } from "../app.ts";
import type { Db } from "../postgres/database.ts";
import { claimKey, type IdempotentCall, rememberAnswer } from "./idempotency.store.ts";
import { callerOf } from "./server.ts";

/** Undoes the transaction, the claimed key with it: a refusal is judged anew. */
class Refused<R> extends Error {
  readonly refusal: R;
  constructor(refusal: R) {
    super("refused");
    this.refusal = refusal;
  }
}

/**
 * The effect and its answer in one transaction; with a key, once: the same call answers the same
 * again (WIRE §2).
 */
export async function once<T, R extends { readonly kind: string }>(
  { db, clock }: Pick<App, "db" | "clock">,
  call: IdempotentCall | null,
  effect: (tx: Db) => Promise<Result<T, R>>,
): Promise<Result<T, R | CommonRefusal>> {
  const now = clock.now();
  try {
    return await db.transaction().execute(async (tx) => {
      const claim = call ? await claimKey(tx, call, now) : null;
      if (claim?.kind === "other-content") return refuse({ kind: "request.key-reused" });
      if (claim?.kind === "repeated") return ok(claim.remembered.answer as T);
      const done = await effect(tx);
      if (!done.ok) throw new Refused(done.refusal);
      if (call) await rememberAnswer(tx, call, { status: 200, answer: done.value });
      return done;
    });
  } catch (error) {
    if (error instanceof Refused) return refuse(error.refusal as R);
    throw error;
  }
}

/** The caller's own naming of this call, if any: its route, its key, what it says. */
export function readCall(
  request: FastifyRequest,
): Result<IdempotentCall | null, { kind: "request.malformed" }> {
  const named = readIdempotencyKey(request);
  if (named.kind === "malformed") return refuse({ kind: "request.malformed" });
  if (named.kind === "none") return ok(null);
  const route = `${request.method} ${request.routeOptions.url ?? ""}`;
  // Parameters are read already: ids are no JSON.
  const content = JSON.stringify([request.params, request.body ?? null], (_key, value: unknown) =>
    typeof value === "bigint" ? String(value) : value,
  );
  return ok({ personId: callerOf(request).personId, route, key: named.key, content });
}

type IdempotencyKey =
  | { readonly kind: "none" }
  | { readonly kind: "malformed" }
  | { readonly kind: "key"; readonly key: string };

/** The caller's `Idempotency-Key` (WIRE §2). */
function readIdempotencyKey(request: FastifyRequest): IdempotencyKey {
  const header = request.headers["idempotency-key"];
  if (header === undefined || header === "") return { kind: "none" };
  const sound = typeof header === "string" && /^[\x20-\x7e]{1,200}$/.test(header);
  return sound ? { kind: "key", key: header.trim() } : { kind: "malformed" };
}
