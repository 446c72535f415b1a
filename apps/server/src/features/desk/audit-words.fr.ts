import { REFUND_DEEDS } from "../refunds/index.ts";
import { sayAction } from "./queue-words.fr.ts";

const ACTIONS: Readonly<Record<string, string>> = {
  "alert.resolve": "Alerte close",
  "settings.change": "Réglage modifié",
  "durations.add": "Durée ajoutée",
  "durations.edit": "Durée modifiée",
  "seller.suspend": "Vendeur suspendu",
  "seller.resume": "Suspension du vendeur levée",
  "seller.ask-write-off": "Passage en perte demandé",
  "seller.write-off": "Dette passée en perte",
  "seller.close": "Compte fermé par le vendeur",
  "seller.reopen": "Compte rouvert",
  "plan.change": "Plan changé",
  "group.reclaim": "Groupe repris par son propriétaire",
  "groups.quota": "Groupes du quota choisis",
  "aggregator.keys": "Clés de paiement du vendeur changées",
  "aggregator.switch": "Moyen de paiement activé ou désactivé",
  "aggregator.refused": "Clés du vendeur refusées par le prestataire",
  "developer.key-create": "Clé d'API créée",
  "developer.key-revoke": "Clé d'API révoquée",
  "developer.endpoint-add": "Adresse de webhook ajoutée",
  "developer.endpoint-change": "Adresse de webhook modifiée",
  "developer.endpoint-delete": "Adresse de webhook supprimée",
  "developer.endpoint-secret": "Secret de webhook changé",
  ...REFUND_DEEDS,
  "payouts.configure": "Retraits automatiques configurés",
  "payouts.freeze": "Retraits gelés",
  "payouts.unfreeze": "Retraits dégelés",
  "product.suspend": "Produit suspendu",
  "product.resume": "Suspension du produit levée",
  "day.close": "Caisse close",
  "day.correct": "Clôture de caisse corrigée",
  "day.move": "Mouvement de caisse",
  "jobs.retry": "Tâches relancées",
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
