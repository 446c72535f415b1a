import type { AccessStatus } from "@sesame/contract/memberships";
import { type SayInstant, sayFrancs, sayDuration } from "@sesame/contract";
import { bold, type Html, html } from "../../bot/message.ts";
import type { Entry } from "./entries.ts";

export const ACCESS_STATUS_NAMES: Readonly<Record<AccessStatus, string>> = {
  waiting: "À rejoindre",
  inside: "Actif",
  ended: "Terminé",
  removed: "Terminé",
  left: "Sorti",
  banned: "Exclu",
};

type Bought = {
  readonly order_id: bigint;
  readonly title: string;
  readonly group_title: string;
  readonly kind: "supergroup" | "channel";
  readonly price: bigint;
  readonly paid_at: Date;
  readonly is_renewal: boolean;
  readonly ends_at: Date;
};

/** The fields of every message about a membership. */
type Held = Pick<Bought, "group_title" | "kind" | "ends_at">;

const chatWord = (kind: Bought["kind"]): Html =>
  kind === "channel" ? html`le canal` : html`le groupe`;

/** Sent once a purchase of access is settled, with what the buyer does next. */
export function receipt(order: Bought, sayInstant: SayInstant): Html {
  return html`🧾 <b>Reçu — commande n° ${{ text: String(order.order_id) }}</b>
${{ text: order.title }}
Montant : ${{ text: sayFrancs(order.price) }}
Payé le ${{ text: sayInstant(order.paid_at) }}
Accès jusqu'au ${{ text: sayInstant(order.ends_at) }}`;
}

export const joinNow = (order: Bought): Html =>
  html`Si vous n'êtes pas encore dans ${bold(order.group_title)}, touchez « Rejoindre » et demandez à entrer : je vous ouvre aussitôt. Ce lien n'est que pour vous.`;

export const newLink = (order: Bought): Html =>
  html`Voici un nouveau lien pour ${bold(order.group_title)}. Touchez « Rejoindre » et demandez à entrer : je vous ouvre aussitôt.`;

export const leftWithLink = (order: Bought, sayInstant: SayInstant): Html =>
  html`Vous avez quitté ${bold(order.group_title)}. Votre accès court jusqu'au ${{ text: sayInstant(order.ends_at) }} : vous pouvez y revenir quand vous voulez.`;

export const alreadyInside = (order: Bought): Html =>
  order.is_renewal
    ? html`Votre accès à ${bold(order.group_title)} est prolongé, vous n'avez rien à faire.`
    : html`Vous êtes déjà dans ${bold(order.group_title)}, vous n'avez rien à faire.`;

export const linkComesLater = (order: Bought): Html =>
  html`Votre place dans ${bold(order.group_title)} est réservée, mais le bot ne peut pas y ouvrir de lien pour l'instant. Le vendeur est prévenu : votre lien arrive ici dès que possible.`;

export const bannedThere = (order: Held): Html =>
  html`Un administrateur de ${bold(order.group_title)} vous en a exclu : je ne peux pas vous y faire entrer. Écrivez au support avec votre numéro de commande.`;

export const welcome = (order: Held, sayInstant: SayInstant): Html =>
  html`✅ Vous êtes dans ${bold(order.group_title)}, jusqu'au ${{ text: sayInstant(order.ends_at) }}.`;

/** A membership that is over, and what renews it; null: its product is no longer on sale. */
type Over = Held & { readonly renew_reference: string | null };

const renew = ({ renew_reference: reference }: Over, to: string): Html =>
  reference === null ? html`` : html` Renouvelez-le pour ${{ text: to }}.`;

/** Sent when a membership ends and its member was removed. */
export const ended = (order: Over, sayInstant: SayInstant): Html =>
  html`⌛ Votre accès à ${bold(order.group_title)} a pris fin le ${{ text: sayInstant(order.ends_at) }}.${renew(order, "y revenir")}`;

/** Sent to a person who came back by another link after the membership ended, and was removed again. */
export const cameBack = (order: Over, sayInstant: SayInstant): Html =>
  html`⌛ Vous étiez de retour dans ${bold(order.group_title)}, mais votre accès a pris fin le ${{ text: sayInstant(order.ends_at) }} : je vous en ai retiré.${renew(order, "y revenir")}`;

export const strangerDeclined = (product: { title: string }): Html =>
  html`Ce lien d'invitation est personnel : il n'ouvre qu'à la personne qui a payé. Pour entrer, achetez votre accès : ${bold(product.title)}.`;

/** Sent to a person who asks to join after the membership ended. */
export const endedDeclined = (order: Over, sayInstant: SayInstant): Html =>
  html`Votre accès à ${bold(order.group_title)} a pris fin le ${{ text: sayInstant(order.ends_at) }}.${renew(order, "entrer")}`;

export const tooManyChats = (order: Held): Html =>
  html`Telegram refuse votre entrée dans ${bold(order.group_title)} : vous êtes déjà dans trop de groupes et de canaux. Quittez-en un, puis demandez à entrer à nouveau.`;

