import { TICKET_KIND_NAMES, type TicketKind } from "@sesame/contract/cases";
import { type Html, html } from "../../bot/html.ts";

const SHOWN = 900;

/** What fits in a message of a bot; the rest is in the app. */
function shortened(words: string): string {
  return words.length > SHOWN ? `${words.slice(0, SHOWN).toWellFormed()}…` : words;
}

export const answered = (kind: TicketKind, words: string): Html =>
  html`💬 <b>Le support vous a répondu</b> (${{ text: TICKET_KIND_NAMES[kind] }})
« ${{ text: shortened(words) }} »`;

export const closed = (kind: TicketKind): Html =>
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
  read: "Lire la réponse",
  see: "Voir la demande",
  answer: "Répondre",
  all: "Voir les demandes",
} as const;
