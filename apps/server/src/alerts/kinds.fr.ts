import type { StaffAlertOnWire } from "@sesame/contract/back-office";

export type AlertWords = {
  readonly title: string;
  readonly advice: string;
  readonly severity: StaffAlertOnWire["severity"];
  /** Money or the ledger is concerned: an agent may look, an operator resolves. */
  readonly operatorOnly?: true;
  /** A note does not resolve it: the decision about its subject does. */
  readonly byAction?: true;
  /** Happens once: raised again, one that was resolved stays resolved, unless it is raised 'anew'. */
  readonly once?: true;
};

const CRITICAL = { severity: "critical", operatorOnly: true } as const;
const WARNING = { ...CRITICAL, severity: "warning" } as const;

const WORDS = {
  "payment.mismatch": {
    ...CRITICAL,
    byAction: true,
    title: "Paiement reçu différent de la commande",
    advice:
      "Comparez le montant, la devise et la référence chez le prestataire. Puis, sur la fiche de la commande, dites ce que devient ce paiement : honorer la commande, rendre l'argent, ou noter qu'il l'a déjà rendu. Au bout de 24 h l'argent est mis de côté jusqu'à votre décision.",
  },
  "payment.overpayment": {
    ...WARNING,
    title: "Argent à rendre : paiement en trop",
    advice:
      "Ce qui n'a payé aucune commande repart à l'acheteur, par le prestataire ou par un agent : voir Remboursements. L'alerte se ferme quand c'est fait.",
  },
  "payment.refunded-there": {
    once: true,
    ...WARNING,
    title: "Paiement rendu par le prestataire",
    advice:
      "Le prestataire a repris cet argent, ou une part, sans que nous l'ayons demandé : demandez-lui pourquoi, et combien. S'il a tout repris, remboursez la commande, ou terminez son remboursement en cours par «\u00a0Déjà rendu par le prestataire\u00a0» : rien n'est envoyé. Ce qui a déjà été remboursé à la main est payé deux fois : réclamez-le-lui. S'il nous rend l'argent, l'alerte se ferme d'elle-même.",
  },
  "sale.on-closed-account": {
    ...CRITICAL,
    title: "Argent reçu pour un compte fermé",
    advice:
      "Le vendeur a fermé son compte avant que ce paiement n'arrive. Remboursez la commande depuis sa fiche, ou rouvrez le compte depuis celle du vendeur.",
  },
  "float.overdrawn": {
    ...CRITICAL,
    title: "Caisse à découvert dans les comptes",
    advice:
      "Un agent a payé plus que cette caisse ne contient selon les comptes. Si de l'argent y a été mis, notez l'apport dans la page Journée ; sinon comptez la caisse et cherchez ce qui manque. L'alerte se ferme quand les comptes suffisent à nouveau.",
  },
  "access.sweep-stopped": {
    ...CRITICAL,
    title: "Fins d'accès arrêtées : bien plus que d'habitude",
    advice:
      "Personne n'est retiré. Vérifiez l'heure des serveurs et de la base. Si ces fins sont justes, marquez l'alerte comme traitée : tous les accès finis à l'instant indiqué seront alors retirés.",
  },
  "clock.skew": {
    ...CRITICAL,
    title: "Horloge d'un serveur en désaccord avec la base",
    advice:
      "Au-delà de 30 secondes, plus personne n'est retiré ni connecté. Remettez à l'heure le serveur ou la base (NTP) : l'alerte se ferme d'elle-même.",
  },
  "access.cannot-open": {
    severity: "warning",
    title: "Accès payé qui ne s'ouvre pas",
    advice:
      "Le bot n'a sans doute plus ses droits dans le groupe : le vendeur est prévenu. Vérifiez que l'acheteur entre ensuite.",
  },
  "access.cannot-close": {
    severity: "warning",
    title: "Accès terminé qui ne se ferme pas",
    advice: "Le bot n'a pas le droit de retirer ce membre : le vendeur doit le lui rendre.",
  },
  "access.is-admin": {
    severity: "info",
    title: "Accès terminé d'un administrateur",
    advice: "Telegram interdit de retirer un administrateur du groupe : prévenez le vendeur.",
  },
  "access.paid-while-banned": {
    severity: "warning",
    title: "Accès payé par une personne exclue",
    advice:
      "Les administrateurs du groupe l'avaient exclue : le vendeur lève l'exclusion ou la commande est remboursée.",
  },
  "places.exceeded": {
    severity: "info",
    title: "Vente au-delà des places",
    advice: "Un paiement tardif a été honoré sans place libre : prévenez le vendeur.",
  },
  "provider.keys-refused": {
    ...CRITICAL,
    title: "Le prestataire refuse nos clés",
    advice: "Vérifiez les clés de ce prestataire dans la configuration du serveur.",
  },
  "aggregator.keys-unreadable": {
    ...CRITICAL,
    title: "Clés d'un vendeur illisibles",
    advice:
      "Vérifiez SECRETS_KEY et SECRETS_KEY_PREVIOUS. Si les clés ont été abîmées, le vendeur, déjà prévenu, doit les donner à nouveau.",
  },
  "payment.paid-again-there": {
    once: true,
    ...WARNING,
    title: "Payé deux fois chez le prestataire",
    advice:
      "Le même lien a été payé une seconde fois : rendez ce paiement dans le tableau de bord du prestataire.",
  },
  "refund.delayed": {
    once: true,
    severity: "warning",
    title: "Remboursement retardé",
    advice:
      "Le prestataire ne répond pas à la demande de rendre l'argent ; elle lui est refaite. N'envoyez rien à la main.",
  },
  "complaint.paid-not-confirmed": {
    severity: "warning",
    title: "Payé selon l'acheteur, non confirmé",
    advice:
      "Le prestataire est interrogé à nouveau. Cherchez le paiement dans son tableau de bord, puis répondez à la réclamation.",
  },
  "refund.broken": {
    ...CRITICAL,
    title: "Remboursement qui ne correspond pas aux écritures",
    advice: "Un remboursement, ses écritures ou une avance ne s'accordent plus. Voyez le guide.",
  },
  "payout.uncertain": {
    once: true,
    severity: "critical",
    title: "Envoi incertain",
    advice:
      "Le prestataire n'a pas répondu : ne payez pas une seconde fois. Cherchez l'envoi dans son tableau de bord, puis tranchez dans la fiche du retrait.",
  },
  "payout.delayed": {
    once: true,
    severity: "warning",
    title: "Envoi retardé",
    advice: "Le prestataire ne prend pas l'envoi pour le moment ; il sera proposé à nouveau.",
  },
  "payout.slow": {
    once: true,
    severity: "warning",
    title: "Envoi lent",
    advice: "Le prestataire a pris l'envoi et n'en dit pas la fin : demandez-lui où il en est.",
  },
  "payout.mismatch": {
    once: true,
    severity: "critical",
    title: "Envoi différent de la demande",
    advice: "Le montant ou la référence chez le prestataire diffère : comparez avant de trancher.",
  },
  "payout.unknown": {
    once: true,
    ...CRITICAL,
    title: "Envoi inconnu chez le prestataire",
    advice: "Le prestataire parle d'un envoi que nous n'avons pas demandé : vérifiez vos clés.",
  },
  "payout.late-success": {
    once: true,
    ...CRITICAL,
    title: "Argent parti après avoir été rendu",
    advice:
      "L'envoi a réussi alors que le solde avait été rendu au vendeur : la somme est sortie deux fois. Elle est notée comme une avance au vendeur : il ne peut pas la retirer, et elle est reprise sur ses ventes. Si elle est perdue, passez-la en perte sur sa fiche.",
  },
  "payout.returned": {
    once: true,
    ...WARNING,
    title: "Retrait revenu après avoir été reçu",
    advice:
      "L'argent est revenu chez le prestataire, ou chez l'agent, et le solde du vendeur est rétabli. Vérifiez qu'il est bien là, et pourquoi il est revenu.",
  },
  "payout.float-short": {
    severity: "critical",
    title: "Solde insuffisant chez le prestataire",
    advice: "Approvisionnez le compte du prestataire, ou payez par une autre voie.",
  },
  "payouts.frozen-by-seller": {
    ...WARNING,
    title: "Retraits gelés par le vendeur",
    advice:
      "Il n'a pas reconnu le changement de son numéro («\u00a0Ce n'est pas moi\u00a0»). Joignez-le, puis dégelez depuis sa fiche.",
  },
  "reconciliation.difference": {
    ...CRITICAL,
    title: "Écart de rapprochement",
    advice: "Le prestataire et nos écritures ne disent pas la même chose : voir Écarts.",
  },
  "product.reported": {
    severity: "warning",
    title: "Produit signalé",
    advice: "Lisez les signalements et la page du produit ; suspendez-le s'il le faut.",
  },
  "day.difference": {
    ...WARNING,
    title: "Écart de caisse",
    advice: "Le solde compté diffère des écritures : lisez l'explication et vérifiez-la.",
  },
  "ledger.broken": {
    ...CRITICAL,
    title: "Livre de comptes faux",
    advice: "Une règle des écritures ne tient plus. Ne corrigez rien à la main : voyez le guide.",
  },
  "sale.broken": {
    ...CRITICAL,
    title: "Vente incomplète",
    advice: "Une commande payée, son écriture ou son paiement manque. Voyez le guide.",
  },
  "access.broken": {
    ...CRITICAL,
    title: "Accès différent du temps payé",
    advice: "La fin d'un accès n'est pas celle du temps acheté. Voyez le guide.",
  },
  "withdrawal.broken": {
    ...CRITICAL,
    title: "Retrait qui ne correspond pas aux écritures",
    advice: "Une demande, son envoi ou ses écritures ne s'accordent plus. Voyez le guide.",
  },
  "audit.broken": {
    ...CRITICAL,
    title: "Journal d'audit modifié",
    advice:
      "Quelqu'un a touché au journal en dehors de l'application. Gardez une copie de la base et des traces du serveur.",
  },
} satisfies Record<string, AlertWords>;

