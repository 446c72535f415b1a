import type { Opening, TicketKind, TicketStatus } from "./policy.ts";
import type { TicketStatusOnWire } from "./wire.ts";

export const TICKET_KIND_NAMES: Readonly<Record<TicketKind, string>> = {
  sale: "Une vente ou un paiement",
  withdrawal: "Un retrait",
  group: "Un groupe ou un canal",
  product: "Un produit",
  plan: "Mon plan",
  account: "Mon compte",
  other: "Autre chose",
};

export const TICKET_STATUS_WORDS: Readonly<Record<TicketStatus, TicketStatusOnWire>> = {
  open: "ouvert",
  answered: "repondu",
  closed: "clos",
};

/** As its seller reads it, and as the desk does. */
export const TICKET_STATUS_NAMES: Readonly<Record<TicketStatusOnWire, string>> = {
  ouvert: "En attente de réponse",
  repondu: "Répondu",
  clos: "Close",
};

/** Answers of the calls. */
export const TICKET_OPENED = "Votre demande est envoyée. Nous vous répondons ici et par le bot.";
export const TICKET_SENT = "Votre message est envoyé.";
export const TICKET_CLOSED = "Demande clôturée.";
export const TICKET_ANSWERED = "Réponse envoyée : le vendeur est prévenu.";
export const TICKET_READ = "Lu";
export const DATA_ERASED = "Vos données personnelles sont effacées.";

/** Who a pushed answer comes from: `private:message` of A §7. */
export const SUPPORT_NAME = "Support Sésame";

/** In the place of a name that was erased. */
export const ERASED_NAME = "Compte effacé";

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
export function sayOpening({ open, until }: Opening, now: Date, zone: string): string {
  if (!until) return open ? "Ouvert" : "Fermé";
  if (open) return `Ouvert jusqu'à ${hour(until, zone)}`;
  const today = dayName(now, zone) === dayName(until, zone);
  const day =
    today && until.getTime() - now.getTime() < 86_400_000 ? "" : ` ${dayName(until, zone)}`;
  return `Fermé, de retour${day} à ${hour(until, zone)}`;
}
