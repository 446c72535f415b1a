import { type RefusalOf, refusal, refusals, conflict } from "../common/refusal.ts";
import { groupDigits, sayFrancs } from "../common/francs.fr.ts";
import { PRODUCT_NOT_FOUND } from "../common/paying.fr.ts";

/** What a seller's account still contains; amounts in francs, as digits. */
export type Remains = {
  readonly balance: bigint;
  readonly held: bigint;
  readonly requests: number;
  readonly accesses: number;
  /** The French day on which the last membership ends. */
  readonly accessesUntil: string | null;
  readonly payments: number;
  /** Francs that the platform advanced for the seller's refunds. */
  readonly owed: bigint;
  /** Open complaints of the seller's buyers, refunds the seller must send, and refunds of the seller's plan. */
  readonly complaints: number;
};

/** Refusals of the back office except those of withdrawals, in the order of the checks. */
export const registryRefusals = refusals({
  "desk.alert-not-found": refusal(404, "Cette alerte n'existe pas."),
  "desk.alert-own": refusal(
    403,
    "Cette alerte vous concerne : une autre personne doit la traiter.",
  ),
  "desk.alert-operator-only": refusal(403, "Seul un opérateur peut clore cette alerte."),
  "desk.alert-resolved": conflict("Cette alerte est déjà close."),
  "desk.alert-by-action": conflict(
    "Cette alerte se ferme d'elle-même, par la décision d'un opérateur sur la commande.",
  ),
  "desk.seller-not-found": refusal(404, "Ce vendeur n'existe pas."),
  "desk.product-not-found": refusal(404, "Ce produit n'existe pas."),
  "desk.own-account": refusal(403, "C'est votre propre compte : un autre opérateur doit décider."),
  "desk.operator-only": refusal(403, "Réservé aux opérateurs."),
  "desk.review-missing": "Veuillez choisir la date de réexamen.",
  "desk.review-out-of-range": "La date de réexamen doit être comprise entre demain et dans un an.",
  "desk.already-suspended": conflict("C'est déjà suspendu."),
  "desk.not-suspended": conflict("Ce n'est pas suspendu."),
  "desk.already-frozen": conflict("Les retraits de ce vendeur sont déjà gelés."),
  "desk.not-frozen": conflict("Les retraits de ce vendeur ne sont pas gelés."),
  "desk.account-closed": conflict("Ce vendeur a fermé son compte."),
  "desk.account-open": conflict("Ce compte n'est pas fermé."),
  "desk.nothing-owed": conflict("Ce vendeur ne doit rien à la plateforme."),
  "desk.write-off-waits": conflict(
    "Un autre opérateur doit confirmer. Seul, vous le pourrez 24 heures après votre demande.",
  ),
  "desk.day-invalid": "Veuillez choisir un jour, par exemple 2026-11-16.",
  "desk.day-in-future": "Ce jour n'est pas encore arrivé.",
  "desk.float-unknown": refusal(404, "Cette caisse n'existe pas."),
  "desk.float-busy": conflict(
    "Des mouvements sont en cours d'écriture. Réessayez dans un instant.",
  ),
  "desk.counted-invalid": "Veuillez saisir le solde compté, en francs entiers.",
  "desk.day-closed": conflict(
    "Ce jour est déjà clos pour cette caisse. Une erreur se corrige par une correction.",
  ),
  "desk.day-covered": conflict(
    "Un jour plus récent est déjà clos pour cette caisse : celui-ci en fait partie.",
  ),
  "desk.day-not-closed": conflict(
    "Ce jour n'est pas encore clos pour cette caisse : il n'y a rien à corriger.",
  ),
  "desk.day-same-count": "Ce solde est celui qui a déjà été compté.",
  "desk.explanation-missing": "Le solde compté diffère des écritures : veuillez expliquer l'écart.",
  "desk.explanation-too-long": "L'explication ne peut pas dépasser 500 caractères.",
  "desk.move-direction": "Choisissez une entrée ou une sortie.",
  "desk.move-amount": "Veuillez saisir un montant entier, de 1 à 100 000 000 FCFA.",
  "desk.move-other":
    "Choisissez d'où vient ou bien où va l'argent : la trésorerie ou une autre caisse.",
  "desk.move-reference": "Veuillez saisir une référence ou un motif, de 3 à 120 caractères.",
  "desk.move-too-large": "Cette caisse ne contient pas ce montant.",
  "desk.period-too-long": refusal(
    400,
    "Choisissez une période de 92 jours au plus, la fin après le début.",
  ),
  "report.product-not-found": refusal(404, PRODUCT_NOT_FOUND),
  "report.own-product": "Vous êtes le vendeur de ce produit : vous ne pouvez pas le signaler.",
  "report.reason-unknown": "Veuillez choisir le motif du signalement.",
  "report.message-missing": "Veuillez dire en quelques mots ce qui ne va pas.",
  "report.message-too-long": "Le message ne peut pas dépasser 500 caractères.",
  "report.too-many": "Vous avez signalé beaucoup de produits aujourd'hui. Réessayez demain.",
  "account.confirm-missing": "Veuillez confirmer la fermeture de votre compte.",
  "account.under-measure": conflict(
    "Votre compte est suspendu ou vos retraits sont gelés : il ne peut pas être fermé avant la décision de la plateforme.",
  ),
  "account.not-empty": conflict<{ remains: Remains }>(
    ({ remains }) => `Votre compte ne peut pas encore être fermé : ${sayRemains(remains)}.`,
  ),
});

