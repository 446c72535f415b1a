import { DESCRIPTION_MAX } from "./policy.ts";

/** How an optional text is shown to the seller who writes it. */
type ProductText = {
  readonly max: number;
  readonly label: string;
  /** Where it stands when there is none. */
  readonly none: string;
  readonly tooLong: string;
};

/** One row an optional text of a product: its column, its field on the wire and in the form bear its key. */
export const PRODUCT_TEXTS = {
  description: {
    max: DESCRIPTION_MAX,
    label: "Description",
    none: "Aucune description",
    tooLong: `La description ne peut pas dépasser ${DESCRIPTION_MAX} caractères.`,
  },
} as const satisfies Readonly<Record<string, ProductText>>;

export type ProductTextKey = keyof typeof PRODUCT_TEXTS;
export const PRODUCT_TEXT_KEYS = Object.keys(PRODUCT_TEXTS) as readonly ProductTextKey[];

/** Something of each text, under its key. */
export function ofTexts<T>(read: (key: ProductTextKey) => T): Record<ProductTextKey, T> {
  const entries = PRODUCT_TEXT_KEYS.map((key) => [key, read(key)]);
  return Object.fromEntries(entries) as Record<ProductTextKey, T>;
}
