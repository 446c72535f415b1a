import type { AdvancedOnWire, StatisticsAnswer } from "@sesame/contract/reports";
import { exampleTransaction } from "./wire-examples.ts";
import { example } from "./example.ts";

const DAYS = ["19", "20", "21", "22", "23", "24", "25"].map((day) => `2026-11-${day}`);

export const exampleAdvanced: AdvancedOnWire = {
  mrr: { valeur: 42_000, precedent: 40_000, evolution: 5 },
  abonnes: 9,
  echeances: 4,
  renouveles: 3,
  taux_renouvellement: 75,
  perdus: 1,
  servis: 10,
  taux_attrition: 10,
  cohortes: [
    { mois: "2026-10-01", clients: 8, restes: [] },
    { mois: "2026-09-01", clients: 4, restes: [{ mois: "2026-10-01", clients: 3, part: 75 }] },
  ],
};

export const exampleStatistics = example<StatisticsAnswer>({
  success: true,
  periode: "week",
  du: "2026-11-19",
  au: "2026-11-25",
  net: { valeur: 9_020, precedent: 4_510, evolution: 100 },
  brut: { valeur: 11_000, precedent: 5_500, evolution: 100 },
  ventes: { valeur: 3, precedent: 6, evolution: -50 },
  frais: 1_980,
  direct: 0,
  nouvelles: 2,
  renouvellements: 1,
  membres: 12,
  barres: DAYS.map((debut, index) => ({
    debut,
    net: index === 6 ? 4_920 : index === 2 ? 4_100 : 0,
    brut: index === 6 ? 6_000 : index === 2 ? 5_000 : 0,
    ventes: index === 6 ? 2 : index === 2 ? 1 : 0,
  })),
  produits: [
    { id: "3", titre: "VIP mensuel", ventes: 2, net: 8_200, part: 91 },
    { id: "4", titre: "Essai", ventes: 1, net: 820, part: 9 },
  ],
  autres_produits: null,
  clients: [{ id: "9", nom: "Zoé N'Guessan", achats: 2, montant: 10_000 }],
  dernieres: [exampleTransaction({ id: "45" })],
  avancees: null,
});
