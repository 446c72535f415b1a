import { parse } from "node:querystring";
import fastify, { type FastifyInstance } from "fastify";
import { portOf, shownOrigin } from "./phones.ts";
import { kkiapayCopy } from "./pages/widgets.fr.ts";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import fastifyStatic from "@fastify/static";

const BUILT_PAGES = fileURLToPath(new URL("../dist/", import.meta.url));
/** The design system's gallery is shown here, and not in production. */
const BUILT_GALLERY = fileURLToPath(new URL("../../web/dist/gallery/", import.meta.url));

/** KkiaPay's own script, from npm; its frame is where the script itself came from, and has a title. */
function kkiapayScript(): string {
  const frame =
    '(document.currentScript?new URL(document.currentScript.src):location).origin+"/kkiapay/widget"';
  const title = `$&,$1.setAttribute("title","${kkiapayCopy.frame}")`;
  return readFileSync(createRequire(import.meta.url).resolve("kkiapay"), "utf8")
    .replace('"https://widget-v3.kkiapay.me"', frame)
    .replace(/(\w)\.setAttribute\("frameborder","0"\)/, title);
}

/** The front page with the phones, and Moneroo's hosted page, as Vite built them. */
export async function registerPages(app: FastifyInstance): Promise<void> {
  if (existsSync(BUILT_GALLERY)) {
    await app.register(fastifyStatic, {
      root: BUILT_GALLERY,
      prefix: "/galerie/",
      index: "gallery.html",
      redirect: true,
      decorateReply: false,
    });
  }
  app.get("/kkiapay/k.js", async (_request, reply) =>
    reply.type("text/javascript").send(kkiapayScript()),
  );
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

/** The emulators' one port: disjoint paths for Telegram, the providers, the control API and the pages. */
export function newServer() {
  const app = fastify({
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 256 },
  });
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string" },
    async (_request: unknown, body: string) => ({ ...parse(body) }),
  );
  // The Bot API takes a POST without parameters, whatever type it names.
  app.addContentTypeParser("*", { parseAs: "string" }, async () => null);
  return {
    app,
    port: () => portOf(app),
    /** With the address as a number, for programs on this machine. */
    root: () => `http://127.0.0.1:${portOf(app)}`,
    /** Under the host by which people reach the app. */
    url: (publicUrl: string) => shownOrigin(publicUrl, portOf(app)),
    close: () => app.close(),
  };
}
