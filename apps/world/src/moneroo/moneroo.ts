import { createHmac } from "node:crypto";
import { MINUTE_MS, readableToken, secretToken } from "@sesame/kernel";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type AccountBook, type Accounts, MAIN, startAccounts } from "../kit/accounts.ts";
import { type Answer, answering } from "../kit/calls.ts";
import { paymentFaults } from "../kit/faults.ts";
import { complaints, textAt } from "../kit/form.ts";
import {
  type HostedPage,
  type PaymentBook,
  type PaymentDesk,
  referenceKey,
  startPayments,
} from "../kit/payments.ts";
import {
  asTold,
  emptyPayouts,
  type PayoutBook,
  type PayoutDesk,
  startPayouts,
} from "../kit/payouts.ts";
import type { Place } from "../kit/place.ts";
import { emptyNotices, startWebhook } from "../kit/webhooks.ts";
import { PAYMENT_FAILED } from "./failures.fr.ts";
import { COUNTRIES, methodItem, PAYMENT_METHODS, PAYOUT_METHODS } from "./methods.ts";
import {
  customerOf,
  metadataOf,
  methodsAsked,
  msisdnOf,
  paymentRules,
  payoutRules,
} from "./read.ts";
import {
  type MonerooPayment,
  noticeBody,
  payoutNoticeBody,
  payoutRetrieveShape,
  payoutVerifyShape,
  retrieveShape,
  returnUrlWith,
  verifyShape,
} from "./shapes.ts";

type Keys = { secretKey: string; webhookSecret: string };

/** All Moneroo knows; kept in the world's file. */
export type MonerooState = PaymentBook<MonerooPayment> &
  PayoutBook & { merchants: AccountBook<Keys> };

export const emptyMoneroo = (): MonerooState => ({
  payments: new Map(),
  nextNumber: 1,
  merchants: new Map(),
  ...emptyPayouts(),
  ...emptyNotices(),
});

