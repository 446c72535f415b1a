import { createHash } from "node:crypto";
import type { CommonRefusal } from "@sesame/contract";
import { assert, ok, type Result, refuse } from "@sesame/kernel";
import type { FastifyRequest } from "fastify";
import { sql } from "kysely";
import type { App } from "../app.ts";
import { type Db, maybe } from "../postgres/database.ts";

export type IdempotentCall = {
  readonly personId: bigint;
  /** Method and route pattern: "POST /api/products". */
  readonly route: string;
  readonly key: string;
  /** What identifies the content: the same key with other content is refused. */
  readonly content: string | Uint8Array;
};

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
export async function once<T, R extends { readonly kind: string } = never>(
  { db, clock }: Pick<App, "db" | "clock">,
  call: IdempotentCall | null,
  effect: (tx: Db) => Promise<Result<T, R>>,
): Promise<Result<T, R | CommonRefusal>> {
  const now = clock.now();
  try {
    return await db.transaction().execute(async (tx) => {
      const claim = call ? await claimKey(tx, call, now) : null;
      if (claim?.kind === "other-content") return refuse({ kind: "request.key-reused" });
      if (claim?.kind === "repeated") return ok(claim.answer as T);
      const done = await effect(tx);
      if (!done.ok) throw new Refused(done.refusal);
      if (call) {
        await sql`
          UPDATE idempotency_keys SET status = 200, answer = ${JSON.stringify(done.value)}
          WHERE person_id = ${call.personId} AND route = ${call.route} AND key = ${call.key}
        `.execute(tx);
      }
      return done;
    });
  } catch (error) {
    if (error instanceof Refused) return refuse(error.refusal as R);
    throw error;
  }
}

type Claim =
  | { readonly kind: "new" }
  | { readonly kind: "repeated"; readonly answer: unknown }
  | { readonly kind: "other-content" };

/**
 * Claims a key inside the transaction of the effect. A second call with the same key waits here
 * until the first has committed (then: repeated) or rolled back (then: new).
 */
async function claimKey(tx: Db, call: IdempotentCall, now: Date): Promise<Claim> {
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

/** Answers remembered for repeated calls show what they showed then. */
export async function forgetAnswers(tx: Db, personId: bigint): Promise<void> {
  await sql`DELETE FROM idempotency_keys WHERE person_id = ${personId}`.execute(tx);
}

/** The caller's own naming of this call (`Idempotency-Key`, WIRE §2), if any: its route, its key, what it says. */
export function readCall(
  request: FastifyRequest,
): Result<IdempotentCall | null, { kind: "request.malformed" }> {
  const header = request.headers["idempotency-key"];
  if (header === undefined || header === "") return ok(null);
  if (typeof header !== "string" || !/^[\x20-\x7e]{1,200}$/.test(header)) {
    return refuse({ kind: "request.malformed" });
  }
  const route = `${request.method} ${request.routeOptions.url ?? ""}`;
  // Parameters are read already: ids are no JSON.
  const content = JSON.stringify([request.params, request.body ?? null], (_key, value: unknown) =>
    typeof value === "bigint" ? String(value) : value,
  );
  assert(request.principal, "a call without a caller has no key");
  const { personId } = request.principal;
  return ok({ personId, route, key: header.trim(), content });
}
