import { createHmac, timingSafeEqual } from "node:crypto";
import { type Fcfa, fcfa } from "@sesame/kernel";
import type { ProviderPaymentStatus, ProviderPayoutStatus } from "./port.ts";

/** Readers for parts of a provider's answer. Pure; never throw: null means absent. */

/** An object's own field; null for arrays and inherited properties. */
export function field(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}

/** The first of several fields that is not null: providers spell one thing in many ways. */
export function firstField(value: unknown, names: readonly string[]): unknown {
  for (const name of names) {
    const found = field(value, name);
    if (found !== undefined && found !== null) return found;
  }
  return undefined;
}

/** Ids are opaque, but one of an impossible form must not reach an address or the database. */
export function readId(value: unknown): string | null {
  return typeof value === "string" && /^[A-Za-z0-9_-]{1,64}$/.test(value) ? value : null;
}

/** An id that some answers write as a number. */
export function readAnyId(value: unknown): string | null {
  return readId(typeof value === "number" && Number.isSafeInteger(value) ? String(value) : value);
}

/**
 * Our reference in an answer. Some answers write it as a number; any other value counts as absent.
 */
export function readReference(value: unknown): string | null {
  if (typeof value === "number" && Number.isSafeInteger(value)) return String(value);
  return typeof value === "string" && value !== "" ? value : null;
}

/**
 * Maps a provider's payment statuses to ours. An undocumented status can only mean a full or partial
 * refund, or nothing certain.
 */
export function paymentStatuses(words: Readonly<Record<string, ProviderPaymentStatus>>) {
  const known = new Map(Object.entries(words));
  return (word: string): ProviderPaymentStatus => {
    const isBack = /refunded|reversed|reverted|charged?.?back/i.test(word);
    const isPart = /partial/i.test(word) && /refund|revers|revert/i.test(word);
    return known.get(word) ?? (isPart ? "partly-refunded" : isBack ? "refunded" : "pending");
  };
}

/** Maps payout statuses: any unknown status means sent. */
export function payoutStatuses(words: Readonly<Record<string, ProviderPayoutStatus>>) {
  const known = new Map(Object.entries(words));
  return (word: string): ProviderPayoutStatus => known.get(word) ?? "sent";
}

/** Whole francs, as a number or a string, with or without a decimal point and zeros. */
export function readAmount(value: unknown): Fcfa | null {
  if (typeof value === "string" && /^\d{1,15}(\.0+)?$/.test(value)) {
    return fcfa(Number.parseInt(value, 10));
  }
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) return null;
  return fcfa(value);
}

/** A provider's sentence, cut to a limit; null when there is none. */
export function readWords(value: unknown): string | null {
  if (typeof value !== "string") return null;
  const words = value.replaceAll(/\p{Cc}/gu, " ").trim();
  return words === "" ? null : words.slice(0, 200);
}

/** ISO 4217, from a string or from an object that holds it. */
export function readCurrency(value: unknown): string | null {
  // FedaPay's `code` is the number of ISO 4217, its `iso` the letters.
  const codes = [value, field(value, "code"), field(value, "iso")];
  return codes.find((code) => typeof code === "string") ?? null;
}

/** For accounts that count in francs only, and name no currency, as KkiaPay's. */
export function readCurrencyOrFrancs(value: unknown): string | null {
  return value === undefined || value === null ? "XOF" : readCurrency(value);
}

/** An address to which a browser may be sent. */
export function readAddress(value: unknown): string | null {
  if (typeof value !== "string" || value.length > 2_000) return null;
  return /^https?:\/\//.test(value) && URL.canParse(value) ? value : null;
}

export function readInstant(value: unknown): Date | null {
  if (typeof value !== "string" || !/^\d{4}-\d{2}-\d{2}T/.test(value)) return null;
  const instant = new Date(value);
  return Number.isNaN(instant.getTime()) ? null : instant;
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Whether a refusal is about our balance at the provider; no provider has a code for it. */
export function saysFloatIsShort(words: string | null): boolean {
  return words !== null && /insuffi[sc]|(solde|balance|fonds|funds?).*(faible|low)/i.test(words);
}

/**
 * The fee: the amount less what is passed on; null where either is absent or invalid. A fraction of
 * a franc counts as fee.
 */
export function readKept(amount: unknown, passedOn: unknown): Fcfa | null {
  const whole = readAmount(amount);
  const rest = readAmount(typeof passedOn === "number" ? Math.floor(passedOn) : passedOn);
  return whole === null || rest === null || rest > whole ? null : fcfa(whole - rest);
}

type Header = string | readonly string[] | undefined;

/** Whether a header has the form of a SHA-256 in lower-case hex: checked before the body is received. */
export function isSha256(header: Header): header is string {
  return typeof header === "string" && /^[0-9a-f]{64}$/.test(header);
}

/**
 * Whether a header is the HMAC-SHA256 of the raw bytes, in lower-case hex; compared in constant time. A
 * missing, repeated or upper-case header is wrong.
 */
export function isHmacOf(rawBody: Uint8Array, header: Header, key: string | Buffer): boolean {
  if (!isSha256(header)) return false;
  const expected = createHmac("sha256", key).update(rawBody).digest();
  return timingSafeEqual(expected, Buffer.from(header, "hex"));
}
