/** Who opens a route: in the sellers' app, in the buyers', or in a browser outside Telegram. */
export type Walker = "seller" | "newcomer" | "buyer" | "browser";

export type Walk = {
  /** As the specification writes it. */
  readonly route: string;
  readonly as: Walker;
  /** The address that is opened; `$name` is a thing of the scene. The route itself when absent. */
  readonly path?: string;
  /** Level 1, the whole of it. */
  readonly heading: string;
  /** The screen's main sentence, or its beginning. */
  readonly says: string;
};

const HOME = { as: "seller", heading: "Bonjour $name", says: "Dernières transactions" } as const;
const PRODUCTS = { as: "seller", heading: "Produits", says: "$title" } as const;
const SETTINGS = { as: "seller", heading: "Réglages", says: "Questions fréquentes" } as const;
const LINK_BOT = { as: "seller", heading: "Relier le bot", says: "Droits nécessaires" } as const;
const GROUP = { as: "seller", heading: "$group", says: "Dernière activité" } as const;
const CARD = { as: "seller", heading: "$title", says: "Copier le lien" } as const;
const EDIT = { as: "seller", heading: "Modifier le produit", says: "Enregistrer" } as const;
const HISTORY = { as: "seller", heading: "Transactions", says: "Complété" } as const;
const KEYS = { as: "seller", heading: "Clés de paiement", says: "Vous n'avez pas encore" } as const;
const PAY_PLAN = { as: "seller", heading: "Choisissez votre méthode de paiement" } as const;
const PAY_FORM = { as: "seller", heading: "Payer avec Moneroo", says: "Payer Maintenant" } as const;
const PLAN_STATUS = { as: "seller", heading: "Paiement en attente" } as const;
const SHOWN_PRODUCT = { as: "buyer", heading: "$title", says: "Acheter ce produit" } as const;
const BOUGHT = { as: "buyer", heading: "Paiement reçu", says: "Rejoindre le groupe" } as const;

const OF_PRODUCT = "?idVendeur=$seller&idProduit=$product";
const OF_PLAN = "?app=vendeur&paymentId=$plan";

