import { createHash, createHmac } from "node:crypto";
import { type Chance, type Clock, readableToken, secretToken } from "@sesame/kernel";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type NoticeSender, startNotices } from "../notices/sender.ts";
import { spacedOut } from "../notices/spacing.ts";
import type { CryptopayKeys } from "../options.ts";
import {
  type Answer,
  answerPaymentCall,
  type PaymentCounter,
  type PaymentRefusals,
} from "../payments/answers.ts";
import { noticePart, type PaymentDesk, paymentDesk } from "../payments/desk.ts";
import { paymentFaults } from "../payments/faults.ts";
import type { HostedPage } from "../payments/hosted-page.ts";
import { type Merchant, merchantId, type Merchants, merchants } from "../payments/merchants.ts";
import type { Scheduler } from "../scheduler.ts";
import { NotPossible } from "../telegram/api-error.ts";
import type { PaymentCall, WorldEvent } from "../wire.ts";
import { CryptoRefusal, type NewCryptoInvoice, type Params } from "./create.ts";
import { assetOf, plain, rateOf } from "./currencies.ts";
import { METHODS } from "./methods.ts";
import { cryptoCheckout, cryptoView, invoiceShape, priceIn } from "./shapes.ts";
import type { CryptoInvoice, CryptopayState } from "./state.ts";

export type CryptopayOptions = {
  state: CryptopayState;
  keys: CryptopayKeys | null;
  clock: Clock;
  chance: Chance;
  scheduler: Scheduler;
  notifyUrl(): string;
  /** How this machine reaches an address of the app's. */
  near(url: string): string;
  /** Known only once the port is. */
  worldUrl(): string;
  show(event: WorldEvent): void;
  changed(): void;
};

/** Crypto Pay as the tests and the control panel hold it (payment-providers.md §8.1). */
export type Cryptopay = PaymentDesk &
  HostedPage & {
    merchants: Merchants<CryptopayKeys>;
    register(app: FastifyInstance): void;
    close(): void;
  };

/** What the methods work with. */
export type Till = {
  now(): Date;
  all(): CryptoInvoice[];
  open(given: NewCryptoInvoice, merchant: Merchant<CryptopayKeys>): CryptoInvoice;
  forget(invoice: CryptoInvoice): void;
  payUrl(invoice: CryptoInvoice): string;
};

const ANSWER_TIMEOUT_MS = 10_000;
/** How often it tries again is not written anywhere: these are the world's own. */
const PAUSES_MS = [10_000, 60_000, 300_000];

export function startCryptopay(options: CryptopayOptions): Cryptopay {
  const { state, keys, clock, chance, changed } = options;
  const accounts = merchants<CryptopayKeys>({
    main: keys === null ? null : { keys, noticeUrl: options.notifyUrl },
    book: state.merchants,
    changed,
    near: options.near,
    invent: () => ({ token: `${40_000 + state.merchants.size}:AA${readableToken(33, chance)}` }),
  });
  const sender = startSender(options, accounts);
  const faults = paymentFaults(changed, clock);
  const till = newTill(options);
  for (const invoice of till.all()) expireLater(options, invoice);
  const pay = (invoice: CryptoInvoice, how: { asset?: string; silent?: boolean | undefined }) => {
    settle(invoice, { asset: how.asset ?? firstAsset(invoice), nowMs: clock.now().getTime() });
    if (how.silent !== true) announce(options, invoice, { sender, till, accounts });
    changed();
  };
  const byHash = (hash: string) => till.all().find((invoice) => invoice.hash === hash);
  return {
    merchants: accounts,
    ...paymentDesk({
      name: "cryptopay",
      payments: till.all,
      view: (invoice) => cryptoView(invoice, till.payUrl(invoice)),
      settle(invoice, outcome, { silent }) {
        // Whoever does not pay leaves the invoice as it is.
        if (outcome === "success") pay(invoice, { silent });
      },
      faults,
      notices: noticePart(sender, state),
      changed,
    }),
    page(hash) {
      const invoice = byHash(hash);
      return invoice === undefined ? null : cryptoCheckout(invoice, "Sésame");
    },
    act(hash, { action, method, silent }) {
      const invoice = byHash(hash);
      if (invoice === undefined) return null;
      if (action === "success") pay(invoice, { silent, ...(method ? { asset: method } : {}) });
      return cryptoCheckout(invoice, "Sésame");
    },
    register(app) {
      const { show } = options;
      const counter: PaymentCounter = {
        name: "cryptopay",
        faults,
        refusals: REFUSALS,
        ...till,
        show,
      };
      registerMethods(app, { counter, till, accounts });
    },
    close: () => sender.close(),
  };
}

function newTill(options: CryptopayOptions): Till {
  const { state, clock } = options;
  return {
    now: () => clock.now(),
    all: () => [...state.invoices.values()],
    open: (given, merchant) => openInvoice(options, given, merchant),
    forget(invoice) {
      state.invoices.delete(invoice.id);
      options.changed();
    },
    payUrl: ({ hash }) => `${options.worldUrl()}/cryptopay/invoice/${hash}`,
  };
}

function startSender(options: CryptopayOptions, accounts: Merchants<CryptopayKeys>): NoticeSender {
  const { state, clock, scheduler, changed, notifyUrl } = options;
  return startNotices(
    { book: state, clock, scheduler, changed },
    {
      timeoutMs: ANSWER_TIMEOUT_MS,
      pausesMs: PAUSES_MS,
      accepts: (status) => status >= 200 && status < 300,
      headers({ body, account, forged }) {
        const token = accounts.get(account)?.keys.token ?? "";
        const signature = cryptoSignature(body, forged ? `${token}-forged` : token);
        return { "content-type": "application/json", "crypto-pay-api-signature": signature };
      },
      url: notifyUrl,
    },
  );
}

