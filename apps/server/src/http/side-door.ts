import { answerCommon } from "./answers.ts";
import type { HttpServer } from "./server.ts";

/** What is asked of a process that serves nobody: whether it lives, and how it fares. */
const ASIDE = new Set(["/health", "/ready", "/metrics"]);

/** A process without the role `http` tells how it fares, and knows no other address. */
export function closeToPeople(app: HttpServer): void {
  app.addHook("onRequest", async (request, reply) => {
    if (ASIDE.has(request.routeOptions.url ?? "")) return undefined;
    return answerCommon(reply, { kind: "request.not-found" });
  });
}

/** Several processes on one machine may be given one PORT: it belongs to the one that serves. */
export async function listenAside(
  app: HttpServer,
  at: { port: number; host: string },
): Promise<string> {
  try {
    return await app.listen(at);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EADDRINUSE")) throw error;
    return `(${at.port})`;
  }
}
