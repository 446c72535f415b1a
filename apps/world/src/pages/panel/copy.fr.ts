import type { NoticeView, TelegramFault } from "../../wire.ts";
import { formatNumber } from "../world/format.ts";

const noticeStates: Record<NoticeView["state"], string> = {
  held: "retenu",
  sending: "en cours d'envoi",
  delivered: "livré",
  failed: "refusé",
  dropped: "perdu",
};

const faults: Record<TelegramFault["kind"], string> = {
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

const money = (amount: number) => `${formatNumber(amount)} F CFA`;

export const panelCopy = {
  title: "Panneau de contrôle",
  close: "Fermer le panneau",
  reset: "Effacer toutes les pannes",
  resetDone: "Aucune panne en cours",
  money,
  clock: {
    title: "Horloge",
    real: "Heure réelle",
    steps: { minute: "+1 min", hour: "+1 h", day: "+1 j", month: "+30 j" },
    ahead: (words: string) => `En avance de ${words}`,
    onTime: "À l'heure réelle",
  },
  notices: {
    repeat: "Répéter",
    repeatLabel: (event: string, id: number) => `Répéter l'avis ${id}, ${event}`,
    states: noticeStates,
  },
  telegram: {
    title: "Telegram",
    tooMany: "429 aux 3 prochains appels",
    outage: "Panne jusqu'à nouvel ordre",
    dropAfter: "Coupure après l'effet (1 appel)",
    slow: "Réponses lentes (4 s)",
    clear: "Rétablir Telegram",
    active: (kind: TelegramFault["kind"], times: number | null) =>
      times === null ? faults[kind] : `${faults[kind]} · ${times} appel${times > 1 ? "s" : ""}`,
    rights: "Droits du bot",
    strip: "Retirer ses droits",
    stripLabel: (title: string) => `Retirer les droits du bot dans ${title}`,
    expel: "Exclure le bot",
    expelLabel: (title: string) => `Exclure le bot de ${title}`,
    noChat: "Le bot n'est administrateur nulle part.",
    updates: "Mises à jour envoyées aux bots",
    copies: "Répétées trois fois",
    reorder: "Dans le désordre",
    drop: "Perdues",
    late: "En retard de 5 s",
  },
  journal: {
    title: "Journal",
    empty: "Ce qui se passe s'écrit ici.",
    clock: (words: string) => `L'horloge avance de ${words}`,
    clockBack: "L'horloge revient en arrière",
    message: (from: string, to: string, text: string) => `${from} → ${to} : ${text}`,
    starsPaid: (who: string, stars: number) => `${who} paie ${formatNumber(stars)} Stars`,
    starsBack: (who: string, stars: number) => `${who} récupère ${formatNumber(stars)} Stars`,
    chatNew: (title: string) => `« ${title} » est créé`,
    joined: (who: string, title: string) => `${who} entre dans « ${title} »`,
    left: (who: string, title: string) => `${who} sort de « ${title} »`,
    banned: (who: string, title: string) => `${who} est exclu de « ${title} »`,
    rights: (who: string, title: string, count: number) =>
      count === 0
        ? `${who} n'a plus de droits dans « ${title} »`
        : `${who} a ${count} droit${count > 1 ? "s" : ""} dans « ${title} »`,
    asked: (who: string, title: string) => `${who} demande à rejoindre « ${title} »`,
    link: (title: string) => `Nouveau lien d'invitation pour « ${title} »`,
    revoked: (title: string) => `Lien d'invitation révoqué pour « ${title} »`,
    upgraded: (title: string) => `« ${title} » devient un supergroupe`,
    telegramCall: (method: string, status: number) =>
      status === 0 ? `Telegram coupe l'appel ${method}` : `Telegram refuse ${method} (${status})`,
    faults: (words: string) => `Panne simulée. ${words}`,
    calm: "Plus aucune panne simulée",
    updates: (how: string) => `Mises à jour de Telegram : ${how.toLowerCase()}`,
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
