import { createHmac } from "node:crypto";
import { MINUTE_MS, readableToken, secretToken } from "@sesame/kernel";
import { type KeysOf, MAIN } from "../kit/accounts.ts";
import { type Answer, complaints, textAt } from "../kit/calls.ts";
import { referenceKey } from "../kit/payments.ts";
import { asReported } from "../kit/payouts.ts";
import { type ProviderDeps, type Given, startPaying, startProvider } from "../kit/provider.ts";
import {
  customerOf,
  metadataOf,
  type MonerooPayment,
  msisdnOf,
  webhookBody,
  PAYMENT_METHODS,
  paymentRules,
  payoutWebhookBody,
  payoutRules,
  payoutVerifyShape,
  retrieveShape,
  returnUrlWith,
  verifyShape,
} from "./shapes.ts";
import { MONEROO_MESSAGES as MESSAGES } from "../kit/messages.fr.ts";

type MonerooKeys = KeysOf<"moneroo">;

const FIRST_FLOAT = 10_000_000;
const RETRY_EVERY_MS = 10 * MINUTE_MS;

/** Lower-case hexadecimal HMAC-SHA256 of the raw body. */
export const sign = (body: string, secret: string): string =>
  createHmac("sha256", secret).update(body).digest("hex");

export function startMoneroo(deps: ProviderDeps, given: Given<MonerooKeys, MonerooPayment>) {
  const { random, emulatorUrl } = deps;
  const shortId = () => readableToken(12, random).toLowerCase();
  const announce = (payment: MonerooPayment, status: string) => {
    const { id: paymentId, account } = payment;
    const event = `payment.${status}`;
    provider.webhook.announce({ event, paymentId, account, body: webhookBody(payment, event) });
  };
  const provider = startProvider<MonerooKeys, MonerooPayment>(deps, given, {
    name: "moneroo",
    invent: () => ({
      secretKey: `sk_${secretToken(24, random)}`,
      webhookSecret: secretToken(18, random),
    }),
    isBy: ({ secretKey }, { authorization }) => authorization === `Bearer ${secretKey}`,
    refusals: REFUSALS,
    // Exactly 200 within 3 s, three more tries.
    timeoutMs: 3_000,
    pausesMs: [RETRY_EVERY_MS, RETRY_EVERY_MS, RETRY_EVERY_MS],
    accepts: (status) => status === 200,
    secret: ({ webhookSecret }) => webhookSecret,
    headers: (body, secret) => ({ "x-moneroo-signature": sign(body, secret) }),
    pagePath: "/moneroo/checkout/",
    page: (payment) => ({
      phone: payment.customer.phone,
      methods: [...PAYMENT_METHODS],
      failureMessage: payment.status === "failed" ? MESSAGES.paymentFailed : null,
      over: payment.status === "success" || payment.status === "cancelled",
      returnUrl: returnUrlWith(payment),
    }),
    attempt(payment, outcome) {
      if (outcome !== "cancel") payment.method ??= PAYMENT_METHODS[0]?.code ?? null;
      return outcome;
    },
    announce,
  });
  const paying = startPaying(deps, provider, {
    name: "moneroo",
    refusals: PAYOUT_REFUSALS,
    accounts: [MAIN],
    firstFloat: FIRST_FLOAT,
    fresh: ({ reference, metadata = {} }) => ({
      id: `po_${shortId()}`,
      reference: reference ?? metadata.reference ?? metadata.withdrawal_id ?? null,
    }),
    announce(payout, step) {
      if (step === "initiated" && !deps.announceInitiated) return;
      const event = `payout.${step}`;
      const body = payoutWebhookBody(payout, event);
      provider.webhook.announce({ event, paymentId: payout.id, body });
    },
  });
  const { book, payments } = provider;
  const { payouts } = paying;
  const fetched = (what: string, data: object, more?: object) =>
    ok(`${what} transaction fetched successfully!`, data, more);

  provider.on("POST /v1/payments/initialize", "create", ({ account, body }) => {
    const errors = complaints(body, paymentRules(body));
    if (errors !== null) return refusal(422, INVALID, errors);
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
    });
    if (deps.announceInitiated) announce(payment, "initiated");
    const data = { id, checkout_url: payments.payUrl(payment) };
    return { ...ok("Transaction initialized successfully", data), status: 201 };
  });
  for (const [path, shape] of [
    ["GET /v1/payments/:id/verify", verifyShape],
    ["GET /v1/payments/:id", retrieveShape],
  ] as const) {
    provider.on(path, "fetch", ({ account, params }) => {
      const payment = payments.get(params.id ?? "", account.id);
      return payment && fetched("Payment", shape(payment, emulatorUrl()));
    });
  }
  paying.on("POST /v1/payouts/initialize", "submit", ({ body, fault }) => {
    const errors = complaints(body, payoutRules(body));
    if (errors !== null) return refusal(422, INVALID, errors);
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
  paying.on("GET /v1/payouts/:id/verify", "lookup", ({ params, fault }) => {
    const payout = book.payouts.get(params.id ?? "");
    if (payout === undefined) return payout;
    const data = payoutVerifyShape(asReported(payout, fault), fault, emulatorUrl());
    return fetched("Payout", data, { success: true });
  });
  return {
    ...provider.face,
    collect: payments,
    payouts,
    payment: (id: string): MonerooPayment | undefined => book.payments.get(id),
  };
}

const INVALID = "The given data was invalid.";
const ok = (message: string, data: object, more: object = {}): Answer => ({
  status: 200,
  body: { ...more, message, data, errors: null },
});
const refusal = (status: number, message: string, errors: object | null = null): Answer => ({
  status,
  body: { message, data: null, errors },
});

const COMMON = {
  keys: () => refusal(401, "Unauthenticated."),
  tooMany: () => refusal(429, "Too Many Attempts."),
  broken: (status: number) => refusal(status, "Server Error"),
};
const REFUSALS = {
  ...COMMON,
  refused: (call: string) =>
    call === "create"
      ? refusal(422, INVALID, { amount: ["The amount is not allowed on this account."] })
      : refusal(403, "This action is unauthorized."),
  notFound: () => refusal(404, "Payment transaction not found."),
};
const PAYOUT_REFUSALS = {
  ...COMMON,
  refused: () => refusal(400, "This payout was refused by the payment gateway."),
  notFound: () => refusal(404, "Payout transaction not found."),
  shortFloat: () => refusal(400, "Insufficient balance to perform this payout."),
};
