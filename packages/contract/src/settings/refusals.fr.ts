import type { Sentences } from "../common/refusal.ts";

/** Why a change of the settings is refused, in the order of the checks. */
export type SettingsRefusal =
  | { readonly kind: "settings.fee-out-of-range" }
  | { readonly kind: "settings.limit-out-of-range" }
  | { readonly kind: "settings.limits-crossed" }
  | { readonly kind: "settings.method-out-of-range"; readonly method: string }
  | { readonly kind: "settings.hours-invalid" }
  | { readonly kind: "settings.amount-out-of-range" }
  | { readonly kind: "settings.factor-out-of-range" }
  | { readonly kind: "settings.premium-out-of-range" }
  | { readonly kind: "settings.star-out-of-range" }
  | { readonly kind: "settings.rate-out-of-range" }
  | { readonly kind: "settings.community-invalid" }
  | { readonly kind: "settings.whatsapp-invalid" }
  | { readonly kind: "settings.telegram-invalid" }
  | { readonly kind: "settings.changed-meanwhile" }
  | { readonly kind: "settings.duration-unknown" }
  | { readonly kind: "settings.duration-minutes" }
  | { readonly kind: "settings.duration-name" }
  | { readonly kind: "settings.duration-discount" }
  | { readonly kind: "settings.duration-exists" }
  | { readonly kind: "settings.duration-last" };

export const settingsRefusals: Sentences<SettingsRefusal> = {
  "settings.fee-out-of-range": {
    status: 422,
    message: "La commission doit être comprise entre 0 % et 50 %.",
  },
  "settings.limit-out-of-range": {
    status: 422,
    message: "Les limites de retrait doivent être comprises entre 1 et 10 000 000 FCFA.",
  },
  "settings.limits-crossed": {
    status: 422,
    message: "Le minimum de retrait ne peut pas dépasser les maximums.",
  },
  "settings.method-out-of-range": {
    status: 422,
    message: ({ method }) =>
      `Le minimum et le pas de ${method} doivent être compris entre 1 et 1 000 000 FCFA.`,
  },
  "settings.hours-invalid": {
    status: 422,
    message:
      "Choisissez au moins un jour, et une heure de fin après l'heure de début, entre 0 h et 24 h.",
  },
  "settings.amount-out-of-range": {
    status: 422,
    message: "Les seuils doivent être compris entre 1 et 10 000 000 FCFA.",
  },
  "settings.factor-out-of-range": {
    status: 422,
    message: "Le facteur d'un montant inhabituel doit être compris entre 1,5 et 100.",
  },
  "settings.premium-out-of-range": {
    status: 422,
    message:
      "Le prix du plan Premium doit être compris entre 100 et 1 000 000 FCFA, sa durée entre 1 et 366 jours.",
  },
  "settings.star-out-of-range": {
    status: 422,
    message: "La valeur d'une étoile doit être comprise entre 1 et 1 000 FCFA.",
  },
  "settings.rate-out-of-range": {
    status: 422,
    message:
      "Le nombre d'appels par minute d'un prestataire doit être un entier compris entre 10 et 100 000.",
  },
  "settings.community-invalid": {
    status: 422,
    message: "Le lien de la communauté doit être une adresse https://.",
  },
  "settings.whatsapp-invalid": {
    status: 422,
    message: "Le numéro WhatsApp du support doit être au format international : +225…",
  },
  "settings.telegram-invalid": {
    status: 422,
    message: "Le compte Telegram du support doit être un nom d'utilisateur : @nom.",
  },
  "settings.changed-meanwhile": {
    status: 409,
    message: "Ces réglages ont été modifiés entre-temps. Relisez-les avant de les changer.",
  },
  "settings.duration-unknown": { status: 404, message: "Cette durée n'existe pas." },
  "settings.duration-minutes": {
    status: 422,
    message: "Une durée se compte en minutes entières, de 60 minutes à 10 ans.",
  },
  "settings.duration-name": {
    status: 422,
    message: "Veuillez saisir un nom de durée, de 40 caractères au plus.",
  },
  "settings.duration-discount": {
    status: 422,
    message: "La remise conseillée doit être comprise entre 0 et 100 %.",
  },
  "settings.duration-exists": { status: 409, message: "Cette durée existe déjà." },
  "settings.duration-last": {
    status: 422,
    message: "Gardez au moins une durée active : sans elle, rien ne peut être vendu.",
  },
};
