import type { Payment } from "../kit/payments.ts";
import type { readInvoice } from "./read.ts";

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
export const FIATS: Readonly<Record<string, number>> = {
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
export function rateOf(source: Asset, target: string): string {
  const dollars = FIATS[target] ?? assetOf(target)?.usd ?? 1;
  return plain(source.usd / dollars, 8);
}

export function plain(value: number, decimals: number): string {
  const text = value.toFixed(decimals);
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
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
