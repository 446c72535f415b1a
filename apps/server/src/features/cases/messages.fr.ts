import {
  CLAIM_KIND_NAMES,
  type ClaimKind,
  TICKET_KIND_NAMES,
  type TicketKind,
} from "@sesame/contract/cases";
import { bold, type Html, html } from "../../bot/message.ts";
import type { SayInstant } from "../../bot/messages.fr.ts";

type Claimed = { readonly order_id: bigint; readonly title: string; readonly kind: ClaimKind };

const about = ({ title, order_id }: Claimed): Html =>
  html`${bold(title)} (commande n° ${{ text: String(order_id) }})`;
const said = (words: string | null): Html =>
  words === null
    ? html``
    : html`
« ${{ text: words }} »`;

export const openedForSeller = (
  claim: Claimed,
  words: string | null,
  due: { at: Date; sayInstant: SayInstant },
): Html =>
  html`⚠️ Un acheteur signale un problème avec ${about(claim)} : ${{ text: CLAIM_KIND_NAMES[claim.kind] }}.${said(words)}
Répondez, remboursez ou contestez avant le ${{ text: due.sayInstant(due.at) }} ; ensuite, l'opérateur décide.`;

export const remindSeller = (claim: Claimed, due: { at: Date; sayInstant: SayInstant }): Html =>
  html`⏳ Il vous reste un jour pour répondre à la réclamation sur ${about(claim)} : jusqu'au ${{ text: due.sayInstant(due.at) }}. Ensuite, l'opérateur décide.`;

export const forOperator = (claim: Claimed, why: OperatorWhy, words: string | null): Html =>
  html`⚖️ Réclamation à trancher : ${about(claim)}, ${{ text: CLAIM_KIND_NAMES[claim.kind] }}.
${{ text: OPERATOR_WHY[why] }}${said(words)}`;

/** Several complaints about payments that are not confirmed, in one message. */
export const severalForOperator = (count: number): Html =>
  html`⚖️ ${{ text: String(count) }} réclamations à trancher : ${{ text: CLAIM_KIND_NAMES["paid-not-confirmed"] }}.
Les prestataires sont interrogés à nouveau.`;

type OperatorWhy = "opened" | "contested" | "timed-out";

const OPERATOR_WHY: Readonly<Record<OperatorWhy, string>> = {
  opened: "L'acheteur l'adresse directement à l'opérateur.",
  contested: "Le vendeur la conteste.",
  "timed-out": "Le vendeur n'a pas répondu dans les 72 heures.",
};

/** To the other party. */
export const claimAnswered = (claim: Claimed, words: string): Html =>
  html`💬 Réponse à la réclamation sur ${about(claim)} :
« ${{ text: words }} »`;

export const contestedForBuyer = (claim: Claimed, words: string): Html =>
  html`⚖️ Le vendeur conteste votre réclamation sur ${about(claim)} :
« ${{ text: words }} »
L'opérateur l'examine et décide.`;

export const overdueForBuyer = (claim: Claimed): Html =>
  html`⚖️ Le vendeur n'a pas répondu à votre réclamation sur ${about(claim)}. L'opérateur l'examine et décide.`;

export const overdueForSeller = (claim: Claimed): Html =>
  html`⚖️ Vous n'avez pas répondu à temps à la réclamation sur ${about(claim)} : l'opérateur décide.`;

export const rejected = (claim: Claimed, reason: string): Html =>
  html`❌ La réclamation sur ${about(claim)} est rejetée : ${{ text: reason }}`;

export const withdrawn = (claim: Claimed): Html =>
  html`✅ L'acheteur a retiré sa réclamation sur ${about(claim)}.`;

export const solved = (claim: Claimed, how: string): Html =>
  html`✅ La réclamation sur ${about(claim)} est close : ${{ text: how }}`;

const SHOWN = 900;

/** What fits in a message of a bot; the rest is in the app. */
function shortened(words: string): string {
  return words.length > SHOWN ? `${words.slice(0, SHOWN).toWellFormed()}…` : words;
}

export const ticketAnswered = (kind: TicketKind, words: string): Html =>
  html`💬 <b>Le support vous a répondu</b> (${{ text: TICKET_KIND_NAMES[kind] }})
« ${{ text: shortened(words) }} »`;

export const ticketClosed = (kind: TicketKind): Html =>
  html`✅ Votre demande au support (${{ text: TICKET_KIND_NAMES[kind] }}) est close. Si le problème revient, écrivez-y de nouveau : elle se rouvre.`;

export type Waiting = {
  readonly kind: TicketKind;
  readonly seller_name: string;
  readonly priority: boolean;
};

const line = ({ kind, seller_name: name, priority }: Waiting): Html =>
  html`${{ text: priority ? "⭐ " : "" }}<b>${{ text: name }}</b> — ${{ text: TICKET_KIND_NAMES[kind] }}`;

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
  claim: "Voir la réclamation",
  claims: "Voir les réclamations",
  read: "Lire la réponse",
  ticket: "Voir la demande",
  answer: "Répondre",
  tickets: "Voir les demandes",
} as const;
