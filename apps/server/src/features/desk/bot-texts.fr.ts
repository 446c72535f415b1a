import { type Html, html } from "../../bot/html.ts";
import type { DeskCounts } from "./queue.view.ts";

export const OPEN_DESK = "Ouvrir le bureau";

/** To the agents, of requests that came. */
export function waiting({ pending, premium }: DeskCounts): Html {
  const many = pending > 1 ? "demandes attendent" : "demande attend";
  const first = premium > 0 ? html`, dont ${premium} ⭐` : html``;
  return html`💸 <b>${pending} ${{ text: many }}</b>${first}`;
}

/** /bureau */
export function board(counts: DeskCounts): Html {
  const line = (count: number, words: string) =>
    count === 0 ? [] : [html`• ${count} ${{ text: words }}`];
  const lines = [
    ...line(counts.pending, "à décider"),
    ...line(counts.premium, "⭐ Premium"),
    ...line(counts.second_agent, "en attente d'un second accord"),
    ...line(counts.to_pay, "à payer ou en cours d'envoi"),
    ...line(counts.uncertain, "incertains"),
    ...line(counts.late, "en retard"),
    ...line(counts.mine, "à vous"),
    ...line(counts.alerts, "alertes"),
  ];
  return lines.length === 0
    ? html`<b>Bureau des retraits</b>
Rien n'attend.`
    : html`<b>Bureau des retraits</b>
${lines}`;
}
