import { createHash } from "node:crypto";
import { CALLS_A_MINUTE } from "@sesame/contract";
import * as contract from "@sesame/contract/catalogue";
import { refuse, dayOf } from "@sesame/kernel";
import type { FastifyReply, FastifyRequest } from "fastify";
import { sql } from "kysely";
import { z } from "zod";
import type { App } from "../../app.ts";
import { answerRefusal } from "../../http/answers.ts";
import { MALFORMED, on } from "../../http/on.ts";
import { type Principal, bearerToken, type HttpServer } from "../../http/server.ts";
import { receiveFile } from "../../http/bodies.ts";
import { maybe, one } from "../../postgres/database.ts";
import * as changes from "./change-products.ts";
import { readImage } from "./image-files.ts";
import { membersOf, productOf, productsOf, UNKNOWN } from "./products.ts";
import { keptProduct, publicShop, type PublicProductKey } from "./public-pages.ts";

type CatalogueGiven = {
  /** Authenticates the reader of a product's page, if there is a token. */
  authenticate(token: string): Promise<Principal | null>;
};

export function registerCatalogueHttp(app: App, http: HttpServer, given: CatalogueGiven): void {
  registerPublic(app, http, given);
  registerImages(app, http);
  on(http, contract.listDurations, () => changes.findDurations(app));
  on(http, contract.listProducts, ({ caller }) => productsOf(app, caller.personId));
  on(http, contract.listProductsOfSeller, async ({ params, caller: { personId } }) =>
    params.id === personId ? productsOf(app, personId) : refuse({ kind: "request.not-yours" }),
  );
  on(http, contract.readProduct, async ({ params, caller }) => {
    const found = await productOf(app, caller.personId, params.id);
    return found.ok ? { product: found.value } : found;
  });
  on(http, contract.countProductMembers, ({ params, caller }) =>
    membersOf(app, caller.personId, params.id),
  );
  on(http, contract.createProduct, async ({ caller: { personId: sellerId }, call, request }) => {
    const form = await readProductForm(request);
    if (!form) return MALFORMED;
    const named = call && { ...call, content: contentOf(form) };
    const added = await changes.addProduct(app, { sellerId, form, call: named });
    return added.ok ? { product: added.value } : added;
  });
  on(http, contract.changeProduct, async ({ params, caller: { personId: sellerId }, request }) => {
    const form = await readProductForm(request);
    if (!form) return MALFORMED;
    const edited = await changes.editProduct(app, { sellerId, productId: params.id, form });
    return edited.ok ? { product: edited.value } : edited;
  });
  on(http, contract.deleteProduct, ({ params, caller }) =>
    changes.archive(app, caller.personId, params.id),
  );
  on(http, contract.readShop, async ({ caller: { personId } }) => {
    const shop = await publicShop(app, personId);
    return {
      share_link: app.telegram.names.shareLink(contract.shopReference(personId)),
      page_url: `${app.config.publicUrl}/boutique/${personId}`,
      products: shop?.products.length ?? 0,
      open: shop !== null,
    };
  });
  on(http, contract.readSoni, async ({ caller: { personId } }) => {
    const answers = await maybe<contract.OfferAnswers>(app.db)`
      SELECT name, goal, motivation FROM offer_answers WHERE seller_id = ${personId}
    `;
    return { answers: answers ?? { name: null, goal: null, motivation: null } };
  });
  on(http, contract.answerSoni, async ({ body, caller: { personId } }) => {
    const given = (key: keyof contract.OfferAnswers) => body[key] !== undefined;
    const answers = await one<contract.OfferAnswers>(app.db)`
      INSERT INTO offer_answers AS kept (seller_id, name, goal, motivation, updated_at)
      VALUES (${personId}, ${body.name ?? null}, ${body.goal ?? null}, ${body.motivation ?? null},
        ${app.clock.now()})
      ON CONFLICT (seller_id) DO UPDATE SET
        name = CASE WHEN ${given("name")} THEN excluded.name ELSE kept.name END,
        goal = CASE WHEN ${given("goal")} THEN excluded.goal ELSE kept.goal END,
        motivation = CASE WHEN ${given("motivation")} THEN excluded.motivation
          ELSE kept.motivation END,
        updated_at = excluded.updated_at
      RETURNING name, goal, motivation
    `;
    return { answers };
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
      const { personId } = reader;
      // The page counts one view per buyer per calendar day; the seller's own is none (decision 39).
      const day = dayOf(app.clock.now(), app.config.timeZone);
      await sql`
        WITH seen AS (
          INSERT INTO product_views (product_id, person_id, day)
          SELECT p.id, ${personId}, ${day}::date FROM products p
          WHERE p.id = ${BigInt(kept.product.id)} AND p.seller_id <> ${personId}
          ON CONFLICT DO NOTHING
          RETURNING product_id
        )
        UPDATE products SET views = views + 1 WHERE id IN (SELECT product_id FROM seen)
      `.execute(app.db);
    }
    // Encoded once: not validated or encoded again for each reader.
    return reply
      .header("content-type", "application/json; charset=utf-8")
      .header("cache-control", "no-cache")
      .serializer((body: string) => body)
      .send(kept.body);
  };
  on(http, contract.readPublicProduct, ({ params, ...exchange }) => answer(params, exchange));
  on(http, contract.readPublicProductByIds, ({ params: { idVendeur, idProduit }, ...exchange }) =>
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
      if (!image) return answerRefusal(reply, UNKNOWN.refusal, contract.catalogueRefusals);
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

/** A product's form: multipart, or JSON. Null when it is neither, or a field has a wrong type. */
async function readProductForm(request: FastifyRequest): Promise<changes.FilledForm | null> {
  const parts = request.isMultipart()
    ? await readParts(request).catch(malformedIfUnreadable)
    : { values: request.body ?? {}, image: null };
  const parsed = parts && contract.productForm.safeParse(parts.values);
  return parsed?.success ? { fields: parsed.data, image: parts?.image ?? null } : null;
}

async function readParts(request: FastifyRequest) {
  const values: Record<string, unknown> = {};
  let image: changes.UploadedImage | null = null;
  for await (const part of request.parts({ limits: { fileSize: contract.IMAGE_BYTES_MAX } })) {
    if (part.type === "field") {
      values[part.fieldname] = part.value;
    } else if (part.fieldname === "image") {
      const bytes = await receiveFile(request, part);
      if (bytes.length > 0) image = { bytes, tooLarge: part.file.truncated };
    } else {
      part.file.resume();
    }
  }
  return { values, image };
}

/** The plug-in's own refusals have a status; a truncated or malformed body gives a bare Error of busboy. */
function malformedIfUnreadable(error: unknown): null {
  if (error instanceof Error && "statusCode" in error) throw error;
  return null;
}

/** Identifies the content of a form, whatever its boundary and the order of its fields. */
function contentOf(form: changes.FilledForm): string {
  const fields = Object.entries(form.fields).sort(([a], [b]) => (a < b ? -1 : 1));
  const image = form.image && createHash("sha256").update(form.image.bytes).digest("hex");
  return JSON.stringify({ fields, image });
}
