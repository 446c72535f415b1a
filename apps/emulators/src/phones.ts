import httpProxy from "@fastify/http-proxy";
import fastify, { type FastifyInstance } from "fastify";
import type { PhoneId } from "./wire.ts";

/** A figure of each phone: its port, how slow its network is. */
export type OfPhones = Record<PhoneId, number>;

/**
 * Gives each phone its own origin for the app: on one shared origin the phones would share local
 * storage and session.
 */
export async function startPhones(options: {
  ports: OfPhones;
  host: string;
  appUrl: string;
  publicUrl: string;
  /** In milliseconds; read at each request: the panel changes it. */
  delays: OfPhones;
}) {
  const { ports, host, appUrl, publicUrl, delays } = options;
  const started = await Promise.all(
    (Object.keys(ports) as PhoneId[]).map(async (id) => {
      const proxy = await startProxy(ports[id], { host, appUrl, delayMs: () => delays[id] });
      return { id, proxy, port: portOf(proxy) };
    }),
  );
  const byPhone = <T>(what: (port: number) => T) =>
    Object.fromEntries(started.map(({ id, port }) => [id, what(port)])) as Record<PhoneId, T>;
  return {
    ports: byPhone((port) => port),
    origins: byPhone((port) => shownOrigin(publicUrl, port)),
    close: async () => void (await Promise.all(started.map(({ proxy }) => proxy.close()))),
  };
}

/** What the app accepts at most, photographs included. */
const BODY_LIMIT_BYTES = 64 * 1024 * 1024;

async function startProxy(
  port: number,
  to: { host: string; appUrl: string; delayMs: () => number },
): Promise<FastifyInstance> {
  const app = fastify({ forceCloseConnections: true, bodyLimit: BODY_LIMIT_BYTES });
  app.addHook("onRequest", async () => {
    const ms = to.delayMs();
    if (ms > 0) await new Promise((done) => setTimeout(done, ms).unref());
  });
  await app.register(httpProxy, { upstream: to.appUrl, websocket: true });
  await app.listen({ port, host: to.host });
  return app;
}

export function portOf(app: FastifyInstance): number {
  const address = app.server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** The same host as the app's, at another port: what a browser calls another origin. */
export function shownOrigin(publicUrl: string, port: number): string {
  const { protocol, hostname } = new URL(publicUrl);
  return `${protocol}//${hostname}:${port}`;
}
