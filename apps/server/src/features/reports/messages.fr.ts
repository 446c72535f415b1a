/** The first line of the export. */
export const EXPORT_COLUMNS = [
  "Date",
  "Produit",
  "Ventes",
  "Dont renouvellements",
  "Revenu brut (FCFA)",
  "Frais (FCFA)",
  "Revenu net (FCFA)",
  "Dont encaissé directement (FCFA)",
] as const;
