import type { SmsView } from "../../wire.ts";
import { formatNumber } from "../emulators.ts";

/** As the operators write the currency, and as we do. */
const fcfa = (amount: number) => `${formatNumber(amount)} FCFA`;
const money = (amount: number) => `${formatNumber(amount)} F CFA`;

export const moneyCopy = {
  title: "Mobile Money",
  region: (name: string) => `Mobile Money · ${name}`,
  unread: (count: number) =>
    `Mobile Money, ${count} message${count > 1 ? "s" : ""} non lu${count > 1 ? "s" : ""}`,
  close: "Revenir à Telegram",
  money,
  messages: "Messages des opérateurs",
  empty:
    "Les messages de l'opérateur arrivent ici. Pour les voir, donnez le numéro ci-dessus au moment d'un retrait.",
  send: "Envoyer de l'argent",
  numbers: "Mes numéros",
  /** A message up to its reference. */
  sms: ({ kind, amount, other, balance }: SmsView, spaced: string) => {
    // A number stays on one line.
    const phone = spaced.replaceAll(" ", "\u00a0");
    const named = other.name !== null && phone !== "" ? `${other.name} (${phone})` : null;
    const who = named ?? other.name ?? phone;
    const did =
      kind === "received"
        ? `Vous avez reçu ${fcfa(amount)} de ${who}.`
        : `Vous avez envoyé ${fcfa(amount)} à ${who}. Frais : 0 FCFA.`;
    return `${did} Nouveau solde : ${fcfa(balance)}. Réf. `;
  },
  preview: ({ kind, amount, other }: SmsView) =>
    kind === "received"
      ? `${money(amount)} reçus de ${other.name ?? other.phone ?? ""}`
      : `${money(amount)} envoyés`,
  form: {
    network: "Réseau du destinataire",
    number: "Numéro du destinataire",
    amount: "Montant (F CFA)",
    digits: (count: number) => `Le numéro doit avoir ${count} chiffres.`,
    short: "Solde insuffisant.",
    own: "C'est votre propre numéro.",
    submit: (amount: number) => (amount > 0 ? `Envoyer ${money(amount)}` : "Envoyer"),
  },
  mine: {
    hint: "Donnez ici le numéro choisi pour un retrait : les messages de l'opérateur arriveront sur ce téléphone.",
    network: "Réseau",
    number: "Numéro",
    submit: "Ajouter",
    added: "Numéro ajouté",
  },
};
