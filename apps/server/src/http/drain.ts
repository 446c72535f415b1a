import type { Server, ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";

const LOOK_EVERY_MS = 50;
/** Less than the whole stop: what runs behind the server must end in good order too. */
const STOP_MS = 6_000;
/** However long it said beforehand that it would close, who is being answered gets this. */
const LEAST_PATIENCE_MS = 1_000;

/**
 * At a stop, who waits for an answer gets it. Its connection would then stay open for the next
 * request, and the server with it: it is closed as soon as it rests, and whoever only drips is cut
 * off in the end.
 */
export function drainConnections(app: FastifyInstance, drainSeconds: number): void {
  const patienceMs = Math.max(LEAST_PATIENCE_MS, STOP_MS - drainSeconds * 1_000);
  app.addHook("preClose", async () => {
    const { server } = app;
    const looks = setInterval(() => server.closeIdleConnections(), LOOK_EVERY_MS).unref();
    const end = setTimeout(() => server.closeAllConnections(), patienceMs).unref();
    server.once("close", () => {
      clearInterval(looks);
      clearTimeout(end);
    });
  });
}

/**
 * While a process says at /ready that it is about to close, it still answers everyone, and asks of
 * each caller to come back by another connection: a balancer then has none left to lose.
 */
export async function announceClosing(
  server: Server,
  { seconds }: { readonly seconds: number },
): Promise<void> {
  if (seconds === 0) return;
  server.prependListener("request", (_request, response: ServerResponse) => {
    if (!response.headersSent) response.setHeader("connection", "close");
  });
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
}
