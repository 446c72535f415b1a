import { createHash, createHmac } from "node:crypto";
import { DAY_MS, readableToken, secretToken, textOf as textIn } from "@sesame/kernel";
import type { Account, KeysOf } from "../kit/accounts.ts";
import { type Answer, asForm, brokenRules, type Rule } from "../kit/calls.ts";
import type { Payments, Payment } from "../kit/payments.ts";
import {
  type ProviderDeps,
  type Given,
  type ProviderBook,
  startProvider,
} from "../kit/provider.ts";
import { NotPossible } from "../telegram/state.ts";

type CryptopayKeys = KeysOf<"cryptopay">;

/** How often Crypto Pay retries is not documented: these figures are the emulator's own. */
const PAUSES_MS = [10_000, 60_000, 300_000];
const MAX_COUNT = 1_000;
const COUNT = 100;
const FIRST_NUMBER = 1_000;

/** HMAC-SHA256 of the raw body, under the SHA-256 digest of the token. */
export function cryptoSignature(body: string, token: string): string {
  const key = createHash("sha256").update(token).digest();
  return createHmac("sha256", key).update(body).digest("hex");
}

export function startCryptopay(deps: ProviderDeps, given: Given<CryptopayKeys, CryptoInvoice>) {
  const { random, clock } = deps;
  const { state: book } = given;
  const provider = startProvider<CryptopayKeys, CryptoInvoice>(deps, given, {
    name: "cryptopay",
    invent: () => ({ token: `${40_000 + book.merchants.size}:AA${readableToken(33, random)}` }),
    isBy: ({ token }, headers) => token === headers["crypto-pay-api-token"],
    refusals: REFUSALS,
    pausesMs: PAUSES_MS,
    secret: ({ token }) => token,
    headers: (body, secret) => ({ "crypto-pay-api-signature": cryptoSignature(body, secret) }),
    pagePath: "/cryptopay/invoice/",
    page: (invoice) => ({
      phone: null,
      methods: ASSETS.map(({ code, name }) => ({
        code,
        name,
        country: "",
        dialCode: "",
        price: `${priceIn(invoice, code).amount} ${code}`,
      })),
      // Once paid it offers the app's button, if any.
      returnUrl: invoice.paid && (invoice.paidButton?.url ?? null),
    }),
    attempt(invoice, outcome, { method }) {
      // A person who does not pay leaves the invoice as it is.
      if (outcome !== "success") return "pending";
      const asset = method ?? "USDT";
      invoice.paid = paidIn(invoice, asset);
      if (invoice.paid === null) throw new NotPossible(`this invoice does not take ${asset}`);
      invoice.method = asset;
      return outcome;
    },
    /** A webhook is sent only for a payment: an invoice that expires sends none. */
    announce(invoice) {
      const body = {
        update_id: book.nextWebhookId,
        update_type: "invoice_paid",
        request_date: clock.now().toISOString(),
        payload: invoiceShape(invoice, payments.payUrl(invoice)),
      };
      const { id: paymentId, account } = invoice;
      provider.webhook.announce({ event: "invoice_paid", paymentId, account, body });
    },
  });
  const { payments } = provider;
  const methods = methodsOf(deps, book, payments);
  // `/api/{method}` by GET or POST, by JSON, a form or the query.
  for (const verb of ["GET", "POST"]) {
    provider.on(`${verb} /api/:method`, callOf, ({ account, params, query, body }) => {
      const method = methods[nameOf(params)];
      if (method === undefined) return refusal(405, "METHOD_NOT_FOUND");
      try {
        const result = method({ account, params: { ...query, ...asForm(body) } });
        return { status: 200, body: { ok: true, result } };
      } catch (error) {
        if (error instanceof CryptoRefusal) return refusal(400, error.message);
        throw error;
      }
    });
  }
  return { ...provider.face, collect: payments };
}

const nameOf = ({ method }: Record<string, string>) => method?.toLowerCase() ?? "";
const callOf = (params: Record<string, string>) =>
  nameOf(params) === "createinvoice" ? "create" : "fetch";

