import { z } from "zod";
import type { Readiness } from "../postgres/readiness.ts";
import { VERSION } from "../version.ts";
import type { HttpServer } from "./server.ts";

const health = z.object({ status: z.string(), version: z.string(), commit: z.string() });
const readiness = z.object({ status: z.string(), reason: z.string().optional() });

/** How long the database may leave everyone in the process without an answer. */
export const STUCK_MS = 30_000;

export type HealthDeps = {
  readonly readiness: Readiness;
  /** How long the database has answered nobody of this process; 0 when it answered last. */
  silentMs(): number;
};

/**
 * /health: the process works; when it does not, a restart helps. /ready: it can be sent requests;
 * when it cannot, another process may.
 */
export function registerHealth(app: HttpServer, deps: HealthDeps): void {
  app.get(
    "/health",
    {
      summary: "Le processus vit",
      config: { access: "public" },
      schema: { response: { 200: health, 503: health } },
    },
    async (_request, reply) => {
      if (deps.silentMs() < STUCK_MS) return { status: "ok", ...VERSION };
      return reply.code(503).send({ status: "stuck", ...VERSION });
    },
  );
  app.get(
    "/ready",
    {
      summary: "La base répond et elle est à jour",
      config: { access: "public" },
      schema: { response: { 200: readiness, 503: readiness } },
    },
    async (_request, reply) => {
      const reason = await deps.readiness.whyNot();
      if (reason === null) return { status: "ready" };
      return reply.code(503).send({ status: "not ready", reason });
    },
  );
}
