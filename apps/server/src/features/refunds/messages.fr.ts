import type { RefundRail, RefundStatusOnWire } from "@sesame/contract/refunds";
import { type SayInstant, sayFrancs } from "@sesame/contract";
import { groupPhone, sayMethod, isPayoutMethod } from "@sesame/contract/withdrawals";
import type { Fcfa } from "@sesame/kernel";
import { bold, type Html, html } from "../../bot/message.ts";
import { nameProvider } from "@sesame/contract/checkout";
import type { LockedRefund } from "./refunds.ts";

/** The label of each status, for everybody. */
export const REFUND_STATUS_NAMES: Readonly<Record<RefundStatusOnWire, string>> = {
  en_cours: "Remboursement en cours",
  numero_attendu: "Numéro attendu",
  a_payer: "À envoyer",
  rembourse: "Remboursé",
};

/** Success messages of the calls. */
export const REFUND_BEGUN =
  "Le remboursement est enregistré. L'accès est retiré et l'acheteur est prévenu.";
export const REFUND_NUMBER_TAKEN = "Merci. L'argent sera envoyé à ce numéro.";
export const REFUND_NOTED_DONE = "Remboursement noté. L'acheteur est prévenu.";
export const REFUND_RETURNED =
  "Le prestataire le confirme : il a déjà rendu cet argent. Rien n'est à envoyer.";
export const MISMATCH_DECIDED = {
  honour: "La commande est payée. L'acheteur et le vendeur sont prévenus.",
  "give-back": "L'argent va être rendu à l'acheteur, qui en est prévenu.",
  returned: "Noté : l'acheteur a déjà son argent. Rien n'est envoyé.",
} as const;
export const PROVIDER_FEE_NOTED = "Frais notés dans les comptes.";
export const REFUND_TAKEN = "Ce remboursement est à vous pendant 15 minutes.";
export const REFUND_NUMBER_ASKED_AGAIN = "Un autre numéro est demandé à l'acheteur.";

type Refunded = Pick<LockedRefund, "order_id" | "title" | "amount" | "reason">;

const amountOf = ({ amount }: Pick<Refunded, "amount">): Html => bold(sayFrancs(amount));
const numberOf = ({ order_id }: Pick<Refunded, "order_id">): Html =>
  html`Commande n° ${{ text: String(order_id) }}`;

/** How the money is sent, for the buyer. */
export type Way = { readonly rail: RefundRail; readonly provider: string };

function wayOf({ rail, provider }: Way): Html {
  const name = { text: nameProvider(provider) };
  return {
    provider: html`L'argent repart par ${name}, là d'où il est venu.`,
    returned: html`L'argent vous a déjà été rendu par ${name}, ou par votre banque.`,
    staff: html`Touchez « ${{ text: BUTTONS.number }} » et dites à quel numéro Mobile Money l'envoyer.`,
    seller: html`Le vendeur vous rend l'argent depuis son propre compte. Vous pouvez lui indiquer un numéro Mobile Money.`,
  }[rail];
}

/** Money that was returned is there already. */
const verb = ({ rail }: Way, now: "est" | "sont", later: "sera" | "seront") => ({
  text: rail === "returned" ? now : later,
});

/** What happens to the purchase, for the buyer. */
export type Ending =
  | { readonly kind: "access-ended"; readonly group: string }
  | { readonly kind: "access-left"; readonly group: string; readonly endsAt: Date }
  | { readonly kind: "donation" }
  | { readonly kind: "premium-ended" }
  | { readonly kind: "premium-left"; readonly until: Date };

function endingOf(ending: Ending, sayInstant: SayInstant): Html {
  switch (ending.kind) {
    case "access-ended":
      return html`Votre accès à ${bold(ending.group)} a pris fin.`;
    case "access-left":
      return html`Votre accès à ${bold(ending.group)} court encore jusqu'au ${{ text: sayInstant(ending.endsAt) }}, payé par vos autres achats.`;
    case "donation":
      return html`Merci de votre geste.`;
    case "premium-ended":
      return html`Votre plan Premium a pris fin : vous êtes sur le plan gratuit.`;
    case "premium-left":
      return html`Votre plan Premium court encore jusqu'au ${{ text: sayInstant(ending.until) }}, payé par vos autres achats.`;
  }
}

