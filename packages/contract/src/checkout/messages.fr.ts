import { groupDigits } from "../common/francs.fr.ts";

/** A price in the provider's own currency: "1 524,50 €", "625 Stars". */
export function sayQuote(quote: { readonly currency: string; readonly amount: string }): string {
  const [whole = "", cents] = quote.amount.split(".");
  const grouped = groupDigits(whole);
  if (quote.currency === "XTR") return `${grouped} ${grouped === "1" ? "Star" : "Stars"}`;
  const amount = cents === undefined ? grouped : `${grouped},${cents}`;
  return `${amount} ${quote.currency === "EUR" ? "€" : quote.currency}`;
}

/** The message of an answer with the address of the provider's page. */
export const PAYMENT_OPENED = "Paiement initialisé";
