import type { DurationOnWire } from "@sesame/contract/catalogue";
import { forget, keep, readKept } from "../../lib/storage.ts";
import { EMPTY_FORM, type ProductForm } from "./form.ts";
import { isSuggested, type Offer, TEMPLATES, type TemplateId } from "./offers.fr.ts";

// A new product's words survive a closed app; its image stays in memory while the app is open.
// `place`: seller and group.
const images = new Map<string, Blob>();

const keyOf = (place: string) => `productDraft:${place}`;

/** Null without a draft. */
export function readDraft(place: string): ProductForm | null {
  const kept = readKept("local", keyOf(place));
  return kept ? { ...EMPTY_FORM, ...(kept as Partial<ProductForm>) } : null;
}

export function draftImage(place: string): Blob | null {
  return images.get(place) ?? null;
}

export function keepDraft(place: string, form: ProductForm, image: Blob | null): void {
  if (image) images.set(place, image);
  else images.delete(place);
  keep("local", keyOf(place), form);
}

export function dropDraft(place: string): void {
  images.delete(place);
  forget("local", keyOf(place));
}

/**
 * The form with an offer in it. What the seller typed himself is never written over; the duration
 * is in the offer's name, and follows it.
 */
export function fillForm(
  form: ProductForm,
  offer: Offer,
  durations: readonly DurationOnWire[],
): ProductForm {
  const option = durations.find(({ minutes, active }) => active && minutes === offer.minutes);
  const before = templateOf(form);
  const category = before === "" ? "other" : TEMPLATES[before].category;
  return {
    ...form,
    title: isSuggested.title(form.title) ? offer.title : form.title,
    price: isSuggested.price(form.price) ? offer.price : form.price,
    description: isSuggested.description(form.description) ? offer.description : form.description,
    category: ["other", category].includes(form.category) ? offer.category : form.category,
    duration: option?.id ?? form.duration,
  };
}

/** The template a form was begun with, as long as its title says so. */
export function templateOf(form: ProductForm): TemplateId | "" {
  const ids = Object.keys(TEMPLATES) as TemplateId[];
  return ids.find((id) => TEMPLATES[id].title === form.title) ?? "";
}
