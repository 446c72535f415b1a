import type { NeededRight } from "@sesame/contract/groups";

export const groupsCopy = {
  listTitle: "Groupes",
  refreshFailed: "Impossible d'actualiser. Veuillez réessayer.",
  add: "Ajouter un groupe ou un canal",
  loading: "Chargement des groupes",
  loadFailed: "Impossible de charger vos groupes. Veuillez réessayer.",
  emptyTitle: "Vous n'avez pas encore de groupes ou canaux",
  emptyText: "Ajoutez le bot à un groupe ou un canal privé pour commencer à vendre son accès.",
  firstProduct: "Publiez votre premier produit",
  firstProductText: "Un prix, une durée, une image : votre lien de vente est prêt.",
  missingId: "ID manquant",
  reconnect: "Reconnecter",
  giveRights: "Donner les droits",
  group: "Groupe",
  channel: "Canal",
  members: (count: string, many: boolean) => `${count} membre${many ? "s" : ""} dans Telegram`,
  quotaNote: (max: number) =>
    `Le plan gratuit vend l'accès à ${max} groupes ou canaux. Les autres sont hors quota\u00a0: leurs ventes sont en pause, les accès en cours vont à leur terme.`,
  quota: {
    choose: (max: number) => (max === 1 ? "Choisir mon groupe" : `Choisir mes ${max} groupes`),
    title: "Les groupes qui vendent",
    text: (max: number) =>
      `Choisissez les ${max} groupes ou canaux dont l'accès se vend. Les autres sont hors quota\u00a0: leurs ventes sont en pause, les accès en cours vont à leur terme.`,
    counted: (count: number, max: number) => `${count} sur ${max} choisis`,
    lack: (max: number) => `Choisissez-en ${max}`,
    save: "Enregistrer",
    saved: "Vos groupes sont choisis",
    failed: "Le choix n'a pas pu être enregistré. Veuillez réessayer.",
    premium: "Passer à Premium : groupes illimités",
  },
  state: {
    connected: "Connecté",
    missing_rights: "Droits manquants",
    removed: "Déconnecté",
    seller_not_admin: "Ventes en pause",
    public: "Public",
    over_quota: "Hors quota",
  },
  advice: {
    missing_rights: (rights: string) =>
      `Il manque au bot : ${rights}. Ouvrez les administrateurs du groupe dans Telegram, choisissez le bot et activez ces droits.`,
    seller_not_admin:
      "Vous n'êtes plus administrateur de ce groupe avec les droits d'inviter et de bannir\u00a0: ses ventes sont en pause, les accès en cours vont à leur terme. Demandez ces droits à son propriétaire, puis actualisez.",
    removed: "Le bot n'est plus dans ce groupe. Ajoutez-le à nouveau pour reprendre les ventes.",
    public:
      "Ce groupe a une adresse publique : on peut y entrer sans payer. Rendez-le privé dans Telegram, puis actualisez.",
    over_quota:
      "Ce groupe dépasse les groupes de votre plan : ses ventes sont en pause, les accès en cours vont à leur terme.",
  },
  reclaim: {
    section: "Reliés par un autre vendeur",
    sectionNote:
      "Telegram vous en nomme propriétaire, mais un autre vendeur en vend l'accès avec Sésame.",
    action: "Reprendre ce groupe",
    actionFor: (name: string) => `\u00a0: ${name}`,
    title: (name: string) => `Reprendre «\u00a0${name}\u00a0»\u202f?`,
    consequences: [
      "Les produits de l'autre vendeur pour ce groupe ne se vendent plus.",
      "Les accès déjà payés vont à leur terme\u00a0: vous en prenez la charge, sans recevoir l'argent de ces ventes.",
      "Une commande passée avant, payée après, ouvre encore l'accès. Son montant et ses remboursements restent à l'autre vendeur.",
      "Vous êtes prévenus tous les deux par le bot.",
    ],
    confirm: "Reprendre",
    done: "Le groupe est relié à votre compte",
    failed: "Le groupe n'a pas pu être repris. Veuillez réessayer.",
  },
  detail: {
    missing: "Groupe introuvable",
    missingText: "Il n'est plus relié à votre compte, ou l'adresse est incomplète.",
    back: "Voir mes groupes",
    addProduct: "Ajouter un produit",
    loading: "Chargement des produits",
    loadFailed: "Impossible de charger vos produits. Veuillez réessayer.",
    products: "Produits",
    sales: "Ventes",
    lastActivity: "Dernier mouvement du groupe",
    noActivity: "Aucun mouvement pour le moment",
    search: "Rechercher un produit",
    all: "Voir tous les produits",
    none: "Aucun produit",
    noneText: "Créez votre première offre pour ce groupe.",
    noMatch: "Aucun produit ne correspond à votre recherche.",
    rights: "Droits du bot",
    granted: "Accordé",
    denied: "Manquant",
    identity: "Identifiant Telegram",
  },
  entry: {
    fault:
      "Chaque membre de ce groupe peut en ajouter d'autres\u00a0: quelqu'un qui n'a pas payé peut entrer ainsi.",
    steps:
      "Dans Telegram, ouvrez les réglages du groupe, «\u00a0Permissions\u00a0», et désactivez «\u00a0Ajouter des membres\u00a0».",
    close: "L'interdire",
    closed: "C'est fait : seuls les administrateurs ajoutent des membres.",
    title: "Entrées sans paiement",
    remove: "Retirer les personnes ajoutées",
    footer:
      "Le bot vous signale toute personne qu'un membre fait entrer sans accès payé. Avec ce réglage, il la retire aussi.",
    removing: "Les personnes ajoutées seront retirées",
    keeping: "Les personnes ajoutées vous seront signalées",
    failed: "Le réglage n'a pas pu être enregistré. Veuillez réessayer.",
  },
  link: {
    title: "Relier le bot",
    text: "Ajoutez le bot comme administrateur de votre groupe ou canal privé. C'est lui qui ouvre et ferme l'accès.",
    permissions: "Droits nécessaires",
    rights: {
      manage_chat: ["Gérer le groupe ou le canal", "Pour voir les demandes d'adhésion"],
      restrict_members: ["Bannir des utilisateurs", "Pour retirer un abonné à la fin de son accès"],
      invite_users: [
        "Inviter des utilisateurs avec des liens",
        "Pour créer un lien personnel à chaque vente",
      ],
    } satisfies Record<NeededRight, [name: string, reason: string]>,
    how: "Comment faire",
    devices: [
      {
        name: "Sur ordinateur",
        text: "Telegram s'ouvre sur la liste de vos groupes : choisissez-en un, gardez les droits cochés, puis confirmez.",
      },
      {
        name: "Dans l'application mobile",
        text: "Choisissez le groupe ou le canal, laissez les droits activés, puis appuyez sur «\u00a0Ajouter comme admin\u00a0».",
      },
      {
        name: "Dans un navigateur mobile",
        text: "Acceptez d'ouvrir Telegram quand le navigateur le propose, puis suivez les étapes de l'application.",
      },
    ],
    choose: "Que voulez-vous relier\u202f?",
    existing: "Voir mes groupes et canaux",
    opened: "Telegram s'ouvre : choisissez où ajouter le bot.",
    failed: "Impossible de préparer le lien d'ajout. Veuillez réessayer.",
  },
} as const;
