import { sayAction } from "./queue-words.fr.ts";

const ACTIONS: Readonly<Record<string, string>> = {
  "alert.resolve": "Alerte close",
  "settings.change": "Réglage modifié",
  "durations.add": "Durée ajoutée",
  "durations.edit": "Durée modifiée",
  "seller.suspend": "Vendeur suspendu",
  "seller.resume": "Suspension du vendeur levée",
  "seller.close": "Compte fermé par le vendeur",
  "seller.reopen": "Compte rouvert",
  "payouts.configure": "Retraits automatiques configurés",
  "payouts.freeze": "Retraits gelés",
  "payouts.unfreeze": "Retraits dégelés",
  "product.suspend": "Produit suspendu",
  "product.resume": "Suspension du produit levée",
  "day.close": "Caisse close",
  "day.correct": "Clôture de caisse corrigée",
  "day.move": "Mouvement de caisse",
};

/** What was done, in French; the request's own words are the queue's. */
export function sayDeed(action: string): string {
  return ACTIONS[action] ?? sayAction(action);
}

export const AUDIT_COLUMNS = [
  "N°",
  "Date",
  "Auteur",
  "Nom",
  "Rôle",
  "Action",
  "Libellé",
  "Objet",
  "Avant",
  "Après",
  "Motif",
  "Empreinte",
] as const;
