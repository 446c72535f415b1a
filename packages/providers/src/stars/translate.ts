import { assert, type Fcfa } from "@sesame/kernel";
import type { Quote } from "../port.ts";
import { field, readAddress, readReference } from "../reading.ts";
import type { KnownCharge, StarCharge } from "./charges.ts";

/** Every word of Telegram on Stars into ours (reference §9). Pure. Null: nothing to believe. */

const LONGEST_TITLE = 32;
const LONGEST_DESCRIPTION = 255;

/** createInvoiceLink: one price, in whole Stars; the payload comes back with the charge. */
export function theirInvoice(invoice: {
  readonly reference: string;
  readonly title: string;
  readonly description: string;
  readonly stars: number;
}): Readonly<Record<string, unknown>> {
  const title = cut(invoice.title, LONGEST_TITLE);
  return {
    title,
    description: cut(invoice.description, LONGEST_DESCRIPTION),
    payload: invoice.reference,
    provider_token: "",
    currency: "XTR",
    prices: [{ label: title, amount: invoice.stars }],
  };
}

/** By whole characters, so that no half of one is sent; lengths count as Telegram does. */
function cut(text: string, longest: number): string {
  const clean = text.replaceAll(/\s+/gu, " ").trim();
  if (clean.length <= longest) return clean;
  let kept = "";
  for (const character of clean) {
    if (kept.length + character.length > longest - 1) break;
    kept += character;
  }
  return `${kept.trimEnd()}…`;
}

/** The price in Stars, rounded up: never less than the price. */
export function quoteInStars(amount: Fcfa, francsPerStar: number): Quote {
  assert(Number.isSafeInteger(francsPerStar) && francsPerStar > 0, "a Star is worth whole francs");
  const rate = BigInt(francsPerStar);
  const stars = (amount + rate - 1n) / rate;
  return { currency: "XTR", amount: String(stars), rate: String(rate) };
}

export function translateLink(result: unknown): string | null {
  return readAddress(result);
}

/**
 * getStarTransactions: of what came in, what people paid for an invoice; of what went out, what was
 * given back, under the id of its charge. The rest (gifts, withdrawals, media) is nobody's here.
 */
export function translatePage(result: unknown) {
  const transactions = field(result, "transactions");
  if (!Array.isArray(transactions)) return null;
  const read = transactions.map((transaction: unknown) => translateTransaction(transaction));
  return {
    charges: read.filter((found) => typeof found === "object").filter((found) => found !== null),
    /** Ids of charges that went back. */
    refunds: read.filter((found) => typeof found === "string"),
    /** How many transactions stood there, whatever they are. */
    count: transactions.length,
  };
}

function translateTransaction(transaction: unknown): StarCharge | string | null {
  const id = readChargeId(field(transaction, "id"));
  if (id === null) return null;
  if (field(field(transaction, "receiver"), "type") === "user") return id;
  const source = field(transaction, "source");
  const reference = readReference(field(source, "invoice_payload"));
  const telegramId = readTelegramId(field(field(source, "user"), "id"));
  const stars = field(transaction, "amount");
  const date = field(transaction, "date");
  if (field(source, "type") !== "user" || telegramId === null) return null;
  if (reference === null || reference.length > 128) return null;
  if (!isWhole(stars) || stars === 0 || !isWhole(date)) return null;
  return { chargeId: id, reference, telegramId, stars, chargedAt: new Date(date * 1_000) };
}

/** The word of a charge, for the trace. */
export function wordOf({ refunded }: KnownCharge): string {
  return refunded ? "refunded" : "charged";
}

/** They grow, and hold more than letters. */
function readChargeId(value: unknown): string | null {
  return typeof value === "string" && /^[\x21-\x7e]{1,255}$/.test(value) ? value : null;
}

function readTelegramId(value: unknown): bigint | null {
  return isWhole(value) && value > 0 ? BigInt(value) : null;
}

function isWhole(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

export function saysAlreadyRefunded(said: string): boolean {
  return /CHARGE_ALREADY_REFUNDED/i.test(said);
}
