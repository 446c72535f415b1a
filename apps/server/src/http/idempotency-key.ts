import type { FastifyRequest } from "fastify";

/** The caller's `Idempotency-Key` (WIRE §2), null without one. */
export function readIdempotencyKey(request: FastifyRequest): string | "malformed" | null {
  const header = request.headers["idempotency-key"];
  if (header === undefined) return null;
  return typeof header === "string" && /^[\x21-\x7e]{1,200}$/.test(header) ? header : "malformed";
}
