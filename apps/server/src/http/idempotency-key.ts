import type { FastifyRequest } from "fastify";

export type IdempotencyKey =
  | { readonly kind: "none" }
  | { readonly kind: "malformed" }
  | { readonly kind: "key"; readonly key: string };

/** The caller's `Idempotency-Key` (WIRE §2). */
export function readIdempotencyKey(request: FastifyRequest): IdempotencyKey {
  const header = request.headers["idempotency-key"];
  if (header === undefined || header === "") return { kind: "none" };
  const sound = typeof header === "string" && /^[\x20-\x7e]{1,200}$/.test(header);
  return sound ? { kind: "key", key: header.trim() } : { kind: "malformed" };
}
