import { PRODUCT_NOT_FOUND } from "@sesame/contract";
import type { OfferGoal } from "@sesame/contract/catalogue";

/** Of a form: its title, its button, what is said while it is sent, when it was and when it was not. */
export type FormWords = Readonly<Record<"title" | "send" | "sending" | "sent" | "failed", string>>;

export const catalogueCopy = {
  group: "Groupe",
  channel: "Canal",
  status: { active: "Actif", inactive: "Inactif", pending: "En attente" } as Record<string, string>,
  unknownStatus: "Produit",
  category: {
    formation: "Formation",
    service: "Service",
    ebook: "E-book",
    other: "Autre",
  } as Record<string, string>,
  donation: {
    kind: "Don",
    many: "Dons",
    price: (minimum: string) => `Dès ${minimum}`,
    free: (minimum: string) => `Montant libre, dès ${minimum}`,
    suggestions: "Montants proposés",
    noSuggestion: "Aucun",
    gifts: (count: string, many: boolean) => `${count} don${many ? "s" : ""}`,
    giftsTitle: "Dons reçus",
    historyNone: "Aucun don pour le moment",
    shareText: "Envoyez ce lien à qui veut vous soutenir : chacun choisit son montant.",
    message: (title: string) => `${title} — faites un don`,
    archive: "Supprimer ce don ?",
  },
  loading: "Chargement des produits",
  loadFailed: "Impossible de charger vos produits. Veuillez réessayer.",
  retry: "Réessayer",
  understood: "Compris",
  list: {
    title: "Produits",
    add: "Ajouter un produit",
    mainButton: "AJOUTER UN PRODUIT",
    search: "Rechercher un produit",
    searchShort: "Rechercher",
    filters: "Filtres",
    view: "Affichage en grille",
    sortLabel: "Trier par",
    sort: {
      recent: "Plus récents",
      "price-asc": "Prix croissant",
      "price-desc": "Prix décroissant",
      views: "Plus vus",
      sales: "Plus vendus",
    },
    statusLabel: "Statut",
    groupLabel: "Groupe ou canal",
    categoryLabel: "Catégorie",
    all: "Tous",
    allFeminine: "Toutes",
    clear: "Effacer les filtres",
    shop: "Ma boutique",
    guided: "Créer mon offre avec Soni",
    none: "Aucun produit",
    noneText: "Créez votre première offre : un prix, une durée, une image.",
    noneAvailable: "Aucun produit disponible",
    noneAvailableText: "Aucun de vos produits ne correspond à la recherche ou aux filtres.",
    count: (count: number) => `${count} produit${count > 1 ? "s" : ""}`,
    sales: (count: string, many: boolean) => `${count} vente${many ? "s" : ""}`,
    views: (count: string, many: boolean) => `${count} vue${many ? "s" : ""}`,
    actions: (title: string) => `Actions pour ${title}`,
    see: "Voir",
    edit: "Modifier",
    remove: "Supprimer",
    sell: "En vente",
    switchOn: "Mettre en vente",
    switchOff: "Suspendre la vente",
    switchedOn: "Produit mis en vente",
    switchedOff: "Vente suspendue",
    switchFailed: "Erreur lors de la mise à jour. Veuillez réessayer.",
  },
  archive: {
    title: "Supprimer ce produit ?",
    text: (title: string) =>
      `« ${title} » ne sera plus en vente et quitte votre catalogue. Son historique est conservé.`,
    noMembers: "Aucun membre n'a d'accès en cours.",
    members: (count: number) =>
      count === 1
        ? "1 membre garde son accès jusqu'à son terme."
        : `${count} membres gardent leur accès jusqu'à son terme.`,
    counting: "Vérification des accès en cours…",
    done: "Produit supprimé",
  },
  chooser: {
    title: "Où vendre ce produit ?",
    addGroup: "Relier un autre groupe ou canal",
    loading: "Chargement des groupes",
    failed: "Impossible de charger vos groupes. Veuillez réessayer.",
  },
  noGroup: {
    title: "Aucun groupe",
    none: "Aucun groupe ou canal n'est configuré. Vous allez être redirigé pour en ajouter un.",
    noId: "Aucun groupe n'a d'identifiant Telegram valide. Vous allez être redirigé pour en configurer un correctement.",
  },
  card: {
    missing: PRODUCT_NOT_FOUND,
    missingText: "Il a été supprimé, ou l'adresse est incomplète.",
    back: "Voir mes produits",
    createdOn: (day: string) => `Créé le ${day}`,
    cover: (title: string) => `Image de ${title}`,
    overview: "Aperçu",
    sales: "Ventes",
    salesSplit: (fresh: number, renewed: number) =>
      `${fresh} nouvelle${fresh > 1 ? "s" : ""}, ${renewed} renouvelée${renewed > 1 ? "s" : ""}`,
    duration: "Durée d'abonnement",
    gross: "Revenu total brut",
    net: "Revenu total net",
    views: "Vues",
    places: "Places",
    unlimited: "∞",
    unlimitedHeard: "Sans limite",
    share: "Partager",
    shareText: "Envoyez ce lien à vos acheteurs : ils paient et entrent dans le groupe.",
    reference: "Référence",
    copy: "Copier le lien",
    copied: "Lien copié avec succès!",
    copyFailed: "Impossible de copier automatiquement. Cliquez sur le lien pour le sélectionner.",
    link: "Lien de vente",
    byTelegram: "Partager sur Telegram",
    message: (title: string, price: string) => `${title} — ${price}`,
    edit: "Modifier le produit",
    history: "Historique des abonnements",
    historyNone: "Aucun abonnement pour le moment",
    seeAll: (total: number) => `Voir tout (${total})`,
    historyFailed: "Impossible de charger les abonnements.",
    historyLoading: "Chargement des abonnements",
    renewal: "Renouvellement",
    fresh: "Nouveau",
    refunded: "Remboursé",
    direct: "encaissé directement",
    until: (day: string) => `jusqu'au ${day}`,
    category: "Catégorie",
  },
  subscriptions: {
    title: "Abonnements",
    filter: "Abonnements affichés",
    all: "Tous",
    fresh: "Nouveaux",
    renewed: "Renouvelés",
    export: "Exporter (CSV)",
    exportFailed: "L'export a échoué. Veuillez réessayer.",
    none: "Aucun abonnement",
    columns: ["Date", "Client", "Produit", "Prix (FCFA)", "Net (FCFA)", "Fin d'accès", "Type"],
  },
  form: {
    new: {
      title: "Nouveau produit",
      send: "Publier",
      sending: "Publication en cours...",
      sent: "Produit publié avec succès!",
      failed: "Erreur lors de la publication. Veuillez réessayer.",
    } satisfies FormWords,
    edit: {
      title: "Modifier le produit",
      send: "Enregistrer",
      sending: "Mise à jour en cours...",
      sent: "Produit mis à jour avec succès!",
      failed: "Erreur lors de la mise à jour. Veuillez réessayer.",
    } satisfies FormWords,
    for: (group: string) => `Pour ${group}`,
    template: "Partir d'un modèle",
    templateHint: "Vos propres mots restent. Relisez tout : rien n'est publié sans vous.",
    name: "Titre",
    namePlaceholder: "Accès VIP mensuel",
    price: "Prix",
    pricePlaceholder: "5 000",
    youReceive: (net: string, fee: string) => `Vous recevez ${net} par vente, ${fee} de frais.`,
    priceRange: (min: string, max: string) => `De ${min} à ${max}.`,
    duration: "Durée",
    durationsLoading: "Chargement des durées…",
    durationsFailed: "Impossible de charger les durées disponibles",
    keepDuration: (label: string) => `${label} (actuelle)`,
    discount: (percent: number) => `−${percent} % conseillé`,
    image: "Image",
    imageChoose: "Choisir une image",
    imageChange: "Changer l'image",
    imageHint: (megabytes: number) => `JPEG, PNG ou WebP, ${megabytes} Mo au plus`,
    imagePreview: "Aperçu de l'image",
    imagePreparing: "Préparation de l'image…",
    imagePreviewFailed: "Problème avec l'aperçu de l'image, mais vous pouvez continuer.",
    imageNotAnImage: "Veuillez choisir un fichier image.",
    category: "Catégorie",
    groupHint:
      "Les prochaines ventes ouvrent ce groupe. Les accès déjà vendus restent où ils sont.",
    stock: "Nombre de places",
    stockHint: "Laissez vide pour ne pas limiter.",
    publishedPending: (reason: string) => `Il est en attente : ${reason}`,
    errorTitle: "Erreur",
    toList: "Voir mes produits",
    share: "Voir et partager",
    groupUnknown: "Ce groupe n'est pas relié à votre compte.",
    groupUnknownText: "Choisissez un groupe dans la liste, ou reliez-en un.",
  },
} as const;