/** Moneroo as the tests and the control panel hold it. */
export type Moneroo = HostedPage & {
  readonly collect: PaymentDesk;
  readonly merchants: Accounts<Keys>;
  readonly payouts: PayoutDesk;
  payment(id: string): MonerooPayment | undefined;
  register(app: FastifyInstance): void;
  /** `GET /v1/payouts/:id`, a path that FedaPay has too. */
  answerPayout(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
  close(): void;
};

const FIRST_FLOAT = 10_000_000;
const RETRY_EVERY_MS = 10 * MINUTE_MS;

/** Lower-case hexadecimal HMAC-SHA256 of the raw body. */
export const sign = (body: string, secret: string): string =>
  createHmac("sha256", secret).update(body).digest("hex");

export function startMoneroo(
  place: Place,
  given: { state: MonerooState; keys: Keys; currencies: readonly string[] },
): Moneroo {
  const { chance, clock, worldUrl } = place;
  const { state: book, keys, currencies } = given;
  const shortId = () => readableToken(12, chance).toLowerCase();
  const accounts = startAccounts<Keys>(place, {
    provider: "moneroo",
    keys,
    book: book.merchants,
    invent: () => ({
      secretKey: `sk_${secretToken(24, chance)}`,
      webhookSecret: secretToken(18, chance),
    }),
  });
  /** Exactly 200 within 3 s, three more tries (payment-providers.md §4.6). */
  const webhook = startWebhook<Keys>(place, {
    book,
    accounts,
    timeoutMs: 3_000,
    pausesMs: [RETRY_EVERY_MS, RETRY_EVERY_MS, RETRY_EVERY_MS],
    accepts: (status) => status === 200,
    secret: ({ webhookSecret }) => webhookSecret,
    headers: (body, secret) => ({ "x-moneroo-signature": sign(body, secret) }),
  });
  const announce = (payment: MonerooPayment, status: string) => {
    const { id: paymentId, account } = payment;
    const event = `payment.${status}`;
    webhook.announce({ event, paymentId, account, body: noticeBody(payment, event) });
  };
  const faults = paymentFaults(place);
  const payments = startPayments<MonerooPayment>(place, {
    name: "moneroo",
    book,
    faults,
    notices: webhook,
    pagePath: "/moneroo/checkout/",
    page: (payment) => ({
      customer: {
        email: payment.customer.email,
        firstName: payment.customer.first_name,
        lastName: payment.customer.last_name,
        phone: payment.customer.phone,
      },
      methods: PAYMENT_METHODS.filter(({ code }) => payment.methods.includes(code)).map(
        ({ code, name, countries: [country = ""] }) => {
          return { code, name, country, dialCode: COUNTRIES[country]?.dialCode ?? "" };
        },
      ),
      failureMessage: payment.status === "failed" ? PAYMENT_FAILED : null,
      over: payment.status === "success" || payment.status === "cancelled",
      returnUrl: returnUrlWith(payment),
    }),
    attempt(payment, outcome) {
      if (outcome !== "cancel") payment.method ??= payment.methods[0] ?? null;
      return outcome;
    },
    announce,
  });
  const payouts = startPayouts(place, {
    name: "moneroo",
    book,
    notices: webhook,
    accounts: [MAIN],
    firstFloat: FIRST_FLOAT,
    fresh: ({ reference, metadata = {} }) => ({
      id: `po_${shortId()}`,
      reference: reference ?? metadata.reference ?? metadata.withdrawal_id ?? null,
    }),
    announce(payout, step) {
      if (step === "initiated" && !place.announceInitiated) return;
      const event = `payout.${step}`;
      webhook.announce({ event, paymentId: payout.id, body: payoutNoticeBody(payout, event) });
    },
  });

  const accountOf = ({ headers }: FastifyRequest) =>
    accounts.by(({ secretKey }) => headers.authorization === `Bearer ${secretKey}`);
  const collecting = answering(place, { name: "moneroo", faults, refusals: REFUSALS, accountOf });
  const paying = answering(place, {
    name: "moneroo",
    faults: payouts.rules,
    refusals: PAYOUT_REFUSALS,
    accountOf(request) {
      const account = accountOf(request);
      return account?.id === MAIN ? account : undefined;
    },
  });
  const fetched = (what: string, data: object, more?: object) =>
    ok(`${what} transaction fetched successfully!`, data, more);
  const payoutShown = (shape: typeof payoutVerifyShape) =>
    paying.handler("lookup", ({ params, fault }) => {
      const payout = book.payouts.get(params.id ?? "");
      if (payout === undefined) return PAYOUT_REFUSALS.notFound();
      const data = shape(asTold(payout, fault), fault, worldUrl());
      return fetched("Payout", data, { success: true });
    });

  /** Payments under `/v1`, the lists of methods at the root (§4.8). */
  const register = (app: FastifyInstance) => {
    collecting.on(app, "POST /v1/payments/initialize", "create", ({ account, body }) => {
      const errors = complaints(body, paymentRules(body, currencies));
      if (errors !== null) return told(422, INVALID, errors);
      const metadata = metadataOf(body);
      const id = `py_${shortId()}`;
      const payment = payments.open({
        id,
        account: account.id,
        reference: metadata[referenceKey(metadata)] ?? null,
        amount: Number((body as { amount: number }).amount),
        currency: textAt(body, "currency"),
        description: textAt(body, "description"),
        returnUrl: textAt(body, "return_url"),
        customer: { id: shortId(), ...customerOf(body) },
        metadata,
        methods: methodsAsked(body),
        processedAtMs: null,
      });
      if (place.announceInitiated) announce(payment, "initiated");
      const data = { id, checkout_url: payments.payUrl(payment) };
      return { ...ok("Transaction initialized successfully", data), status: 201 };
    });
    for (const [path, shape, more] of [
      ["GET /v1/payments/:id/verify", verifyShape, {}],
      ["GET /v1/payments/:id", retrieveShape, { success: true }],
    ] as const) {
      collecting.on(app, path, "fetch", ({ account, params }) => {
        const payment = payments.get(params.id ?? "", account.id);
        if (payment === undefined) return REFUSALS.notFound();
        return fetched("Payment", shape(payment, worldUrl()), more);
      });
    }
    collecting.on(app, "POST /v1/payments/:id/process", null, ({ account, params }) => {
      const payment = payments.get(params.id ?? "", account.id);
      if (payment === undefined) return REFUSALS.notFound();
      payment.processedAtMs ??= clock.now().getTime();
      return ok("Payment marked as processed!", verifyShape(payment, worldUrl()));
    });
    for (const [kind, methods] of [
      ["payment", PAYMENT_METHODS],
      ["payout", PAYOUT_METHODS],
    ] as const) {
      collecting.on(app, `GET /utils/${kind}/methods`, null, () =>
        ok(
          "Methods fetched successfully!",
          methods.map((method) => methodItem(method, worldUrl())),
        ),
      );
    }
    paying.on(app, "POST /v1/payouts/initialize", "submit", ({ body, fault }) => {
      const errors = complaints(body, payoutRules(body));
      if (errors !== null) return told(422, INVALID, errors);
      const { email, first_name: firstName, last_name: lastName } = customerOf(body);
      const payout = payouts.open({
        amount: Number((body as { amount: number }).amount),
        method: textAt(body, "method"),
        phone: `+${msisdnOf(body)}`,
        description: textAt(body, "description"),
        customer: { email, firstName, lastName },
        metadata: metadataOf(body),
      });
      if (!payouts.accept(payout, fault)) {
        payouts.forget(payout.id);
        return PAYOUT_REFUSALS.shortFloat();
      }
      const message = "Payout transaction initialized successfully";
      return { status: 201, body: { success: true, message, data: { id: payout.id } } };
    });
    app.get("/v1/payouts/:id/verify", payoutShown(payoutVerifyShape));
  };
  return {
    collect: payments,
    merchants: accounts,
    payouts,
    payment: (id) => book.payments.get(id),
    page: payments.page,
    act: payments.act,
    register,
    answerPayout: payoutShown(payoutRetrieveShape),
    close: webhook.close,
  };
}

const INVALID = "The given data was invalid.";
const ok = (message: string, data: object, more: object = {}): Answer => ({
  status: 200,
  body: { ...more, message, data, errors: null },
});
const told = (status: number, message: string, errors: object | null = null): Answer => ({
  status,
  body: { message, data: null, errors },
});

const COMMON = {
  keys: () => told(401, "Unauthenticated."),
  tooMany: () => told(429, "Too Many Attempts."),
  broken: (status: number) => told(status, "Server Error"),
};
const REFUSALS = {
  ...COMMON,
  refused: (call: string) =>
    call === "create"
      ? told(422, INVALID, { amount: ["The amount is not allowed on this account."] })
      : told(403, "This action is unauthorized."),
  notFound: () => told(404, "Payment transaction not found."),
};
const PAYOUT_REFUSALS = {
  ...COMMON,
  refused: () => told(400, "This payout was refused by the payment gateway."),
  notFound: () => told(404, "Payout transaction not found."),
  shortFloat: () => told(400, "Insufficient balance to perform this payout."),
};
