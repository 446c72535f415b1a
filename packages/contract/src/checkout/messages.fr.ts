/** "1 524,50 €", "625 Stars": asked in the provider's own currency. */
export function sayQuote(quote: { readonly currency: string; readonly amount: string }): string {
  const [whole = "", cents] = quote.amount.split(".");
  // By thousands, with no-break spaces.
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, "\u00a0");
  if (quote.currency === "XTR") return `${grouped} ${grouped === "1" ? "Star" : "Stars"}`;
  const amount = cents === undefined ? grouped : `${grouped},${cents}`;
  return `${amount} ${quote.currency === "EUR" ? "€" : quote.currency}`;
}

/** Said with the address of the provider's page. */
export const PAYMENT_OPENED = "Paiement initialisé";
