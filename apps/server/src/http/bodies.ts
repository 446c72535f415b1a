import { commonRefusals } from "@sesame/contract";
import type { FastifyInstance } from "fastify";

/**
 * What may come in: JSON, multipart (its plugin's), and the bytes of notices, signed as they are,
 * whatever type they claim. Anything else is refused before a handler sees it.
 */
export function acceptBodies(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser("error", "error");
  app.removeContentTypeParser("text/plain");
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (request, body, done) => {
    if (request.routeOptions.config.access === "notice") return done(null, body);
    const text = body.toString();
    if (text.trim() === "") return done(null, undefined);
    return parseJson(request, text, (error, value) => {
      if (error) return done(error);
      return isSound(value) ? done(null, value) : done(refused(400));
    });
  });
  app.addContentTypeParser("*", { parseAs: "buffer" }, (request, body, done) => {
    if (request.routeOptions.config.access === "notice") return done(null, body);
    if (body.length === 0) return done(null, undefined);
    return done(refused(commonRefusals["request.unsupported-type"].status));
  });
}

const MAX_DEPTH = 32;

/**
 * Whether a body can be stored and walked: PostgreSQL refuses NUL and half a surrogate pair, which
 * JSON carries as escapes, and a tower of brackets overflows the stack of whoever walks it next.
 */
function isSound(body: unknown): boolean {
  const waiting: { readonly value: unknown; readonly depth: number }[] = [
    { value: body, depth: 0 },
  ];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value, depth } = next;
    if (typeof value === "string" && !isStorable(value)) return false;
    if (typeof value !== "object" || value === null) continue;
    if (depth >= MAX_DEPTH) return false;
    for (const [name, item] of Object.entries(value)) {
      if (!isStorable(name)) return false;
      waiting.push({ value: item, depth: depth + 1 });
    }
  }
  return true;
}

function isStorable(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

function refused(statusCode: number): Error {
  return Object.assign(new Error("a body that is not accepted"), { statusCode });
}