export function refundBegun(
  refund: Refunded,
  how: { way: Way; ending: Ending; sayInstant: SayInstant },
): Html {
  const what = how.ending.kind === "donation" ? html`Votre don` : html`Votre achat`;
  return html`↩️ ${what} ${bold(refund.title)} ${verb(how.way, "est", "sera")} remboursé : ${amountOf(refund)}.
Raison : ${{ text: refund.reason }}
${endingOf(how.ending, how.sayInstant)}
${wayOf(how.way)}
${numberOf(refund)}`;
}

export const paidTwice = (refund: Refunded, way: Way): Html =>
  html`↩️ Vous avez payé deux fois ${bold(refund.title)}. Le second paiement, ${amountOf(refund)}, vous ${verb(way, "est", "sera")} rendu ; votre achat est conservé.
${wayOf(way)}
${numberOf(refund)}`;

export const paidOtherwise = (refund: Refunded, way: Way): Html =>
  html`↩️ Ce que vous avez payé pour ${bold(refund.title)} ne correspond pas à la commande : ${amountOf(refund)} vous ${verb(way, "sont", "seront")} rendus.
${wayOf(way)}
${numberOf(refund)}`;

/** The provider did not refund it: it is sent by hand. */
export const comesByHand = (refund: Refunded, way: Way): Html =>
  html`Le prestataire de paiement n'a pas pu rendre ${amountOf(refund)} pour ${bold(refund.title)}. Rien n'est perdu.
${wayOf(way)}
${numberOf(refund)}`;

export const numberRefused = (refund: Refunded, reason: string): Html =>
  html`⚠️ Le remboursement de ${amountOf(refund)} pour ${bold(refund.title)} n'a pas pu être envoyé à ce numéro : ${{ text: reason }}
Indiquez-en un autre.
${numberOf(refund)}`;

export function givenBack(
  refund: Refunded,
  sent: {
    to: { method: string; phone: string } | null;
    reference: string | null;
    rail: "provider" | "staff" | "seller";
  },
): Html {
  const where = sent.to
    ? html` sur ${bold(sayMethod(sent.to.method))}, ${{ text: groupPhone(sent.to.phone) }}`
    : html``;
  const proof =
    sent.reference === null
      ? html``
      : html`
Référence : ${{ text: sent.reference }}`;
  if (sent.rail === "seller") {
    return html`💸 Le vendeur dit vous avoir rendu ${amountOf(refund)} pour ${bold(refund.title)}${where}.${proof}
Si rien n'est arrivé, écrivez au support avec cette référence.
${numberOf(refund)}`;
  }
  return html`💸 ${amountOf(refund)} vous sont rendus pour ${bold(refund.title)}${where}.${proof}
${numberOf(refund)}`;
}

/** A refund by hand, after the provider returned the money. */
export const returnedThere = (refund: Refunded, providerName: string): Html =>
  html`💸 ${amountOf(refund)} vous ont déjà été rendus pour ${bold(refund.title)} par ${{ text: providerName }}, ou par votre banque. Rien d'autre ne sera envoyé.
${numberOf(refund)}`;

export function sellerRefunded(refund: Refunded, share: { net: Fcfa; advanced: Fcfa }): Html {
  const advanced =
    share.advanced === 0n
      ? html``
      : html`
Votre solde n'y suffisait pas : ${bold(sayFrancs(share.advanced))} sont avancés par Sésame et seront repris sur vos prochaines ventes.`;
  return html`↩️ Sésame a décidé de rembourser une vente : ${bold(refund.title)}, ${amountOf(refund)}.
Raison : ${{ text: refund.reason }}
Votre part de ${bold(sayFrancs(share.net))} est reprise.${advanced}
${numberOf(refund)}`;
}

