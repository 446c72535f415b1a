import { EMPTY_FORM, type ProductFormState } from "./form.ts";

// A new product's words survive a closed app; its image stays in memory while the app is open.
const images = new Map<string, Blob>();

function keyOf(place: string): string {
  return `productDraft:${place}`;
}

/** `place`: seller and group. Null without a draft. */
export function readDraft(place: string): ProductFormState | null {
  try {
    const text = localStorage.getItem(keyOf(place));
    return text ? { ...EMPTY_FORM, ...(JSON.parse(text) as Partial<ProductFormState>) } : null;
  } catch {
    return null;
  }
}

export function draftImage(place: string): Blob | null {
  return images.get(place) ?? null;
}

export function keepDraft(place: string, form: ProductFormState, image: Blob | null): void {
  if (image) images.set(place, image);
  else images.delete(place);
  try {
    localStorage.setItem(keyOf(place), JSON.stringify(form));
  } catch {
    // Storage refused: the draft lives as long as the screen.
  }
}

export function dropDraft(place: string): void {
  images.delete(place);
  try {
    localStorage.removeItem(keyOf(place));
  } catch {
    // Nothing was kept either.
  }
}
