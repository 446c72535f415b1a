import { z } from "zod";
import type { Readiness } from "../postgres/readiness.ts";
import { VERSION } from "../version.ts";
import { answerCommon } from "./answers.ts";
import type { HttpServer } from "./server.ts";

const health = z.object({ status: z.string(), version: z.string(), commit: z.string() });
const readiness = z.object({ status: z.string(), reason: z.string().optional() });

/** How long the database may leave everyone in the process without an answer. */
export const STUCK_MS = 30_000;

type HealthOptions = {
  readonly readiness: Readiness;
  /** How long the database has answered nobody of this process; 0 when it answered last. */
  silentMs(): number;
};

/**
 * /health: the process works; when it does not, a restart helps. /ready: it can be sent requests;
 * when it cannot, another process may.
 */
export function registerHealth(http: HttpServer, options: HealthOptions): void {
  http.get(
    "/health",
    {
      summary: "Le processus vit",
      config: { access: "public" },
      schema: { response: { 200: health, 503: health } },
    },
    async (_request, reply) => {
      if (options.silentMs() < STUCK_MS) return { status: "ok", ...VERSION };
      return reply.code(503).send({ status: "stuck", ...VERSION });
    },
  );
  http.get(
    "/ready",
    {
      summary: "La base répond et elle est à jour",
      config: { access: "public" },
      schema: { response: { 200: readiness, 503: readiness } },
    },
    async (_request, reply) => {
      const reason = await options.readiness.whyNot();
      if (reason === null) return { status: "ready" };
      return reply.code(503).send({ status: "not ready", reason });
    },
  );
}

/** What is asked of a process that serves nobody: whether it lives, and how it fares. */
const ASIDE = new Set(["/health", "/ready", "/metrics"]);

/** A process without the role `http` tells how it fares, and knows no other address. */
export function closeToPeople(http: HttpServer): void {
  http.addHook("onRequest", async (request, reply) => {
    if (ASIDE.has(request.routeOptions.url ?? "")) return undefined;
    return answerCommon(reply, { kind: "request.not-found" });
  });
}

/** Several processes on one machine may be given one PORT: it belongs to the one that serves. */
export async function listenAside(
  http: HttpServer,
  at: { port: number; host: string },
): Promise<string> {
  try {
    return await http.listen(at);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EADDRINUSE")) throw error;
    return `(${at.port})`;
  }
}
