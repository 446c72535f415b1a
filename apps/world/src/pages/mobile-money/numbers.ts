import type { NetworkView } from "../../wire.ts";

/** `+225 07 00 00 00 01`: read back as people say it. */
export function formatPhone(phone: string, networks: NetworkView[]): string {
  const dial = networks.find((one) => phone.startsWith(`+${one.dial}`))?.dial ?? "";
  return [`+${dial}`, grouped(phone.slice(dial.length + 1))].join(" ").trim();
}

/** By pairs; nine digits, as in Senegal, by 2, 3, 2, 2. */
export function grouped(digits: string): string {
  const shape = digits.length === 9 ? /^(..)(...)(..)(..)$/ : null;
  const parts = shape?.exec(digits)?.slice(1) ?? digits.match(/.{1,2}/g) ?? [];
  return parts.join(" ");
}

/** Digits alone, as they are typed with spaces and dots. */
export function digitsOf(text: string): string {
  return text.replaceAll(/\D/g, "");
}
