import { idInPath } from "@sesame/contract";
import {
  catalogueRefusals,
  durationsAnswer,
  productAnswer,
  productArchivedAnswer,
  productForm,
  productMembersAnswer,
  productsAnswer,
} from "@sesame/contract/catalogue";
import { z } from "zod";
import { answerCommon, answerRefusal } from "../../http/answers.ts";
import type { IdempotentCall } from "../../http/idempotency.store.ts";
import { readIdempotencyKey } from "../../http/idempotency-key.ts";
import { callerOf, type HttpServer } from "../../http/server.ts";
import type { Catalogue } from "./index.ts";
import { registerPublicHttp } from "./public-http.ts";
import { contentOf, readProductForm } from "./read-form.ts";
import { registerShopHttp } from "./shop-http.ts";
import type { Principal } from "../../http/principal.ts";

export type CatalogueHttpDeps = {
  readonly catalogue: Catalogue;
  readonly authenticate: (token: string) => Promise<Principal | null>;
};

const productParams = z.object({ id: idInPath });
const seller = { access: "seller" } as const;

export function registerCatalogueHttp(app: HttpServer, deps: CatalogueHttpDeps): void {
  registerPublicHttp(app, deps);
  registerReads(app, deps.catalogue);
  registerWrites(app, deps.catalogue);
  registerShopHttp(app, deps.catalogue);
}

function registerReads(app: HttpServer, catalogue: Catalogue): void {
  app.get(
    "/api/config/subscription_durations",
    {
      summary: "Les durées proposées",
      config: { access: "public" },
      schema: { response: { 200: durationsAnswer } },
    },
    () => catalogue.durations(),
  );
  app.get(
    "/api/products",
    { summary: "Ses produits", config: seller, schema: { response: { 200: productsAnswer } } },
    (request) => catalogue.productsOf(callerOf(request).personId),
  );
  app.get(
    "/api/products/seller/:id",
    {
      summary: "Ses produits, par son identifiant",
      config: seller,
      schema: { params: productParams, response: { 200: productsAnswer } },
    },
    async (request, reply) => {
      const { personId } = callerOf(request);
      if (request.params.id === personId) return catalogue.productsOf(personId);
      return answerCommon(reply, { kind: "request.not-yours" });
    },
  );
  app.get(
    "/api/products/:id",
    {
      summary: "Un de ses produits",
      config: seller,
      schema: { params: productParams, response: { 200: productAnswer } },
    },
    async (request, reply) => {
      const found = await catalogue.productOf(callerOf(request).personId, request.params.id);
      if (!found.ok) return answerRefusal(reply, found.refusal, catalogueRefusals);
      return { success: true as const, product: found.value };
    },
  );
  app.get(
    "/api/products/:id/members",
    {
      summary: "Combien de membres ont encore accès, avant d'archiver",
      config: seller,
      schema: { params: productParams, response: { 200: productMembersAnswer } },
    },
    async (request, reply) => {
      const counted = await catalogue.membersOf(callerOf(request).personId, request.params.id);
      if (!counted.ok) return answerRefusal(reply, counted.refusal, catalogueRefusals);
      return { success: true as const, members: counted.value };
    },
  );
}

const ADD_ROUTE = "POST /api/products";

function registerWrites(app: HttpServer, catalogue: Catalogue): void {
  app.post(
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
      const added = await catalogue.add({ sellerId, form, call });
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
  app.put(
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
      const edited = await catalogue.edit({ sellerId, productId: request.params.id, form });
      if (!edited.ok) return answerRefusal(reply, edited.refusal, catalogueRefusals);
      return { success: true as const, product: edited.value };
    },
  );
  app.delete(
    "/api/products/:id",
    {
      summary: "Archiver un produit : les accès en cours vont à leur terme",
      config: seller,
      schema: { params: productParams, response: { 200: productArchivedAnswer } },
    },
    async (request, reply) => {
      const archived = await catalogue.archive(callerOf(request).personId, request.params.id);
      if (!archived.ok) return answerRefusal(reply, archived.refusal, catalogueRefusals);
      return { success: true as const, members: archived.value };
    },
  );
}
