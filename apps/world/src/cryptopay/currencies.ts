/** What Crypto Pay takes (payment-providers.md §8.1); the rates are the world's own and stand still. */
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