export type RegistryRefusal = RefusalOf<typeof registryRefusals>;

function sayRemains(remains: Remains): string {
  const { balance, held, requests, accesses, accessesUntil, payments, owed, complaints } = remains;
  const until = accessesUntil ? `, jusqu'au ${accessesUntil}` : "";
  const parts = [
    balance > 0n ? `il reste ${sayFrancs(balance)} à retirer` : null,
    held > 0n ? `${sayFrancs(held)} sont réservés` : null,
    requests > 0 ? `${count(requests, "retrait")} en cours` : null,
    accesses > 0 ? `${count(accesses, "accès")} en cours${until}` : null,
    payments > 0 ? `${count(payments, "paiement")} en attente de réponse` : null,
    owed > 0n ? `${sayFrancs(owed)} d'avance sont à reprendre sur vos ventes` : null,
    complaints > 0
      ? `${count(complaints, "réclamation")} ou ${complaints > 1 ? "remboursements" : "remboursement"} en cours`
      : null,
  ];
  return parts.filter((part) => part !== null).join(" ; ");
}

function count(number: number, noun: string): string {
  return `${groupDigits(number)} ${number > 1 && !noun.endsWith("s") ? `${noun}s` : noun}`;
}

/** Refusals of a change of the settings, in the order of the checks. */
export const settingsRefusals = refusals({
  "settings.fee-out-of-range": "La commission doit être comprise entre 0 % et 50 %.",
  "settings.limit-out-of-range":
    "Les limites de retrait doivent être comprises entre 1 et 10 000 000 FCFA.",
  "settings.limits-crossed": "Le minimum de retrait ne peut pas dépasser les maximums.",
  "settings.method-out-of-range": ({ method }: { method: string }) =>
    `Le minimum et le pas de ${method} doivent être compris entre 1 et 1 000 000 FCFA.`,
  "settings.hours-invalid":
    "Choisissez au moins un jour, et une heure de fin après l'heure de début, entre 0 h et 24 h.",
  "settings.amount-out-of-range": "Les seuils doivent être compris entre 1 et 10 000 000 FCFA.",
  "settings.factor-out-of-range":
    "Le facteur d'un montant inhabituel doit être compris entre 1,5 et 100.",
  "settings.premium-out-of-range":
    "Le prix du plan Premium doit être compris entre 100 et 1 000 000 FCFA, sa durée entre 1 et 366 jours.",
  "settings.star-out-of-range": "La valeur d'une étoile doit être comprise entre 1 et 1 000 FCFA.",
  "settings.rate-out-of-range":
    "Le nombre d'appels par minute d'un prestataire doit être un entier compris entre 10 et 100 000.",
  "settings.community-invalid": "Le lien de la communauté doit être une adresse https://.",
  "settings.whatsapp-invalid":
    "Le numéro WhatsApp du support doit être au format international : +225…",
  "settings.telegram-invalid":
    "Le compte Telegram du support doit être un nom d'utilisateur : @nom.",
  "settings.changed-meanwhile": conflict(
    "Ces réglages ont été modifiés entre-temps. Relisez-les avant de les changer.",
  ),
  "settings.duration-unknown": refusal(404, "Cette durée n'existe pas."),
  "settings.duration-minutes": "Une durée se compte en minutes entières, de 60 minutes à 10 ans.",
  "settings.duration-name": "Veuillez saisir un nom de durée, de 40 caractères au plus.",
  "settings.duration-discount": "La remise conseillée doit être comprise entre 0 et 100 %.",
  "settings.duration-exists": conflict("Cette durée existe déjà."),
  "settings.duration-last":
    "Gardez au moins une durée active : sans elle, rien ne peut être vendu.",
});

export type SettingsRefusal = RefusalOf<typeof settingsRefusals>;
