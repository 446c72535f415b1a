import { z } from "zod";
import { route } from "../common/route.ts";
import { cursorQuery, idOnWire } from "../common/wire.ts";
import { dayOnWire } from "../common/wire.ts";
import { plansRefusals } from "../plans/refusals.fr.ts";
import { calendarAnswer, calendarDayAnswer } from "./calendar-wire.ts";
import { STATISTICS_PERIODS, statisticsAnswer } from "./statistics-wire.ts";
import { subscriptionsAnswer, transactionsAnswer, transactionsQuery } from "./wire.ts";

/** The week when absent. */
const statisticsQuery = z.object({ periode: z.enum(STATISTICS_PERIODS).optional() });

export const readStatistics = route("GET /api/statistics", {
  summary:
    "Les chiffres d'une période : revenus, ventes, membres, produits, clients ; avec le plan Premium : revenu récurrent, renouvellements, attrition, cohortes",
  access: "seller",
  owns: null,
  query: statisticsQuery,
  answer: statisticsAnswer,
  example: {},
});

export const exportStatistics = route("GET /api/statistics/export", {
  summary: "La même période en CSV, par jour ou par mois et par produit (plan Premium)",
  access: "seller",
  owns: null,
  query: statisticsQuery,
  answer: null,
  refusals: plansRefusals,
  example: {},
});

export const listCalendarDays = route("GET /api/calendar", {
  summary: "Un mois : combien d'expirations, de renouvellements et de retraits par jour",
  access: "seller",
  owns: null,
  query: z.object({
    /** In the instance's zone; without it the month it is there. */
    mois: z
      .string()
      .regex(/^20\d\d-(0[1-9]|1[0-2])$/)
      .optional(),
  }),
  answer: calendarAnswer,
  example: { query: { mois: "2026-11" } },
});

export const listCalendarEvents = route("GET /api/calendar/day", {
  summary: "Un jour : les accès qui expirent, les renouvellements et les retraits",
  access: "seller",
  owns: null,
  query: z.object({ jour: dayOnWire }),
  answer: calendarDayAnswer,
  example: { query: { jour: "2026-11-16" } },
});

export const listTransactions = route("GET /api/transactions", {
  summary: "L'historique, par pages : les ventes, ou avec `type` les retraits et les retours",
  access: "seller",
  owns: null,
  query: transactionsQuery,
  answer: transactionsAnswer,
  example: {},
});

export const listSubscriptions = route("GET /api/subscriptions", {
  summary: "Les abonnements vendus, par pages",
  access: "seller",
  owns: null,
  query: cursorQuery.extend({
    product: idOnWire.optional(),
    limit: z.coerce.number().int().min(1).max(100).optional(),
  }),
  answer: subscriptionsAnswer,
  example: {},
});
