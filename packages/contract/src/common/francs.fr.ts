// A file of its own: refusals of sellers and staff write francs, and a buyer's first load must not include it.

/** "200 000", with no-break spaces: narrow ones are hardly visible on a phone. */
export function groupDigits(number: bigint | number | string): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, "\u00a0");
}

/** "200 000 FCFA". */
export function sayFrancs(amount: bigint | number): string {
  return `${groupDigits(amount)} FCFA`;
}

/** Added to a refusal for want of balance, when Sésame advanced francs that sales repay first. */
export function sayOwed(owed: bigint): string {
  if (owed === 0n) return "";
  return `. Vos prochaines ventes remboursent d'abord les ${sayFrancs(owed)} avancés par Sésame.`;
}

/** The same on the seller's screens. */
export function explainOwed(owed: number): string {
  return `Vous devez ${sayFrancs(owed)} à Sésame, avancés pour rembourser vos acheteurs. Cette somme est prise sur vos prochaines ventes.`;
}