export const donationCopy = {
  title: "Donation",
  subtitle: "Recevez des dons d'un montant libre, sans groupe ni abonnement.",
  loading: "Chargement de vos dons",
  noneTitle: "Aucun don pour le moment",
  noneText:
    "Créez un don, partagez son lien : chacun donne ce qu'il veut, et la somme arrive sur votre solde.",
  create: "Créer un don",
  yours: "Vos dons",
  received: (count: string, many: boolean) => `${count} don${many ? "s" : ""}`,
  new: {
    ...catalogueCopy.form.new,
    title: "Nouveau don",
    send: "Publier le don",
    sent: "Don publié avec succès!",
  },
  edit: {
    ...catalogueCopy.form.edit,
    title: "Modifier le don",
    sent: "Don mis à jour avec succès!",
  },
  name: "Titre",
  namePlaceholder: "Soutenez la chaîne",
  message: "Message",
  minimum: "Montant minimum",
  minimumHint: (min: string, max: string) => `De ${min} à ${max}.`,
  suggestions: "Montants proposés",
  suggestion: (nth: number) => `Montant proposé ${nth}`,
  suggestionsHint: "Facultatif. Chacun peut aussi saisir un autre montant.",
  image: "Image (facultatif)",
  badSuggestion: (min: string, max: string) =>
    `Un montant proposé doit être compris entre ${min} et ${max}.`,
  badMinimum: (min: string, max: string) =>
    `Le montant minimum doit être compris entre ${min} et ${max}.`,
} as const;

