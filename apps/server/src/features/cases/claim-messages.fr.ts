import { CLAIM_KIND_NAMES, type ClaimKind } from "@sesame/contract/cases";
import type { SayInstant } from "../../bot/messages.fr.ts";
import { bold, type Html, html } from "../../bot/html.ts";

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
export const answered = (claim: Claimed, words: string): Html =>
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

export const BUTTONS = { see: "Voir la réclamation", seeAll: "Voir les réclamations" } as const;
