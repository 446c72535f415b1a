import { idInPath } from "@sesame/contract";
import { catalogueRefusals, publicProductOnWire } from "@sesame/contract/catalogue";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { App } from "../../app.ts";
import { answerRefusal } from "../../http/answers.ts";
import { CALLS_A_MINUTE } from "../../http/limits.ts";
import type { Principal } from "../../http/principal.ts";
import { bearerToken, type HttpServer } from "../../http/server.ts";
import { readImage } from "./image-files.ts";
import { countView } from "./products.store.ts";
import type { PublicProductKey } from "./products.view.ts";
import { keptProduct } from "./public-pages.ts";

export type PublicGiven = {
  /** Who reads a product's page, when he says so. */
  authenticate(token: string): Promise<Principal | null>;
};

/** Read by whole mobile networks behind one address, and from memory. */
const openToAll = { access: "public", rateLimit: { max: CALLS_A_MINUTE.page } } as const;
const product = { access: "public", rateLimit: { max: CALLS_A_MINUTE.product } } as const;
const picture = { access: "public", rateLimit: { max: CALLS_A_MINUTE.file } } as const;

const byReference = z.object({ reference: z.string().max(64) });
const byIds = z.object({ idVendeur: idInPath, idProduit: idInPath });
const bytes = { schema: z.unknown().meta({ type: "string", format: "binary" }) };
const pictures = { "image/avif": bytes, "image/jpeg": bytes };
const imageParams = z.object({ id: z.string().max(64), file: z.string().max(16) });

export function registerPublicHttp(app: App, http: HttpServer, given: PublicGiven): void {
  const answerProduct = async (
    key: PublicProductKey,
    { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  ) => {
    const kept = await keptProduct(app, key);
    if (!kept) {
      return answerRefusal(reply, { kind: "catalogue.product-unknown" }, catalogueRefusals);
    }
    const token = bearerToken(request);
    const reader = token ? await given.authenticate(token) : null;
    if (reader) {
      const day = dayIn(app.config.timeZone, app.clock.now());
      const { personId } = reader;
      await countView(app.db, { productId: BigInt(kept.product.id), personId, day });
    }
    // Bytes made once: neither checked nor written out again for each reader.
    return reply
      .header("content-type", "application/json; charset=utf-8")
      .header("cache-control", "no-cache")
      .serializer((body: string) => body)
      .send(kept.body);
  };
  http.get(
    "/api/public/products/:reference",
    {
      summary: "La page publique d'un produit, par sa référence",
      config: product,
      schema: { params: byReference, response: { 200: publicProductOnWire } },
    },
    async (request, reply) => {
      await answerProduct(request.params, { request, reply });
      return reply;
    },
  );
  http.get(
    "/api/products/:idVendeur/:idProduit",
    {
      summary: "La page publique d'un produit, par vendeur et produit",
      config: openToAll,
      schema: { params: byIds, response: { 200: publicProductOnWire } },
    },
    async (request, reply) => {
      const { idVendeur: sellerId, idProduit: productId } = request.params;
      await answerProduct({ sellerId, productId }, { request, reply });
      return reply;
    },
  );
  http.get(
    "/images/:id/:file",
    {
      summary: "L'image d'un produit, dans une de ses deux tailles",
      config: picture,
      schema: { params: imageParams, response: { 200: { content: pictures } } },
    },
    async (request, reply) => {
      const image = await readImage(app, request.params.id, request.params.file);
      if (!image) {
        return answerRefusal(reply, { kind: "catalogue.product-unknown" }, catalogueRefusals);
      }
      return reply
        .header("content-type", image.type)
        .header("cache-control", "public, max-age=31536000, immutable")
        .header("x-content-type-options", "nosniff")
        .header("content-security-policy", "default-src 'none'; sandbox")
        .header("cross-origin-resource-policy", "cross-origin")
        .send(image.bytes);
    },
  );
}

/** The calendar day there: 2026-11-16. */
function dayIn(timeZone: string, instant: Date): string {
  return new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" }).format(instant);
}