/** For a sale on the seller's own account, which no call can refund. */
export const sellerMustSend = (refund: Refunded): Html =>
  html`↩️ À vous de rendre ${amountOf(refund)} : la vente ${bold(refund.title)} a été encaissée directement par votre compte.
Raison : ${{ text: refund.reason }}
Envoyez l'argent à l'acheteur, puis notez-le dans la vente.
${numberOf(refund)}`;

/** To a seller who should have sent it. */
export const stopSending = (refund: Refunded): Html =>
  html`🛑 N'envoyez plus rien pour ${bold(refund.title)} : ${amountOf(refund)} ont déjà été rendus à l'acheteur par le prestataire.
${numberOf(refund)}`;

export const directRefunded = (refund: Refunded, rail: Way["rail"]): Html =>
  html`↩️ Sésame a décidé de rembourser une vente encaissée directement par votre compte : ${bold(refund.title)}, ${amountOf(refund)}.
Raison : ${{ text: refund.reason }}
${{ text: rail === "returned" ? "Le prestataire avait déjà repris l'argent sur votre compte." : "L'argent repart par votre compte chez le prestataire." }}
${numberOf(refund)}`;

/** `last`: the francs that ended the debt. */
export const advanceRecovered = (last: bigint): Html =>
  html`✅ ${bold(sayFrancs(last))} repris sur vos ventes : ce que Sésame vous avait avancé est entièrement repris, elles vous reviennent à nouveau.`;

export const BUTTONS = {
  number: "Indiquer mon numéro",
  order: "Voir ma commande",
  sales: "Voir mes ventes",
} as const;

/** The reason shown for the refund of an overpayment. */
export const OVERPAYMENT_REASON = "Second paiement d'une commande déjà payée";
export const MISMATCH_REASON = "Paiement qui ne correspond pas à la commande";

const ACCOUNT_NAMES: Readonly<Record<string, string>> = {
  suspense: "Mis de côté",
  "platform:fees": "Commission de Sésame",
  "platform:subscriptions": "Abonnements Premium",
  "platform:advances": "Avances aux vendeurs",
  "platform:losses": "Pertes",
  "platform:mismatches": "Écarts des paiements honorés",
  "platform:provider-costs": "Frais des prestataires",
  "platform:chargebacks": "Frais des paiements repris",
  "refunds:in-transit": "Remboursements en cours",
};

/** The label of a ledger account in the details of an order. */
export function nameAccount(key: string): string {
  const [kind, name = ""] = key.split(":");
  if (kind === "seller") return "Vendeur";
  if (kind === "provider") return nameProvider(name);
  if (kind === "float" && isPayoutMethod(name)) return sayMethod(name);
  return ACCOUNT_NAMES[key] ?? key;
}

export const ASKED_BY_NAMES = {
  seller: "Vendeur",
  operator: "Opérateur",
  system: "Sésame",
} as const;

export const ORDER_KIND_NAMES = {
  product: "Vente",
  plan: "Plan Premium",
  trial: "Essai de clés",
  donation: "Don",
} as const;

export const PAYMENT_STATUS_NAMES: Readonly<Record<string, string>> = {
  pending: "En attente",
  paid: "Payé",
  refused: "Refusé",
  mismatched: "Différent de la commande",
  expired: "Expiré",
};

/** A mismatched payment that is refunded. */
export const PAYMENT_GIVEN_BACK = "Rendu";

/** Labels of audit entries about an order, its refunds and its complaints. */
export const AUDIT_ENTRIES: Readonly<Record<string, string>> = {
  "order.refund": "Remboursement décidé",
  "refund.take": "Remboursement pris en main",
  "refund.paid": "Remboursement envoyé à la main",
  "refund.wrong-number": "Numéro du remboursement refusé",
  "refund.returned": "Remboursement déjà rendu par le prestataire",
  "refund.fee": "Frais du prestataire notés",
  "payment.honour": "Paiement différent : commande honorée",
  "payment.give-back": "Paiement différent : rendu à l'acheteur",
  "payment.returned": "Paiement différent : déjà rendu par le prestataire",
  "complaint.refund": "Réclamation : remboursement décidé",
  "complaint.reject": "Réclamation rejetée",
};
