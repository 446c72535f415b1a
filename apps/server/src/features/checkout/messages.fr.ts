import type { OrderToPay } from "./orders.ts";
import { type SayInstant, sayFrancs } from "@sesame/contract";
import type { Fcfa } from "@sesame/kernel";
import { type Html, html, bold } from "../../bot/message.ts";

/** Why a payment in Stars is stopped before it is made; no Star has moved. */
export const STARS_CLOSED = "Le paiement en Stars n'est pas ouvert ici.";
export const INVOICE_UNKNOWN = "Cette facture n'existe plus. Recommencez l'achat.";
export const INVOICE_OF_ANOTHER =
  "Cette facture est celle d'une autre personne. Ouvrez le lien du produit pour faire votre achat.";
export const INVOICE_TOO_OLD = "Cette facture a plus de trois jours. Recommencez l'achat.";
export const INVOICE_CHANGED = "Le montant ne correspond pas à la commande. Recommencez l'achat.";
export const INVOICE_PAID =
  "Cette commande a déjà été payée\u00a0: son paiement est en cours de confirmation.";

export type Donation = {
  readonly id: bigint;
  readonly title: string;
  readonly price: Fcfa;
  readonly paid_at: Date;
  readonly seller_name: string;
};

export const thankDonor = (donation: Donation, sayInstant: SayInstant): Html =>
  html`🙏 <b>Merci pour votre don !</b>
${{ text: donation.seller_name }} le reçoit pour « ${{ text: donation.title }} ».

🧾 <b>Reçu — don n° ${{ text: String(donation.id) }}</b>
Montant : ${{ text: sayFrancs(donation.price) }}
Payé le ${{ text: sayInstant(donation.paid_at) }}`;

export type SaleLine = {
  readonly title: string;
  readonly price: bigint;
  readonly net: bigint;
  readonly is_renewal: boolean;
  readonly is_donation: boolean;
};

const LINES_SHOWN = 5;

function nameSale(sale: SaleLine): Html {
  if (sale.is_donation) return html`Don reçu`;
  return sale.is_renewal ? html`Renouvellement` : html`Nouvelle vente`;
}

/** One sale in detail, several in short. `owed`: what sales repay first. */
export function saySales(sales: readonly SaleLine[], owed: bigint): Html {
  const [first] = sales;
  const repaid =
    owed > 0n
      ? html`
Vos ventes remboursent d'abord les ${bold(sayFrancs(owed))} avancés par Sésame.`
      : html``;
  if (sales.length === 1 && first) {
    return html`💰 ${nameSale(first)} : ${bold(first.title)}
${{ text: sayFrancs(first.price) }}, dont ${bold(sayFrancs(first.net))} pour vous.${repaid}`;
  }
  const total = (of: (sale: SaleLine) => bigint) =>
    sayFrancs(sales.reduce((sum, sale) => sum + of(sale), 0n));
  const lines = sales
    .slice(0, LINES_SHOWN)
    .map((sale) => html`• ${{ text: sale.title }} — ${{ text: sayFrancs(sale.price) }}`);
  const rest = sales.length - LINES_SHOWN;
  const more =
    rest > 0
      ? html`
… et ${rest} autres`
      : html``;
  return html`💰 <b>${sales.length} ventes</b> : ${{ text: total((sale) => sale.price) }}, dont ${bold(total((sale) => sale.net))} pour vous.
${lines}${more}${repaid}`;
}

export const BUTTONS = { order: "Voir mon don", balance: "Voir mon solde" } as const;

/** The title of a seller's premium plan on its order and on the provider's page. */
export const PLAN_TITLE = "Plan Premium Sésame";

/** Decision 95: the trial of a seller's own keys. */
export const TRIAL_TITLE = "Essai de vos clés";

/** The description above the amount on the provider's page. */
export function describeOrder({ kind, title }: Pick<OrderToPay, "kind" | "title">): string {
  const product = `Abonnement : ${title}`;
  return { product, donation: `Don : ${title}`, plan: PLAN_TITLE, trial: TRIAL_TITLE }[kind];
}
