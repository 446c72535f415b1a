import {
  catalogueRefusals,
  changeProduct,
  countProductMembers,
  createProduct,
  deleteProduct,
  listDurations,
  listProducts,
  listProductsOfSeller,
  readProduct,
  readPublicProduct,
  readPublicProductByIds,
  readShop,
  readSoni,
  tellSoni,
} from "@sesame/contract/catalogue";
import { refuse } from "@sesame/kernel";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { App } from "../../app.ts";
import { answerRefusal } from "../../http/answers.ts";
import { CALLS_A_MINUTE } from "@sesame/contract";
import { on } from "../../http/on.ts";
import type { Principal } from "../../http/principal.ts";
import { bearerToken, type HttpServer } from "../../http/server.ts";
import { addProduct } from "./add-product.ts";
import { findDurations } from "./durations.view.ts";
import { archive, editProduct } from "./edit-product.ts";
import { readImage } from "./image-files.ts";
import { countView, keepOfferAnswers, readOfferAnswers } from "./products.store.ts";
import type { PublicProductKey } from "./products.view.ts";
import { keptProduct, shopOf } from "./public-pages.ts";
import { contentOf, readProductForm } from "./read-form.ts";
import { membersOf, productOf, productsOf, UNKNOWN } from "./shelf.ts";

export type CatalogueGiven = {
  /** Who reads a product's page, when he says so. */
  authenticate(token: string): Promise<Principal | null>;
};

const MALFORMED = refuse({ kind: "request.malformed" } as const);

export function registerCatalogueHttp(app: App, http: HttpServer, given: CatalogueGiven): void {
  registerPublic(app, http, given);
  registerImages(app, http);
  on(http, listDurations, () => findDurations(app.db, app.config.demo));
  on(http, listProducts, ({ caller }) => productsOf(app, caller.personId));
  on(http, listProductsOfSeller, async ({ params, caller: { personId } }) =>
    params.id === personId ? productsOf(app, personId) : refuse({ kind: "request.not-yours" }),
  );
  on(http, readProduct, async ({ params, caller }) => {
    const found = await productOf(app, caller.personId, params.id);
    return found.ok ? { product: found.value } : found;
  });
  on(http, countProductMembers, async ({ params, caller }) => {
    const counted = await membersOf(app, caller.personId, params.id);
    return counted.ok ? { members: counted.value } : counted;
  });
  on(http, createProduct, async ({ caller: { personId: sellerId }, call, request }) => {
    const form = await readProductForm(request);
    if (!form) return MALFORMED;
    const named = call && { ...call, content: contentOf(form) };
    const added = await addProduct(app, { sellerId, form, call: named });
    return added.ok ? { product: added.value } : added;
  });
  on(http, changeProduct, async ({ params, caller: { personId: sellerId }, request }) => {
    const form = await readProductForm(request);
    if (!form) return MALFORMED;
    const edited = await editProduct(app, { sellerId, productId: params.id, form });
    return edited.ok ? { product: edited.value } : edited;
  });
  on(http, deleteProduct, async ({ params, caller }) => {
    const archived = await archive(app, caller.personId, params.id);
    return archived.ok ? { members: archived.value } : archived;
  });
  on(http, readShop, ({ caller }) => shopOf(app, caller.personId));
  on(http, readSoni, async ({ caller }) => ({
    answers: await readOfferAnswers(app.db, caller.personId),
  }));
  on(http, tellSoni, async ({ body: answers, caller: { personId: sellerId } }) => {
    const told = { sellerId, answers, now: app.clock.now() };
    return { answers: await keepOfferAnswers(app.db, told) };
  });
}

type Exchange = { readonly request: FastifyRequest; readonly reply: FastifyReply };

function registerPublic(app: App, http: HttpServer, given: CatalogueGiven): void {
  const answer = async (key: PublicProductKey, { request, reply }: Exchange) => {
    const kept = await keptProduct(app, key);
    if (!kept) return UNKNOWN;
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
  on(http, readPublicProduct, ({ params, ...exchange }) => answer(params, exchange));
  on(http, readPublicProductByIds, ({ params: { idVendeur, idProduit }, ...exchange }) =>
    answer({ sellerId: idVendeur, productId: idProduit }, exchange),
  );
}

const bytes = { schema: z.unknown().meta({ type: "string", format: "binary" }) };
const pictures = { "image/avif": bytes, "image/jpeg": bytes };
const imageParams = z.object({ id: z.string().max(64), file: z.string().max(16) });

function registerImages(app: App, http: HttpServer): void {
  http.get(
    "/images/:id/:file",
    {
      summary: "L'image d'un produit, dans une de ses deux tailles",
      config: { access: "public", rateLimit: { max: CALLS_A_MINUTE.file } },
      schema: { params: imageParams, response: { 200: { content: pictures } } },
    },
    async (request, reply) => {
      const image = await readImage(app, request.params.id, request.params.file);
      if (!image) return answerRefusal(reply, UNKNOWN.refusal, catalogueRefusals);
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
