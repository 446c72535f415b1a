import { plansRefusals } from "@sesame/contract/plans";
import {
  calendarAnswer,
  calendarDayAnswer,
  calendarDayQuery,
  calendarQuery,
  statisticsAnswer,
  statisticsQuery,
  subscriptionsAnswer,
  subscriptionsQuery,
  transactionsAnswer,
  transactionsQuery,
} from "@sesame/contract/reports";
import type { App } from "../../app.ts";
import { answerCommon, answerRefusal } from "../../http/answers.ts";
import { callerOf, type HttpServer } from "../../http/server.ts";
import { readCalendar, readCalendarDay } from "./calendar.ts";
import { readHistoryCursor } from "./history-filter.ts";
import { transactionsOf } from "./history.ts";
import { exportStatistics, statisticsOf } from "./read-statistics.ts";
import { askedBy } from "./rollups.store.ts";
import { subscriptionsOf } from "./subscriptions.ts";

const PAGE = 30;
const seller = { access: "seller" } as const;

export function registerReportsHttp(app: App, http: HttpServer): void {
  registerStatistics(app, http);
  http.get(
    "/api/transactions",
    {
      summary: "L'historique, par pages : les ventes, ou avec `type` les retraits et les retours",
      config: seller,
      schema: { querystring: transactionsQuery, response: { 200: transactionsAnswer } },
    },
    async (request, reply) => {
      const { query } = request;
      const position = readHistoryCursor(query.cursor);
      if (position === "malformed") return answerCommon(reply, { kind: "request.malformed" });
      return transactionsOf(app, callerOf(request).personId, { query, position });
    },
  );
  http.get(
    "/api/subscriptions",
    {
      summary: "Les abonnements vendus, par pages",
      config: seller,
      schema: { querystring: subscriptionsQuery, response: { 200: subscriptionsAnswer } },
    },
    async (request, reply) => {
      const before = readCursor(request.query.cursor);
      if (before === "malformed") return answerCommon(reply, { kind: "request.malformed" });
      return subscriptionsOf(app.db, callerOf(request).personId, {
        before,
        limit: request.query.limit ?? PAGE,
        productId: request.query.product ?? null,
      });
    },
  );
}

function registerStatistics(app: App, http: HttpServer): void {
  http.get(
    "/api/statistics",
    {
      summary:
        "Les chiffres d'une période : revenus, ventes, membres, produits, clients ; avec le plan Premium : revenu récurrent, renouvellements, attrition, cohortes",
      config: seller,
      schema: { querystring: statisticsQuery, response: { 200: statisticsAnswer } },
    },
    (request) => statisticsOf(app, callerOf(request).personId, request.query.periode ?? "week"),
  );
  http.get(
    "/api/statistics/export",
    {
      summary: "La même période en CSV, par jour ou par mois et par produit (plan Premium)",
      config: seller,
      schema: { querystring: statisticsQuery },
    },
    async (request, reply) => {
      const period = request.query.periode ?? "week";
      const csv = await exportStatistics(app, callerOf(request).personId, period);
      if (!csv.ok) return answerRefusal(reply, csv.refusal, plansRefusals);
      return reply
        .header("cache-control", "no-store")
        .header("content-disposition", `attachment; filename="statistiques-${period}.csv"`)
        .type("text/csv; charset=utf-8")
        .send(csv.value);
    },
  );
  http.get(
    "/api/calendar",
    {
      summary: "Un mois : combien d'expirations, de renouvellements et de retraits par jour",
      config: seller,
      schema: { querystring: calendarQuery, response: { 200: calendarAnswer } },
    },
    (request) => readCalendar(app.db, askedBy(app, callerOf(request).personId), request.query.mois),
  );
  http.get(
    "/api/calendar/day",
    {
      summary: "Un jour : les accès qui expirent, les renouvellements et les retraits",
      config: seller,
      schema: { querystring: calendarDayQuery, response: { 200: calendarDayAnswer } },
    },
    (request) =>
      readCalendarDay(app.db, askedBy(app, callerOf(request).personId), request.query.jour),
  );
}

/** A cursor is the id of the last row shown. */
function readCursor(cursor: string | undefined): bigint | null | "malformed" {
  if (cursor === undefined || cursor === "") return null;
  return /^\d{1,18}$/.test(cursor) ? BigInt(cursor) : "malformed";
}
