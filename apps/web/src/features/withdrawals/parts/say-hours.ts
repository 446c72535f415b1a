import type { LimitsAnswer } from "@sesame/contract/withdrawals";
import { withdrawalsCopy } from "../copy.fr.ts";

/** "Traitement sous 24 heures, du lundi au vendredi, de 9 h à 17 h." */
export function sayHours({ jours, debut, fin }: LimitsAnswer["horaires"]): string {
  return withdrawalsCopy.form.delayHours(debut, fin, withdrawalsCopy.form.days(jours));
}