/** Every route of the specification, aliases too, as some router writes it. */
export const WALKED: readonly Walk[] = [
  // First landings, before the person has seen anything else.
  { route: "/stories", as: "newcomer", heading: "Présentation de Sésame", says: "Relier le bot" },
  { ...HOME, route: "/" },
  { ...HOME, route: "/IndexEspace" },
  { ...HOME, route: "/IndexEspace", path: "/indexespace" },
  { route: "/Plans", as: "seller", heading: "Choisissez votre plan", says: "Comparer les plans" },
  { ...PAY_PLAN, route: "/PaymentSelector", says: "Moneroo" },
  { ...LINK_BOT, route: "/relierbot" },
  { ...LINK_BOT, route: "/RelierBot" },
  { route: "/GroupeListe", as: "seller", heading: "Groupes", says: "$group" },
  { ...GROUP, route: "/GroupeDetail/{idGroup}/{type}/{nom}", path: "/GroupeDetail/$chat/groupe/x" },
  {
    ...GROUP,
    route: "/GroupeDetail/{idGroup}/{type}/{name}",
    path: "/groupedetail/$chat/groupe/$group",
  },
  { ...PRODUCTS, route: "/ProductsList" },
  { ...PRODUCTS, route: "/listeProduit" },
  { ...CARD, route: "/ProductCard/{idProduit}", path: "/ProductCard/$product" },
  { ...CARD, route: "/ProductCard/{id}", path: "/productcard/$product" },
  {
    route: "/ajouterProduit/{idGroup}",
    path: "/ajouterProduit/$chat",
    as: "seller",
    heading: "Nouveau produit",
    says: "Publier",
  },
  { ...EDIT, route: "/ModifierProduit/{idProduit}", path: "/ModifierProduit/$product" },
  { ...EDIT, route: "/editProduct/{id}", path: "/editProduct/$product" },
  { route: "/profile", as: "seller", heading: "Profil", says: "Se déconnecter" },
  { ...SETTINGS, route: "/settings" },
  { ...SETTINGS, route: "/PaymentsSheetsIndex" },
  { route: "/Statistics", as: "seller", heading: "Statistiques", says: "Revenu net" },
  { route: "/soni", as: "seller", heading: "Soni", says: "Commencer" },
  // Help.
  { route: "/IndexFaq", as: "seller", heading: "Questions fréquentes", says: "Écrire au support" },
  { route: "/CustomerSupport", as: "seller", heading: "Support", says: "Une question, un souci" },
  { route: "/mes-donnees", as: "seller", heading: "Vos données", says: "Télécharger mes données" },
  {
    route: "/Calendrier",
    as: "seller",
    heading: "Calendrier",
    says: "Expirations, renouvellements",
  },
  // Money out.
  { route: "/retrait", as: "seller", heading: "Retrait", says: "Nouvelle demande" },
  {
    route: "/ConfigurationRetrait",
    as: "seller",
    heading: "Paiement automatique",
    says: "Fréquence",
  },
  { route: "/HistoriqueRetraits", as: "seller", heading: "Mes retraits", says: "En attente" },
  {
    route: "/AnnulerRetrait/{id}",
    path: "/AnnulerRetrait/$withdrawal",
    as: "seller",
    heading: "Annuler le retrait",
    says: "Annuler la demande",
  },
  { ...HISTORY, route: "/transactions/history" },
  { ...HISTORY, route: "/historique" },
  // Ways to be paid.
  {
    route: "/ActivationMethode",
    as: "seller",
    heading: "Moyens de paiement",
    says: "Méthodes actives",
  },
  { ...KEYS, route: "/ModifierKey" },
  { ...KEYS, route: "/ModifierKeyIndex" },
  { route: "/PaymentSheet", as: "seller", heading: "Moyens de paiement", says: "Fermer" },
  {
    route: "/AjouterMethode",
    as: "seller",
    heading: "Ajouter une méthode de paiement",
    says: "FedaPay",
  },
  { route: "/SuccesBottomSheetIndex", as: "seller", heading: "Parfait !", says: "Terminer" },
  {
    route: "/CustomPaymentConfig",
    as: "seller",
    heading: "Configuration personnalisée",
    says: "Plus tard",
  },
  {
    route: "/ConfigurerPaiement",
    as: "seller",
    heading: "Configurer vos paiements",
    says: "Configurer maintenant",
  },
  // The premium plan's payment.
  { ...PAY_FORM, route: "/IndexPaiement", path: "/IndexPaiement?id=moneroo&key=sk_test_x" },
  { ...PAY_FORM, route: "/IndexPaiementAbonnement", path: "/IndexPaiementAbonnement?id=monero" },
  {
    ...PLAN_STATUS,
    route: "/PaymentStatus",
    path: `/PaymentStatus${OF_PLAN}`,
    says: "cette page change toute seule",
  },
  {
    ...PLAN_STATUS,
    route: "/MonerooPaymentStatus",
    path: `/MonerooPaymentStatus${OF_PLAN}`,
    says: "cette page change toute seule",
  },
  {
    ...PLAN_STATUS,
    route: "/PaymentStatusFedapay",
    path: `/PaymentStatusFedapay${OF_PLAN}`,
    says: "cette page change toute seule",
  },
  {
    ...PLAN_STATUS,
    route: "/PaymentStatusFedapayFalse",
    path: `/PaymentStatusFedapayFalse${OF_PLAN}`,
    says: "cette page change toute seule",
  },
  // The buyer's.
  { ...SHOWN_PRODUCT, route: "/achat", path: `/achat${OF_PRODUCT}` },
  { ...SHOWN_PRODUCT, route: "/achats", path: `/achats${OF_PRODUCT}` },
  { ...SHOWN_PRODUCT, route: "/paiement", path: `/paiement${OF_PRODUCT}` },
  { ...SHOWN_PRODUCT, route: "/checkout", path: `/checkout${OF_PRODUCT}` },
  { ...BOUGHT, route: "/payment-success", path: "/payment-success?order=$order" },
  { ...BOUGHT, route: "/payment-error", path: "/payment-error?order=$order" },
  { ...BOUGHT, route: "/PaymentStatus", path: "/PaymentStatus?paymentId=$payment" },
  { ...BOUGHT, route: "/MonerooPaymentStatus", path: "/MonerooPaymentStatus?payment_id=$payment" },
  { ...BOUGHT, route: "/PaymentStatusFedapay", path: "/PaymentStatusFedapay?id=$order" },
  { ...BOUGHT, route: "/PaymentStatusFedapayFalse", path: "/PaymentStatusFedapayFalse?id=$order" },
  {
    route: "/PaymentSelector",
    path: "/PaymentSelector?reference=$reference",
    as: "buyer",
    heading: "$title",
    says: "Choisissez votre paiement",
  },
  {
    route: "/boutique/{idVendeur}",
    path: "/boutique/$seller",
    as: "browser",
    heading: "$name",
    says: "$title",
  },
  {
    route: "/achats",
    path: `/achats${OF_PRODUCT}`,
    as: "browser",
    heading: "$title",
    says: "Ouvrir dans Telegram",
  },
  {
    route: "/",
    as: "browser",
    heading: "Ouvrez Sésame dans Telegram",
    says: "Rafraîchir la page",
  },
];
