import type {
  CollectorName,
  KkiapayModes,
  WebhookView,
  PaymentCall,
  PaymentFault,
  PaymentOutcome,
  PaymentView,
  PayoutFault,
  PayoutView,
  TelegramFault,
} from "../../wire.ts";
import { formatNumber } from "../emulators.ts";

export const PROVIDERS: Record<CollectorName, string> = {
  moneroo: "Moneroo",
  fedapay: "FedaPay",
  kkiapay: "KkiaPay",
  paydunya: "PayDunya",
  cryptopay: "Crypto Pay",
  stars: "Telegram Stars",
};

const ofEveryCall = {
  refuse: "Refuse la demande",
  "timeout-before": "Coupure avant l'effet",
  "timeout-after": "Coupure après l'effet",
  "500-after": "Erreur 500 après l'effet",
  "429": "Trop d'appels (429)",
  nonsense: "Réponse illisible",
  down: "En panne (503)",
};
export const PAYMENT_FAULTS: Record<PaymentFault, string> = {
  ...ofEveryCall,
  "500": "Erreur 500",
  "not-found": "Introuvable (404)",
  keys: "Clés refusées",
};
export const PAYOUT_FAULTS: Record<PayoutFault, string> = {
  ...ofEveryCall,
  "insufficient-float": "Réserve insuffisante (1 envoi)",
  "late-success": "Réussit 6 h plus tard",
  "late-failure": "Échoue 6 h plus tard",
  "stay-pending": "Reste en attente",
  slow: "Lent (4 s)",
  "unknown-word": "Statut inconnu",
  "no-word": "Statut absent",
  "wrong-amount": "Mauvais montant",
  "wrong-reference": "Mauvaise référence",
};
const telegramFaults: Record<TelegramFault["kind"], string> = {
  tooMany: "429",
  serverError: "panne (500)",
  refusal: "refus",
  slow: "lenteur",
  hang: "sans réponse",
  dropBefore: "coupure avant l'effet",
  dropAfter: "coupure après l'effet",
  serverErrorAfter: "panne après l'effet",
  nonsense: "réponse illisible",
};
export const KKIAPAY_MODES: Record<keyof KkiapayModes, string> = {
  forgedSuccess: "Widget : «\u00a0payé\u00a0» à tort",
  otherAmount: "Widget : 100 F au lieu du prix",
  emptyPartnerId: "Référence partenaire perdue",
  stateAsText: "Avis : état en texte JSON",
};
const calls: Record<PaymentCall, string> = {
  create: "Création",
  fetch: "Vérification",
  refund: "Remboursement",
};
const paymentStatuses: Record<PaymentView["status"], string> = {
  pending: "en attente",
  paid: "payé",
  failed: "échoué",
  cancelled: "annulé",
  refunded: "remboursé",
};
const payoutStatuses: Record<PayoutView["status"], string> = {
  created: "préparé",
  queued: "accepté",
  pending: "chez l'opérateur",
  success: "reçu",
  failed: "échoué",
};
const webhookStates: Record<WebhookView["state"], string> = {
  held: "retenu",
  sending: "en cours d'envoi",
  delivered: "livré",
  failed: "refusé",
  dropped: "perdu",
};
const outcomes: Record<Exclude<PaymentOutcome, "pending">, string> = {
  success: "Réussir",
  failure: "Échouer",
  cancel: "Annuler",
};

const money = (amount: number) => `${formatNumber(amount)} F CFA`;
const currencies: Record<string, string> = { XOF: "F CFA", EUR: "€", XTR: "⭐" };

/** "5 000 F CFA", "7,62 €", "625 ⭐". */
function price({ amount, currency }: Pick<PaymentView, "amount" | "currency">): string {
  const number = Number.isInteger(Number(amount))
    ? formatNumber(Number(amount))
    : String(amount).replace(".", ",");
  return `${number} ${currencies[currency] ?? currency}`;
}

