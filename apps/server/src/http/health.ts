import { z } from "zod";
import { type Db, isReady } from "../postgres/database.ts";
import type { HttpServer } from "./server.ts";

const status = z.object({ status: z.string() });

/** /health: the process lives. /ready: the database answers and is migrated. */
export function registerHealth(app: HttpServer, deps: { db: Db }): void {
  app.get(
    "/health",
    { config: { access: "public" }, schema: { response: { 200: status } } },
    async () => ({ status: "ok" }),
  );
  app.get(
    "/ready",
    { config: { access: "public" }, schema: { response: { 200: status, 503: status } } },
    async (_request, reply) => {
      if (await isReady(deps.db)) return { status: "ready" };
      return reply.code(503).send({ status: "not ready" });
    },
  );
}
