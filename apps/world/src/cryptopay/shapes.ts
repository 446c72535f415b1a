import type { CheckoutView, PaymentStatus, PaymentView } from "../wire.ts";
import { ASSETS, assetOf, FIATS, plain, rateOf } from "./currencies.ts";
import type { CryptoInvoice } from "./state.ts";

/** An Invoice as the API and the notices write it; what is not there is left out (§8.1). */
export function invoiceShape(invoice: CryptoInvoice, payUrl: string): Record<string, unknown> {
  const { currencyType, told = {}, paid, paidButton } = invoice;
  const currency = told.currency ?? invoice.currency;
  const payload = told.reference ?? invoice.payload;
  return {
    invoice_id: invoice.id,
    hash: invoice.hash,
    currency_type: currencyType,
    ...(currencyType === "fiat" ? { fiat: currency } : { asset: currency }),
    amount: String(told.amount ?? invoice.amount),
    ...(currencyType === "fiat" ? { accepted_assets: invoice.acceptedAssets } : {}),
    pay_url: payUrl,
    bot_invoice_url: payUrl,
    mini_app_invoice_url: payUrl,
    web_app_invoice_url: payUrl,
    ...(invoice.description === null ? {} : { description: invoice.description }),
    status: told.status ?? invoice.status,
    created_at: instant(invoice.createdAtMs),
    allow_comments: invoice.allowComments,
    allow_anonymous: invoice.allowAnonymous,
    ...(invoice.expiresAtMs === null ? {} : { expiration_date: instant(invoice.expiresAtMs) }),
    ...(invoice.hiddenMessage === null ? {} : { hidden_message: invoice.hiddenMessage }),
    ...(payload === null ? {} : { payload }),
    ...(paidButton === null
      ? {}
      : { paid_btn_name: paidButton.name, paid_btn_url: paidButton.url }),
    ...(paid === null ? {} : paidShape(invoice)),
  };
}

function paidShape({ paid }: CryptoInvoice): object {
  if (paid === null) return {};
  return {
    paid_at: instant(paid.atMs),
    paid_anonymously: false,
    paid_asset: paid.asset,
    paid_amount: paid.amount,
    paid_usd_rate: paid.usdRate,
    ...(paid.fiatRate === null ? {} : { paid_fiat_rate: paid.fiatRate }),
    fee_asset: paid.asset,
    fee_amount: paid.fee,
    // The old names, still told.
    fee: paid.fee,
    usd_rate: paid.usdRate,
    is_swapped: false,
  };
}

const FEE_PERCENT = 3;

/** What a person pays for an invoice in an asset, and what is kept of it. */
export function priceIn(invoice: CryptoInvoice, code: string): { amount: string; fee: string } {
  const asset = assetOf(code);
  if (asset === undefined) return { amount: invoice.amount, fee: "0" };
  const dollars = FIATS[invoice.currency] ?? asset.usd;
  const amount = (Number(invoice.amount) * dollars) / asset.usd;
  return {
    amount: plain(amount, asset.decimals),
    fee: plain((amount * FEE_PERCENT) / 100, asset.decimals),
  };
}

const VIEWED: Record<CryptoInvoice["status"], PaymentView["status"]> = {
  active: "pending",
  paid: "paid",
  expired: "failed",
};

export function cryptoView(invoice: CryptoInvoice, payUrl: string): PaymentView {
  const { id, payload, amount, currency, status } = invoice;
  return {
    id: String(id),
    reference: payload,
    amount,
    currency,
    status: VIEWED[status],
    payUrl,
    transactionId: invoice.hash,
  };
}

const SHOWN: Record<CryptoInvoice["status"], PaymentStatus> = {
  active: "initiated",
  paid: "success",
  expired: "failed",
};

/** The invoice's page; once paid it offers the app's button, if any. */
export function cryptoCheckout(invoice: CryptoInvoice, appName: string): CheckoutView {
  const { hash, status, amount, currency, paid } = invoice;
  const codes = invoice.currencyType === "fiat" ? invoice.acceptedAssets : [invoice.currency];
  return {
    provider: "cryptopay",
    id: hash,
    status: SHOWN[status],
    amount: Number(amount),
    currency,
    description: invoice.description ?? "",
    merchant: appName,
    customer: { email: "", firstName: "", lastName: "", phone: null },
    methods: codes.map((code) => ({
      code,
      name: assetOf(code)?.name ?? code,
      country: "",
      dialCode: "",
      price: `${priceIn(invoice, code).amount} ${code}`,
    })),
    method: paid?.asset ?? null,
    attempts: paid === null ? 0 : 1,
    failureMessage: null,
    over: status !== "active",
    returnUrl: status === "paid" ? (invoice.paidButton?.url ?? null) : null,
  };
}

export function exchangeRates(): object[] {
  return ASSETS.flatMap((asset) =>
    Object.keys(FIATS).map((target) => ({
      is_valid: true,
      is_crypto: true,
      is_fiat: false,
      source: asset.code,
      target,
      rate: rateOf(asset, target),
    })),
  );
}

export function currencies(): object[] {
  const assets = ASSETS.map(({ code, name, decimals, stable }) => ({
    is_blockchain: !stable,
    is_stablecoin: stable,
    is_fiat: false,
    name,
    code,
    decimals,
  }));
  const fiats = Object.keys(FIATS).map((code) => ({
    is_blockchain: false,
    is_stablecoin: false,
    is_fiat: true,
    name: code,
    code,
    decimals: 8,
  }));
  return [...assets, ...fiats];
}

function instant(ms: number): string {
  return new Date(ms).toISOString();
}
