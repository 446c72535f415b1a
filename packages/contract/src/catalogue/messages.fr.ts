import { type RefusalOf, refusal, refusals } from "../common/refusal.ts";
import { PRODUCT_NOT_FOUND } from "../common/paying.fr.ts";
import * as policy from "./policy.ts";

/** How the seller's pages show an optional text of a product. */
type ProductText = {
  readonly max: number;
  readonly label: string;
  /** The label in place of an absent text. */
  readonly none: string;
  readonly tooLong: string;
};

/**
 * One row for each optional text of a product. The key is also the name of its column, its field on the wire
 * and its form field.
 */
export const PRODUCT_TEXTS = {
  description: {
    max: policy.DESCRIPTION_MAX,
    label: "Description",
    none: "Aucune description",
    tooLong: `La description ne peut pas dépasser ${policy.DESCRIPTION_MAX} caractères.`,
  },
} as const satisfies Readonly<Record<string, ProductText>>;

export type ProductTextKey = keyof typeof PRODUCT_TEXTS;
export const PRODUCT_TEXT_KEYS = Object.keys(PRODUCT_TEXTS) as readonly ProductTextKey[];

/** A value for each text, under its key. */
export function ofTexts<T>(read: (key: ProductTextKey) => T): Record<ProductTextKey, T> {
  const entries = PRODUCT_TEXT_KEYS.map((key) => [key, read(key)]);
  return Object.fromEntries(entries) as Record<ProductTextKey, T>;
}

export const REQUIRED_FIELD_NAMES: Readonly<Record<policy.RequiredField, string>> = {
  title: "Titre",
  price: "Prix",
  duration: "Durée",
  image: "Image",
};

/** The limit is 3 on a phone, 5 elsewhere and on the server (A §5). */
export function sayImageTooLarge(megabytes: number): string {
  return `L'image est trop volumineuse. La taille maximale est de ${megabytes} Mo.`;
}

const textRefusals = Object.fromEntries(
  PRODUCT_TEXT_KEYS.map((key) => [`catalogue.${key}-too-long`, PRODUCT_TEXTS[key].tooLong]),
) as { readonly [K in ProductTextKey as `catalogue.${K}-too-long`]: string };

export const catalogueRefusals = refusals({
  /** Word for word from A §5. */
  "catalogue.fields-missing": ({ fields }: { fields: readonly policy.RequiredField[] }) => {
    const names = fields.map((name) => REQUIRED_FIELD_NAMES[name]).join(", ");
    return `Veuillez compléter tous les champs requis: ${names}`;
  },
  "catalogue.title-too-long": `Le titre ne peut pas dépasser ${policy.TITLE_MAX} caractères.`,
  ...textRefusals,
  "catalogue.image-too-large": () => sayImageTooLarge(policy.IMAGE_MB),
  "catalogue.image-not-an-image": "Le fichier doit être une image (JPEG, PNG, WebP, AVIF ou GIF).",
  "catalogue.image-too-many-pixels": "Les dimensions de l'image sont trop grandes.",
  "catalogue.image-unreadable": "L'image est abîmée ou illisible. Veuillez en choisir une autre.",
  "catalogue.image-busy": refusal(
    503,
    "Trop d'images sont en cours d'envoi. Veuillez réessayer dans une minute.",
  ),
  "catalogue.images-too-many": refusal(
    429,
    "Vous avez envoyé trop d'images aujourd'hui. Veuillez réessayer demain.",
  ),
  "catalogue.price-invalid": "Le prix doit être un nombre entier de francs.",
  "catalogue.price-out-of-range": "Le prix doit être compris entre 100 et 1 000 000 FCFA.",
  "catalogue.suggestions-invalid":
    "Proposez quatre montants au plus, chacun entre votre minimum et 1 000 000 FCFA, en francs entiers.",
  "catalogue.kind-unknown": refusal(400, "Un produit est un accès ou un don."),
  "catalogue.duration-unknown": "Veuillez choisir une durée parmi celles proposées.",
  "catalogue.category-unknown": "Veuillez choisir une catégorie parmi celles proposées.",
  "catalogue.stock-invalid":
    "Le nombre de places doit être un nombre entier, ou vide pour ne pas le limiter.",
  "catalogue.status-unknown": refusal(400, "Un produit est actif ou inactif."),
  "catalogue.group-missing": "Veuillez choisir un groupe ou un canal.",
  "catalogue.group-unknown": refusal(404, "Groupe ou canal introuvable."),
  "catalogue.product-unknown": refusal(404, PRODUCT_NOT_FOUND),
});

export type CatalogueRefusal = RefusalOf<typeof catalogueRefusals>;

/** Why a product is "En attente" (decision 34); the seller reads it. */
export const PENDING_REASONS = {
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
} as const;
export type PendingReason = keyof typeof PENDING_REASONS;
