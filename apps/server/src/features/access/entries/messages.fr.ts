import { sayDuration } from "@sesame/contract/catalogue";
import type { SayInstant } from "../../../bot/format.fr.ts";
import { type Html, html } from "../../../bot/html.ts";

/** A person who came in without paid time, as the seller reads it. */
export type Reported = {
  readonly name: string;
  readonly group_title: string;
  readonly host_name: string | null;
  readonly by_administrator: boolean | null;
  readonly door: "link" | "hand" | "folder";
  readonly status: string;
};

const bold = (text: string): Html => html`<b>${{ text }}</b>`;

function sayHost(person: Reported): Html {
  if (person.by_administrator === true) {
    return person.host_name === null
      ? html`Un administrateur l'a fait entrer.`
      : html`${{ text: person.host_name }}, qui administre le groupe, l'a fait entrer.`;
  }
  if (person.door === "folder") return html`Entrée par un dossier partagé.`;
  const name = person.host_name;
  if (name === null) return html`Entrée par un lien.`;
  return person.door === "link"
    ? html`Entrée par un lien de ${{ text: name }}, qui n'administre pas le groupe.`
    : html`${{ text: name }}, qui n'administre pas le groupe, l'a fait entrer.`;
}

const isOut = (person: Reported): boolean => person.status !== "open";

/** One person, in full. */
export function sayEntry(person: Reported): Html {
  const head = html`👤 ${bold(person.name)} est dans ${bold(person.group_title)} sans accès payé.`;
  return isOut(person)
    ? html`👤 ${bold(person.name)} n'avait pas d'accès payé à ${bold(person.group_title)} : je retire cette personne.
${sayHost(person)}`
    : html`${head}
${sayHost(person)}`;
}

export const LINES_SHOWN = 5;

/** Several people of one group, in short. */
export function sayEntries(people: readonly Reported[], total: number): Html {
  const title = people[0]?.group_title ?? "";
  const shown = people.slice(0, LINES_SHOWN);
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

export const BUTTONS = {
  giveTime: "Donner du temps",
  remove: "Retirer",
  allow: "Ne plus signaler",
  back: "Retour",
  others: "Autres personnes",
  next: "Suivantes",
  duration: sayDuration,
} as const;

export const ANSWERS = {
  granted: "Temps donné.",
  removing: "Cette personne est retirée.",
  allowed: "Cette personne reste, sans signalement.",
  notYours: "Seul le vendeur de ce groupe peut décider.",
  decided: "C'est déjà décidé.",
  left: "Cette personne n'est plus dans le groupe.",
  hasTime: "Cette personne a un accès en cours : elle reste jusqu'à son terme.",
} as const;
