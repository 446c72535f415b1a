import { RETRY } from "../lib/request-messages.fr.ts";

/** Words of the kit, for sellers and the back office. */
export const kitCopy = {
  loading: "Chargement…",
  retry: RETRY,
  failed: "Les données n'ont pas pu être chargées",
  more: "Voir la suite",
  offline: "Sans connexion, rien ne peut être créé ni modifié ici.",
  refresh: "Actualiser",
  old: (when: string) => `hors ligne, données du ${when}`,
  notRenewed: (when: string) => `La mise à jour a échoué, données du ${when}`,
  cancel: "Annuler",
  copied: "Copié",
  copyFailed: "La copie est refusée ici : sélectionnez le texte.",
  characters: (count: number, max: number) => `${count} caractères sur ${max}`,
  unchanged: "Rien n'a changé",
  nowhere: "Rien ne se trouve à cette adresse.",
  /** Names of fields, in lower case; « WhatsApp » stays as it is written. */
  missing: (names: readonly string[]) =>
    `Il manque : ${names.map((name) => name.replace(/^.(?!\w*[A-Z])/, (first) => first.toLowerCase())).join(", ")}`,
  wrong: (name: string, hint: string) => `${name} : ${hint}`,
  tooLong: (max: number) => `${max} caractères au plus`,
  whole: "un nombre entier, sans point ni virgule",
  franc: "FCFA",
  waiting: "En attente du réseau. «\u00a0Annuler\u00a0» la retire : rien ne partira.",
  views: "État",
  faq: {
    loading: "Chargement des questions",
    failed: "Les questions n'ont pas pu être chargées.",
  },
  exportCsv: "Exporter (CSV)",
  exportFailed: "L'export n'a pas pu être préparé",
} as const;
