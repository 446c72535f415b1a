import type { CommonRefusal } from "@sesame/contract";
import { ok, type Result, refuse } from "@sesame/kernel";
import { claimKey, type IdempotentCall, rememberAnswer } from "../../http/idempotency.store.ts";
import type { Db } from "../../postgres/database.ts";

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
  { db, call, now }: { db: Db; call: IdempotentCall | null; now: Date },
  effect: (tx: Db) => Promise<Result<T, R>>,
): Promise<Result<T, R | CommonRefusal>> {
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
