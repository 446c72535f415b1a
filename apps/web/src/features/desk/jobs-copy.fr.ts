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
