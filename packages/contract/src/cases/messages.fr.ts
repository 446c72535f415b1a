import type { InstanceSettings } from "../back-office/policy.ts";
import type * as policy from "./policy.ts";
import type { ComplaintOnWire, TicketStatusOnWire } from "./routes.ts";
import { sayFrancs } from "../common/francs.fr.ts";
import { ORDER_REFUNDED, typeset } from "../common/messages.fr.ts";
import { type RefusalOf, refusal, refusals, conflict } from "../common/refusal.ts";

/** The label of the buyer's button, and the name of the complaint afterwards. */
export const COMPLAINT_KIND_NAMES: Readonly<Record<policy.ComplaintKind, string>> = {
  "paid-not-confirmed": "J'ai payé, mais ce n'est pas confirmé",
  "no-access": "J'ai payé, mais je n'ai pas accès au groupe",
  other: "Autre problème avec cet achat",
};

/** What happens after the complaint is sent. */
export const COMPLAINT_KIND_SENTENCES: Readonly<Record<policy.ComplaintKind, string>> = {
  "paid-not-confirmed":
    "Nous demandons tout de suite au prestataire de paiement, et une personne de l'équipe regarde.",
  "no-access": "Le vendeur a 72 heures pour vous répondre ; ensuite, Sésame décide.",
  other: "Le vendeur a 72 heures pour vous répondre ; ensuite, Sésame décide.",
};

/** The wire's word of each status, and the label. */
export const COMPLAINT_STATUS_NAMES = {
  seller: ["vendeur", "Chez le vendeur"],
  operator: ["operateur", "Chez Sésame"],
  // From the decision on: the money may still be on its way.
  refunded: ["rembourse", "Remboursement décidé"],
  rejected: ["rejete", "Rejetée"],
  solved: ["resolu", "Résolue"],
  withdrawn: ["retire", "Retirée"],
} as const satisfies Record<string, readonly [word: ComplaintOnWire["status"], name: string]>;

export const COMPLAINT_STEP_NAMES = {
  opened: "Réclamation ouverte",
  said: "Message",
  contested: "Contestée par le vendeur",
  "timed-out": "Le vendeur n'a pas répondu dans les 72 heures",
  "refund-begun": "Remboursement décidé",
  refunded: "Argent rendu",
  rejected: "Réclamation rejetée",
  solved: "Problème résolu",
  withdrawn: "Réclamation retirée",
} as const;

export const COMPLAINT_AUTHOR_NAMES = {
  acheteur: "Acheteur",
  vendeur: "Vendeur",
  operateur: "Opérateur",
  systeme: "Sésame",
} as const;

/** Success messages of the calls. */
export const COMPLAINT_ANSWERS = {
  opened: "Votre réclamation est envoyée.",
  said: "Votre message est envoyé.",
  contested: "Sésame va examiner cette réclamation.",
  withdrawn: "Votre réclamation est retirée.",
  refund: "Remboursement décidé : l'acheteur et le vendeur le lisent dans l'application.",
  reject: "Réclamation rejetée : l'acheteur et le vendeur le lisent dans l'application.",
} as const;

/** Entries that the system writes. */
export const SOLVED_BY_ACCESS = "L'acheteur est entré dans le groupe.";
export const SOLVED_BY_PAYMENT = "Le paiement a été confirmé.";

export const TICKET_KIND_NAMES = {
  sale: "Une vente ou un paiement",
  withdrawal: "Un retrait",
  group: "Un groupe ou un canal",
  product: "Un produit",
  plan: "Mon plan",
  account: "Mon compte",
  other: "Autre chose",
} as const;

/** The label for the seller, and the label for the back office. */
export const TICKET_STATUS_NAMES: Readonly<
  Record<policy.TicketStatus, readonly [word: TicketStatusOnWire, name: string]>
> = {
  open: ["ouvert", "En attente de réponse"],
  answered: ["repondu", "Répondu"],
  closed: ["clos", "Close"],
};

/** Success messages of the calls. */
export const TICKET_ANSWERS = {
  opened: "Votre demande est envoyée. Nous vous répondons ici et par le bot.",
  sent: "Votre message est envoyé.",
  closed: "Demande clôturée.",
  answered: "Réponse envoyée : le vendeur est prévenu.",
  read: "Lu",
} as const;

/** The sender of a support answer in `private:message` (A §7). */
export const SUPPORT_NAME = "Support Sésame";

const hour = (at: Date, zone: string): string => {
  const parts = new Intl.DateTimeFormat("fr-FR", {
    timeZone: zone,
    hour: "numeric",
    minute: "2-digit",
    hourCycle: "h23",
  }).formatToParts(at);
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? "";
  const minutes = part("minute");
  return `${Number(part("hour"))} h${minutes === "00" ? "" : ` ${minutes}`}`;
};

const dayName = (at: Date, zone: string): string =>
  new Intl.DateTimeFormat("fr-FR", { timeZone: zone, weekday: "long" }).format(at);

