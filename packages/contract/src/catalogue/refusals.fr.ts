import type { Sentences } from "../common/refusal.ts";
import { PRODUCT_NOT_FOUND } from "../common/messages.fr.ts";
import {
  DESCRIPTION_MAX,
  IMAGE_MB,
  type PendingReason,
  type RequiredField,
  TITLE_MAX,
} from "./policy.ts";

export type CatalogueRefusal =
  | { readonly kind: "catalogue.fields-missing"; readonly fields: readonly RequiredField[] }
  | { readonly kind: "catalogue.title-too-long" }
  | { readonly kind: "catalogue.description-too-long" }
  | { readonly kind: "catalogue.image-too-large" }
  | { readonly kind: "catalogue.image-not-an-image" }
  | { readonly kind: "catalogue.image-too-many-pixels" }
  | { readonly kind: "catalogue.image-unreadable" }
  | { readonly kind: "catalogue.image-busy" }
  | { readonly kind: "catalogue.images-too-many" }
  | { readonly kind: "catalogue.price-invalid" }
  | { readonly kind: "catalogue.price-out-of-range" }
  | { readonly kind: "catalogue.suggestions-invalid" }
  | { readonly kind: "catalogue.kind-unknown" }
  | { readonly kind: "catalogue.duration-unknown" }
  | { readonly kind: "catalogue.category-unknown" }
  | { readonly kind: "catalogue.stock-invalid" }
  | { readonly kind: "catalogue.status-unknown" }
  | { readonly kind: "catalogue.group-missing" }
  | { readonly kind: "catalogue.group-unknown" }
  | { readonly kind: "catalogue.product-unknown" };

export const FIELD_NAMES: Readonly<Record<RequiredField, string>> = {
  title: "Titre",
  price: "Prix",
  duration: "Durée",
  image: "Image",
};

/** A §5, word for word. */
export function sayMissingFields(fields: readonly RequiredField[]): string {
  const names = fields.map((name) => FIELD_NAMES[name]).join(", ");
  return `Veuillez compléter tous les champs requis: ${names}`;
}

/** A §5: 3 on a phone, 5 elsewhere and on the server. */
export function sayImageTooLarge(megabytes: number): string {
  return `L'image est trop volumineuse. La taille maximale est de ${megabytes} Mo.`;
}

export const catalogueRefusals: Sentences<CatalogueRefusal> = {
  "catalogue.fields-missing": { status: 422, message: ({ fields }) => sayMissingFields(fields) },
  "catalogue.title-too-long": {
    status: 422,
    message: `Le titre ne peut pas dépasser ${TITLE_MAX} caractères.`,
  },
  "catalogue.description-too-long": {
    status: 422,
    message: `La description ne peut pas dépasser ${DESCRIPTION_MAX} caractères.`,
  },
  "catalogue.image-too-large": { status: 422, message: sayImageTooLarge(IMAGE_MB) },
  "catalogue.image-not-an-image": {
    status: 422,
    message: "Le fichier doit être une image (JPEG, PNG, WebP, AVIF ou GIF).",
  },
  "catalogue.image-too-many-pixels": {
    status: 422,
    message: "Les dimensions de l'image sont trop grandes.",
  },
  "catalogue.image-busy": {
    status: 503,
    message: "Trop d'images sont en cours d'envoi. Veuillez réessayer dans une minute.",
  },
  "catalogue.images-too-many": {
    status: 429,
    message: "Vous avez envoyé trop d'images aujourd'hui. Veuillez réessayer demain.",
  },
  "catalogue.image-unreadable": {
    status: 422,
    message: "L'image est abîmée ou illisible. Veuillez en choisir une autre.",
  },
  "catalogue.price-invalid": {
    status: 422,
    message: "Le prix doit être un nombre entier de francs.",
  },
  "catalogue.price-out-of-range": {
    status: 422,
    message: "Le prix doit être compris entre 100 et 1 000 000 FCFA.",
  },
  "catalogue.suggestions-invalid": {
    status: 422,
    message:
      "Proposez quatre montants au plus, chacun entre votre minimum et 1 000 000 FCFA, en francs entiers.",
  },
  "catalogue.kind-unknown": { status: 400, message: "Un produit est un accès ou un don." },
  "catalogue.duration-unknown": {
    status: 422,
    message: "Veuillez choisir une durée parmi celles proposées.",
  },
  "catalogue.category-unknown": {
    status: 422,
    message: "Veuillez choisir une catégorie parmi celles proposées.",
  },
  "catalogue.stock-invalid": {
    status: 422,
    message: "Le nombre de places doit être un nombre entier, ou vide pour ne pas le limiter.",
  },
  "catalogue.status-unknown": { status: 400, message: "Un produit est actif ou inactif." },
  "catalogue.group-missing": { status: 422, message: "Veuillez choisir un groupe ou un canal." },
  "catalogue.group-unknown": { status: 404, message: "Groupe ou canal introuvable." },
  "catalogue.product-unknown": { status: 404, message: PRODUCT_NOT_FOUND },
};

/** Why a product is "En attente" (decision 34), said to its seller. */
export const PENDING_REASONS: Readonly<Record<PendingReason, string>> = {
  suspended: "Ce produit est suspendu par la plateforme. Le bot vous en a dit la raison.",
  "seller-suspended":
    "Vos ventes sont suspendues par la plateforme. Le bot vous en a dit la raison.",
  "group-removed": "Le bot n'est plus dans le groupe. Reliez-le à nouveau.",
  "group-reclaimed":
    "Le propriétaire du groupe l'a repris : ce produit ne se vend plus. Les accès déjà payés vont à leur terme.",
  "group-seller-not-admin":
    "Vous n'êtes plus administrateur du groupe avec les droits d'inviter et de bannir : ses ventes sont en pause.",
  "group-public": "Le groupe est public : on peut y entrer sans payer. Rendez-le privé.",
  "group-missing-rights": "Il manque des droits au bot dans le groupe.",
  "group-over-quota": "Le groupe est hors quota de votre plan.",
  "no-provider": "Aucun moyen de paiement n'est ouvert pour le moment.",
};
