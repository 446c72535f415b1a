import { textOf as textIn } from "@sesame/kernel";
import { asForm } from "../kit/calls.ts";
import { brokenRules, type Rule } from "../kit/form.ts";
import type { Payment } from "../kit/payments.ts";

/**
 * Currencies and coins of Crypto Pay (payment-providers.md §8.1), at fixed rates of the emulators.
 */
type Asset = { code: string; name: string; decimals: number; usd: number; stable: boolean };

export const ASSETS: readonly Asset[] = [
  { code: "USDT", name: "Tether", decimals: 6, usd: 1, stable: true },
  { code: "TON", name: "Toncoin", decimals: 9, usd: 3.2, stable: false },
  { code: "BTC", name: "Bitcoin", decimals: 8, usd: 96_000, stable: false },
  { code: "ETH", name: "Ethereum", decimals: 8, usd: 3_400, stable: false },
  { code: "LTC", name: "Litecoin", decimals: 8, usd: 92, stable: false },
  { code: "BNB", name: "Binance Coin", decimals: 8, usd: 640, stable: false },
  { code: "TRX", name: "Tron", decimals: 6, usd: 0.25, stable: false },
  { code: "USDC", name: "USD Coin", decimals: 6, usd: 1, stable: true },
];

/** Dollars for one unit. The app asks in euros; the franc is not among them. */
const FIATS: Readonly<Record<string, number>> = { USD: 1, EUR: 1.08, GBP: 1.27 };

export function assetOf(code: string): Asset | undefined {
  return ASSETS.find((asset) => asset.code === code);
}

/** Units of `target` for one of `source`, as text without an exponent. */
function rateOf(source: Asset, target: string): string {
  const dollars = FIATS[target] ?? assetOf(target)?.usd ?? 1;
  return plain(source.usd / dollars, 8);
}