/** "Ouvert jusqu'à 18 h", "Fermé, de retour lundi à 9 h". */
export function sayOpening({ open, until }: policy.Opening, now: Date, zone: string): string {
  if (!until) return open ? "Ouvert" : "Fermé";
  if (open) return `Ouvert jusqu'à ${hour(until, zone)}`;
  const today = dayName(now, zone) === dayName(until, zone);
  const day =
    today && until.getTime() - now.getTime() < 86_400_000 ? "" : ` ${dayName(until, zone)}`;
  return `Fermé, de retour${day} à ${hour(until, zone)}`;
}

/** The only source of the FAQ of /PaymentsSheetsIndex, /IndexFaq and /Plans (B §2, A §2). */
export const FAQ_CHAPTERS = ["settings", "index", "plans"] as const;
export type FaqChapter = (typeof FAQ_CHAPTERS)[number];

/** The answer of each question. */
type Answers = Readonly<Record<string, string>>;

/** Figures that the answers quote, read from the instance's settings. Amounts in francs. */
type FaqFigures = {
  readonly fees: { readonly free: number; readonly premium: number };
  /** An example of a sale, and what it leaves to a seller on the free plan. */
  readonly example: { readonly price: bigint; readonly net: bigint };
  readonly freeGroups: number;
  readonly graceDays: number;
  readonly premium: { readonly price: bigint; readonly days: number };
  readonly withdrawals: InstanceSettings["withdrawals"];
  /** "du lundi au vendredi, de 9 h à 17 h" */
  readonly payoutHours: string;
  /** Names of the providers open to every buyer, and of those that a seller must switch on first. */
  readonly providers: readonly string[];
  readonly toSwitchOn: readonly string[];
  readonly complaintHours: number;
};

const percent = (value: number): string =>
  `${new Intl.NumberFormat("fr-FR", { maximumFractionDigits: 2 }).format(value)} %`;

const list = (names: readonly string[]) => new Intl.ListFormat("fr-FR").format(names);

export function faqOf(figures: FaqFigures) {
  const whole = (answers: Answers) =>
    Object.entries(answers).map(([question, answer]) => {
      return { question: typeset(question), answer: typeset(answer) };
    });
  return {
    settings: whole(settings(figures)),
    index: whole(index(figures)),
    plans: whole(plans(figures)),
  } satisfies Record<FaqChapter, object>;
}

function withdrawing({ withdrawals, payoutHours }: FaqFigures): string {
  const { min, max_free: maxFree, max_premium: maxPremium } = withdrawals;
  return `l'argent est envoyé sous 24 heures, jours ouvrés (${payoutHours}), sans frais. Avec le plan Gratuit, un retrait par semaine, de ${sayFrancs(min)} à ${sayFrancs(maxFree)} ; avec Premium, à tout moment, jusqu'à ${sayFrancs(maxPremium)}.`;
}

function settings(figures: FaqFigures): Answers {
  const { toSwitchOn } = figures;
  const except = toSwitchOn.length === 0 ? "" : `, sauf ${list(toSwitchOn)}`;
  return {
    "Comment fonctionne le service ?":
      "Vous reliez le bot à votre groupe ou canal, vous créez un produit, puis vous partagez son lien. L'acheteur paie, reçoit un lien personnel, et le bot n'admet que lui. À la fin de la durée payée, le bot le retire.",
    "Comment ajouter un moyen de paiement ?": `Les paiements intégrés sont déjà actifs${except} : « Moyens de paiement » permet de les activer ou de les désactiver. Avec le plan Premium, « Ajouter une méthode » enregistre les clés de votre propre compte chez un prestataire : l'argent de vos ventes y arrive directement.`,
    "Comment fonctionnent les retraits ?": `Ouvrez « Retrait », indiquez le montant et votre numéro mobile money : ${withdrawing(figures)}`,
    "Comment relier un groupe Telegram ?":
      "Ouvrez « Relier le bot », choisissez Canal ou Groupe, puis acceptez les droits demandés. Le groupe apparaît aussitôt dans votre liste. Il doit être privé, et de type supergroupe.",
  };
}

function index(figures: FaqFigures): Answers {
  const { example, fees, complaintHours } = figures;
  return {
    "Combien me revient-il sur une vente ?": `Le prix payé, moins les frais de votre plan : ${percent(fees.free)} avec Gratuit, ${percent(fees.premium)} avec Premium. Une vente de ${sayFrancs(example.price)} vous laisse ${sayFrancs(example.net)} sur le plan Gratuit. Le taux est figé au moment de la commande, et les frais sont arrondis au franc inférieur.`,
    "Quand puis-je retirer mon argent ?": `Dès qu'une vente est payée, elle compte dans votre solde. Ensuite, ${withdrawing(figures)}`,
    "Que voit l'acheteur après avoir payé ?":
      "Une page de suivi et un message du bot, avec son lien d'accès personnel. Une autre personne qui utilise ce lien est refusée.",
    "Un acheteur dit avoir payé, mais il n'a pas accès. Que faire ?": `Un paiement confirmé par son opérateur est toujours pris en compte, parfois avec quelques minutes de retard. S'il n'entre toujours pas, il peut le signaler depuis sa commande : la réclamation arrive dans « Réclamations » et vous avez ${complaintHours} heures pour répondre ou rembourser.`,
  };
}

