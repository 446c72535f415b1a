import { textOf as textIn } from "@sesame/kernel";
import { asForm } from "../kit/calls.ts";
import { brokenRules, type Rule } from "../kit/form.ts";
import type { Payment } from "../kit/payments.ts";

/** What Crypto Pay takes (payment-providers.md §8.1); the rates are the emulators' own and stand still. */
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

/** Dollars for one unit. The franc is not among them. */
const FIATS: Readonly<Record<string, number>> = {
  USD: 1,
  EUR: 1.08,
  RUB: 0.011,
  BYN: 0.31,
  UAH: 0.024,
  GBP: 1.27,
  CNY: 0.14,
  KZT: 0.0021,
  UZS: 0.000079,
  GEL: 0.37,
  TRY: 0.029,
  AMD: 0.0026,
  THB: 0.029,
  INR: 0.0118,
  BRL: 0.18,
  IDR: 0.000063,
  AZN: 0.59,
  AED: 0.27,
  PLN: 0.25,
  ILS: 0.27,
  KGS: 0.0116,
  TJS: 0.094,
};

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

const codesOf = (text: string) => text.split(",").map((code) => code.trim());

/** A text in which this holds, or none at all. */
const either = (holds: (text: string) => boolean) => (text: unknown) =>
  typeof text !== "string" || holds(text);
const given = (text: unknown) => text !== null;

