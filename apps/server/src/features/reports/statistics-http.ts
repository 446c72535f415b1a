import { plansRefusals } from "@sesame/contract/plans";
import {
  calendarAnswer,
  calendarDayAnswer,
  calendarDayQuery,
  calendarQuery,
  statisticsAnswer,
  statisticsQuery,
} from "@sesame/contract/reports";
import { answerRefusal } from "../../http/answers.ts";
import { callerOf, type HttpServer } from "../../http/server.ts";
import type { Reports } from "./index.ts";

const seller = { access: "seller" } as const;

export function registerStatisticsHttp(app: HttpServer, reports: Reports): void {
  app.get(
    "/api/statistics",
    {
      summary:
        "Les chiffres d'une période : revenus, ventes, membres, produits, clients ; avec le plan Premium : revenu récurrent, renouvellements, attrition, cohortes",
      config: seller,
      schema: { querystring: statisticsQuery, response: { 200: statisticsAnswer } },
    },
    (request) => reports.statisticsOf(callerOf(request).personId, request.query.periode ?? "week"),
  );
  app.get(
    "/api/statistics/export",
    {
      summary: "La même période en CSV, par jour ou par mois et par produit (plan Premium)",
      config: seller,
      schema: { querystring: statisticsQuery },
    },
    async (request, reply) => {
      const period = request.query.periode ?? "week";
      const csv = await reports.exportOf(callerOf(request).personId, period);
      if (!csv.ok) return answerRefusal(reply, csv.refusal, plansRefusals);
      return reply
        .header("cache-control", "no-store")
        .header("content-disposition", `attachment; filename="statistiques-${period}.csv"`)
        .type("text/csv; charset=utf-8")
        .send(csv.value);
    },
  );
  app.get(
    "/api/calendar",
    {
      summary: "Un mois : combien d'expirations, de renouvellements et de retraits par jour",
      config: seller,
      schema: { querystring: calendarQuery, response: { 200: calendarAnswer } },
    },
    (request) => reports.calendarOf(callerOf(request).personId, request.query.mois),
  );
  app.get(
    "/api/calendar/day",
    {
      summary: "Un jour : les accès qui expirent, les renouvellements et les retraits",
      config: seller,
      schema: { querystring: calendarDayQuery, response: { 200: calendarDayAnswer } },
    },
    (request) => reports.calendarDayOf(callerOf(request).personId, request.query.jour),
  );
}
