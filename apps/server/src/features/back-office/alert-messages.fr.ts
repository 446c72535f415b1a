// Apart, for its length: what facts of alerts, the reconciliation and failed jobs are called.

/** What the facts of an alert are called; a fact without a name here is not shown. */
export const FACT_NAMES: Readonly<Record<string, string>> = {
  reason: "Motif",
  amount: "Montant",
  expected: "Attendu",
  received: "Reçu",
  found: "Trouvé",
  invariant: "Règle",
  provider: "Prestataire",
  lane: "Voie",
  method: "Mode de paiement",
  status: "État",
  word: "Mot du prestataire",
  said: "Réponse de Telegram",
  reference: "Référence",
  provider_payment_id: "Paiement du prestataire",
  provider_payout_id: "Envoi du prestataire",
  kind: "Nature",
  what: "Objet",
  ours: "Chez nous",
  theirs: "Chez le prestataire",
  stock: "Places",
  reports: "Signalements",
  buyers: "dont acheteurs",
  last_reason: "Dernier motif",
  last_words: "Dernier message",
  account: "Caisse",
  day: "Jour",
  counted: "Compté",
  difference: "Écart",
  explanation: "Explication",
  due: "Fins en attente",
  limit: "Limite par heure",
  until: "Finis avant le",
  difference_seconds: "Écart en secondes",
};

/** Facts in francs. */
export const FACTS_IN_FRANCS: ReadonlySet<string> = new Set([
  "amount",
  "received",
  "counted",
  "difference",
]);

/** What the jobs of a topic do, as the back office reads it. */
const TOPICS: Readonly<Record<string, string>> = {
  "access.open": "Ouvrir un accès payé",
  "access.close": "Retirer du groupe une personne dont l'accès est fini",
  "access.decide-entry": "Décider d'une personne entrée sans accès payé",
  "access.remove-entry": "Retirer du groupe une personne entrée sans accès payé",
  "access.report-entries": "Signaler au vendeur les personnes entrées sans accès payé",
  "access.resume-group": "Reprendre les accès d'un groupe",
  "access.renew-links": "Refaire les liens d'invitation d'un groupe",
  "access.revoke-link": "Annuler un lien d'invitation",
  "bot.tell": "Envoyer un message du bot",
  "desk.tell-agents": "Annoncer une demande de retrait aux agents",
  "developers.send-out": "Préparer les webhooks d'un vendeur",
  "donations.thank": "Remercier un donateur",
  "groups.link-pending": "Relier les groupes qu'un vendeur attend",
  "groups.recheck": "Vérifier les droits du bot dans un groupe",
  "groups.tell-state": "Dire au vendeur l'état de son groupe",
  "plans.tell-bought": "Confirmer l'achat d'un plan",
  "refunds.give-back": "Envoyer un remboursement",
  "refunds.surplus": "Rendre un paiement reçu en trop",
  "sales.tell-seller": "Annoncer ses ventes au vendeur",
  "support.forget-notices": "Effacer les données d'un compte supprimé",
  "support.tell-desk": "Annoncer un message au support",
  "withdrawals.tell-seller": "Dire au vendeur l'issue de son retrait",
  "telegram.seller": "Traiter ce que Telegram envoie au bot des vendeurs",
  "telegram.buyer": "Traiter ce que Telegram envoie au bot des acheteurs",
};

export function nameTopic(topic: string): string {
  return TOPICS[topic] ?? topic;
}

export function sayRetried(count: number): string {
  if (count === 0) return "Rien à relancer : ces tâches ont déjà été relancées ou effacées.";
  return count === 1 ? "Une tâche est relancée." : `${count} tâches sont relancées.`;
}
