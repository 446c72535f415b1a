import type {
  AdminRight,
  ChatKind,
  InvitePreview,
  Message,
  MemberStatus,
  PhoneId,
} from "../../wire.ts";
import { formatNumber, userName } from "../emulators.ts";

const members = (count: number) => `${formatNumber(count)} membre${count > 1 ? "s" : ""}`;
const subscribers = (count: number) => `${formatNumber(count)} abonné${count > 1 ? "s" : ""}`;

const stars = (count: number) => `${formatNumber(count)} Star${count > 1 ? "s" : ""}`;

/** What happened; null for a message that somebody wrote. */
function service(message: Message): string | null {
  const { new_chat_members: joined, left_chat_member: left, new_chat_title: title } = message;
  const { from, successful_payment: paid, refunded_payment: refunded } = message;
  if (joined) return `${joined.map(userName).join(", ")} a rejoint le groupe`;
  if (left) return `${userName(left)} a quitté le groupe`;
  if (message.migrate_to_chat_id ?? message.migrate_from_chat_id) {
    return "Ce groupe est devenu un supergroupe";
  }
  if (message.group_chat_created) return "Discussion créée";
  if (title) return `${from ? userName(from) : ""} a renommé la discussion : ${title}`;
  if (paid) return `Vous avez payé ${stars(paid.total_amount)}`;
  if (refunded) return `${stars(refunded.total_amount)} vous ont été remboursés`;
  return message.write_access_allowed ? "Vous avez autorisé ce bot à vous écrire" : null;
}

const rights: Record<AdminRight, string> = {
  change_info: "Modifier les informations",
  post_messages: "Publier des messages",
  edit_messages: "Modifier les messages",
  delete_messages: "Supprimer des messages",
  restrict_members: "Bannir des membres",
  invite_users: "Inviter par un lien",
  pin_messages: "Épingler des messages",
  manage_topics: "Gérer les sujets",
  promote_members: "Nommer des administrateurs",
  manage_video_chats: "Gérer les appels vidéo",
  anonymous: "Rester anonyme",
  manage_chat: "Gérer la discussion",
  post_stories: "Publier des stories",
  edit_stories: "Modifier les stories",
  delete_stories: "Supprimer les stories",
};

const kinds: Record<ChatKind, string> = {
  group: "Groupe simple",
  supergroup: "Supergroupe",
  channel: "Canal",
};

const statuses: Record<MemberStatus, string> = {
  creator: "propriétaire",
  administrator: "admin",
  member: "membre",
  left: "parti",
  kicked: "banni",
};

const invite: Record<InvitePreview["state"], { text: string; button: string }> = {
  open: { text: "Vous pouvez rejoindre directement.", button: "Rejoindre" },
  askable: {
    text: "Un administrateur doit accepter votre demande.",
    button: "Demander à rejoindre",
  },
  asked: {
    text: "Demande envoyée. Elle est en attente de réponse.",
    button: "Annuler la demande",
  },
  member: { text: "Vous êtes membre.", button: "Ouvrir la discussion" },
  expired: { text: "Ce lien d'invitation a expiré.", button: "Fermer" },
  revoked: { text: "Ce lien d'invitation a été révoqué.", button: "Fermer" },
  full: { text: "Ce lien a atteint son nombre de membres.", button: "Fermer" },
  banned: { text: "Vous avez été banni de cette discussion.", button: "Fermer" },
  unknown: { text: "Ce lien d'invitation n'existe pas.", button: "Fermer" },
};

const phones: Record<PhoneId, { label: string; role: string }> = {
  seller: { label: "Téléphone du vendeur", role: "Vendeur" },
  buyer: { label: "Téléphone de l'acheteur", role: "Acheteur" },
  agent: { label: "Téléphone de l'agent", role: "Agent" },
};

