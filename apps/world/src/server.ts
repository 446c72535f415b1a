import { parse } from "node:querystring";
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { Panel } from "./control/panel.ts";
import { registerControlRoutes } from "./control/routes.ts";
import type { RunningWorld } from "./control/running-world.ts";
import { portOf, shownOrigin } from "./phones.ts";
import type { BotApi } from "./telegram/bot-api-server.ts";
import type { CollectorName } from "./wire.ts";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fastifyStatic from "@fastify/static";

const BUILT_PAGES = fileURLToPath(new URL("../dist/", import.meta.url));
/** The design system's gallery is shown where production is not: here. */
const BUILT_GALLERY = fileURLToPath(new URL("../../web/dist/gallery/", import.meta.url));

/** The front page with the phones, and Moneroo's hosted page, as Vite built them. */
async function registerPages(app: FastifyInstance): Promise<void> {
  app.get("/moneroo/icons/:name", async (_request, reply) =>
    reply.type("image/svg+xml").header("cache-control", "max-age=86400").send(ICON),
  );
  if (existsSync(BUILT_GALLERY)) {
    await app.register(fastifyStatic, {
      root: BUILT_GALLERY,
      prefix: "/galerie/",
      index: "gallery.html",
      redirect: true,
      decorateReply: false,
    });
  }
  if (!existsSync(BUILT_PAGES)) return;
  await app.register(fastifyStatic, { root: BUILT_PAGES, wildcard: true });
  app.get("/kkiapay/widget", (_request, reply) => reply.sendFile("kkiapay.html"));
  for (const path of HOSTED_PATHS) {
    app.get(path, (_request, reply) => reply.sendFile("checkout.html"));
  }
}

/** Where customers pay, and the inside of FedaPay's widget. */
const HOSTED_PATHS = [
  "/moneroo/checkout/:id",
  "/fedapay/pay/:token",
  "/fedapay/frame",
  "/paydunya/checkout/:token",
  "/cryptopay/invoice/:hash",
];

const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">' +
  '<rect width="32" height="32" rx="8" fill="#0b6e5f"/>' +
  '<path d="M10 8h12v16H10z" fill="#fff"/></svg>';

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

export function newServer(): WorldServer {
  const app = fastify({
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
