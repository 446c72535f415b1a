import { createHmac } from "node:crypto";
import { DAY_MS, HOUR_MS, secretToken, textOf } from "@sesame/kernel";
import { type KeysOf, MAIN } from "../kit/accounts.ts";
import { type Answer, asForm, type Asked, complaints, isGiven } from "../kit/calls.ts";
import { withQuery } from "../kit/payments.ts";
import { asReported, findNetwork, type Payout } from "../kit/payouts.ts";
import { type ProviderDeps, type Given, startPaying, startProvider } from "../kit/provider.ts";
import { networkMethods } from "../mobile-money/networks.ts";
import { NotPossible } from "../telegram/state.ts";
import type { CheckoutView, PaymentCall, PaymentRule, PayoutRule } from "../wire.ts";
import {
  feesOf,
  MODES,
  pageOf,
  payoutGiven,
  payoutRules,
  payoutShape,
  type Transaction,
  transactionGiven,
  transactionRules,
  transactionShape,
  wordOf,
} from "./shapes.ts";
import { FEDAPAY_MESSAGES as MESSAGES, FIELD_MESSAGES } from "../kit/messages.fr.ts";

type FedapayKeys = KeysOf<"fedapay">;

const FIRST_FLOAT = 2_000_000;
/** Nine more tries; the gaps grow to two minutes. */
const PAUSES_MS = [1, 2, 4, 8, 15, 30, 60, 120, 120].map((seconds) => seconds * 1_000);
/** Its numbers do not begin at one. */
const FIRST_ID = { payout: 40_000, transaction: 1_000, customer: 70 };
const TRANSFERRED_AFTER_MS = 72 * HOUR_MS;
const MAX_TO_NUMBER = 3;
/** The one mode of the sandbox; every other is refused there. */
const SANDBOX_MODE = "momo_test";
const APPROVED_NUMBERS: readonly string[] = ["0166000001", "0164000001"];
const PAYOUT_EVENTS = {
  created: "payout.created",
  initiated: "payout.started",
  success: "payout.sent",
  failed: "payout.failed",
};

/** `t=…,s=…`: HMAC-SHA256 over the instant, a dot and the raw body. */
export function signatureHeader(body: string, secret: string, at: Date): string {
  const seconds = Math.floor(at.getTime() / 1000);
  const hex = createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex");
  return `t=${seconds},s=${hex}`;
}

/** Fees on top of the amount, as measured on the real API; the limits between them are a guess. */
export function feeOf(amount: number): number {
  if (amount <= 10_000) return 150;
  if (amount <= 50_000) return 300;
  if (amount <= 150_000) return 800;
  return 2_000;
}