export const phoneCopy = {
  service,
  rights,
  kinds,
  statuses,
  invite,
  phones,
  size: (kind: ChatKind | null, count: number) =>
    kind === "channel" ? subscribers(count) : members(count),
  unknownLink: "Ce lien ne mène nulle part.",
  refused: "Ce n'est pas possible ici.",
  noNetwork: "Pas de réponse. Réessayez dans un instant.",
  copied: "Copié",
  edited: "modifié",
  bot: "bot",
  back: "Retour",
  close: "Fermer",
  ok: "OK",
  save: "Enregistrer",
  messages: (name: string) => `Messages de ${name}`,
  list: {
    title: "Discussions",
    compose: "Nouvelle discussion",
    search: "Rechercher ou coller un lien",
    open: "Ouvrir le lien",
    start: "Touchez pour commencer",
    unread: (count: number) => `${count} non lu${count > 1 ? "s" : ""}`,
    noMessage: "Aucun message",
    chats: "Liste des discussions",
  },
  composer: {
    write: "Message",
    send: "Envoyer",
    start: "DÉMARRER",
    readOnly: "Seuls les administrateurs publient ici.",
    outside: "Vous n'avez plus accès à cette discussion.",
    openUpgraded: "Ouvrir le supergroupe",
  },
  dialog: {
    empty: (description: string) =>
      description === "" ? "Touchez DÉMARRER pour parler à ce bot." : description,
  },
  chat: {
    emptyGroup: "Pas encore de message.",
    locked: "Cette discussion est privée.\nOn y entre avec un lien d'invitation.",
    page: (name: string) => `Informations sur ${name}`,
  },
  person: {
    empty: "Écrivez-lui, ou envoyez-lui un lien.",
    online: "en ligne",
  },
  create: {
    title: { group: "Nouveau groupe", supergroup: "Nouveau supergroupe", channel: "Nouveau canal" },
    name: "Nom",
    submit: "Créer",
    hint: {
      group: "Petit groupe privé, sans lien d'invitation à demande.",
      supergroup: "Groupe complet : liens d'invitation, demandes, administrateurs.",
      channel: "Vous publiez, vos abonnés lisent.",
    },
    menu: "Créer une discussion",
  },
  info: {
    members: "Membres",
    admins: "Administrateurs et bots",
    links: "Liens d'invitation",
    rightsOf: (name: string) => `Droits de ${name}`,
    rightsCount: (count: number) => `${count} droit${count > 1 ? "s" : ""}`,
    noRights: "aucun droit d'admin",
    addBot: (name: string) => `Ajouter le bot ${name}`,
    public: (username: string) => `Public · t.me/${username}`,
    private: "Privé",
  },
  admin: {
    title: "Droits du bot",
    hint: "Ce que ce bot peut faire ici.",
    saved: "Droits enregistrés",
    remove: "Retirer le bot",
    removed: "Bot retiré",
  },
  addBot: {
    chooseGroup: "Choisir un groupe",
    chooseChannel: "Choisir un canal",
    none: "Vous n'avez pas encore de discussion à administrer.",
    createGroup: "Créer un groupe",
    createChannel: "Créer un canal",
    confirm: (bot: string, chat: string) => `Ajouter ${bot} à «\u00a0${chat}\u00a0» ?`,
    asAdmin: "Ajouter comme administrateur",
    asMember: "Ajouter au groupe",
    rights: "Droits demandés par le bot",
    upgrade: "Ce groupe simple deviendra un supergroupe.",
  },
  stars: {
    title: "Confirmer le paiement",
    to: (bot: string) => `À ${bot}`,
    wallet: (count: number) => `Votre solde : ${stars(count)}`,
    amount: stars,
    pay: (count: number) => `Payer ⭐ ${formatNumber(count)}`,
    paying: "Paiement en cours…",
    missing: (count: number) => `Il vous manque ${stars(count)}.`,
    buy: (count: number) => `Obtenir ${stars(count)}`,
    simulated: "Stars simulés : rien n'est débité.",
    paid: (title: string) => `«\u00a0${title}\u00a0» est payé`,
    refused: "Le bot a refusé ce paiement.",
    noAnswer: "Le bot n'a pas répondu à temps. Rien n'a été débité.",
  },
  share: {
    title: "Envoyer à…",
    sent: (name: string) => `Envoyé à ${name}`,
    people: "Personnes",
    chats: "Groupes et canaux",
  },
  switcher: {
    change: (name: string) => `Changer de personne : ${name}`,
  },
  frame: {
    slow: "Réseau lent",
    reopen: (name: string) => `Rouvrir ${name}`,
  },
};

export const browserCopy = {
  region: "Navigateur externe",
  frame: "Navigateur",
  close: "Revenir à Telegram",
  telegram: "Telegram",
  outside: "Cette adresse est hors de la démonstration.",
};

export const miniAppCopy = {
  frame: "Mini app",
  region: (name: string) => `Mini app ${name}`,
  close: "Fermer",
  back: "Retour",
  menu: "Plus",
  minimise: "Réduire",
  leave: {
    message: "Les modifications pourraient ne pas être enregistrées.",
    leave: "Fermer quand même",
    stay: "Annuler",
  },
  write: {
    message: (bot: string) => `Autoriser ${bot} à vous envoyer des messages ?`,
    allow: "Autoriser",
    refuse: "Annuler",
  },
};
