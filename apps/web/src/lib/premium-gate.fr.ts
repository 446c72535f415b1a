import type { Capability } from "@sesame/contract/plans";

export const premiumGateCopy = {
  title: "Fonctionnalité Premium",
  text: {
    "unlimited-groups":
      "Le plan Premium vend l'accès à autant de groupes et de canaux que vous voulez.",
    "instant-withdrawals": "Le plan Premium permet de retirer votre solde à tout moment.",
    "advanced-statistics": "Les statistiques avancées font partie du plan Premium.",
    "priority-support": "Avec le plan Premium, le support vous répond en priorité.",
    "developer-api": "L'API développeur fait partie du plan Premium.",
    "custom-configuration": "La configuration personnalisée fait partie du plan Premium.",
    "own-aggregators":
      "Avec le plan Premium, vous encaissez directement sur vos propres comptes, par vos propres clés.",
  } satisfies Record<Capability, string>,
  open: "Voir les plans",
  later: "Plus tard",
  badge: "Premium",
} as const;