type Asked = { account: Account<CryptopayKeys>; params: Record<string, unknown> };

/** A method's `result` by its name, any case; a refusal is thrown. */
function methodsOf(
  { clock, random }: ProviderDeps,
  book: ProviderBook<CryptopayKeys, CryptoInvoice>,
  payments: Payments<CryptoInvoice>,
): Readonly<Record<string, (asked: Asked) => unknown>> {
  const mine = ({ account }: Asked) => payments.of(account.id);
  const shape = (invoice: CryptoInvoice) => invoiceShape(invoice, payments.payUrl(invoice));
  /** Newest first. */
  const listed = (asked: Asked) => {
    const { params } = asked;
    const ids = textOf(params, "invoice_ids")?.split(",");
    const status = textOf(params, "status");
    if (status && status !== "active" && status !== "paid")
      throw new CryptoRefusal("STATUS_INVALID");
    const offset = Number(textOf(params, "offset") ?? 0);
    const count = Number(textOf(params, "count") ?? COUNT);
    if (!Number.isInteger(count) || count < 1 || count > MAX_COUNT) {
      throw new CryptoRefusal("COUNT_INVALID");
    }
    return mine(asked)
      .filter((one) => ids === undefined || ids.some((id) => Number(id) === Number(one.id)))
      .filter((one) => !status || wordOf(one) === status)
      .reverse()
      .slice(offset, offset + count);
  };
  return {
    getme: ({ account }) => ({
      app_id: Number(account.keys.token.split(":")[0]) || 1,
      name: "Sésame",
      payment_processing_bot_username: "CryptoBot",
    }),
    createinvoice({ account, params }) {
      const { expiresInMs, ...given } = readInvoice(params);
      const token = `IV${secretToken(9, random)}`;
      return shape(
        payments.open({
          ...given,
          id: String(FIRST_NUMBER + book.nextNumber++),
          account: account.id,
          token,
          transactionId: token,
          expiresAtMs: expiresInMs && clock.now().getTime() + expiresInMs,
          paid: null,
        }),
      );
    },
    deleteinvoice(asked) {
      const id = Number(textOf(asked.params, "invoice_id"));
      const invoice = mine(asked).find((one) => Number(one.id) === id);
      if (invoice === undefined) throw new CryptoRefusal("INVOICE_NOT_FOUND");
      if (invoice.paid !== null) throw new CryptoRefusal("INVOICE_ALREADY_PAID");
      return book.payments.delete(invoice.id);
    },
    getinvoices: (asked) => ({ items: listed(asked).map(shape) }),
    getbalance: (asked) =>
      ASSETS.map(({ code }) => ({
        currency_code: code,
        available: String(earned(mine(asked), code)),
        onhold: "0",
      })),
    getexchangerates: exchangeRates,
    getcurrencies: currencies,
    getstats(asked) {
      const all = mine(asked);
      const paid = all.filter((one) => one.paid !== null).length;
      const nowMs = clock.now().getTime();
      return {
        volume: 0,
        conversion: all.length === 0 ? 0 : paid / all.length,
        unique_users_count: paid,
        created_invoice_count: all.length,
        paid_invoice_count: paid,
        start_at: new Date(nowMs - DAY_MS).toISOString(),
        end_at: new Date(nowMs).toISOString(),
      };
    },
  };
}

function earned(invoices: CryptoInvoice[], code: string): number {
  return invoices.reduce(
    (sum, { paid }) => (paid?.asset === code ? sum + Number(paid.amount) - Number(paid.fee) : sum),
    0,
  );
}

const refusal = (code: number, name: string): Answer => ({
  status: code,
  body: { ok: false, error: { code, name } },
});

const REFUSALS = {
  keys: () => refusal(401, "UNAUTHORIZED"),
  refused: (call: string) => refusal(400, call === "create" ? "AMOUNT_TOO_SMALL" : "FORBIDDEN"),
  notFound: () => refusal(404, "NOT_FOUND"),
  tooMany: () => refusal(429, "TOO_MANY_REQUESTS"),
  broken: (status: number) => refusal(status, "INTERNAL_ERROR"),
};

