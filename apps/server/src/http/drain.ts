import type { FastifyInstance } from "fastify";

const LOOK_EVERY_MS = 50;
/** Less than the whole drain: what runs behind the doors must end in good order too. */
const PATIENCE_MS = 6_000;

/**
 * At a stop, who waits for an answer gets it. Its connection would then stay open for the next
 * request, and the server with it: it is closed as soon as it rests, and whoever only drips is cut
 * off in the end.
 */
export function drainConnections(app: FastifyInstance): void {
  app.addHook("preClose", async () => {
    const { server } = app;
    const looks = setInterval(() => server.closeIdleConnections(), LOOK_EVERY_MS).unref();
    const end = setTimeout(() => server.closeAllConnections(), PATIENCE_MS).unref();
    server.once("close", () => {
      clearInterval(looks);
      clearTimeout(end);
    });
  });
}
