import { commonRefusals, idInPath } from "@sesame/contract";
import { catalogueRefusals } from "@sesame/contract/catalogue";
import {
  apiAccesses,
  apiAccessesQuery,
  apiOrder,
  apiOrders,
  apiOrdersQuery,
  apiProduct,
  apiProductChange,
  apiProducts,
  apiStatistics,
  apiStatisticsQuery,
  type KeyScope,
  pageQuery,
} from "@sesame/contract/developers";
import { z } from "zod";
import type { App } from "../../app.ts";
import { answerCommon, answerRefusal } from "../../http/answers.ts";
import { callerOf, type HttpServer } from "../../http/server.ts";
import { editProduct, productOf, productsPage } from "../catalogue/index.ts";
import { statisticsOf } from "../reports/index.ts";
import { accessToApi, orderToApi, productToApi, statisticsToApi } from "./api-on-wire.ts";
import { type Page, viewAccesses, viewOrder, viewOrders } from "./api.view.ts";

const params = z.object({ id: idInPath });
const sentences = { ...catalogueRefusals, ...commonRefusals };
const NOT_FOUND = { kind: "request.not-yours" } as const;

const byKey = (scope: KeyScope) => ({ access: "key", scope }) as const;

/** The developer API: what a seller's own programs read, by key. */
export function registerApiHttp(app: App, http: HttpServer): void {
  registerProducts(app, http);
  registerOrders(app, http);
  registerStatistics(app, http);
  http.get(
    "/api/v1/accesses",
    {
      summary: "Les accès à vos groupes et canaux, par pages (droit accesses:read)",
      config: byKey("accesses:read"),
      schema: { querystring: apiAccessesQuery, response: { 200: apiAccesses } },
    },
    async (request) => {
      const { status = null, group_id: groupId } = request.query;
      const filter = { status, groupId: groupId === undefined ? null : BigInt(groupId) };
      const page = readPage(request.query);
      const { personId } = callerOf(request);
      const rows = await viewAccesses(app.db, personId, { ...page.asked, filter });
      return page.answer(rows, accessToApi);
    },
  );
}

function registerStatistics(app: App, http: HttpServer): void {
  http.get(
    "/api/v1/statistics",
    {
      summary: "Vos chiffres d'une semaine, d'un mois ou d'une année (droit statistics:read)",
      config: byKey("statistics:read"),
      schema: { querystring: apiStatisticsQuery, response: { 200: apiStatistics } },
    },
    async (request) => {
      const { period } = request.query;
      return statisticsToApi(await statisticsOf(app, callerOf(request).personId, period));
    },
  );
}

function registerProducts(app: App, http: HttpServer): void {
  http.get(
    "/api/v1/products",
    {
      summary: "Vos produits, par pages (droit products:read)",
      config: byKey("products:read"),
      schema: { querystring: pageQuery, response: { 200: apiProducts } },
    },
    async (request) => {
      const page = readPage(request.query);
      const rows = await productsPage(app, callerOf(request).personId, page.asked);
      return page.answer(rows, productToApi);
    },
  );
  http.get(
    "/api/v1/products/:id",
    {
      summary: "Un de vos produits (droit products:read)",
      config: byKey("products:read"),
      schema: { params, response: { 200: apiProduct } },
    },
    async (request, reply) => {
      const found = await productOf(app, callerOf(request).personId, request.params.id);
      if (!found.ok) return answerRefusal(reply, found.refusal, sentences);
      return productToApi(found.value);
    },
  );
  http.patch(
    "/api/v1/products/:id",
    {
      summary: "Activer ou désactiver un produit (droit products:write)",
      config: byKey("products:write"),
      schema: { params, body: apiProductChange.optional(), response: { 200: apiProduct } },
    },
    async (request, reply) => {
      const { status } = request.body ?? {};
      const known = status === "active" || status === "inactive";
      const { personId: sellerId } = callerOf(request);
      const productId = request.params.id;
      // About another's product, even a wrong body tells nothing.
      const found = await productOf(app, sellerId, productId);
      if (!found.ok) return answerRefusal(reply, found.refusal, sentences);
      if (!known) return answerCommon(reply, { kind: "request.malformed" });
      const form = { fields: { status }, image: null };
      const edited = await editProduct(app, { sellerId, productId, form });
      if (!edited.ok) return answerRefusal(reply, edited.refusal, sentences);
      return productToApi(edited.value);
    },
  );
}

function registerOrders(app: App, http: HttpServer): void {
  http.get(
    "/api/v1/orders",
    {
      summary: "Vos commandes, par pages (droit orders:read)",
      config: byKey("orders:read"),
      schema: { querystring: apiOrdersQuery, response: { 200: apiOrders } },
    },
    async (request) => {
      const { status = null, product_id: productId } = request.query;
      const filter = { status, productId: productId === undefined ? null : BigInt(productId) };
      const page = readPage(request.query);
      const { personId } = callerOf(request);
      const rows = await viewOrders(app.db, personId, { ...page.asked, filter });
      return page.answer(rows, orderToApi);
    },
  );
  http.get(
    "/api/v1/orders/:id",
    {
      summary: "Une de vos commandes (droit orders:read)",
      config: byKey("orders:read"),
      schema: { params, response: { 200: apiOrder } },
    },
    async (request, reply) => {
      const row = await viewOrder(app.db, callerOf(request).personId, request.params.id);
      return row ? orderToApi(row) : answerRefusal(reply, NOT_FOUND, sentences);
    },
  );
}

type PageAsked = { readonly cursor?: string | undefined; readonly limit: number };

/** One row more than asked for says that more follow; the last one shown is the next cursor. */
function readPage({ cursor = "", limit }: PageAsked) {
  const asked: Page = { before: cursor === "" ? null : BigInt(cursor), limit: limit + 1 };
  return {
    asked,
    answer<Row extends { readonly id: bigint | string }, T>(
      rows: readonly Row[],
      write: (row: Row) => T,
    ): { data: T[]; next_cursor: string | null } {
      const shown = rows.slice(0, limit);
      const next = rows.length > limit ? String(shown.at(-1)?.id) : null;
      return { data: shown.map(write), next_cursor: next };
    },
  };
}
