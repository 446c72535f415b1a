export const developerCopy = {
  title: (name: string) => `Le programme d'un développeur : ${name}`,
  intro: "Cette adresse reçoit les événements de la boutique et vérifie leur signature :",
  secret: "Secret (whsec_…) montré à la création de l'adresse",
  save: "Vérifier avec ce secret",
  known: "Un secret est enregistré : chaque signature est vérifiée.",
  none: "Rien n'est encore arrivé.",
  refused: "signature refusée",
  checked: {
    good: "signature juste",
    "no-headers": "sans en-têtes",
    "too-old": "trop ancien",
    wrong: "signature fausse",
  },
  unchecked: "signature non vérifiée",
} as const;