export const shopCopy = {
  title: "Ma boutique",
  subtitle: "Tous vos produits en vente, à une seule adresse.",
  loading: "Chargement de votre boutique",
  loadFailed: "Impossible de charger votre boutique. Veuillez réessayer.",
  closed:
    "Votre boutique est fermée\u00a0: vos ventes sont suspendues, et le bot vous a dit pourquoi.",
  empty: "Votre boutique est vide",
  emptyText: "Elle s'ouvre dès qu'un de vos produits est en vente.",
  toProducts: "Voir mes produits",
  everywhere: "Pour tous les navigateurs",
  everywhereText: (products: number) =>
    products === 1
      ? "Un produit s'y vend. À mettre sur vos réseaux, vos affiches, votre site."
      : `${products} produits s'y vendent. À mettre sur vos réseaux, vos affiches, votre site.`,
  everywhereLink: "Lien de la boutique",
  see: "Voir la boutique",
  inTelegram: "Dans Telegram",
  inTelegramText: "Ce lien ouvre la boutique sans quitter Telegram.",
  inTelegramLink: "Lien de la boutique dans Telegram",
  message: (name: string) => (name ? `La boutique de ${name}` : "Ma boutique"),
} as const;

export const soniCopy = {
  title: "Soni",
  subtitle: "Créer mon offre",
  loading: "Chargement de la conversation",
  loadFailed: "Impossible de retrouver vos réponses. Veuillez réessayer.",
  log: "Conversation avec Soni",
  bot: "Soni",
  you: "Vous",
  writing: "Soni écrit…",
  hello: (name: string) =>
    `Bonjour${name ? ` ${name}` : ""}, je suis Soni. Trois questions, et votre offre est prête à relire.`,
  begin: "Commencer",
  learn: "En savoir plus",
  learnt:
    "Je ne suis pas une intelligence artificielle\u00a0: je pose trois questions, le nom de votre offre, son objectif et votre motivation. Avec vos réponses, je remplis le formulaire d'un produit. Vous le relisez, vous le changez, et vous seul le publiez.",
  askName: "Comment s'appelle votre offre\u202f?",
  nameLabel: "Nom de votre offre",
  namePlaceholder: "Accès VIP mensuel",
  send: "Envoyer",
  askGoal: (name: string) =>
    `«\u00a0${name}\u00a0», c'est noté. Quel est votre objectif principal\u202f?`,
  goalLabel: "Objectif principal",
  goals: {
    community: "Animer une communauté",
    training: "Vendre une formation",
    service: "Proposer un accompagnement",
    support: "Recevoir du soutien",
  } satisfies Record<OfferGoal, string>,
  askMotivation:
    "Et votre motivation, de 1 à 5\u202f? 1\u00a0: je veux d'abord essayer. 5\u00a0: je me lance à fond.",
  motivationLabel: "Motivation, de 1 à 5",
  motivation: (value: number) => `${value} sur 5`,
  ready: (days: number) =>
    `C'est prêt. J'ai choisi une durée de ${days} jours, ${
      days < 30 ? "courte pour essayer" : days < 90 ? "simple à renouveler" : "longue pour durer"
    }, et un prix à ajuster. Il vous restera à ajouter une image.`,
  open: "Ouvrir mon produit",
  again: "Recommencer",
  notKept:
    "Votre réponse n'a pas pu être gardée\u00a0: elle reste ici tant que cette page est ouverte.",
} as const;

