import type { CallText } from "../http/openapi.ts";

const plans = "Offres";
const aggregators = "Agrégateurs du vendeur";

export const PLANS_TAGS = [aggregators] as const;

/** What each call is for, in the words of its chapter. */
export const PLANS_CALLS: Readonly<Record<string, CallText>> = {
  "GET /api/plans": {
    tag: plans,
    summary: "Les deux offres, leur comparaison, leurs prix et leurs frais",
  },
  "GET /api/users/:id/abonnement": {
    tag: plans,
    summary: "Le plan du vendeur, sa fin, et ses achats du plan Premium",
  },
  "PUT /api/groups/quota": {
    tag: plans,
    summary: "Choisir les groupes qui vendent sous le plan gratuit, dans l'ordre",
  },
  "GET /api/payment-aggregators": {
    tag: aggregators,
    summary: "Les agrégateurs, et les clés que chacun demande",
  },
  "GET /api/user-aggregators/:userId": {
    tag: aggregators,
    summary: "Les moyens de paiement du vendeur ; ses clés y sont masquées",
  },
  "PUT /api/user-aggregators/:userId/:key": {
    tag: aggregators,
    summary: "Activer ou désactiver un moyen ; donner ses propres clés, vérifiées par un appel",
  },
  "DELETE /api/user-aggregators/:userId/:key": {
    tag: aggregators,
    summary: "Retirer ses propres clés",
  },
  "POST /api/user-aggregators/:userId/:key/trial": {
    tag: aggregators,
    summary: "Essayer ses propres clés par un paiement de 100 FCFA",
  },
};
