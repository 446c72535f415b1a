// Separate: loaded with alerts alone, in their list or on the page of a seller.

export const alertsCopy = {
  open: "Ouvertes",
  differences: "Écarts",
  everyKind: "Toutes",
  noneTitle: "Aucune alerte ouverte",
  noneText: "Ce qui demande un regard, un paiement non conforme, un envoi incertain, apparaît ici.",
  noneResolved: "Aucune alerte close",
  kindHeading: "Ce qui demande un regard",
  reconciliation: {
    text: "Chaque paiement et chaque envoi, comparés à ce qu'en dit le prestataire.",
    none: "Aucun écart",
    noneText: "Les listes des prestataires et les nôtres disent la même chose.",
    run: "Comparer maintenant",
    what: { payouts: "envois", payments: "paiements reçus" },
    ours: "Chez nous",
    absent: "absent",
    seen: (first: string, last: string) => `Vu le ${first}, encore le ${last}`,
    runs: "Dernières comparaisons",
    notYet: "Aucune comparaison encore",
    size: "Taille",
    list: "Liste",
    compared: (count: number) => `${count} comparé${count > 1 ? "s" : ""}`,
    found: (count: number) =>
      count === 0 ? "aucun écart" : `${count} écart${count > 1 ? "s" : ""}`,
    noList: "sans liste : chacun des nôtres est demandé",
    stopped: "interrompue",
    running: "en cours",
  },
} as const;

export const jobsCopy = {
  title: "Tâches",
  text: "Ce que Sésame n'essaie plus de lui-même : refusé, en erreur, ou resté trop longtemps sans réponse.",
  none: "Aucune tâche en attente de vous",
  noneText: "Tout ce qui devait être fait l'est, ou sera encore essayé.",
  counts: (failed: number, expired: number) =>
    [
      failed > 0 ? `${failed} échouée${failed > 1 ? "s" : ""}` : null,
      expired > 0 ? `${expired} expirée${expired > 1 ? "s" : ""}` : null,
    ]
      .filter(Boolean)
      .join(" · "),
  oldest: (day: string) => `La plus ancienne : ${day}`,
  retryTopic: "Relancer ces tâches",
  retryAll: "Tout relancer",
  retryOne: "Relancer",
  each: "Une par une",
  failed: "échouée",
  expired: "expirée",
  about: (ref: string, day: string) => `n° ${ref} · ${day}`,
  tried: (attempts: number, outages: number) =>
    `${attempts} essai${attempts > 1 ? "s" : ""}, ${outages} fois sans réponse`,
} as const;

export const ALERT_WORDS = {
  resolve: "Clore l'alerte",
  resolveTitle: "Clore cette alerte ?",
  resolveText: "Dites ce qui a été fait : le journal le garde.",
  resolved: "Alerte close",
  closedBy: (name: string, day: string) => `Close par ${name} le ${day}`,
  endedOn: (day: string) => `Terminée d'elle-même le ${day}`,
  severity: { critical: "Critique", warning: "À vérifier", info: "Pour information" },
} as const;