export function plain(value: number, decimals: number): string {
  const text = value.toFixed(decimals);
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/** A refusal is thrown by name, from wherever it is found. */
export class CryptoRefusal extends Error {
  override name = "CryptoRefusal";
}

/** Parameters come as JSON, as a form or in the query: text stands for every kind. */
export function textOf(params: unknown, field: string): string | null {
  const value = asForm(params)[field];
  if (value === undefined || value === null || value === "") return null;
  if (typeof value === "object") return Array.isArray(value) ? value.join(",") : null;
  return textIn(value);
}

const MAX_EXPIRY_SECONDS = 2_678_400;
const BUTTONS = ["viewItem", "openChannel", "openBot", "callback"];

/** A text in which this holds, or none at all. */
const either = (holds: (text: string) => boolean) => (text: unknown) =>
  typeof text !== "string" || holds(text);
const given = (text: unknown) => text !== null;

const isWholeUpTo = (max: number) => (text: string) => {
  const number = Number(text);
  return Number.isInteger(number) && number >= 1 && number <= max;
};

/** Of `createInvoice` (payment-providers.md §8.1), in the order in which they are looked at. */
const rulesOf = (hasButton: boolean): Rule[] => [
  // An invoice in an asset is asked for by nobody here.
  ["currency_type", (type) => type === "fiat", "CURRENCY_TYPE_INVALID"],
  ["fiat", given, "FIAT_REQUIRED"],
  ["fiat", either((code) => Object.hasOwn(FIATS, code)), "FIAT_UNSUPPORTED"],
  ["payload", either((text) => Buffer.byteLength(text) <= 4_096), "PAYLOAD_TOO_LONG"],
  ["amount", given, "AMOUNT_REQUIRED"],
  ["amount", either((text) => /^\d+(\.\d+)?$/.test(text)), "AMOUNT_INVALID"],
  ["amount", (text) => Number(text) > 0, "AMOUNT_TOO_SMALL"],
  ["description", either((text) => text.length <= 1_024), "DESCRIPTION_TOO_LONG"],
  ["paid_btn_name", either((name) => BUTTONS.includes(name)), "PAID_BTN_NAME_INVALID"],
  ["paid_btn_url", (url) => !hasButton || given(url), "PAID_BTN_URL_REQUIRED"],
  [
    "paid_btn_url",
    either((url) => !hasButton || (/^https?:\/\//.test(url) && URL.canParse(url))),
    "PAID_BTN_URL_INVALID",
  ],
  ["expires_in", either(isWholeUpTo(MAX_EXPIRY_SECONDS)), "EXPIRES_IN_INVALID"],
];

const FIELDS = ["currency_type", "fiat", "payload", "amount", "description"];
const MORE_FIELDS = ["paid_btn_name", "paid_btn_url", "expires_in"];

export function readInvoice(params: unknown) {
  const texts = Object.fromEntries(
    [...FIELDS, ...MORE_FIELDS].map((name) => [name, textOf(params, name)]),
  );
  const { paid_btn_name: name = null, paid_btn_url: url = null } = texts;
  const [wrong] = brokenRules(texts, rulesOf(name !== null));
  if (wrong) throw new CryptoRefusal(wrong[2]);
  return {
    currency: texts.fiat ?? "",
    amount: texts.amount ?? "",
    description: texts.description ?? "",
    paidButton: name !== null && url !== null ? { name, url } : null,
    reference: texts.payload ?? null,
    expiresInMs: texts.expires_in ? Number(texts.expires_in) * 1_000 : null,
  };
}

/** An invoice: it is named by its number, and its page by its hash. */
export type CryptoInvoice = Payment &
  Omit<ReturnType<typeof readInvoice>, "expiresInMs"> & { paid: Paid | null };

type Paid = {
  asset: string;
  amount: string;
  fee: string;
  /** Of the asset, in the currency of the invoice. */
  fiatRate: string;
  usdRate: string;
};

const instant = (ms: number) => new Date(ms).toISOString();

export const wordOf = ({ status }: CryptoInvoice): string =>
  status === "success" ? "paid" : status === "expired" ? "expired" : "active";

/** What stands in the answer only when it is there. */
const ifAny = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== ""));

/** An Invoice as the API and the webhooks write it (payment-providers.md §8.1). */
export function invoiceShape(invoice: CryptoInvoice, payUrl: string): Record<string, unknown> {
  const { reported = {}, paid, paidAtMs, expiresAtMs } = invoice;
  return {
    invoice_id: Number(invoice.id),
    hash: invoice.token,
    currency_type: "fiat",
    fiat: reported.currency ?? invoice.currency,
    amount: String(reported.amount ?? invoice.amount),
    accepted_assets: ASSETS.map(({ code }) => code),
    pay_url: payUrl,
    bot_invoice_url: payUrl,
    mini_app_invoice_url: payUrl,
    web_app_invoice_url: payUrl,
    status: reported.status ?? wordOf(invoice),
    created_at: instant(invoice.createdAtMs),
    allow_comments: true,
    allow_anonymous: true,
    ...ifAny({
      description: invoice.description,
      expiration_date: expiresAtMs && instant(expiresAtMs),
      payload: reported.reference ?? invoice.reference,
      paid_btn_name: invoice.paidButton && invoice.paidButton.name,
      paid_btn_url: invoice.paidButton && invoice.paidButton.url,
    }),
    ...(paid && {
      paid_at: instant(paidAtMs ?? 0),
      paid_anonymously: false,
      paid_asset: paid.asset,
      paid_amount: paid.amount,
      paid_usd_rate: paid.usdRate,
      paid_fiat_rate: paid.fiatRate,
      fee_asset: paid.asset,
      fee_amount: paid.fee,
      // The old names, still sent.
      fee: paid.fee,
      usd_rate: paid.usdRate,
      is_swapped: false,
    }),
  };
}

const FEE_PERCENT = 3;

/** What a person pays for an invoice in an asset, and what is kept of it. */
export function priceIn(invoice: CryptoInvoice, code: string): { amount: string; fee: string } {
  const asset = assetOf(code);
  if (asset === undefined) return { amount: String(invoice.amount), fee: "0" };
  const dollars = FIATS[invoice.currency] ?? asset.usd;
  const amount = (Number(invoice.amount) * dollars) / asset.usd;
  return {
    amount: plain(amount, asset.decimals),
    fee: plain((amount * FEE_PERCENT) / 100, asset.decimals),
  };
}

export function paidIn(invoice: CryptoInvoice, code: string): Paid | null {
  const asset = assetOf(code);
  if (asset === undefined) return null;
  const fiatRate = rateOf(asset, invoice.currency);
  return { asset: code, ...priceIn(invoice, code), fiatRate, usdRate: plain(asset.usd, 8) };
}

export const exchangeRates = (): object[] =>
  ASSETS.flatMap((asset) =>
    Object.keys(FIATS).map((target) => ({
      is_valid: true,
      is_crypto: true,
      is_fiat: false,
      source: asset.code,
      target,
      rate: rateOf(asset, target),
    })),
  );

export function currencies(): object[] {
  const assets = ASSETS.map(({ code, name, decimals, stable }) => ({
    is_blockchain: !stable,
    is_stablecoin: stable,
    is_fiat: false,
    name,
    code,
    decimals,
  }));
  const kind = { is_blockchain: false, is_stablecoin: false, is_fiat: true };
  return [
    ...assets,
    ...Object.keys(FIATS).map((code) => ({ ...kind, name: code, code, decimals: 8 })),
  ];
}
