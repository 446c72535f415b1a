import { type RefusalOf, refusal } from "../common/refusal.ts";

/** Why a change of the settings is refused, in the order of the checks. */
export const settingsRefusals = {
  "settings.fee-out-of-range": refusal(422, "La commission doit être comprise entre 0 % et 50 %."),
  "settings.limit-out-of-range": refusal(
    422,
    "Les limites de retrait doivent être comprises entre 1 et 10 000 000 FCFA.",
  ),
  "settings.limits-crossed": refusal(
    422,
    "Le minimum de retrait ne peut pas dépasser les maximums.",
  ),
  "settings.method-out-of-range": refusal<{ method: string }>(
    422,
    ({ method }) =>
      `Le minimum et le pas de ${method} doivent être compris entre 1 et 1 000 000 FCFA.`,
  ),
  "settings.hours-invalid": refusal(
    422,
    "Choisissez au moins un jour, et une heure de fin après l'heure de début, entre 0 h et 24 h.",
  ),
  "settings.amount-out-of-range": refusal(
    422,
    "Les seuils doivent être compris entre 1 et 10 000 000 FCFA.",
  ),
  "settings.factor-out-of-range": refusal(
    422,
    "Le facteur d'un montant inhabituel doit être compris entre 1,5 et 100.",
  ),
  "settings.premium-out-of-range": refusal(
    422,
    "Le prix du plan Premium doit être compris entre 100 et 1 000 000 FCFA, sa durée entre 1 et 366 jours.",
  ),
  "settings.star-out-of-range": refusal(
    422,
    "La valeur d'une étoile doit être comprise entre 1 et 1 000 FCFA.",
  ),
  "settings.rate-out-of-range": refusal(
    422,
    "Le nombre d'appels par minute d'un prestataire doit être un entier compris entre 10 et 100 000.",
  ),
  "settings.community-invalid": refusal(
    422,
    "Le lien de la communauté doit être une adresse https://.",
  ),
  "settings.whatsapp-invalid": refusal(
    422,
    "Le numéro WhatsApp du support doit être au format international : +225…",
  ),
  "settings.telegram-invalid": refusal(
    422,
    "Le compte Telegram du support doit être un nom d'utilisateur : @nom.",
  ),
  "settings.changed-meanwhile": refusal(
    409,
    "Ces réglages ont été modifiés entre-temps. Relisez-les avant de les changer.",
  ),
  "settings.duration-unknown": refusal(404, "Cette durée n'existe pas."),
  "settings.duration-minutes": refusal(
    422,
    "Une durée se compte en minutes entières, de 60 minutes à 10 ans.",
  ),
  "settings.duration-name": refusal(
    422,
    "Veuillez saisir un nom de durée, de 40 caractères au plus.",
  ),
  "settings.duration-discount": refusal(
    422,
    "La remise conseillée doit être comprise entre 0 et 100 %.",
  ),
  "settings.duration-exists": refusal(409, "Cette durée existe déjà."),
  "settings.duration-last": refusal(
    422,
    "Gardez au moins une durée active : sans elle, rien ne peut être vendu.",
  ),
};

export type SettingsRefusal = RefusalOf<typeof settingsRefusals>;
