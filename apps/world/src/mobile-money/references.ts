import { type Chance, readableToken } from "@sesame/kernel";

/** A reference as that operator's messages show it; `count` grows: no two are the same. */
export function operatorReference(
  network: string,
  { at, chance, count }: { at: Date; chance: Chance; count: number },
): string {
  const instant = at.toISOString();
  const day = instant.slice(2, 10).replaceAll("-", "");
  const minute = instant.slice(11, 16).replace(":", "");
  const letter = String.fromCharCode("A".charCodeAt(0) + (Math.floor(count / 100_000) % 26));
  const serial = `${letter}${String(count % 100_000).padStart(5, "0")}`;
  if (network.startsWith("orange")) return `PP${day}.${minute}.${serial}`;
  if (network.startsWith("wave")) return `T_${readableToken(4, chance).toUpperCase()}${serial}`;
  if (network.startsWith("moov")) return `MM${day}${minute}${serial}`;
  if (network.startsWith("mtn")) return `MP${day}${minute}${serial}`;
  return `TX${day}${minute}${serial}`;
}
