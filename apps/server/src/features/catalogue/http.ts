import { idInPath } from "@sesame/contract";
import {
  catalogueRefusals,
  durationsAnswer,
  offerAnswersAnswer,
  offerAnswersBody,
  productAnswer,
  productArchivedAnswer,
  productForm,
  productMembersAnswer,
  productsAnswer,
  shopAnswer,
} from "@sesame/contract/catalogue";
import { z } from "zod";
import type { App } from "../../app.ts";
import { answerCommon, answerRefusal } from "../../http/answers.ts";
import type { IdempotentCall } from "../../http/idempotency.store.ts";
import { readIdempotencyKey } from "../../http/idempotency-key.ts";
import { callerOf, type HttpServer } from "../../http/server.ts";
import { addProduct } from "./add-product.ts";
import { findDurations } from "./durations.view.ts";
import { archive, editProduct } from "./edit-product.ts";
import { keepOfferAnswers, readOfferAnswers } from "./offer-answers.store.ts";
import { type PublicGiven, registerPublicHttp } from "./public-http.ts";
import { shopOf } from "./public-pages.ts";
import { contentOf, readProductForm } from "./read-form.ts";
import { membersOf, productOf, productsOf } from "./shelf.ts";

const productParams = z.object({ id: idInPath });
const seller = { access: "seller" } as const;

export function registerCatalogueHttp(app: App, http: HttpServer, given: PublicGiven): void {
  registerPublicHttp(app, http, given);
  registerReads(app, http);
  registerWrites(app, http);
  registerShop(app, http);
}

function registerReads(app: App, http: HttpServer): void {
  http.get(
    "/api/config/subscription_durations",
    {
      summary: "Les durées proposées",
      config: { access: "public" },
      schema: { response: { 200: durationsAnswer } },
    },
    () => findDurations(app.db, app.config.demo),
  );
  http.get(
    "/api/products",
    { summary: "Ses produits", config: seller, schema: { response: { 200: productsAnswer } } },
    (request) => productsOf(app, callerOf(request).personId),
  );
  http.get(
    "/api/products/seller/:id",
    {
      summary: "Ses produits, par son identifiant",
      config: seller,
      schema: { params: productParams, response: { 200: productsAnswer } },
    },
    async (request, reply) => {
      const { personId } = callerOf(request);
      if (request.params.id === personId) return productsOf(app, personId);
      return answerCommon(reply, { kind: "request.not-yours" });
    },
  );
  http.get(
    "/api/products/:id",
    {
      summary: "Un de ses produits",
      config: seller,
      schema: { params: productParams, response: { 200: productAnswer } },
    },
    async (request, reply) => {
      const found = await productOf(app, callerOf(request).personId, request.params.id);
      if (!found.ok) return answerRefusal(reply, found.refusal, catalogueRefusals);
      return { success: true as const, product: found.value };
    },
  );
  http.get(
    "/api/products/:id/members",
    {
      summary: "Combien de membres ont encore accès, avant d'archiver",
      config: seller,
      schema: { params: productParams, response: { 200: productMembersAnswer } },
    },
    async (request, reply) => {
      const counted = await membersOf(app, callerOf(request).personId, request.params.id);
      if (!counted.ok) return answerRefusal(reply, counted.refusal, catalogueRefusals);
      return { success: true as const, members: counted.value };
    },
  );
}

const ADD_ROUTE = "POST /api/products";

function registerWrites(app: App, http: HttpServer): void {
  http.post(
    "/api/products",
    {
      summary: "Publier un produit",
      form: productForm,
      config: { ...seller, idempotent: true },
      schema: { consumes: ["multipart/form-data"], response: { 201: productAnswer } },
    },
    async (request, reply) => {
      const sellerId = callerOf(request).personId;
      const key = readIdempotencyKey(request);
      const form = await readProductForm(request);
      if (!form || key.kind === "malformed") {
        return answerCommon(reply, { kind: "request.malformed" });
      }
      const call: IdempotentCall | null =
        key.kind === "none"
          ? null
          : { personId: sellerId, route: ADD_ROUTE, key: key.key, content: contentOf(form) };
      const added = await addProduct(app, { sellerId, form, call });
      if (!added.ok) return answerRefusal(reply, added.refusal, catalogueRefusals);
      switch (added.value.kind) {
        case "added":
          return reply.code(201).send({ success: true, product: added.value.product });
        case "repeated":
          return reply.code(201).send(productAnswer.parse(added.value.remembered.answer));
        case "key-reused":
          return answerCommon(reply, { kind: "request.key-reused" });
      }
    },
  );
  http.put(
    "/api/products/:id",
    {
      summary: "Modifier un produit, l'activer ou le désactiver",
      form: productForm,
      config: seller,
      schema: {
        consumes: ["multipart/form-data", "application/json"],
        params: productParams,
        response: { 200: productAnswer },
      },
    },
    async (request, reply) => {
      const sellerId = callerOf(request).personId;
      const form = await readProductForm(request);
      if (!form) return answerCommon(reply, { kind: "request.malformed" });
      const edited = await editProduct(app, { sellerId, productId: request.params.id, form });
      if (!edited.ok) return answerRefusal(reply, edited.refusal, catalogueRefusals);
      return { success: true as const, product: edited.value };
    },
  );
  http.delete(
    "/api/products/:id",
    {
      summary: "Archiver un produit : les accès en cours vont à leur terme",
      config: seller,
      schema: { params: productParams, response: { 200: productArchivedAnswer } },
    },
    async (request, reply) => {
      const archived = await archive(app, callerOf(request).personId, request.params.id);
      if (!archived.ok) return answerRefusal(reply, archived.refusal, catalogueRefusals);
      return { success: true as const, members: archived.value };
    },
  );
}

/** The seller's shop, and what he told the assistant « Soni ». */
function registerShop(app: App, http: HttpServer): void {
  http.get(
    "/api/shop",
    {
      summary:
        "La boutique publique du vendeur : ses deux liens, et combien de produits s'y vendent",
      config: seller,
      schema: { response: { 200: shopAnswer } },
    },
    (request) => shopOf(app, callerOf(request).personId),
  );
  http.get(
    "/api/soni",
    {
      summary: "Ce que le vendeur a répondu à l'assistant Soni",
      config: seller,
      schema: { response: { 200: offerAnswersAnswer } },
    },
    async (request) => ({
      success: true as const,
      answers: await readOfferAnswers(app.db, callerOf(request).personId),
    }),
  );
  // Repeating it changes nothing: no key is needed.
  http.put(
    "/api/soni",
    {
      summary: "Garder une ou plusieurs réponses à l'assistant ; null en retire une",
      config: seller,
      schema: { body: offerAnswersBody, response: { 200: offerAnswersAnswer } },
    },
    async (request) => {
      const { personId: sellerId } = callerOf(request);
      const told = { sellerId, answers: request.body, now: app.clock.now() };
      return { success: true as const, answers: await keepOfferAnswers(app.db, told) };
    },
  );
}
