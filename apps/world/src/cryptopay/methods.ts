import { DAY_MS } from "@sesame/kernel";
import type { CryptopayKeys } from "../options.ts";
import { type Merchant, merchantId } from "../payments/merchants.ts";
import { no, type Params, readCryptoInvoice, textOf } from "./create.ts";
import { ASSETS } from "./currencies.ts";
import type { Till } from "./cryptopay.ts";
import { currencies, exchangeRates, invoiceShape } from "./shapes.ts";
import type { CryptoInvoice } from "./state.ts";

type Asked = { till: Till; merchant: Merchant<CryptopayKeys>; params: Params };

/** A method's `result`; a refusal is thrown. */
export type CryptoMethod = (asked: Asked) => unknown;

const MAX_COUNT = 1_000;
const COUNT = 100;

/** By their names, any case (payment-providers.md §8.1). */
export const METHODS: Readonly<Record<string, CryptoMethod>> = {
  getme: ({ merchant }) => ({
    app_id: Number(merchant.keys.token.split(":")[0]) || 1,
    name: "Sésame",
    payment_processing_bot_username: "CryptoBot",
  }),
  createinvoice({ till, merchant, params }) {
    const invoice = till.open(readCryptoInvoice(params), merchant);
    return invoiceShape(invoice, till.payUrl(invoice));
  },
  deleteinvoice(asked) {
    const invoice = mine(asked).find(({ id }) => id === Number(textOf(asked.params, "invoice_id")));
    if (invoice === undefined) throw no("INVOICE_NOT_FOUND");
    if (invoice.status === "paid") throw no("INVOICE_ALREADY_PAID");
    asked.till.forget(invoice);
    return true;
  },
  getinvoices: (asked) => ({
    items: listed(asked).map((one) => invoiceShape(one, asked.till.payUrl(one))),
  }),
  getbalance: (asked) =>
    ASSETS.map(({ code }) => ({
      currency_code: code,
      available: String(earned(mine(asked), code)),
      onhold: "0",
    })),
  getexchangerates: () => exchangeRates(),
  getcurrencies: () => currencies(),
  getstats(asked) {
    const all = mine(asked);
    const paid = all.filter(({ status }) => status === "paid");
    const nowMs = asked.till.now().getTime();
    return {
      volume: 0,
      conversion: all.length === 0 ? 0 : paid.length / all.length,
      unique_users_count: paid.length,
      created_invoice_count: all.length,
      paid_invoice_count: paid.length,
      start_at: new Date(nowMs - DAY_MS).toISOString(),
      end_at: new Date(nowMs).toISOString(),
    };
  },
  // Switched off for a new application, until it asks for it.
  transfer() {
    throw no("METHOD_DISABLED");
  },
  gettransfers: () => ({ items: [] }),
  createcheck() {
    throw no("METHOD_DISABLED");
  },
  getchecks: () => ({ items: [] }),
};

function mine({ till, merchant }: Asked): CryptoInvoice[] {
  return till.all().filter(({ account }) => account === merchantId(merchant).account);
}

/** Newest first. */
function listed(asked: Asked): CryptoInvoice[] {
  const { params } = asked;
  const ids = textOf(params, "invoice_ids")?.split(",").map(Number);
  const [status, asset, fiat] = ["status", "asset", "fiat"].map((name) => textOf(params, name));
  if (status && status !== "active" && status !== "paid") throw no("STATUS_INVALID");
  const offset = Number(textOf(params, "offset") ?? 0);
  const count = Number(textOf(params, "count") ?? COUNT);
  if (!Number.isInteger(count) || count < 1 || count > MAX_COUNT) throw no("COUNT_INVALID");
  return mine(asked)
    .filter((one) => ids === undefined || ids.includes(one.id))
    .filter((one) => !status || one.status === status)
    .filter((one) => !asset || (one.currencyType === "crypto" && one.currency === asset))
    .filter((one) => !fiat || (one.currencyType === "fiat" && one.currency === fiat))
    .reverse()
    .slice(offset, offset + count);
}

function earned(invoices: CryptoInvoice[], code: string): number {
  return invoices.reduce(
    (sum, { paid }) => (paid?.asset === code ? sum + Number(paid.amount) - Number(paid.fee) : sum),
    0,
  );
}