/** HMAC-SHA256 of the raw body, under the SHA-256 digest of the token. */
export function cryptoSignature(body: string, token: string): string {
  const key = createHash("sha256").update(token).digest();
  return createHmac("sha256", key).update(body).digest("hex");
}

type Telling = { sender: NoticeSender; till: Till; accounts: Merchants<CryptopayKeys> };

/** Only that it was paid; an invoice that expires says nothing. */
function announce(
  { state, clock }: CryptopayOptions,
  invoice: CryptoInvoice,
  { sender, till, accounts }: Telling,
): void {
  const url = accounts.get(invoice.account)?.noticeUrl;
  if (!url) return;
  const content = {
    update_id: state.nextUpdateId++,
    update_type: "invoice_paid",
    request_date: clock.now().toISOString(),
    payload: invoiceShape(invoice, till.payUrl(invoice)),
  };
  const body = sender.mode.unusualSpacing ? spacedOut(content) : JSON.stringify(content);
  const whose = invoice.account === undefined ? {} : { account: invoice.account };
  sender.announce({ event: "invoice_paid", paymentId: String(invoice.id), url, body, ...whose });
}

function openInvoice(
  options: CryptopayOptions,
  { expiresInSeconds, ...given }: NewCryptoInvoice,
  merchant: Merchant<CryptopayKeys>,
): CryptoInvoice {
  const { state, clock, chance, changed } = options;
  const nowMs = clock.now().getTime();
  const invoice: CryptoInvoice = {
    ...given,
    ...merchantId(merchant),
    id: state.nextInvoiceId++,
    hash: `IV${secretToken(9, chance)}`,
    status: "active",
    createdAtMs: nowMs,
    expiresAtMs: expiresInSeconds === null ? null : nowMs + expiresInSeconds * 1_000,
    paid: null,
  };
  state.invoices.set(invoice.id, invoice);
  expireLater(options, invoice);
  changed();
  return invoice;
}

function expireLater({ scheduler, changed }: CryptopayOptions, invoice: CryptoInvoice): void {
  if (invoice.status !== "active" || invoice.expiresAtMs === null) return;
  scheduler.at(invoice.expiresAtMs, () => {
    if (invoice.status !== "active") return;
    invoice.status = "expired";
    changed();
  });
}

function firstAsset({ acceptedAssets, currency, currencyType }: CryptoInvoice): string {
  return currencyType === "crypto" ? currency : (acceptedAssets[0] ?? "USDT");
}

/** A person pays with one of the assets the invoice accepts. */
function settle(invoice: CryptoInvoice, { asset, nowMs }: { asset: string; nowMs: number }): void {
  if (invoice.status !== "active") throw new NotPossible(`this invoice is ${invoice.status}`);
  const { currencyType, currency, acceptedAssets } = invoice;
  const accepted = currencyType === "crypto" ? [currency] : acceptedAssets;
  const known = assetOf(asset);
  if (known === undefined || !accepted.includes(asset)) {
    throw new NotPossible(`this invoice does not take ${asset}`);
  }
  invoice.status = "paid";
  invoice.paid = {
    atMs: nowMs,
    asset,
    ...priceIn(invoice, asset),
    fiatRate: currencyType === "fiat" ? rateOf(known, currency) : null,
    usdRate: plain(known.usd, 8),
  };
}

type Door = { counter: PaymentCounter; till: Till; accounts: Merchants<CryptopayKeys> };

/** `/api/{method}` by GET or POST, by JSON, a form or the query. */
function registerMethods(app: FastifyInstance, { counter, till, accounts }: Door): void {
  app.route({
    method: ["GET", "POST"],
    url: "/api/:method",
    handler: (request: FastifyRequest, reply: FastifyReply) => {
      const name = (request.params as { method: string }).method.toLowerCase();
      const call: PaymentCall = name === "createinvoice" ? "create" : "fetch";
      return answerPaymentCall(counter, { request, reply, call }, () => {
        const token = request.headers["crypto-pay-api-token"];
        const merchant = accounts.by((keys) => keys.token === token);
        if (merchant === undefined) return REFUSALS.keys();
        const method = METHODS[name];
        if (method === undefined) return told(405, "METHOD_NOT_FOUND");
        const params = { ...(request.query as Params), ...(request.body as Params | null) };
        return resultOf(() => method({ till, merchant, params }));
      });
    },
  });
}

function resultOf(run: () => unknown): Answer {
  try {
    return { status: 200, body: { ok: true, result: run() } };
  } catch (error) {
    if (error instanceof CryptoRefusal) return told(400, error.message);
    throw error;
  }
}

const told = (code: number, name: string): Answer => ({
  status: code,
  body: { ok: false, error: { code, name } },
});

const REFUSALS: PaymentRefusals = {
  keys: () => told(401, "UNAUTHORIZED"),
  refused: (call) => told(400, call === "create" ? "AMOUNT_TOO_SMALL" : "FORBIDDEN"),
  notFound: () => told(404, "NOT_FOUND"),
  tooMany: () => told(429, "TOO_MANY_REQUESTS"),
  broken: (status) => told(status, "INTERNAL_ERROR"),
};
