import type { SayInstant } from "@sesame/contract";
import * as contract from "@sesame/contract/cases";
import { bold, type Html, html } from "../../bot/message.ts";

type ComplaintFacts = {
  readonly order_id: bigint;
  readonly title: string;
  readonly kind: contract.ComplaintKind;
};

const about = ({ title, order_id }: ComplaintFacts): Html =>
  html`${bold(title)} (commande n° ${{ text: String(order_id) }})`;
const said = (words: string | null): Html =>
  words === null
    ? html``
    : html`
« ${{ text: words }} »`;

export const openedForSeller = (
  complaint: ComplaintFacts,
  words: string | null,
  due: { at: Date; sayInstant: SayInstant },
): Html =>
  html`⚠️ Un acheteur signale un problème avec ${about(complaint)} : ${{ text: contract.COMPLAINT_KIND_NAMES[complaint.kind] }}.${said(words)}
Répondez, remboursez ou contestez avant le ${{ text: due.sayInstant(due.at) }} ; ensuite, Sésame décide.`;

export const remindSeller = (
  complaint: ComplaintFacts,
  due: { at: Date; sayInstant: SayInstant },
): Html =>
  html`⏳ Il vous reste un jour pour répondre à la réclamation sur ${about(complaint)} : jusqu'au ${{ text: due.sayInstant(due.at) }}. Ensuite, Sésame décide.`;

export const forOperator = (
  complaint: ComplaintFacts,
  why: OperatorWhy,
  words: string | null,
): Html =>
  html`⚖️ Réclamation à trancher : ${about(complaint)}, ${{ text: contract.COMPLAINT_KIND_NAMES[complaint.kind] }}.
${{ text: OPERATOR_WHY[why] }}${said(words)}`;

/** Several complaints about unconfirmed payments, in one message. */
export const severalForOperator = (count: number): Html =>
  html`⚖️ ${{ text: String(count) }} réclamations à trancher : ${{ text: contract.COMPLAINT_KIND_NAMES["paid-not-confirmed"] }}.
Les prestataires sont interrogés à nouveau.`;

type OperatorWhy = "opened" | "contested" | "timed-out";

const OPERATOR_WHY: Readonly<Record<OperatorWhy, string>> = {
  opened: "L'acheteur l'adresse directement à Sésame.",
  contested: "Le vendeur la conteste.",
  "timed-out": "Le vendeur n'a pas répondu dans les 72 heures.",
};

/** To the other party. */
export const complaintAnswered = (complaint: ComplaintFacts, words: string): Html =>
  html`💬 Réponse à la réclamation sur ${about(complaint)} :
« ${{ text: words }} »`;

export const contestedForBuyer = (complaint: ComplaintFacts, words: string): Html =>
  html`⚖️ Le vendeur conteste votre réclamation sur ${about(complaint)} :
« ${{ text: words }} »
Sésame l'examine et décide.`;

export const overdueForBuyer = (complaint: ComplaintFacts): Html =>
  html`⚖️ Le vendeur n'a pas répondu à votre réclamation sur ${about(complaint)}. Sésame l'examine et décide.`;

export const overdueForSeller = (complaint: ComplaintFacts): Html =>
  html`⚖️ Vous n'avez pas répondu à temps à la réclamation sur ${about(complaint)} : Sésame décide.`;

export const rejected = (complaint: ComplaintFacts, reason: string): Html =>
  html`❌ La réclamation sur ${about(complaint)} est rejetée : ${{ text: reason }}`;

export const withdrawn = (complaint: ComplaintFacts): Html =>
  html`✅ L'acheteur a retiré sa réclamation sur ${about(complaint)}.`;

export const solved = (complaint: ComplaintFacts, how: string): Html =>
  html`✅ La réclamation sur ${about(complaint)} est close : ${{ text: how }}`;

const SHOWN = 900;

/** Cut to what fits in a bot's message; the rest is in the app. */
function shortened(words: string): string {
  return words.length > SHOWN ? `${words.slice(0, SHOWN).toWellFormed()}…` : words;
}

export const ticketAnswered = (kind: contract.TicketKind, words: string): Html =>
  html`💬 <b>Le support vous a répondu</b> (${{ text: contract.TICKET_KIND_NAMES[kind] }})
« ${{ text: shortened(words) }} »`;

export const ticketClosed = (kind: contract.TicketKind): Html =>
  html`✅ Votre demande au support (${{ text: contract.TICKET_KIND_NAMES[kind] }}) est close. Si le problème revient, écrivez-y de nouveau : elle se rouvre.`;

export type Waiting = {
  readonly kind: contract.TicketKind;
  readonly seller_name: string;
  readonly priority: boolean;
};

const line = ({ kind, seller_name: name, priority }: Waiting): Html =>
  html`${{ text: priority ? "⭐ " : "" }}<b>${{ text: name }}</b> — ${{ text: contract.TICKET_KIND_NAMES[kind] }}`;

export const waitingOne = (ticket: Waiting): Html =>
  html`🛟 Nouvelle demande d'assistance
${line(ticket)}`;

export const waitingMany = (tickets: readonly Waiting[], others: number): Html => {
  const rest =
    others === 0
      ? html``
      : html`
et ${others} de plus`;
  return html`🛟 ${tickets.length + others} demandes d'assistance
${tickets.map(line)}${rest}`;
};

export const BUTTONS = {
  complaint: "Voir la réclamation",
  complaints: "Voir les réclamations",
  read: "Lire la réponse",
  ticket: "Voir la demande",
  answer: "Répondre",
  tickets: "Voir les demandes",
} as const;