function plans(figures: FaqFigures): Answers {
  const { example, fees, freeGroups, graceDays, premium } = figures;
  return {
    "Puis-je changer de plan ?": `Oui. Le plan Premium coûte ${sayFrancs(premium.price)} pour ${premium.days} jours, puis vous revenez au plan Gratuit après ${graceDays} jours de grâce. Vos produits restent ; au-delà de ${freeGroups} groupes, les ventes des groupes hors quota sont en pause et les accès en cours vont à leur terme.`,
    "Comment les frais sont-ils calculés ?": `Avec le plan Gratuit, ${percent(fees.free)} du prix payé, arrondis au franc inférieur. Le taux est figé quand l'acheteur passe commande : une vente de ${sayFrancs(example.price)} vous laisse ${sayFrancs(example.net)}.`,
    "Quels moyens de paiement mes acheteurs ont-ils ?": `${sayOpen(figures)} Vos acheteurs paient sur la page sécurisée du prestataire ; vous n'avez rien à configurer. Avec Premium, vous pouvez aussi encaisser sur vos propres comptes, par vos propres clés.`,
  };
}

function sayOpen({ providers, toSwitchOn }: FaqFigures): string {
  const said = providers.length === 0 ? [] : [`Aujourd'hui : ${list(providers)}.`];
  if (toSwitchOn.length > 0) {
    said.push(`À activer vous-même, dans « Moyens de paiement » : ${list(toSwitchOn)}.`);
  }
  if (said.length === 0) return "Aucun n'est ouvert sur cette instance pour le moment.";
  return said.join(" ");
}

/** Why a complaint is not opened, answered or decided, in the order of the checks. */
export const complaintsRefusals = refusals({
  "complaints.order-not-found": refusal(404, "Commande introuvable"),
  "complaints.not-found": refusal(404, "Réclamation introuvable"),
  "complaints.own-case": refusal(
    403,
    "Vous êtes le vendeur ou l'acheteur : quelqu'un d'autre doit décider.",
  ),
  "complaints.kind-missing": "Choisissez ce qui ne va pas.",
  "complaints.decision-missing": "Choisissez : rembourser, ou rejeter.",
  "complaints.words-missing": "Écrivez quelques mots (minimum 3 caractères).",
  "complaints.words-too-long": "Le message est trop long (1 000 caractères).",
  "complaints.open-already": conflict("Une réclamation est déjà ouverte pour cette commande."),
  "complaints.too-many": conflict(
    "Cette commande a déjà été examinée : une nouvelle réclamation n'est plus possible. Contactez le support.",
  ),
  "complaints.too-many-today": refusal<{ retryAfterSeconds: number }>(
    429,
    "Vous avez déjà signalé plusieurs paiements aujourd'hui : ils sont en cours de vérification. Réessayez demain, ou contactez le support.",
  ),
  "complaints.too-late":
    "Plus de 90 jours ont passé : une réclamation n'est plus possible. Contactez le support.",
  "complaints.order-refunded": conflict(ORDER_REFUNDED),
  "complaints.not-for-order": "Cette réclamation ne correspond pas à l'état de la commande.",
  "complaints.closed": conflict("Cette réclamation est close."),
  "complaints.with-operator": conflict("Sésame examine déjà cette réclamation."),
  "complaints.with-seller": conflict(
    "Le vendeur a encore le temps de répondre : vous déciderez s'il ne le fait pas.",
  ),
  "complaints.too-many-words": conflict("Vous avez déjà beaucoup écrit : attendez la réponse."),
});

export type ComplaintsRefusal = RefusalOf<typeof complaintsRefusals>;

/** Why a message to the support is refused, in the order of the checks. */
export const supportRefusals = refusals({
  "support.ticket-not-found": refusal(404, "Demande d'assistance introuvable"),
  "support.own-ticket": refusal(
    403,
    "C'est votre propre demande : une autre personne de l'équipe doit y répondre.",
  ),
  "support.kind-missing": "Choisissez le sujet de votre demande.",
  "support.words-missing": ({ min }: { min: number }) =>
    `Écrivez votre message (minimum ${min} caractères).`,
  "support.words-too-long": "Le message est trop long (2 000 caractères au plus).",
  "support.subject-not-found": refusal(404, "La vente ou le retrait choisi est introuvable."),
  "support.too-many-open": conflict(
    "Vous avez déjà 5 demandes en cours : écrivez dans l'une d'elles, ou clôturez celles qui sont résolues.",
  ),
  "support.too-many-words": conflict(
    "Vous avez envoyé 20 messages en 24 heures : attendez notre réponse, elle arrive.",
  ),
});
