import type { Fcfa } from "@sesame/kernel";
import type { Quote } from "../port.ts";

/** Francs for one euro, by treaty; in thousandths. No provider of crypto counts in francs. */
const FRANCS_PER_EURO = "655.957";
const MILLIFRANCS_PER_EURO = 655_957n;

/**
 * The price in euros at the fixed parity, rounded up to the cent: never less than the price, and
 * less than seven francs above it.
 */
export function quoteInEuros(amount: Fcfa): Quote {
  const cents = (amount * 100_000n + MILLIFRANCS_PER_EURO - 1n) / MILLIFRANCS_PER_EURO;
  const euros = cents / 100n;
  return {
    currency: "EUR",
    amount: `${euros}.${String(cents % 100n).padStart(2, "0")}`,
    rate: FRANCS_PER_EURO,
  };
}

/** Decimal numbers written in two ways; false for anything that is none. */
export function isSameAmount(one: unknown, other: string): boolean {
  const written = typeof one === "number" ? String(one) : one;
  const [a, b] = [plain(written), plain(other)];
  return a !== null && a === b;
}

/** Without the zeros that say nothing. */
function plain(value: unknown): string | null {
  if (typeof value !== "string" || !/^\d{1,15}(\.\d{1,18})?$/.test(value)) return null;
  const [whole = "", decimals = ""] = value.split(".");
  return `${whole.replace(/^0+(?=\d)/, "")}.${decimals.replace(/0+$/, "")}`;
}
