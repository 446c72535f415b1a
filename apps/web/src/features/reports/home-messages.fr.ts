// Apart: these are on the seller's first route.

/** What home says of its seller, also before the application is there. */
export const sellerCopy = {
  hello: (name: string) => `Bonjour ${name}`,
  helloNobody: "Bonjour",
  balanceTotal: (posted: string, held: string) =>
    `Solde total : ${posted}, dont ${held} en cours de retrait`,
  planFree: "Plan Gratuit",
  planPremium: "Plan Premium",
  balanceNote: "Crédité à chaque vente, frais déduits",
} as const;

/** What home says: in the first load, where the words of the other screens have no place. */
export const homeCopy = {
  balance: "Solde disponible",
  withdraw: "Retrait",
  history: "Historique",
  tiles: "Raccourcis",
  products: "Produits",
  groups: "Groupes",
  statistics: "Statistiques",
  donation: "Donation",
  calendar: "Calendrier",
  support: "Support",
  recent: "Dernières transactions",
  seeAll: "Voir tout",
  noTransaction: "Aucune transaction",
  noTransactionText: "Vos ventes apparaîtront ici dès qu'un acheteur passera commande.",
  loadFailed: "Impossible de charger vos transactions. Veuillez réessayer.",
  loading: "Chargement des transactions",
  renewal: "Renouvellement",
  new: "Nouveau",
  gift: "Don",
  community: "Rejoindre la communauté",
  communityText: "Conseils et nouveautés entre vendeurs",
  movement: {
    payout: "Retrait",
    return: "Retour de retrait",
    transfer: "Changement de plan",
    "write-off": "Dette effacée",
  },
  status: {
    success: "Complété",
    pending: "En attente",
    failed: "Échec",
    refunded: "Remboursé",
    cancelled: "Annulé",
  },
  net: (amount: string) => `net ${amount}`,
  direct: "Encaissé directement",
  steps: {
    title: "Vos premiers pas",
    linkGroup: "Reliez un groupe ou un canal",
    linkGroupText: "Le bot en gardera l'entrée",
    createProduct: "Créez votre premier produit",
    createProductText: "Un prix, une durée, une image",
    share: "Partagez votre lien de vente",
    shareText: "Il est sur la page de votre produit",
    done: "Fait",
    todo: "À faire",
  },
} as const;

export const reportsCopy = {
  ...homeCopy,
  transactions: {
    title: "Transactions",
    search: "Rechercher un client, un produit, un numéro",
    searchShort: "Rechercher",
    period: "Période",
    periods: { all: "Tout", today: "Aujourd'hui", week: "Cette semaine", month: "Ce mois" },
    all: "Tous",
    none: homeCopy.noTransaction,
    noneText: "Vos ventes et vos retraits apparaîtront ici.",
    noneFiltered: "Rien ne correspond à ces filtres.",
    clear: "Effacer les filtres",
    more: "Afficher plus",
    export: "Exporter en CSV",
    exportFailed: "L'export n'a pas pu se faire. Veuillez réessayer.",
    file: "transactions.csv",
    columns: [
      "Date",
      "Type",
      "Statut",
      "Montant",
      "Frais",
      "Net",
      "Produit ou méthode",
      "Client ou numéro",
      "Vente",
      "Référence",
      "Motif",
      "Effet sur le solde",
    ],
    sale: "Vente",
    directSale: "Vente encaissée directement",
  },
  details: {
    status: "Statut",
    date: "Date",
    amount: "Montant payé",
    fee: "Frais",
    net: "Vous recevez",
    netTakenBack: "Votre part, reprise",
    product: "Produit",
    buyer: "Client",
    duration: "Durée",
    number: "N° de transaction",
    seeProduct: "Voir le produit",
    directText:
      "Payée sur votre propre compte, par vos clés : elle ne passe pas par votre solde et ne se retire pas ici.",
    complaint: "Voir la réclamation",
    sent: "Montant envoyé",
    returned: "Montant revenu",
    moved: "Montant transféré",
    writtenOff: "Montant effacé",
    way: "Transfert",
    method: "Mode de paiement",
    phone: "Numéro",
    reference: "Référence",
    reason: "Motif",
    movementText: {
      payout: null,
      return: "L'envoi n'a pas abouti : cette somme est revenue dans votre solde disponible.",
      transfer: null,
      "write-off": "La plateforme renonce à cette somme, que vous lui deviez.",
    },
    seeWithdrawals: "Voir mes retraits",
    seePlans: "Voir les plans",
  },
} as const;

export const noticesCopy = {
  complaints: (count: number) =>
    count > 1
      ? `${count} réclamations attendent votre réponse.`
      : "Une réclamation attend votre réponse.",
  complaintsLink: "Répondre",
  over: "Votre plan Premium est terminé.",
  grace: (day: string) => `Votre plan Premium est terminé : retour au plan gratuit le ${day}.`,
  soon: (days: number) =>
    days > 1
      ? `Votre plan Premium se termine dans ${days} jours.`
      : "Votre plan Premium se termine aujourd'hui.",
  renew: "Renouveler",
} as const;

export const sparklineCopy = {
  seen: (total: string) => `Ventes, 7 jours : ${total}`,
  aloud: (total: string) => `Revenu net des 7 derniers jours : ${total}`,
} as const;
