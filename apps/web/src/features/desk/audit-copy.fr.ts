import type { DeskAuditRowOnWire } from "@sesame/contract/desk";

export const auditCopy = {
  title: "Journal d'audit",
  subtitle: "Ajouté à la suite, chaque ligne scellée à la précédente : rien ne s'y efface.",
  whole: (count: string) => `Chaîne intacte · ${count} lignes`,
  broken: "La chaîne est rompue",
  unchecked: "Chaîne pas encore vérifiée",
  checkedAt: (day: string) => `Vérifiée le ${day}`,
  problem: (subject: string, expected: string, found: string) =>
    `${subject} : attendu ${expected}, trouvé ${found}`,
  verify: "Vérifier maintenant",
  verified: "Toute la chaîne a été relue",
  filter: "Sujet, par exemple withdrawal:45",
  none: "Aucune ligne",
  noneText: "Chaque acte du bureau laissera ici sa trace.",
  roles: {
    buyer: "acheteur",
    seller: "vendeur",
    agent: "agent",
    operator: "opérateur",
    system: "système",
  } satisfies Record<DeskAuditRowOnWire["role"], string>,
  system: "Le système",
  seal: "Sceau",
  nothing: "Sans valeur avant ni après.",
  exportTitle: "Exporter",
  from: "Du",
  to: "Au",
} as const;
