import type { CommonRefusal } from "@sesame/contract";
import type { Result } from "@sesame/kernel";
import type { FastifyRequest } from "fastify";
import type { App } from "../../app.ts";
import { once, readCall } from "../../http/once.ts";
import type { Db } from "../../postgres/database.ts";

/** The effect once for the caller's key. What it answers is stored: never a secret. */
export async function remember<T, R extends { readonly kind: string }>(
  { db, clock }: App,
  request: FastifyRequest,
  effect: (tx: Db) => Promise<Result<T, R>>,
): Promise<Result<T, R | CommonRefusal>> {
  const call = readCall(request);
  return call.ok ? once({ db, call: call.value, now: clock.now() }, effect) : call;
}
