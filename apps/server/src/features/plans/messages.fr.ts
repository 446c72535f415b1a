import {
  type Plan,
  CAPABILITY_NAMES,
  type Capability,
  FREE_GROUPS_MAX,
  type PlansAnswer,
  feeOf,
} from "@sesame/contract/plans";
import { sayFrancs } from "@sesame/contract";
import type { BasisPoints, Fcfa } from "@sesame/kernel";
import { bold, type Html, html } from "../../bot/message.ts";
import type { InstanceSettings } from "@sesame/contract/back-office";

export const PLAN_NAMES: Readonly<Record<Plan, string>> = { free: "Gratuit", premium: "Premium" };

export const bought = (of: { until: string; price: Fcfa; renewal: boolean }): Html =>
  html`⭐ ${of.renewal ? html`Votre plan Premium est renouvelé` : html`Votre plan Premium est actif`} jusqu'au ${bold(of.until)}. Paiement reçu : ${{ text: sayFrancs(of.price) }}.
Groupes illimités, retraits à tout moment, vos propres clés de paiement : tout est ouvert.`;

type EndsSoon = { readonly at: string; readonly price: Fcfa; readonly days: 7 | 3 | 1 };

export const endsSoon = ({ at, price, days }: EndsSoon): Html =>
  html`⏳ Votre plan Premium se termine ${days === 1 ? html`demain` : html`dans ${days} jours`}, le ${bold(at)}.
Renouvelez-le pour ${{ text: sayFrancs(price) }} : le temps acheté s'ajoute à la fin.`;

export const inGrace = ({ price, graceUntil }: { price: Fcfa; graceUntil: string }): Html =>
  html`⌛️ Votre plan Premium est arrivé à sa fin. Rien ne change jusqu'au ${bold(graceUntil)}.
Sans renouvellement (${{ text: sayFrancs(price) }}), vous repasserez ensuite au plan gratuit : ventes en pause dans les groupes au-delà du troisième, commission sur chaque vente, un retrait par semaine, vos propres clés de paiement en sommeil.`;

type Ended = {
  readonly moved: Fcfa;
  readonly paused: readonly string[];
  readonly ownKeys: readonly string[];
  readonly feeRate: BasisPoints;
};

/** A Telegram message holds 4 096 characters, a title 255. */
const MOST_NAMED = 10;

export const ended = ({ moved, paused, ownKeys, feeRate }: Ended): Html =>
  html`ℹ️ Vous êtes de nouveau au plan gratuit : ${{ text: percent(feeRate) }} de commission par vente, un retrait par semaine. Vos produits et les accès en cours sont conservés.${
    moved > 0n
      ? html`
💰 Votre solde disponible, ${bold(sayFrancs(moved))}, a été transféré sur votre solde gratuit.`
      : html``
  }${
    paused.length > 0
      ? html`
⏸ Hors quota, ventes en pause : ${namesOf(paused)}. Vous pouvez choisir vos trois groupes.`
      : html``
  }${
    ownKeys.length > 0
      ? html`
🔑 Vos clés ${{ text: ownKeys.join(", ") }} sont conservées, chiffrées et en sommeil : ces ventes passent désormais par le paiement intégré, sur votre solde.`
      : html``
  }`;

function namesOf(titles: readonly string[]): Html {
  const named = titles.slice(0, MOST_NAMED).join(", ");
  const more = titles.length - MOST_NAMED;
  return more > 0 ? html`${{ text: named }} et ${more} de plus` : html`${{ text: named }}`;
}

/** Ten-thousandths: 1 850 is "18,5 %". */
const percent = (rate: BasisPoints): string =>
  `${new Intl.NumberFormat("fr").format(rate / 100)} %`;

export const BUTTONS = {
  renew: "Voir les plans",
  groups: "Choisir mes groupes",
} as const;

type Compared = PlansAnswer["comparison"][number];

const YES_NO = ["Non", "Oui"] as const;

/** The terms of the free plan and of premium, in the order of A §2. */
const TERMS: readonly (readonly [Capability, string, string])[] = [
  ["own-aggregators", "Intégrées", "Intégrées et vos propres clés"],
  ["instant-withdrawals", "Une fois par semaine", "À tout moment"],
  ["priority-support", "Standard", "Prioritaire"],
  ["unlimited-groups", `${FREE_GROUPS_MAX} maximum`, "Illimités"],
  ["advanced-statistics", ...YES_NO],
  ["developer-api", ...YES_NO],
  ["custom-configuration", ...YES_NO],
];

/** The table of /Plans. */
export function comparePlans(settings: InstanceSettings): Compared[] {
  const lines: Compared[] = TERMS.map(([key, free, premium]) => {
    return { key, label: CAPABILITY_NAMES[key], free, premium };
  });
  const fee = (plan: Plan) => percent(feeOf({ plan }, settings));
  const [free, premium] = [fee("free"), fee("premium")];
  return lines.toSpliced(1, 0, { key: "fee", label: "Frais par transaction", free, premium });
}
