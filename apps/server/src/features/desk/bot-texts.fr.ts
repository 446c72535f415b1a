import {
  type DeskWithdrawalOnWire,
  LANE_NAMES,
  type Lane,
  REJECT_REASONS,
  type RejectCode,
  STAGE_NAMES,
} from "@sesame/contract/desk";
import { fcfa } from "@sesame/kernel";
import { type SayInstant, sayFcfa } from "../../bot/format.fr.ts";
import { type Html, html } from "../../bot/html.ts";

type Request = DeskWithdrawalOnWire;

const NAME_SHOWN = 64;

const bold = (text: string): Html => html`<b>${{ text }}</b>`;
const money = (request: Request): string => sayFcfa(fcfa(request.amount));
const star = (request: Request): Html => (request.type_plan === "payant" ? html`⭐ ` : html``);

/** A name is its owner's to choose: shown in part when it is long. */
function shortName(name: string): string {
  return name.length > NAME_SHOWN ? `${name.slice(0, NAME_SHOWN).toWellFormed()}…` : name;
}

/** One request in full. */
export function card(request: Request, sayInstant: SayInstant): Html {
  const { seller } = request;
  const username = seller.username === null ? "" : ` (@${seller.username})`;
  const plan = request.type_plan === "payant" ? html` · ⭐ Premium` : html``;
  const risks = request.risks.map(({ label }) => label).join(", ");
  const warning =
    risks === ""
      ? html``
      : html`
⚠️ ${{ text: risks }}`;
  return html`💸 <b>Retrait ${{ text: request.reference }}</b>${plan}
${bold(money(request))} · ${{ text: request.method_label }}
${{ text: request.phone_label }}
${{ text: shortName(seller.name) }}${{ text: username }}
À traiter avant le ${{ text: sayInstant(new Date(request.due_at)) }}${late(request)}${warning}

${standing(request, sayInstant)}`;
}

function late(request: Request): Html {
  return request.late ? html` — <b>en retard</b>` : html``;
}

/** Where it stands, and who has it. */
function standing(request: Request, sayInstant: SayInstant): Html {
  const { claim, first_approval: first, payout } = request;
  const parts: Html[] = [];
  if (claim?.mine) {
    parts.push(html`🫵 À vous jusqu'au ${{ text: sayInstant(new Date(claim.until)) }}.`);
  } else if (claim) {
    const until = sayInstant(new Date(claim.until));
    parts.push(html`🔒 Pris par ${bold(shortName(claim.by.name))} jusqu'au ${{ text: until }}.`);
  }
  if (request.waiting === "second-agent" && first) {
    const lane = LANE_NAMES[first.lane];
    parts.push(
      html`✌️ ${bold(shortName(first.by.name))} a approuvé (${{ text: lane }}) : un second agent confirme.`,
    );
  } else if (request.needs_second_agent) {
    parts.push(html`✌️ Deux agents doivent approuver.`);
  }
  if (request.reject_reason !== null) {
    parts.push(html`${{ text: STAGE_NAMES[request.stage] }} : ${{ text: request.reject_reason }}`);
  } else if (payout) {
    const lane = LANE_NAMES[payout.lane];
    parts.push(html`${{ text: STAGE_NAMES[request.stage] }} (${{ text: lane }})`);
  } else if (parts.length === 0) parts.push(html`${{ text: STAGE_NAMES[request.stage] }}`);
  if (request.own) parts.push(html`C'est votre propre demande : un autre agent la traite.`);
  return html`${parts}`;
}

const LINES_SHOWN = 10;

/** Several at once; `others` came with them and are at the desk. */
export function list(requests: readonly Request[], others: number): Html {
  const premium = requests.filter(({ type_plan: plan }) => plan === "payant").length;
  const lines = requests
    .slice(0, LINES_SHOWN)
    .map(
      (request) =>
        html`• ${star(request)}${{ text: request.reference }} — ${{ text: money(request) }}, ${{ text: request.method_label }} : ${{ text: whoHas(request) }}`,
    );
  const rest = Math.max(0, requests.length - LINES_SHOWN) + others;
  const more =
    rest > 0
      ? html`
… et ${rest} autres, au bureau`
      : html``;
  return html`💸 <b>${requests.length + others} demandes de retrait</b>${howMany(premium, others)}
${lines}${more}`;
}

/** Premium stands first: of those left out nothing is said. */
function howMany(premium: number, others: number): Html {
  if (premium === 0) return html``;
  return others === 0 ? html`, dont ${premium} ⭐` : html`, les ⭐ d'abord`;
}

function whoHas({ claim, stage }: Request): string {
  if (!claim) return STAGE_NAMES[stage];
  return claim.mine ? "à vous" : `pris par ${shortName(claim.by.name)}`;
}

export type Waiting = {
  readonly pending: number;
  readonly premium: number;
  readonly late: number;
  readonly mine: number;
  readonly second_agent: number;
  readonly to_pay: number;
  readonly uncertain: number;
  readonly alerts: number;
};

/** /bureau */
export function board(counts: Waiting): Html {
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

export const BUTTONS = {
  desk: "Ouvrir le bureau",
  claim: "Prendre",
  release: "Relâcher",
  reject: "Rejeter",
  back: "Retour",
  reference: "Saisir la référence",
  failed: "L'envoi a échoué",
} as const;

export const approveButton = (lane: Lane): string => `Approuver · ${LANE_NAMES[lane]}`;
export const confirmButton = (lane: Lane): string => `Confirmer · ${LANE_NAMES[lane]}`;
export const reasonButton = (code: RejectCode): string => REJECT_REASONS[code].label;
export const claimButton = (request: Request): string =>
  `Prendre ${request.reference} · ${money(request)}`;
export const showButton = (request: Request): string =>
  `${request.type_plan === "payant" ? "⭐ " : ""}${request.reference} · ${money(request)}`;

export type Question = "reference" | "failure" | "reject-reason";

type Asked = Pick<Request, "reference" | "amount" | "phone_label" | "method_label">;

export function question(asks: Question, request: Asked): Html {
  const what = html`${bold(sayFcfa(fcfa(request.amount)))} par ${{ text: request.method_label }} au ${{ text: request.phone_label }}`;
  switch (asks) {
    case "reference":
      return html`✍️ <b>${{ text: request.reference }}</b> : envoyez ${what}, puis répondez à ce message avec la référence de l'opérateur.`;
    case "failure":
      return html`✍️ <b>${{ text: request.reference }}</b> : pourquoi l'envoi a-t-il échoué ? Répondez à ce message ; le vendeur lira vos mots.`;
    case "reject-reason":
      return html`✍️ <b>${{ text: request.reference }}</b> : pourquoi rejeter cette demande ? Répondez à ce message ; le vendeur lira vos mots.`;
  }
}

/** In the field of the answer; 64 characters at most. */
export const PLACEHOLDERS: Readonly<Record<Question, string>> = {
  reference: "Référence de l'opérateur",
  failure: "Raison lue par le vendeur",
  "reject-reason": "Raison lue par le vendeur",
};