/**
 * Currencies and coins of Crypto Pay, at fixed rates of the emulators.
 */
type Asset = { code: string; name: string; decimals: number; usd: number; stable: boolean };

const ASSETS: readonly Asset[] = [
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

function assetOf(code: string): Asset | undefined {
  return ASSETS.find((asset) => asset.code === code);
}

/** Units of `target` for one of `source`, as text without an exponent. */
function rateOf(source: Asset, target: string): string {
  const dollars = FIATS[target] ?? assetOf(target)?.usd ?? 1;
  return plain(source.usd / dollars, 8);
}

function plain(value: number, decimals: number): string {
  const text = value.toFixed(decimals);
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/** A refusal, by Crypto Pay's name for it. */
class CryptoRefusal extends Error {
  override name = "CryptoRefusal";
}

/** A parameter as text, whether it came as JSON, in a form or in the query. */
function textOf(params: unknown, field: string): string | null {
  const value = asForm(params)[field];
  if (value === undefined || value === null || value === "") return null;
  if (typeof value === "object") return Array.isArray(value) ? value.join(",") : null;
  return textIn(value);
}

const MAX_EXPIRY_SECONDS = 2_678_400;
const BUTTONS = ["viewItem", "openChannel", "openBot", "callback"];

/** True for a text of which this holds, and where there is no text. */
const either = (holds: (text: string) => boolean) => (text: unknown) =>
  typeof text !== "string" || holds(text);
const given = (text: unknown) => text !== null;

const isWholeUpTo = (max: number) => (text: string) => {
  const number = Number(text);
  return Number.isInteger(number) && number >= 1 && number <= max;
};

/** Of `createInvoice`, in the order in which they are looked at. */
const rulesOf = (hasButton: boolean): Rule[] => [
  // Nobody here asks for an invoice in an asset.
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

function readInvoice(params: unknown) {
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

/** An invoice: its id is a number, and the address of its page has its hash. */
export type CryptoInvoice = Payment &
  Omit<ReturnType<typeof readInvoice>, "expiresInMs"> & { paid: Paid | null };

type Paid = NonNullable<ReturnType<typeof paidIn>>;

const instant = (ms: number) => new Date(ms).toISOString();

const wordOf = ({ status }: CryptoInvoice): string =>
  status === "success" ? "paid" : status === "expired" ? "expired" : "active";

/** Fields that an answer has only when they have a value. */
const ifAny = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== ""));

/** An Invoice as the API and the webhooks write it. */
function invoiceShape(invoice: CryptoInvoice, payUrl: string): Record<string, unknown> {
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
      // The old names of these fields, which are still sent.
      fee: paid.fee,
      usd_rate: paid.usdRate,
      is_swapped: false,
    }),
  };
}

const FEE_PERCENT = 3;

/** What a person pays for an invoice in an asset, and what is kept of it. */
function priceIn(invoice: Payment, code: string): { amount: string; fee: string } {
  const asset = assetOf(code);
  if (asset === undefined) return { amount: String(invoice.amount), fee: "0" };
  const dollars = FIATS[invoice.currency] ?? asset.usd;
  const amount = (Number(invoice.amount) * dollars) / asset.usd;
  return {
    amount: plain(amount, asset.decimals),
    fee: plain((amount * FEE_PERCENT) / 100, asset.decimals),
  };
}

function paidIn(invoice: Payment, code: string) {
  const asset = assetOf(code);
  if (asset === undefined) return null;
  // Of the asset, in the currency of the invoice.
  const fiatRate = rateOf(asset, invoice.currency);
  return { asset: code, ...priceIn(invoice, code), fiatRate, usdRate: plain(asset.usd, 8) };
}

const exchangeRates = (): object[] =>
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

function currencies(): object[] {
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
