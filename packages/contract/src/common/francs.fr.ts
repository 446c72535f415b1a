// Apart: the refusals of sellers and staff say francs; a buyer's first load has none of them.

/** "200 000", with no-break spaces: narrow ones look closed on a phone. */
export function groupDigits(number: bigint | number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, "\u00a0");
}

/** "200 000 FCFA". */
export function sayFrancs(amount: bigint | number): string {
  return `${groupDigits(amount)} FCFA`;
}
