import type { UserOnWire } from "@sesame/contract/identity";
import { sayMethods, type WayToPay } from "./format.ts";

/** Without accents or case: "Éducation" is found by "educ". */
function fold(text: string): string {
  return text
    .normalize("NFD")
    .replace(/\p{Diacritic}/gu, "")
    .toLowerCase();
}

export function foldedIncludes(text: string, part: string): boolean {
  return fold(text).includes(fold(part.trim()));
}

/** A part of an address as it was written; unchanged when it is not well encoded. */
export function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Joins class names, leaving out what is false. */
export function classes(...names: (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(" ");
}

/** The letters in the place of a picture. */
export function initialsOf(name: string): string {
  const firsts = name.split(/[\s·—–-]+/).flatMap((word) => /[\p{L}\p{N}]/u.exec(word) ?? []);
  return firsts.slice(0, 2).join("").toUpperCase();
}

// Addresses that several screens lead to.
export const HOME = "/IndexEspace";
export const HISTORY = "/HistoriqueRetraits";
export const SETTINGS = "/PaymentsSheetsIndex";

/** The status page of an order in the sellers' app; without `app=vendeur` the server shows the buyers' page. */
export function paymentPath(order: string): string {
  return `/PaymentStatus?paymentId=${encodeURIComponent(order)}&app=vendeur`;
}

/** Of both plans' accounts: money held for a request stays with the plan it was requested under. */
export function totalOf(user: UserOnWire): number {
  return balanceOf(user.balanceGratuit) + balanceOf(user.balancePayant);
}

/** A number or a numeric text; anything else counts as zero (A §5). */
export function balanceOf(value: unknown): number {
  const amount = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof amount === "number" && Number.isFinite(amount) ? Math.trunc(amount) : 0;
}

type Way = Pick<WayToPay, "id" | "name" | "methods"> & { readonly repeats?: boolean };

/** Of a way to pay: what people know it by, then the rest. Operators that it `repeats` are left out. */
export function sayWay({ id, name, methods, repeats }: Way): [known: string, rest: string] {
  const words = repeats ? "" : sayMethods(methods.filter((method) => method !== name));
  return words && !/^(crypto|stars)/.test(id) ? [words, name] : [name, words];
}