export type AlertKind = keyof typeof WORDS;

/** By a kind of any version: an unknown one is displayed too. */
export const ALERT_WORDS: Readonly<Record<string, AlertWords>> = WORDS;

export function wordsOfAlert(kind: string): AlertWords {
  return ALERT_WORDS[kind] ?? { severity: "warning", title: kind, advice: "Voyez le détail." };
}

/** The topics of jobs, and of Telegram's updates: what they do, for the back office. */
export const TOPICS = {
  "access.open": "Ouvrir un accès payé",
  "access.close": "Retirer du groupe une personne dont l'accès est fini",
  "access.decide-entry": "Décider d'une personne entrée sans accès payé",
  "access.remove-entry": "Retirer du groupe une personne entrée sans accès payé",
  "access.report-entries": "Signaler au vendeur les personnes entrées sans accès payé",
  "access.resume-group": "Reprendre les accès d'un groupe",
  "access.renew-links": "Refaire les liens d'invitation d'un groupe",
  "access.revoke-link": "Annuler un lien d'invitation",
  "bot.notify": "Envoyer un message du bot",
  "desk.notify-agents": "Annoncer une demande de retrait aux agents",
  "developers.send-out": "Préparer les webhooks d'un vendeur",
  "donations.thank": "Remercier un donateur",
  "groups.link-pending": "Relier les groupes qu'un vendeur attend",
  "groups.recheck": "Vérifier les droits du bot dans un groupe",
  "groups.notify-state": "Dire au vendeur l'état de son groupe",
  "plans.notify-bought": "Confirmer l'achat d'un plan",
  "refunds.give-back": "Envoyer un remboursement",
  "refunds.return-overpayment": "Rendre un paiement reçu en trop",
  "sales.notify-seller": "Annoncer ses ventes au vendeur",
  "support.forget-webhooks": "Effacer les données d'un compte supprimé",
  "support.notify-staff": "Annoncer un message au support",
  "withdrawals.notify-seller": "Dire au vendeur l'issue de son retrait",
  "telegram.seller": "Traiter ce que Telegram envoie au bot des vendeurs",
  "telegram.buyer": "Traiter ce que Telegram envoie au bot des acheteurs",
} as const;

export type Topic = Exclude<keyof typeof TOPICS, `telegram.${string}`>;

/** The topic itself when it is of another version. */
export function nameTopic(topic: string): string {
  return (TOPICS as Readonly<Record<string, string>>)[topic] ?? topic;
}
