import type { CallText } from "../http/openapi.ts";

const tag = "Statistiques et calendrier";

export const STATISTICS_TAGS = [tag] as const;

/** What each call is for, in the words of its chapter. */
export const STATISTICS_CALLS: Readonly<Record<string, CallText>> = {
  "GET /api/statistics": {
    tag,
    summary:
      "Les chiffres d'une période : revenus, ventes, membres, produits, clients ; avec le plan Premium : revenu récurrent, renouvellements, attrition, cohortes",
  },
  "GET /api/statistics/export": {
    tag,
    summary: "La même période en CSV, par jour ou par mois et par produit (plan Premium)",
  },
  "GET /api/calendar": {
    tag,
    summary: "Un mois : combien d'expirations, de renouvellements et de retraits par jour",
  },
  "GET /api/calendar/day": {
    tag,
    summary: "Un jour : les accès qui expirent, les renouvellements et les retraits",
  },
};