export function startFedapay(deps: ProviderDeps, given: Given<FedapayKeys, Transaction>) {
  const { clock, random, changed, scheduler } = deps;
  const { state } = given;
  const nowMs = () => clock.now().getTime();
  /** After ten failures in a row no webhook is sent any more. */
  const notify = (name: string, event: { id: string; entity: object; account: string }) => {
    const { id: paymentId, entity, account } = event;
    if (account === MAIN && state.webhookDisabled) return;
    const object = name.split(".")[0];
    const body = { name, object, entity, account: { klass: "v1/account", id: 5, name: "Sésame" } };
    provider.webhook.announce({ event: name, paymentId, account, body });
  };
  const shape = (transaction: Transaction, expanded: boolean) =>
    transactionShape(transaction, { payUrl: collect.payUrl(transaction), expanded });
  const announce = (transaction: Transaction, word: string) => {
    const { id, account } = transaction;
    notify(`transaction.${word}`, { id, account, entity: shape(transaction, true) });
  };
  const transferLater = (transaction: Transaction, paidAtMs: number) =>
    void scheduler.at(paidAtMs + TRANSFERRED_AFTER_MS, () => {
      transaction.transferredAtMs = nowMs();
      transaction.updatedAtMs = transaction.transferredAtMs;
      announce(transaction, "transferred");
      changed();
    });
  for (const one of state.payments.values()) {
    if (one.paidAtMs !== null && one.transferredAtMs === null) transferLater(one, one.paidAtMs);
  }
  const provider = startProvider<FedapayKeys, Transaction>(deps, given, {
    name: "fedapay",
    invent: () => ({
      secretKey: `sk_sandbox_${secretToken(18, random)}`,
      publicKey: `pk_sandbox_${secretToken(18, random)}`,
      webhookSecret: `wh_sandbox_${secretToken(18, random)}`,
    }),
    isBy: ({ secretKey }, { authorization }) => authorization === `Bearer ${secretKey}`,
    refusals: REFUSALS,
    // Payments and payouts have the same webhook.
    pausesMs: PAUSES_MS,
    secret: ({ webhookSecret }) => webhookSecret,
    headers: (body, secret, at) => ({ "x-fedapay-signature": signatureHeader(body, secret, at) }),
    // FedaPay escapes the characters of HTML.
    write: (content) =>
      JSON.stringify(content).replace(
        /[<>&]/g,
        (char) => `\\u00${char.charCodeAt(0).toString(16)}`,
      ),
    gaveUp({ account }) {
      if (account === MAIN) state.webhookDisabled = true;
    },
    pagePath: "/fedapay/pay/",
    page(transaction) {
      const { id, customer, returnUrl, status, amount, transactionId: reference } = transaction;
      const word = wordOf(transaction);
      return {
        phone: customer.phone?.number ?? null,
        methods: networkMethods(({ fedapay }) => fedapay[0] ?? null),
        failureMessage:
          status === "failed" ? MESSAGES.declined : status === "expired" ? MESSAGES.expired : null,
        // It sends the customer to `callback_url?id=…&status=…`.
        returnUrl: returnUrl && withQuery(returnUrl, { id, status: word }),
        reported: { id: Number(id), reference, status: word, amount },
      };
    },
    attempt(transaction, outcome) {
      if (outcome === "success" || outcome === "failure") transaction.method ??= SANDBOX_MODE;
      if (outcome === "failure") transaction.declinedAtMs = nowMs();
      if (outcome === "cancel") transaction.canceledAtMs = nowMs();
      if (outcome === "success") transferLater(transaction, nowMs());
      return outcome;
    },
    announce: (transaction) => announce(transaction, wordOf(transaction)),
    announceChange: (transaction) => announce(transaction, "updated"),
  });
  const { accounts, payments: collect } = provider;
  const paying = startPaying(deps, provider, {
    name: "fedapay",
    refusals: PAYOUT_REFUSALS,
    accounts: MODES,
    firstFloat: FIRST_FLOAT,
    fresh: ({ amount, method }) => ({
      id: String(FIRST_ID.payout + state.nextNumber++),
      cost: feeOf(amount),
      account: method,
    }),
    announce: (payout, step) =>
      notify(PAYOUT_EVENTS[step], { id: payout.id, account: MAIN, entity: payoutShape(payout) }),
  });
  const { payouts } = paying;

  /** Takes `{ payouts: […] }` and the bare list; one that cannot be started starts none. */
  const startAsked = (body: unknown, fault: PayoutRule | null): Answer => {
    const asked = Array.isArray(body) ? body : asForm(body).payouts;
    if (!Array.isArray(asked) || asked.length === 0) return refusal(400, MESSAGES.refused);
    const found: Payout[] = [];
    for (const { id } of asked.map(asForm)) {
      const payout = state.payouts.get(textOf(id));
      if (payout === undefined) return PAYOUT_REFUSALS.notFound();
      if (payout.status === "created" && sentLately(payout.phone) >= MAX_TO_NUMBER) {
        const errors = { phone_number: [MESSAGES.tooManyToNumber] };
        return refusal(422, MESSAGES.tooManyToNumber, { errors });
      }
      found.push(payout);
    }
    if (!found.every((payout) => payouts.accept(payout, fault))) {
      return PAYOUT_REFUSALS.shortFloat();
    }
    return ok({ "v1/payouts": found.map((payout) => payoutShape(payout)) });
  };
  const sentLately = (phone: string) => {
    const since = new Date(nowMs() - DAY_MS).toISOString();
    const counts = ({ status, startedAt }: Payout) =>
      status !== "failed" && startedAt !== null && startedAt > since;
    return payouts.all().filter((payout) => payout.phone === phone && counts(payout)).length;
  };

  paying.on("POST /v1/payouts", "prepare", ({ body }) => {
    // Without `mode` FedaPay answers 500 with an empty body.
    const { mode } = asForm(body);
    if (!isGiven(mode)) return PAYOUT_REFUSALS.broken(500);
    const isUsed = (reference: string) => payouts.all().some((one) => one.reference === reference);
    const errors = complaints(body, payoutRules(body, isUsed));
    const network = findNetwork("fedapay", mode);
    if (errors !== null || !network) return refusal(422, MESSAGES.invalid, { errors });
    const payout = payouts.open(payoutGiven(body, network));
    notify(PAYOUT_EVENTS.created, { id: payout.id, account: MAIN, entity: payoutShape(payout) });
    return ok({ "v1/payout": payoutShape(payout) });
  });
  paying.on("PUT /v1/payouts/start", "submit", ({ body, fault }) => startAsked(body, fault));
  paying.on("GET /v1/payouts", "list", ({ query, fault }) => {
    const { shown, meta } = pageOf(payouts.all(), query);
    return ok({
      "v1/payouts": shown.map((one) => payoutShape(asReported(one, fault), fault)),
      meta,
    });
  });
  for (const [path, names] of [
    ["GET /v1/payouts/:name", ({ id }: Payout) => id],
    ["GET /v1/payouts/merchant/:name", ({ reference }: Payout) => reference],
  ] as const) {
    paying.on(path, "lookup", ({ params, fault }) => {
      const payout = payouts.all().find((one) => names(one) === params.name);
      return payout && ok({ "v1/payout": payoutShape(asReported(payout, fault), fault) });
    });
  }

  type Call = Asked<FedapayKeys, PaymentRule>;
  const shown = (transaction: Transaction): Answer =>
    ok({ "v1/transaction": shape(transaction, false) });
  /** Finds the transaction that a call is about, among those of its account. */
  const about = (
    path: string,
    isMeant: (call: Call, one: Transaction) => boolean,
    act: (transaction: Transaction, call: Call) => Answer,
    fault: PaymentCall = "fetch",
  ) =>
    provider.on(path, fault, (call) => {
      const found = collect.of(call.account.id).find((one) => isMeant(call, one));
      return found && act(found, call);
    });
  const isNumbered = ({ params }: Call, { id }: Transaction) => id === params.id;
  /** FedaPay's transactions. */
  provider.on("POST /v1/transactions", "create", ({ account, body }) => {
    const isUsed = (reference: string) =>
      collect.of(account.id).some((one) => one.reference === reference);
    const errors = complaints(body, transactionRules(isUsed));
    if (errors !== null) return refusal(422, MESSAGES.transactionInvalid, { errors });
    const number = state.nextNumber++;
    const asked = transactionGiven(body);
    const { phone } = asked.customer;
    const transaction = collect.open({
      ...asked,
      id: String(FIRST_ID.transaction + number),
      account: account.id,
      token: secretToken(24, random),
      transactionId: `trx_${secretToken(3, random)}_${nowMs()}`,
      customer: { id: FIRST_ID.customer + number, ...asked.customer },
      phone: phone && phone.number,
      expiresAtMs: nowMs() + DAY_MS,
      declinedAtMs: null,
      canceledAtMs: null,
      transferredAtMs: null,
    });
    if (deps.announceInitiated) announce(transaction, "created");
    return shown(transaction);
  });
  provider.on("GET /v1/transactions", "fetch", (call) => {
    const { shown: page, meta } = pageOf(collect.of(call.account.id), call.query);
    return ok({ "v1/transactions": page.map((one) => shape(one, false)), meta });
  });
  about(
    "GET /v1/transactions/fees",
    ({ query }, { token }) => token === query.token,
    ({ amount }) => {
      const fee = feesOf(Number(amount));
      return ok({
        amount_debited: Number(amount) + fee,
        amount_transferred: amount,
        apply_fees_to_customer: true,
        commission: fee,
        fixed_commission: 0,
      });
    },
  );
  about(
    "GET /v1/transactions/merchant/:reference",
    ({ params }, { reference }) => reference === params.reference,
    shown,
  );
  about("GET /v1/transactions/:id", isNumbered, shown);
  about("POST /v1/transactions/:id/token", isNumbered, (found) =>
    ok({ token: found.token, url: collect.payUrl(found) }),
  );
  // A payment without their page: the operator asks on the phone itself.
  about(
    `POST /v1/${SANDBOX_MODE}`,
    ({ body }, { token }) => token === asForm(body).token,
    (found, { body }) => {
      if (found.status === "expired" || found.paidAtMs !== null)
        return refusal(400, MESSAGES.notPayable);
      const phone = textOf(asForm(asForm(body).phone_number).number);
      const outcome = APPROVED_NUMBERS.includes(phone) ? "success" : "failure";
      collect.end(found, outcome, { method: SANDBOX_MODE, phone });
      const { id, transactionId: reference } = found;
      const klass = "v1/payment_intent";
      const intent = { klass, id: Number(id), reference, status: "pending", mode: SANDBOX_MODE };
      return ok({ [klass]: intent });
    },
    "create",
  );
  provider.on("POST /v1/:mode", "create", () => refusal(400, MESSAGES.notAllowed));

  return {
    ...payouts,
    ...provider.face,
    collect,
    /** It stopped sending webhooks, after too many failures. */
    webhookDisabled: () => state.webhookDisabled,
    enableWebhook() {
      state.webhookDisabled = false;
      changed();
    },
    /** What the frame of checkout.js shows, by the public key and the transaction's id. */
    widget(query: unknown): CheckoutView {
      const { key, id } = asForm(query);
      const account = accounts.by(({ publicKey }) => publicKey === key);
      const known = account && collect.get(textOf(id), account.id);
      if (known === undefined) throw new NotPossible("no such transaction of this public key");
      return collect.checkout(known);
    },
  };
}

const ok = (body: object): Answer => ({ status: 200, body });
const refusal = (status: number, message: string, more: object = {}): Answer => ({
  status,
  body: { message, ...more },
});

const COMMON = {
  keys: () => refusal(401, MESSAGES.badKey),
  tooMany: () => refusal(429, MESSAGES.tooMany),
  broken: (status: number): Answer => ({ status, body: {} }),
};
const REFUSALS = {
  ...COMMON,
  refused: (call: string) =>
    call === "create"
      ? refusal(422, MESSAGES.transactionInvalid, { errors: { amount: [FIELD_MESSAGES.wrong] } })
      : refusal(403, MESSAGES.notAllowed),
  notFound: () => refusal(404, MESSAGES.transactionNotFound),
};
const PAYOUT_REFUSALS = {
  ...COMMON,
  refused: (call: string) =>
    call === "submit" ? refusal(400, MESSAGES.refused) : refusal(403, MESSAGES.notAllowed),
  notFound: () => refusal(404, MESSAGES.notFound),
  shortFloat: () => refusal(400, MESSAGES.shortFloat),
};
