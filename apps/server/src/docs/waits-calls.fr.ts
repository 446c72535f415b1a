import type { CallText } from "../http/openapi.ts";

const tag = "Liste d'attente";

export const WAITS_TAGS = [tag] as const;

/** What each call is for, in the words of its chapter. */
export const WAITS_CALLS: Readonly<Record<string, CallText>> = {
  "GET /api/waits/:reference": {
    tag,
    summary:
      "Où l'on en est : ni inscrit, en attente à tel rang, ou une place gardée jusqu'à telle heure",
  },
  "POST /api/waits/:reference": {
    tag,
    summary:
      "Demander à être prévenu quand une place se libère ; le redemander ne change rien à son rang",
  },
  "DELETE /api/waits/:reference": {
    tag,
    summary: "Ne plus attendre : la place qui était gardée passe à la personne suivante",
  },
};
