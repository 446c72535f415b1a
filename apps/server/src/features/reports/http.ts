import {
  subscriptionsAnswer,
  subscriptionsQuery,
  transactionsAnswer,
  transactionsQuery,
} from "@sesame/contract/reports";
import { answerCommon } from "../../http/answers.ts";
import { callerOf, type HttpServer } from "../../http/server.ts";
import { readHistoryCursor } from "./history-cursor.ts";
import type { Reports } from "./index.ts";
import { registerStatisticsHttp } from "./statistics-http.ts";

const PAGE = 30;

export function registerReportsHttp(app: HttpServer, deps: { readonly reports: Reports }): void {
  registerStatisticsHttp(app, deps.reports);
  app.get(
    "/api/transactions",
    {
      summary: "L'historique, par pages : les ventes, ou avec `type` les retraits et les retours",
      config: { access: "seller" },
      schema: { querystring: transactionsQuery, response: { 200: transactionsAnswer } },
    },
    async (request, reply) => {
      const { query } = request;
      const position = readHistoryCursor(query.cursor);
      if (position === "malformed") return answerCommon(reply, { kind: "request.malformed" });
      return deps.reports.transactionsOf(callerOf(request).personId, { query, position });
    },
  );
  app.get(
    "/api/subscriptions",
    {
      summary: "Les abonnements vendus, par pages",
      config: { access: "seller" },
      schema: { querystring: subscriptionsQuery, response: { 200: subscriptionsAnswer } },
    },
    async (request, reply) => {
      const before = readCursor(request.query.cursor);
      if (before === "malformed") return answerCommon(reply, { kind: "request.malformed" });
      return deps.reports.subscriptionsOf(callerOf(request).personId, {
        before,
        limit: request.query.limit ?? PAGE,
        productId: request.query.product ?? null,
      });
    },
  );
}

/** A cursor is the id of the last row shown. */
function readCursor(cursor: string | undefined): bigint | null | "malformed" {
  if (cursor === undefined || cursor === "") return null;
  return /^\d{1,18}$/.test(cursor) ? BigInt(cursor) : "malformed";
}