/** Of `createInvoice` (payment-providers.md §8.1), in the order in which they are looked at. */
function rulesOf(isFiat: boolean, hasButton: boolean): Rule[] {
  const isWholeUpTo = (max: number) => (text: string) => {
    const number = Number(text);
    return Number.isInteger(number) && number >= 1 && number <= max;
  };
  return [
    [
      "currency_type",
      either((type) => type === "crypto" || type === "fiat"),
      "CURRENCY_TYPE_INVALID",
    ],
    ...(isFiat
      ? ([
          ["fiat", given, "FIAT_REQUIRED"],
          ["fiat", either((code) => Object.hasOwn(FIATS, code)), "FIAT_UNSUPPORTED"],
        ] as const)
      : ([
          ["asset", given, "ASSET_REQUIRED"],
          ["asset", either((code) => assetOf(code) !== undefined), "ASSET_INVALID"],
        ] as const)),
    ["payload", either((text) => Buffer.byteLength(text) <= 4_096), "PAYLOAD_TOO_LONG"],
    ["amount", given, "AMOUNT_REQUIRED"],
    ["amount", either((text) => /^\d+(\.\d+)?$/.test(text)), "AMOUNT_INVALID"],
    ["amount", (text) => Number(text) > 0, "AMOUNT_TOO_SMALL"],
    ["accepted_assets", either(() => isFiat), "ACCEPTED_ASSETS_NOT_ALLOWED"],
    ["accepted_assets", either((text) => codesOf(text).every(assetOf)), "ACCEPTED_ASSETS_INVALID"],
    ["description", either((text) => text.length <= 1_024), "DESCRIPTION_TOO_LONG"],
    ["hidden_message", either((text) => text.length <= 2_048), "HIDDEN_MESSAGE_TOO_LONG"],
    ["paid_btn_name", either((name) => BUTTONS.includes(name)), "PAID_BTN_NAME_INVALID"],
    ["paid_btn_url", (url) => !hasButton || given(url), "PAID_BTN_URL_REQUIRED"],
    [
      "paid_btn_url",
      either((url) => !hasButton || (/^https?:\/\//.test(url) && URL.canParse(url))),
      "PAID_BTN_URL_INVALID",
    ],
    ["expires_in", either(isWholeUpTo(MAX_EXPIRY_SECONDS)), "EXPIRES_IN_INVALID"],
  ];
}

const FIELDS = ["currency_type", "fiat", "asset", "payload", "amount", "accepted_assets"];
const WORDS = ["description", "hidden_message", "paid_btn_name", "paid_btn_url", "expires_in"];

export function readInvoice(params: unknown) {
  const texts = Object.fromEntries(
    [...FIELDS, ...WORDS].map((name) => [name, textOf(params, name)]),
  );
  const isFiat = texts.currency_type === "fiat";
  const { paid_btn_name: name = null, paid_btn_url: url = null } = texts;
  const [wrong] = brokenRules(texts, rulesOf(isFiat, name !== null));
  if (wrong) throw new CryptoRefusal(wrong[2]);
  const isOn = (field: string) => ["true", "1"].includes(textOf(params, field) ?? "true");
  const everyAsset = isFiat ? ASSETS.map(({ code }) => code) : [];
  return {
    currencyType: isFiat ? ("fiat" as const) : ("crypto" as const),
    currency: (isFiat ? texts.fiat : texts.asset) ?? "",
    amount: texts.amount ?? "",
    acceptedAssets: texts.accepted_assets ? codesOf(texts.accepted_assets) : everyAsset,
    description: texts.description ?? "",
    hiddenMessage: texts.hidden_message ?? null,
    paidButton: name !== null && url !== null ? { name, url } : null,
    reference: texts.payload ?? null,
    allowComments: isOn("allow_comments"),
    allowAnonymous: isOn("allow_anonymous"),
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
  /** Of the asset, in the fiat currency of the invoice; null for an invoice in an asset. */
  fiatRate: string | null;
  usdRate: string;
};

const instant = (ms: number) => new Date(ms).toISOString();

export const wordOf = ({ status }: CryptoInvoice): string =>
  status === "success" ? "paid" : status === "expired" ? "expired" : "active";

/** What stands in the answer only when it is there. */
const ifAny = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== ""));

/** An Invoice as the API and the notices write it (payment-providers.md §8.1). */
export function invoiceShape(invoice: CryptoInvoice, payUrl: string): Record<string, unknown> {
  const { currencyType, told = {}, paid, paidAtMs, expiresAtMs } = invoice;
  const currency = told.currency ?? invoice.currency;
  const isFiat = currencyType === "fiat";
  return {
    invoice_id: Number(invoice.id),
    hash: invoice.token,
    currency_type: currencyType,
    ...(isFiat ? { fiat: currency } : { asset: currency }),
    amount: String(told.amount ?? invoice.amount),
    ...(isFiat ? { accepted_assets: invoice.acceptedAssets } : {}),
    pay_url: payUrl,
    bot_invoice_url: payUrl,
    mini_app_invoice_url: payUrl,
    web_app_invoice_url: payUrl,
    status: told.status ?? wordOf(invoice),
    created_at: instant(invoice.createdAtMs),
    allow_comments: invoice.allowComments,
    allow_anonymous: invoice.allowAnonymous,
    ...ifAny({
      description: invoice.description,
      expiration_date: expiresAtMs && instant(expiresAtMs),
      hidden_message: invoice.hiddenMessage,
      payload: told.reference ?? invoice.reference,
      paid_btn_name: invoice.paidButton && invoice.paidButton.name,
      paid_btn_url: invoice.paidButton && invoice.paidButton.url,
    }),
    ...(paid && {
      paid_at: instant(paidAtMs ?? 0),
      paid_anonymously: false,
      paid_asset: paid.asset,
      paid_amount: paid.amount,
      paid_usd_rate: paid.usdRate,
      ...ifAny({ paid_fiat_rate: paid.fiatRate }),
      fee_asset: paid.asset,
      fee_amount: paid.fee,
      // The old names, still told.
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
  if (asset === undefined || !assetsOf(invoice).includes(code)) return null;
  const { currencyType, currency } = invoice;
  const fiatRate = currencyType === "fiat" ? rateOf(asset, currency) : null;
  return { asset: code, ...priceIn(invoice, code), fiatRate, usdRate: plain(asset.usd, 8) };
}

/** In which it can be paid. */
export const assetsOf = ({ currencyType, currency, acceptedAssets }: CryptoInvoice): string[] =>
  currencyType === "crypto" ? [currency] : acceptedAssets;

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