export const cannotRemove = (order: Held, who: string): Html =>
  html`⚠️ L'accès de ${bold(who)} à ${bold(order.group_title)} est terminé, mais c'est un administrateur : Telegram ne me laisse pas le retirer. Retirez-lui ce rôle, ou ${chatWord(order.kind)} lui reste ouvert.`;

/** The group's admins see it in the list of links: 32 characters at most. */
export const linkName = (orderId: bigint): string => `Commande ${orderId}`;

/** To operators: more memberships would end at once than usual. */
export const sweepStopped = ({ due, limit }: { due: number; limit: number }): Html =>
  html`⛔️ <b>Fins d'accès arrêtées</b>
${{ text: String(due) }} accès prendraient fin maintenant, alors que ${{ text: String(limit) }} par heure est le plus habituel. Personne n'est retiré. Vérifiez l'heure des serveurs, puis répondez à l'alerte du bureau : la marquer comme traitée autorise ces fins.`;

export const BUTTONS = {
  alerts: "Voir l'alerte",
  join: "Rejoindre",
  myAccess: "Mes accès",
  renew: "Renouveler",
  see: "Voir l'offre",
} as const;

/** A person who came in without paid time, for the seller's messages. */
type Reported = Pick<
  Entry,
  "name" | "group_title" | "host_name" | "by_administrator" | "came_by" | "status"
>;

function sayHost(person: Reported): Html {
  if (person.by_administrator === true) {
    return person.host_name === null
      ? html`Un administrateur l'a fait entrer.`
      : html`${{ text: person.host_name }}, qui administre le groupe, l'a fait entrer.`;
  }
  if (person.came_by === "folder") return html`Entrée par un dossier partagé.`;
  const name = person.host_name;
  if (name === null) return html`Entrée par un lien.`;
  return person.came_by === "link"
    ? html`Entrée par un lien de ${{ text: name }}, qui n'administre pas le groupe.`
    : html`${{ text: name }}, qui n'administre pas le groupe, l'a fait entrer.`;
}

const isOut = (person: Reported): boolean => person.status !== "open";

/** One person, in detail. */
export function sayEntry(person: Reported): Html {
  const head = html`👤 ${bold(person.name)} est dans ${bold(person.group_title)} sans accès payé.`;
  return isOut(person)
    ? html`👤 ${bold(person.name)} n'avait pas d'accès payé à ${bold(person.group_title)} : je retire cette personne.
${sayHost(person)}`
    : html`${head}
${sayHost(person)}`;
}

export const ENTRIES_SHOWN = 5;

/** Several people of one group, in short. */
export function sayEntries(people: readonly Reported[], total: number): Html {
  const title = people[0]?.group_title ?? "";
  const shown = people.slice(0, ENTRIES_SHOWN);
  const lines = shown.map((person) =>
    isOut(person)
      ? html`• ${{ text: person.name }} : je retire cette personne`
      : html`• ${{ text: person.name }}`,
  );
  const rest = total - shown.length;
  const more =
    rest > 0
      ? html`
… et ${rest} autres`
      : html``;
  return html`👥 <b>${total} personnes</b> sont entrées dans ${bold(title)} sans accès payé :
${lines}${more}`;
}

export const nobodyLeft = (title: string): Html =>
  html`✅ Personne n'attend votre décision dans ${bold(title)}.`;

export const whichTime = (person: Reported): Html =>
  html`Combien de temps donner à ${bold(person.name)} dans ${bold(person.group_title)} ? Ce temps est offert : il n'entre pas dans vos ventes.`;

export const granted = (
  person: Reported,
  given: { minutes: number; until: Date },
  sayInstant: SayInstant,
): Html =>
  html`🎁 ${{ text: sayDuration(given.minutes) }} d'accès à ${bold(person.group_title)} pour ${bold(person.name)}, jusqu'au ${{ text: sayInstant(given.until) }}.`;

/** To the person. */
export const grantedToYou = (
  title: string,
  given: { minutes: number; until: Date },
  sayInstant: SayInstant,
): Html =>
  html`🎁 Le vendeur vous offre ${{ text: sayDuration(given.minutes) }} d'accès à ${bold(title)}, jusqu'au ${{ text: sayInstant(given.until) }}.`;

export const removing = (person: Reported): Html =>
  html`🚪 Je retire ${bold(person.name)} de ${bold(person.group_title)}.`;

export const allowed = (person: Reported): Html =>
  html`🤝 ${bold(person.name)} reste dans ${bold(person.group_title)} : je ne vous en parle plus.`;

export const ENTRY_BUTTONS = {
  giveTime: "Donner du temps",
  remove: "Retirer",
  allow: "Ne plus signaler",
  back: "Retour",
  others: "Autres personnes",
  next: "Suivantes",
  duration: sayDuration,
} as const;

export const ENTRY_ANSWERS = {
  granted: "Temps donné.",
  removing: "Cette personne est retirée.",
  allowed: "Cette personne reste, sans signalement.",
  notYours: "Seul le vendeur de ce groupe peut décider.",
  decided: "C'est déjà décidé.",
  left: "Cette personne n'est plus dans le groupe.",
  "has-time": "Cette personne a un accès en cours : elle reste jusqu'à son terme.",
} as const;
