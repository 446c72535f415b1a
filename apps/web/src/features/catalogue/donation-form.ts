import {
  DESCRIPTION_MAX,
  isPriceAllowed,
  lengthOf,
  missingFields,
  PRICE_MAX,
  PRICE_MIN,
  type ProductOnWire,
  REQUIRED_FOR_DONATION,
  readPrice,
  readSuggestions,
  SUGGESTIONS_MAX,
  sayMissingFields,
} from "@sesame/contract/catalogue";
import { formatFcfa, formatNumber } from "../../lib/format.ts";
import { donationCopy as copy } from "./messages.fr.ts";

export type DonationFormState = {
  readonly title: string;
  readonly message: string;
  /** Digits alone. */
  readonly minimum: string;
  /** Always as many as may be offered; the empty ones are not. */
  readonly suggestions: readonly string[];
};

/** What most sellers would choose: it can be published as it is, once it has a title. */
export const NEW_DONATION: DonationFormState = {
  title: "",
  message: "",
  minimum: "500",
  suggestions: ["1000", "2000", "5000", ""],
};

export function donationFormOf(product: ProductOnWire): DonationFormState {
  const offered = product.suggestions.map(String);
  return {
    title: product.title,
    message: product.description,
    minimum: String(product.price),
    suggestions: Array.from({ length: SUGGESTIONS_MAX }, (_, nth) => offered[nth] ?? ""),
  };
}

export function isDonationComplete(form: DonationFormState): boolean {
  return missing(form).length === 0 && lengthOf(form.message) <= DESCRIPTION_MAX;
}

function missing(form: DonationFormState) {
  const fields = { title: form.title, price: form.minimum, duration: "", hasImage: false };
  return missingFields(fields, REQUIRED_FOR_DONATION);
}

/** What keeps it from being sent, in words; null when nothing does. */
export function donationComplaint(form: DonationFormState): string | null {
  const names = missing(form);
  if (names.length > 0) return sayMissingFields(names);
  const minimum = readPrice(form.minimum);
  const most = formatFcfa(Number(PRICE_MAX));
  if (minimum === null || !isPriceAllowed(minimum)) {
    return copy.badMinimum(formatNumber(Number(PRICE_MIN)), most);
  }
  const offered = readSuggestions(form.suggestions.join(","), minimum);
  return offered ? null : copy.badSuggestion(formatNumber(Number(minimum)), most);
}

export function donationBody(
  form: DonationFormState,
  image: Blob | null,
  isNew: boolean,
): FormData {
  const body = new FormData();
  if (isNew) body.set("kind", "donation");
  body.set("title", form.title.trim());
  body.set("price", form.minimum);
  body.set("description", form.message);
  body.set("suggestions", form.suggestions.filter((each) => each !== "").join(","));
  if (image) body.set("image", image, "image");
  return body;
}
