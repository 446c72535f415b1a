import type { DurationOnWire } from "@sesame/contract/catalogue";
import type { ProductFormState } from "./form.ts";
import { isSuggested, type Offer, TEMPLATES, type TemplateId } from "./messages.fr.ts";

/**
 * The form with an offer in it. What the seller typed himself is never written over; the duration
 * is in the offer's name, and follows it.
 */
export function fillForm(
  form: ProductFormState,
  offer: Offer,
  durations: readonly DurationOnWire[],
): ProductFormState {
  const option = durations.find(({ minutes, active }) => active && minutes === offer.minutes);
  return {
    ...form,
    title: isSuggested.title(form.title) ? offer.title : form.title,
    price: isSuggested.price(form.price) ? offer.price : form.price,
    description: isSuggested.description(form.description) ? offer.description : form.description,
    category: isCategorySuggested(form) ? offer.category : form.category,
    duration: option?.id ?? form.duration,
  };
}

function isCategorySuggested(form: ProductFormState): boolean {
  const before = templateOf(form);
  return (
    form.category === "other" || (before !== "" && TEMPLATES[before].category === form.category)
  );
}

/** The template a form was begun with, as long as its title says so. */
export function templateOf(form: ProductFormState): TemplateId | "" {
  const ids = Object.keys(TEMPLATES) as TemplateId[];
  return ids.find((id) => TEMPLATES[id].title === form.title) ?? "";
}
