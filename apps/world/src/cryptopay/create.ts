import { ASSETS, assetOf, FIATS } from "./currencies.ts";
import type { CryptoInvoice } from "./state.ts";

export type NewCryptoInvoice = Pick<
  CryptoInvoice,
  | "currencyType"
  | "currency"
  | "amount"
  | "acceptedAssets"
  | "description"
  | "hiddenMessage"
  | "paidButton"
  | "payload"
  | "allowComments"
  | "allowAnonymous"
> & { expiresInSeconds: number | null };

/** A refusal is thrown by name, from wherever it is found. */
export class CryptoRefusal extends Error {
  override name = "CryptoRefusal";
}

/** Parameters come as JSON, as a form or in the query: text stands for every kind. */
export type Params = Record<string, unknown>;

const MAX_EXPIRY_SECONDS = 2_678_400;
const MAX_DESCRIPTION = 1_024;
const MAX_HIDDEN = 2_048;
const MAX_PAYLOAD_BYTES = 4_096;
const BUTTONS = ["viewItem", "openChannel", "openBot", "callback"];

/** Reads `createInvoice` (payment-providers.md §8.1). */
export function readCryptoInvoice(params: Params): NewCryptoInvoice {
  const currencyType = textOf(params, "currency_type") ?? "crypto";
  if (currencyType !== "crypto" && currencyType !== "fiat") throw no("CURRENCY_TYPE_INVALID");
  const currency = readCurrency(params, currencyType);
  const payload = textOf(params, "payload");
  if (payload !== null && Buffer.byteLength(payload) > MAX_PAYLOAD_BYTES) {
    throw no("PAYLOAD_TOO_LONG");
  }
  return {
    currencyType,
    currency,
    amount: readAmount(params),
    acceptedAssets: readAccepted(params, currencyType),
    description: limited(textOf(params, "description"), MAX_DESCRIPTION, "DESCRIPTION_TOO_LONG"),
    hiddenMessage: limited(textOf(params, "hidden_message"), MAX_HIDDEN, "HIDDEN_MESSAGE_TOO_LONG"),
    paidButton: readButton(params),
    payload,
    allowComments: flagOf(params, "allow_comments"),
    allowAnonymous: flagOf(params, "allow_anonymous"),
    expiresInSeconds: readExpiry(params),
  };
}

function readCurrency(params: Params, type: "crypto" | "fiat"): string {
  const field = type === "fiat" ? "fiat" : "asset";
  const given = textOf(params, field);
  if (given === null) throw no(`${field.toUpperCase()}_REQUIRED`);
  const known = type === "fiat" ? Object.hasOwn(FIATS, given) : assetOf(given) !== undefined;
  if (!known) throw no(type === "fiat" ? "FIAT_UNSUPPORTED" : "ASSET_INVALID");
  return given;
}

function readAmount(params: Params): string {
  const amount = textOf(params, "amount");
  if (amount === null) throw no("AMOUNT_REQUIRED");
  if (!/^\d+(\.\d+)?$/.test(amount)) throw no("AMOUNT_INVALID");
  if (Number(amount) <= 0) throw no("AMOUNT_TOO_SMALL");
  return amount;
}

function readAccepted(params: Params, type: "crypto" | "fiat"): string[] {
  const given = textOf(params, "accepted_assets");
  if (given === null) return type === "fiat" ? ASSETS.map(({ code }) => code) : [];
  if (type !== "fiat") throw no("ACCEPTED_ASSETS_NOT_ALLOWED");
  const codes = given.split(",").map((code) => code.trim());
  if (codes.some((code) => assetOf(code) === undefined)) throw no("ACCEPTED_ASSETS_INVALID");
  return codes;
}

function readButton(params: Params): CryptoInvoice["paidButton"] {
  const name = textOf(params, "paid_btn_name");
  const url = textOf(params, "paid_btn_url");
  if (name === null) return null;
  if (!BUTTONS.includes(name)) throw no("PAID_BTN_NAME_INVALID");
  if (url === null) throw no("PAID_BTN_URL_REQUIRED");
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) throw no("PAID_BTN_URL_INVALID");
  return { name, url };
}

function readExpiry(params: Params): number | null {
  const given = textOf(params, "expires_in");
  if (given === null) return null;
  const seconds = Number(given);
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > MAX_EXPIRY_SECONDS) {
    throw no("EXPIRES_IN_INVALID");
  }
  return seconds;
}

export function textOf(params: Params, field: string): string | null {
  const value = params[field];
  if (value === undefined || value === null || value === "") return null;
  if (typeof value === "object") return Array.isArray(value) ? value.join(",") : null;
  return typeof value === "number" || typeof value === "string"
    ? `${value}`
    : String(value === true);
}

function flagOf(params: Params, field: string): boolean {
  const value = textOf(params, field);
  return value === null || value === "true" || value === "1";
}

function limited(text: string | null, max: number, name: string): string | null {
  if (text !== null && text.length > max) throw no(name);
  return text;
}

export function no(name: string): CryptoRefusal {
  return new CryptoRefusal(name);
}
