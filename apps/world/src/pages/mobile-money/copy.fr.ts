import type { SmsView } from "../../wire.ts";
import { formatNumber } from "../world/format.ts";

/** As the operators write the currency, and as we do. */
const fcfa = (amount: number) => `${formatNumber(amount)} FCFA`;
const money = (amount: number) => `${formatNumber(amount)} F CFA`;

/** Who signs the messages of each network. */
const senders: [RegExp, string][] = [
  [/^orange/, "Orange Money"],
  [/^mtn/, "MTN MoMo"],
  [/^moov/, "Moov Money"],
  [/^wave/, "Wave"],
  [/^free/, "Free Money"],
  [/^expresso/, "E-Money"],
  [/^t-money/, "T-Money"],
];

export const moneyCopy = {
  title: "Mobile Money",
  region: (name: string) => `Mobile Money · ${name}`,
  unread: (count: number) =>
    `Mobile Money, ${count} message${count > 1 ? "s" : ""} non lu${count > 1 ? "s" : ""}`,
  close: "Revenir à Telegram",
  telegram: "Telegram",
  back: "Retour",
  money,
  sender: (network: string) =>
    senders.find(([known]) => known.test(network))?.[1] ?? "Mobile Money",
  messages: "Messages des opérateurs",
  now: "maintenant",
  empty:
    "Les messages de l'opérateur arrivent ici. Pour les voir, donnez le numéro ci-dessus au moment d'un retrait.",
  copyNumber: (phone: string) => `Copier le numéro ${phone}`,
  numberCopied: "Numéro copié",
  balance: "Solde",
  send: "Envoyer de l'argent",
  numbers: "Mes numéros",
  /** The words of a message around its amount and its reference. */
  sms: {
    before: { received: "Vous avez reçu ", sent: "Vous avez envoyé " },
    amount: fcfa,
    other: ({ kind, other }: SmsView, spaced: string | null) => {
      // A number stays on one line.
      const phone = spaced?.replaceAll(" ", "\u00a0") ?? "";
      const who = other.name ?? phone;
      const number = other.name !== null && phone !== "" ? ` (${phone})` : "";
      return `${kind === "received" ? " de " : " à "}${who}${number}.`;
    },
    fee: " Frais : 0 FCFA.",
    balance: (balance: number) => ` Nouveau solde : ${fcfa(balance)}.`,
    reference: " Réf. ",
    copy: (reference: string) => `Copier la référence ${reference}`,
  },
  preview: ({ kind, amount, other }: SmsView) =>
    kind === "received"
      ? `${money(amount)} reçus de ${other.name ?? other.phone ?? ""}`
      : `${money(amount)} envoyés`,
  form: {
    title: "Envoyer de l'argent",
    network: "Réseau du destinataire",
    number: "Numéro du destinataire",
    amount: "Montant",
    currency: "F CFA",
    free: "Sans frais",
    available: (balance: number) => `Solde : ${money(balance)}`,
    digits: (count: number) => `Le numéro doit avoir ${count} chiffres.`,
    short: "Solde insuffisant.",
    own: "C'est votre propre numéro.",
    next: "Continuer",
  },
  confirm: {
    title: "Confirmer l'envoi",
    unknown: "Titulaire inconnu",
    change: "Modifier",
    send: (amount: number) => `Envoyer ${money(amount)}`,
  },
  receipt: {
    title: "Envoi réussi",
    reference: "Référence de l'opérateur",
    copy: "Copier la référence",
    copied: "Référence copiée",
    balance: "Nouveau solde",
    done: "Terminer",
  },
  mine: {
    hint: "Donnez ici le numéro choisi pour un retrait : les messages de l'opérateur arriveront sur ce téléphone.",
    add: "Ajouter un numéro",
    network: "Réseau",
    number: "Numéro",
    submit: "Ajouter",
    added: "Numéro ajouté",
  },
};
