import { parse } from "node:querystring";
import multipart from "@fastify/multipart";
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { Panel } from "./control/panel.ts";
import { registerControlRoutes } from "./control/routes.ts";
import type { RunningWorld } from "./control/running-world.ts";
import { registerPages } from "./pages-server.ts";
import { portOf, shownOrigin } from "./phones.ts";
import type { BotApi } from "./telegram/bot-api-server.ts";
import type { CollectorName } from "./wire.ts";

/** The world's one port: disjoint paths for Telegram, the providers, the control API and the pages. */
type WorldServer = {
  app: FastifyInstance;
  port(): number;
  /** By number, for programs on this machine. */
  root(): string;
  /** Under the host by which people reach the app. */
  url(publicUrl: string): string;
  close(): Promise<void>;
};

/** As large as what a bot may upload. */
const BODY_LIMIT_BYTES = 50 * 1024 * 1024;

export function newServer(): WorldServer {
  const app = fastify({
    bodyLimit: BODY_LIMIT_BYTES,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 256 },
  });
  return {
    app,
    port: () => portOf(app),
    root: () => `http://127.0.0.1:${portOf(app)}`,
    url: (publicUrl) => shownOrigin(publicUrl, portOf(app)),
    close: () => app.close(),
  };
}

/** Shows the pages what the server asked of a provider, and how it was answered. */
function tellProviderCall(
  running: RunningWorld,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const path = request.url.split("?")[0] ?? "";
  const party = partyOf(running, request, path);
  if (party === null) return;
  const at = running.clock.now().toISOString();
  const what = `${request.method} ${path}`;
  running.show({ type: "call", at, party, what, status: reply.statusCode });
}

/** Beginnings of their paths; under `/v1/` two of them live, told apart by the key. */
const PATHS: readonly [string, CollectorName][] = [
  ["/api/v2/disburse/", "paydunya"],
  ["/api/v1/checkout-invoice/", "paydunya"],
  ["/sandbox-api/v1/", "paydunya"],
  ["/api/v1/transactions/", "kkiapay"],
  ["/api/", "cryptopay"],
  ["/v1/transactions", "fedapay"],
  ["/v1/payments/", "moneroo"],
];

function partyOf(
  { fedapay }: RunningWorld,
  request: FastifyRequest,
  path: string,
): CollectorName | null {
  const known = PATHS.find(([beginning]) => path.startsWith(beginning));
  if (known !== undefined) return known[1];
  if (!path.startsWith("/v1/")) return null;
  return fedapay.owns(request) ? "fedapay" : "moneroo";
}

export async function listen(
  { app }: WorldServer,
  parts: {
    running: RunningWorld;
    panel: Panel;
    botApi: BotApi;
    /** The providers' own paths. */
    register(app: FastifyInstance): Promise<void>;
    port: number;
    host: string;
  },
): Promise<void> {
  const { running, panel, botApi, register, port, host } = parts;
  await app.register(multipart, { limits: { fileSize: BODY_LIMIT_BYTES } });
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string" },
    async (_request: unknown, body: string) => ({ ...parse(body) }),
  );
  // The Bot API takes a POST without parameters, whatever type it names.
  app.addContentTypeParser("*", { parseAs: "string" }, async () => null);
  botApi.register(app);
  await register(app);
  app.addHook("onResponse", async (request, reply) => tellProviderCall(running, request, reply));
  registerControlRoutes(app, running, panel);
  await registerPages(app);
  await app.listen({ port, host });
}