/** Words and figures a form is begun with; everything can be changed before it is published. */
export type Offer = {
  readonly title: string;
  /** Whole francs: a suggestion. */
  readonly price: string;
  readonly minutes: number;
  readonly description: string;
  readonly category: string;
};

const WEEK = 10_080;
const MONTH = 43_200;
const QUARTER = 129_600;

export type TemplateId = "vip" | "pro" | "premium";

/** Decision 44: the three sample offers. */
export const TEMPLATES: Readonly<Record<TemplateId, Offer & { readonly name: string }>> = {
  vip: {
    name: "VIP mensuel",
    title: "Accès VIP mensuel",
    price: "5000",
    minutes: MONTH,
    description:
      "Un mois d'accès au groupe privé : les contenus réservés aux membres, les annonces avant tout le monde et des réponses à vos questions.",
    category: "other",
  },
  pro: {
    name: "Pro hebdomadaire",
    title: "Communauté Pro hebdomadaire",
    price: "1500",
    minutes: WEEK,
    description:
      "Une semaine dans la communauté Pro : des conseils chaque jour, des échanges entre membres et un suivi de vos progrès.",
    category: "service",
  },
  premium: {
    name: "Premium trimestriel",
    title: "Premium Plus trimestriel",
    price: "12000",
    minutes: QUARTER,
    description:
      "Trois mois d'accès complet : tous les contenus, les séances réservées aux membres et un prix plus doux que mois par mois.",
    category: "other",
  },
};

type GoalOffer = Pick<Offer, "description" | "category">;

const BY_GOAL: Readonly<Record<OfferGoal, GoalOffer>> = {
  community: {
    description:
      "L'accès à une communauté privée : des échanges chaque jour, de l'entraide et des rendez-vous entre membres.",
    category: "other",
  },
  training: {
    description:
      "L'accès à la formation : les leçons, les exercices et les réponses à vos questions, à votre rythme.",
    category: "formation",
  },
  service: {
    description:
      "Un accompagnement en petit groupe : vos questions, mes réponses, et un suivi pendant toute la durée.",
    category: "service",
  },
  support: {
    description:
      "Soutenez mon travail et retrouvez dans ce groupe les coulisses et les contenus réservés.",
    category: "other",
  },
};

const EVERY_DESCRIPTION = [...Object.values(TEMPLATES), ...Object.values(BY_GOAL)].map(
  ({ description }) => description,
);
const EVERY_TITLE = Object.values(TEMPLATES).map(({ title }) => title);
const EVERY_PRICE = Object.values(TEMPLATES).map(({ price }) => price);

/** What Soni was told, as an offer: the keener its seller, the longer it runs. */
export function offerOf(told: { name: string; goal: OfferGoal; motivation: number }): Offer {
  const { vip, pro, premium } = TEMPLATES;
  const { price, minutes } = told.motivation <= 2 ? pro : told.motivation <= 4 ? vip : premium;
  return { title: told.name, price, minutes, ...BY_GOAL[told.goal] };
}

/** Whether a field holds nothing, or what a suggestion put there: not the seller's own words. */
export const isSuggested = {
  title: (text: string) => text.trim() === "" || EVERY_TITLE.includes(text),
  price: (text: string) => text.trim() === "" || EVERY_PRICE.includes(text),
  description: (text: string) => text.trim() === "" || EVERY_DESCRIPTION.includes(text),
};
