import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";

const BUILT_PAGES = fileURLToPath(new URL("../dist/", import.meta.url));
/** The design system's gallery is shown where production is not: here. */
const BUILT_GALLERY = fileURLToPath(new URL("../../web/dist/gallery/", import.meta.url));

/** The front page with the phones, and Moneroo's hosted page, as Vite built them. */
export async function registerPages(app: FastifyInstance): Promise<void> {
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
