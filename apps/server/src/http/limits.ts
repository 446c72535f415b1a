/**
 * Calls a minute, on one route, by one person or one address. By address they are loose: a whole
 * mobile network sits behind one. What a call costs stands in docs/route-costs.md; none is below
 * 120 (WIRE §3).
 */
export const CALLS_A_MINUTE = {
  /** Of somebody whose token is known. */
  person: 240,
  address: 3_000,
  /** A link that spreads is opened by a whole town behind one carrier's address. */
  page: 30_000,
  /** Built files and pictures, several for each page. */
  file: 60_000,
  /** A product, from memory. */
  product: 600_000,
} as const;
