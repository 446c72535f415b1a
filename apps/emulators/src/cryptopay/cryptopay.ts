import { createHash, createHmac } from "node:crypto";
import { DAY_MS, readableToken, secretToken } from "@sesame/kernel";
import type { Account } from "../kit/accounts.ts";
import { type Answer, asForm } from "../kit/calls.ts";
import type { Payments } from "../kit/payments.ts";
import {
  type ProviderDeps,
  type Given,
  type ProviderBook,
  startProvider,
} from "../kit/provider.ts";
import type { CryptopayKeys } from "../options.ts";
import { NotPossible } from "../telegram/api-error.ts";
import {
  ASSETS,
  type CryptoInvoice,
  CryptoRefusal,
  currencies,
  exchangeRates,
  invoiceShape,
  paidIn,
  priceIn,
  readInvoice,
  textOf,
  wordOf,
} from "./shapes.ts";

/** Crypto Pay as the tests and the control panel hold it (payment-providers.md §8.1). */
export type Cryptopay = ReturnType<typeof startCryptopay>;

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
    timeoutMs: 10_000,
    pausesMs: PAUSES_MS,
    secret: ({ token }) => token,
    headers: (body, secret) => ({ "crypto-pay-api-signature": cryptoSignature(body, secret) }),
    pagePath: "/cryptopay/invoice/",
    page: (invoice) => ({
      customer: { email: "", firstName: "", lastName: "", phone: null },
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

/** A method's `result` by its name, any case (§8.1); a refusal is thrown. */
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
