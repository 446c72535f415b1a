import { forget, keep, readKept } from "../../lib/storage.ts";
import { EMPTY_FORM, type ProductFormState } from "./form.ts";

// A new product's words survive a closed app; its image stays in memory while the app is open.
const images = new Map<string, Blob>();

function keyOf(place: string): string {
  return `productDraft:${place}`;
}

/** `place`: seller and group. Null without a draft. */
export function readDraft(place: string): ProductFormState | null {
  const kept = readKept("local", keyOf(place));
  return kept ? { ...EMPTY_FORM, ...(kept as Partial<ProductFormState>) } : null;
}

export function draftImage(place: string): Blob | null {
  return images.get(place) ?? null;
}

export function keepDraft(place: string, form: ProductFormState, image: Blob | null): void {
  if (image) images.set(place, image);
  else images.delete(place);
  keep("local", keyOf(place), form);
}

export function dropDraft(place: string): void {
  images.delete(place);
  forget("local", keyOf(place));
}