/** Which of a provider's calls these were, by their paths; the first that fits. */
const CALL_WORDS: readonly [RegExp, string][] = [
  [/get-invoice$|^POST \/v1\/payouts$/, "on prépare un versement"],
  [/submit-invoice$|\/start$|payouts\/initialize$/, "on demande un versement"],
  [/check-status$|payouts\/[^/]+(\/verify)?$/, "on interroge sur un versement"],
  [/\/v1\/payouts|\/v1\/balances|\/disburse\//, "on compare les comptes"],
  [/\/create$|\/createInvoice$|\/initialize$|^POST \/v1\/transactions$/i, "on demande un paiement"],
  [/\/revert/, "on demande un remboursement"],
  [/^/, "on interroge sur un paiement"],
];

const of = (provider: CollectorName, words: string) => `${PROVIDERS[provider]} : ${words}`;

export const panelCopy = {
  title: "Panneau de contrôle",
  close: "Fermer le panneau",
  reset: "Effacer toutes les pannes",
  resetDone: "Aucune panne en cours",
  money,
  clock: {
    title: "Horloge",
    real: "Heure réelle",
    steps: [
      ["+1 min", 1],
      ["+1 h", 60],
      ["+1 j", 1_440],
      ["+30 j", 43_200],
    ] as const,
    ahead: (words: string) => `En avance de ${words}`,
    onTime: "À l'heure réelle",
  },
  payments: {
    title: "Encaissements",
    provider: "Prestataire d'encaissement",
    calls,
    noFault: "Normal",
    lateStars: "Réponse du bot jugée trop tardive",
    lost: "Avis perdus",
    thrice: "Avis répétés trois fois",
    forged: "Avis mal signés",
    last: "Derniers encaissements",
    none: "Aucun encaissement pour l'instant.",
    price,
    statuses: paymentStatuses,
    outcomes,
    settleLabel: (outcome: keyof typeof outcomes, view: PaymentView) =>
      `${outcomes[outcome]} le paiement de ${price(view)}`,
    takeBack: "Reprendre",
    takeBackLabel: (view: PaymentView) => `Reprendre le paiement de ${price(view)}`,
    restore: "Rétablir",
    restoreLabel: (view: PaymentView) => `Rétablir le paiement de ${price(view)}`,
    sentWebhooks: "Derniers avis envoyés",
    webhookStates,
    repeat: "Répéter",
    repeatLabel: ({ id, event }: WebhookView) => `Répéter l'avis ${id}, ${event}`,
  },
  accounts: {
    title: "Comptes de vendeurs",
    hint: "Un vendeur ouvre son propre compte chez un prestataire et en copie les clés.",
    provider: "Ouvrir un compte chez",
    open: "Ouvrir un compte",
    account: (provider: CollectorName, id: string) =>
      `${PROVIDERS[provider]}, compte ${id.replace("seller-", "n° ")}`,
    address: "Adresse des avis",
    save: "Enregistrer l'adresse",
    wrong: "Cette adresse n'est pas valable.",
  },
  payouts: {
    title: "Versements aux vendeurs",
    provider: "Prestataire",
    fault: "Panne",
    noFault: "Aucune",
    statuses: payoutStatuses,
    account: "Réserve de",
    float: "Réserve",
    empty: "Vider",
    emptyLabel: (name: string) => `Vider la réserve ${name}`,
    refill: "Remplir",
    refillLabel: (name: string) => `Remplir la réserve ${name}`,
    last: "Derniers versements",
    none: "Aucun versement pour l'instant.",
    settle: { success: "Réussir", failed: "Échouer" },
    settleLabel: (words: string, amount: number) => `${words} le versement de ${money(amount)}`,
    planted: "inconnu de l'app",
    reconciliation: "Rapprochement",
    plant: "Glisser un versement inconnu",
    forget: "Oublier le dernier",
  },
  wallets: {
    title: "Comptes Mobile Money",
    hint: "Le solde de chacun sur son téléphone.",
    credit: "+ 500 000",
    creditLabel: (name: string) => `Donner 500 000 F CFA à ${name}`,
  },
  telegram: {
    title: "Telegram",
    tooMany: "429 aux 3 prochains appels",
    outage: "Panne jusqu'à nouvel ordre",
    dropAfter: "Coupure après l'effet (1 appel)",
    slow: "Réponses lentes (4 s)",
    clear: "Rétablir Telegram",
    active: (kind: TelegramFault["kind"], times: number | null) =>
      times === null
        ? telegramFaults[kind]
        : `${telegramFaults[kind]} · ${times} appel${times > 1 ? "s" : ""}`,
    updates: "Mises à jour envoyées aux bots",
    copies: "Répétées trois fois",
    reorder: "Dans le désordre",
    drop: "Perdues",
    late: "En retard de 5 s",
  },
  faults: {
    ofPayment: (provider: CollectorName, call: PaymentCall, kind: PaymentFault) =>
      `${PROVIDERS[provider]}, ${calls[call].toLowerCase()} : ${PAYMENT_FAULTS[kind].toLowerCase()}`,
    of: (provider: CollectorName, words: string) => of(provider, words.toLowerCase()),
    updates: (how: string) => `Mises à jour de Telegram : ${how.toLowerCase()}`,
  },
  journal: {
    title: "Journal",
    empty: "Ce qui se passe s'écrit ici.",
    clock: (words: string) => `L'horloge avance de ${words}`,
    clockBack: "L'horloge revient en arrière",
    message: (from: string, to: string, text: string) => `${from} → ${to} : ${text}`,
    starsPaid: (who: string, stars: number) => `${who} paie ${formatNumber(stars)} Stars`,
    starsBack: (who: string, stars: number) => `${who} récupère ${formatNumber(stars)} Stars`,
    chatNew: (title: string) => `«\u00a0${title}\u00a0» est créé`,
    joined: (who: string, title: string) => `${who} entre dans «\u00a0${title}\u00a0»`,
    left: (who: string, title: string) => `${who} sort de «\u00a0${title}\u00a0»`,
    banned: (who: string, title: string) => `${who} est exclu de «\u00a0${title}\u00a0»`,
    rights: (who: string, title: string, count: number) =>
      count === 0
        ? `${who} n'a plus de droits dans «\u00a0${title}\u00a0»`
        : `${who} a ${count} droit${count > 1 ? "s" : ""} dans «\u00a0${title}\u00a0»`,
    asked: (who: string, title: string) => `${who} demande à rejoindre «\u00a0${title}\u00a0»`,
    link: (title: string) => `Nouveau lien d'invitation pour «\u00a0${title}\u00a0»`,
    revoked: (title: string) => `Lien d'invitation révoqué pour «\u00a0${title}\u00a0»`,
    upgraded: (title: string) => `«\u00a0${title}\u00a0» devient un supergroupe`,
    telegramCall: (method: string, status: number) =>
      status === 0 ? `Telegram coupe l'appel ${method}` : `Telegram refuse ${method} (${status})`,
    call(provider: CollectorName, what: string, status: number) {
      const words = CALL_WORDS.find(([path]) => path.test(what))?.[1] ?? "";
      return of(provider, `${words}, ${status === 0 ? "pas de réponse" : `réponse ${status}`}`);
    },
    payment: (provider: CollectorName, view: PaymentView, isNew: boolean) =>
      of(provider, `paiement de ${price(view)} ${isNew ? "créé" : paymentStatuses[view.status]}`),
    payout({ provider, status, amount, phone, failure, planted }: PayoutView, isNew: boolean) {
      const sum = money(amount);
      if (isNew && planted) return of(provider, `versement de ${sum} que personne n'a demandé`);
      switch (status) {
        case "created":
          return `${PROVIDERS[provider]} prépare un versement de ${sum}`;
        case "queued":
          return `${PROVIDERS[provider]} prend un versement de ${sum}`;
        case "pending":
          return of(provider, `${sum} ${payoutStatuses.pending}`);
        case "success":
          return of(provider, `${sum} reçus au ${phone}`);
        case "failed":
          return of(provider, `${sum} échoué${failure === null ? "" : ` (${failure})`}`);
      }
    },
    sentByHand: (amount: number, who: string, reference: string) =>
      `Mobile Money : ${money(amount)} envoyés à ${who} (${reference})`,
    faults: (words: string) => `Panne simulée. ${words}`,
    faultless: "Plus aucune panne simulée",
  },
  units: { minute: " min", hour: " h", day: " j" },
};

const MINUTE = 60_000;

/** "2 j 3 h", the two largest units. */
export function spanWords(ms: number): string {
  const { minute, hour, day } = panelCopy.units;
  const minutes = Math.round(ms / MINUTE);
  const parts: [number, string][] = [
    [Math.floor(minutes / 1440), day],
    [Math.floor((minutes % 1440) / 60), hour],
    [minutes % 60, minute],
  ];
  const shown = parts.filter(([count]) => count > 0).slice(0, 2);
  return shown.map(([count, unit]) => `${formatNumber(count)}${unit}`).join(" ") || `0${minute}`;
}
