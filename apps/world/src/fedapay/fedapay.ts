import { createHmac } from "node:crypto";
import { DAY_MS, HOUR_MS, secretToken, textOf } from "@sesame/kernel";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import {
  type Account,
  type AccountBook,
  type Accounts,
  MAIN,
  startAccounts,
} from "../kit/accounts.ts";
import { type Answer, answering, asForm, type Asked } from "../kit/calls.ts";
import { paymentFaults } from "../kit/faults.ts";
import { complaints } from "../kit/form.ts";
import { type PaymentBook, type Payments, startPayments, withQuery } from "../kit/payments.ts";
import {
  asTold,
  emptyPayouts,
  findNetwork,
  networkOfMethod,
  type Payout,
  type PayoutBook,
  type PayoutDesk,
  startPayouts,
} from "../kit/payouts.ts";
import type { Place } from "../kit/place.ts";
import { emptyNotices, startWebhook } from "../kit/webhooks.ts";
import { networkMethods } from "../mobile-money/networks.ts";
import type { FedapayKeys } from "../options.ts";
import { NotPossible } from "../telegram/api-error.ts";
import type { CheckoutView, PaymentCall, PaymentRule, PayoutRule } from "../wire.ts";
import { payoutGiven, payoutRules, phoneOf, transactionGiven, transactionRules } from "./read.ts";
import {
  balanceShape,
  feesOf,
  MODES,
  pageOf,
  payoutEntity,
  payoutShape,
  type Transaction,
  transactionShape,
  wordOf,
} from "./shapes.ts";
import { FEDAPAY_WORDS as WORDS, FIELD_WORDS } from "./words.fr.ts";

export type FedapayState = PayoutBook &
  PaymentBook<Transaction> & {
    nextPayoutNumber: number;
    /** After ten failures in a row it tells nothing more, until somebody switches it on again. */
    webhookDisabled: boolean;
    merchants: AccountBook<FedapayKeys>;
  };

export const emptyFedapay = (): FedapayState => ({
  payments: new Map(),
  nextNumber: 1,
  nextPayoutNumber: 1,
  webhookDisabled: false,
  merchants: new Map(),
  ...emptyPayouts(),
  ...emptyNotices(),
});

/** FedaPay as the tests and the control panel hold it. */
export type Fedapay = PayoutDesk & {
  collect: Payments<Transaction>;
  merchants: Accounts<FedapayKeys>;
  /** It stopped telling, after too many failures. */
  webhookDisabled(): boolean;
  enableWebhook(): void;
  /** What the frame of checkout.js shows, by the public key and the transaction's id. */
  widget(query: unknown): CheckoutView;
  owns(request: FastifyRequest): boolean;
  /** `GET /v1/payouts/:id`, a path that Moneroo has too. */
  answerPayout(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
  register(app: FastifyInstance): void;
  close(): void;
};

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

/** `t=…,s=…`: HMAC-SHA256 over the instant, a dot and the raw body (payment-providers.md §5.7). */
export function signatureHeader(body: string, secret: string, at: Date): string {
  const seconds = Math.floor(at.getTime() / 1000);
  const hex = createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex");
  return `t=${seconds},s=${hex}`;
}

/** Fees on top of the amount, as measured on the real API; the steps between are ours. */
export function feeOf(amount: number): number {
  if (amount <= 10_000) return 150;
  if (amount <= 50_000) return 300;
  if (amount <= 150_000) return 800;
  return 2_000;
}

export function startFedapay(
  place: Place,
  { state, keys }: { state: FedapayState; keys: FedapayKeys | null },
): Fedapay {
  const { clock, chance, changed, scheduler } = place;
  const accounts = startAccounts<FedapayKeys>(place, {
    provider: "fedapay",
    keys,
    book: state.merchants,
    invent: () => ({
      secretKey: `sk_sandbox_${secretToken(18, chance)}`,
      publicKey: `pk_sandbox_${secretToken(18, chance)}`,
      webhookSecret: `wh_sandbox_${secretToken(18, chance)}`,
    }),
  });
  /** Payments and payouts are told by the same webhook. */
  const webhook = startWebhook<FedapayKeys>(place, {
    book: state,
    accounts,
    timeoutMs: 10_000,
    pausesMs: PAUSES_MS,
    secret: ({ webhookSecret }) => webhookSecret,
    headers: (body, secret, at) => ({ "x-fedapay-signature": signatureHeader(body, secret, at) }),
    // What HTML would read is written by its number.
    write: (content) =>
      JSON.stringify(content).replace(
        /[<>&]/g,
        (char) => `\\u00${char.charCodeAt(0).toString(16)}`,
      ),
    gaveUp({ account }) {
      if (account === MAIN) state.webhookDisabled = true;
    },
  });
  const tell = (
    name: string,
    object: string,
    told: { id: string; entity: object; account: string },
  ) => {
    const { id: paymentId, entity, account } = told;
    if (account === MAIN && state.webhookDisabled) return;
    const body = { name, object, entity, account: { klass: "v1/account", id: 5, name: "Sésame" } };
    webhook.announce({ event: name, paymentId, account, body });
  };
  const announce = (transaction: Transaction, word: string) => {
    const { id, account } = transaction;
    const entity = transactionShape(transaction, {
      payUrl: collect.payUrl(transaction),
      expanded: true,
    });
    tell(`transaction.${word}`, "transaction", { id, account, entity });
  };
  const faults = paymentFaults(place);
  const transferLater = (transaction: Transaction, paidAtMs: number) =>
    void scheduler.at(paidAtMs + TRANSFERRED_AFTER_MS, () => {
      transaction.transferredAtMs = clock.now().getTime();
      transaction.updatedAtMs = transaction.transferredAtMs;
      announce(transaction, "transferred");
      changed();
    });
  for (const one of state.payments.values()) {
    if (one.paidAtMs !== null && one.transferredAtMs === null) transferLater(one, one.paidAtMs);
  }
  const collect = startPayments<Transaction>(place, {
    name: "fedapay",
    book: state,
    faults,
    notices: webhook,
    pagePath: "/fedapay/pay/",
    page(transaction) {
      const { id, customer, returnUrl, status, amount, transactionId: reference } = transaction;
      const word = wordOf(transaction);
      return {
        customer: {
          email: customer.email ?? "",
          firstName: customer.firstname ?? "",
          lastName: customer.lastname ?? "",
          phone: customer.phone?.number ?? null,
        },
        methods: networkMethods(({ fedapay }) => fedapay[0] ?? null),
        failureMessage:
          status === "failed" ? WORDS.declined : status === "expired" ? WORDS.expired : null,
        // It sends the customer to `callback_url?id=…&status=…` (§5.4).
        returnUrl: returnUrl && withQuery(returnUrl, { id, status: word }),
        told: { id: Number(id), reference, status: word, amount },
      };
    },
    attempt(transaction, outcome) {
      const nowMs = clock.now().getTime();
      if (outcome === "success" || outcome === "failure") transaction.method ??= SANDBOX_MODE;
      if (outcome === "failure") transaction.declinedAtMs = nowMs;
      if (outcome === "cancel") transaction.canceledAtMs = nowMs;
      if (outcome === "success") transferLater(transaction, nowMs);
      return outcome;
    },
    announce: (transaction) => announce(transaction, wordOf(transaction)),
    announceChange: (transaction) => announce(transaction, "updated"),
  });
  /** A new one; who has the same e-mail is the same customer. */
  const openTransaction = (
    given: ReturnType<typeof transactionGiven>,
    account: Account<FedapayKeys>,
  ) => {
    const number = state.nextNumber++;
    const nowMs = clock.now().getTime();
    const { email, phone } = given.customer;
    const known = [...state.payments.values()].find(
      ({ customer }) => email !== null && customer.email === email,
    );
    const transaction = collect.open({
      ...given,
      id: String(FIRST_ID.transaction + number),
      account: account.id,
      token: secretToken(24, chance),
      transactionId: `trx_${secretToken(3, chance)}_${nowMs}`,
      key: secretToken(16, chance),
      customer: { id: known?.customer.id ?? FIRST_ID.customer + number, ...given.customer },
      phone: phone && phone.number,
      expiresAtMs: nowMs + DAY_MS,
      declinedAtMs: null,
      canceledAtMs: null,
      transferredAtMs: null,
    });
    if (place.announceInitiated) announce(transaction, "created");
    return transaction;
  };
  const payouts = startPayouts(place, {
    name: "fedapay",
    book: state,
    notices: webhook,
    accounts: MODES,
    firstFloat: FIRST_FLOAT,
    fresh: ({ amount, method }) => ({
      id: String(FIRST_ID.payout + state.nextPayoutNumber++),
      cost: feeOf(amount),
      account: method,
    }),
    announce(payout, step) {
      const entity = payoutEntity(payout);
      tell(PAYOUT_EVENTS[step], "payout", { id: payout.id, account: MAIN, entity });
    },
  });

  const accountOf = ({ headers }: FastifyRequest) =>
    accounts.by(({ secretKey }) => headers.authorization === `Bearer ${secretKey}`);
  const owns = (request: FastifyRequest) => accountOf(request)?.id === MAIN;
  const collecting = answering(place, { name: "fedapay", faults, refusals: REFUSALS, accountOf });
  const paying = answering(place, {
    name: "fedapay",
    faults: payouts.rules,
    refusals: PAYOUT_REFUSALS,
    accountOf: (request) => (owns(request) ? accountOf(request) : undefined),
  });
  const answerPayout = paying.handler("lookup", ({ params, fault }) =>
    payoutFound(state.payouts.get(params.id ?? ""), fault),
  );
  const payoutFound = (payout: Payout | undefined, fault: PayoutRule | null): Answer =>
    payout === undefined
      ? PAYOUT_REFUSALS.notFound()
      : ok({ "v1/payout": payoutShape(asTold(payout, fault), fault) });

  /** Takes `{ payouts: […] }` and the bare list; one that cannot be started starts none. */
  const startAsked = (body: unknown, fault: PayoutRule | null): Answer => {
    const asked = Array.isArray(body) ? body : asForm(body).payouts;
    if (!Array.isArray(asked) || asked.length === 0) return told(400, WORDS.refused);
    const found: Payout[] = [];
    for (const { id, phone_number: number } of asked.map(asForm)) {
      const payout = state.payouts.get(textOf(id));
      if (payout === undefined) return PAYOUT_REFUSALS.notFound();
      const network = networkOfMethod("fedapay", payout.method);
      const phone = number === undefined ? payout.phone : phoneOf(number, network);
      const errors = (why: string) => ({ errors: { phone_number: [why] } });
      if (phone === null) return told(422, WORDS.refused, errors(FIELD_WORDS.wrong));
      if (payout.status === "created" && sentLately(phone) >= MAX_TO_NUMBER) {
        return told(422, WORDS.tooManyToNumber, errors(WORDS.tooManyToNumber));
      }
      payout.phone = phone;
      found.push(payout);
    }
    if (!found.every((payout) => payouts.accept(payout, fault)))
      return PAYOUT_REFUSALS.shortFloat();
    return ok({ "v1/payouts": found.map((payout) => payoutShape(payout)) });
  };
  const sentLately = (phone: string) => {
    const since = new Date(clock.now().getTime() - DAY_MS).toISOString();
    const counts = ({ status, startedAt }: Payout) =>
      status !== "failed" && startedAt !== null && startedAt > since;
    return payouts.all().filter((payout) => payout.phone === phone && counts(payout)).length;
  };

  const registerPayouts = (app: FastifyInstance) => {
    paying.on(app, "POST /v1/payouts", "prepare", ({ body }) => {
      // Without `mode` it answers 500 and says nothing.
      const { mode } = asForm(body);
      if (mode === undefined || mode === null || mode === "") return PAYOUT_REFUSALS.broken(500);
      const isUsed = (reference: string) =>
        payouts.all().some((one) => one.reference === reference);
      const errors = complaints(body, payoutRules(body, isUsed));
      const network = findNetwork("fedapay", mode);
      if (errors !== null || !network) return told(422, WORDS.invalid, { errors });
      const payout = payouts.open(payoutGiven(body, network));
      tell(PAYOUT_EVENTS.created, "payout", {
        id: payout.id,
        account: MAIN,
        entity: payoutEntity(payout),
      });
      return payoutFound(payout, null);
    });
    paying.on(app, "PUT /v1/payouts/start", "submit", ({ body, fault }) => startAsked(body, fault));
    paying.on(app, "GET /v1/payouts", "list", ({ query, fault }) => {
      const { shown, meta } = pageOf(payouts.all(), query);
      return ok({ "v1/payouts": shown.map((one) => payoutShape(asTold(one, fault), fault)), meta });
    });
    paying.on(app, "GET /v1/payouts/merchant/:reference", "lookup", ({ params, fault }) =>
      payoutFound(
        payouts.all().find(({ reference }) => reference === params.reference),
        fault,
      ),
    );
    paying.on(app, "GET /v1/balances", "list", () => {
      const now = clock.now().toISOString();
      return ok({ "v1/balances": payouts.balances().map((float) => balanceShape(float, now)) });
    });
  };

  type Act = (transaction: Transaction, expanded: boolean) => Answer;
  /** Objects instead of their numbers, where the call asks for them. */
  const isExpanded = ({ query, body }: Asked<FedapayKeys, PaymentRule>) =>
    query.include !== undefined || asForm(body).include !== undefined;
  const shape: (transaction: Transaction, expanded: boolean) => object = (transaction, expanded) =>
    transactionShape(transaction, { payUrl: collect.payUrl(transaction), expanded });
  const shown: Act = (transaction, expanded) =>
    ok({ "v1/transaction": shape(transaction, expanded) });

  /** FedaPay's transactions (§5.2–5.4). */
  const registerTransactions = (app: FastifyInstance) => {
    /** Finds the transaction that a call is about, among those of its account. */
    const about = (
      path: string,
      call: PaymentCall,
      isMeant: (asked: Asked<FedapayKeys, PaymentRule>, one: Transaction) => boolean,
      act: (transaction: Transaction, asked: Asked<FedapayKeys, PaymentRule>) => Answer,
    ) =>
      collecting.on(app, path, call, (asked) => {
        const found = collect.of(asked.account.id).find((one) => isMeant(asked, one));
        return found === undefined ? REFUSALS.notFound() : act(found, asked);
      });
    collecting.on(app, "POST /v1/transactions", "create", (asked) => {
      const isUsed = (reference: string) =>
        collect.of(asked.account.id).some((one) => one.reference === reference);
      const errors = complaints(asked.body, transactionRules(isUsed));
      if (errors !== null) return told(422, WORDS.transactionInvalid, { errors });
      return shown(openTransaction(transactionGiven(asked.body), asked.account), isExpanded(asked));
    });
    collecting.on(app, "GET /v1/transactions", "fetch", (asked) => {
      const { shown: page, meta } = pageOf(collect.of(asked.account.id), asked.query);
      return ok({ "v1/transactions": page.map((one) => shape(one, isExpanded(asked))), meta });
    });
    about(
      "GET /v1/transactions/fees",
      "fetch",
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
      "fetch",
      ({ params }, { reference }) => reference === params.reference,
      (found, asked) => shown(found, isExpanded(asked)),
    );
    about(
      "GET /v1/transactions/:id",
      "fetch",
      ({ params }, { id }) => id === params.id,
      (found, asked) => shown(found, isExpanded(asked)),
    );
    about(
      "POST /v1/transactions/:id/token",
      "fetch",
      ({ params }, { id }) => id === params.id,
      (found) => ok({ token: found.token, url: collect.payUrl(found) }),
    );
    // A payment without their page: the operator asks on the phone itself (§5.3).
    collecting.on(app, "POST /v1/:mode", "create", ({ account, params: { mode }, body }) => {
      if (mode !== SANDBOX_MODE) return told(400, WORDS.notAllowed);
      const form = asForm(body);
      const found = collect.of(account.id).find(({ token }) => token === form.token);
      if (found === undefined) return REFUSALS.notFound();
      if (found.status === "expired" || found.paidAtMs !== null) return told(400, WORDS.notPayable);
      const phone = textOf(asForm(form.phone_number).number);
      const outcome = APPROVED_NUMBERS.includes(phone) ? "success" : "failure";
      collect.end(found, outcome, { method: mode, phone });
      const { id, transactionId: reference } = found;
      const intent = {
        klass: "v1/payment_intent",
        id: Number(id),
        reference,
        status: "pending",
        mode,
      };
      return ok({ "v1/payment_intent": intent });
    });
  };

  return {
    ...payouts,
    collect,
    merchants: accounts,
    webhookDisabled: () => state.webhookDisabled,
    enableWebhook() {
      state.webhookDisabled = false;
      changed();
    },
    widget(query) {
      const { key, id } = asForm(query);
      const account = accounts.by(({ publicKey }) => publicKey === key);
      const known = account && collect.get(textOf(id), account.id);
      if (known === undefined) throw new NotPossible("no such transaction of this public key");
      return collect.checkout(known);
    },
    owns,
    answerPayout,
    register(app) {
      registerPayouts(app);
      registerTransactions(app);
    },
    close: webhook.close,
  };
}

const ok = (body: object): Answer => ({ status: 200, body });
const told = (status: number, message: string, more: object = {}): Answer => ({
  status,
  body: { message, ...more },
});

const COMMON = {
  keys: () => told(401, WORDS.badKey),
  tooMany: () => told(429, WORDS.tooMany),
  broken: (status: number): Answer => ({ status, body: {} }),
};
const REFUSALS = {
  ...COMMON,
  refused: (call: string) =>
    call === "create"
      ? told(422, WORDS.transactionInvalid, { errors: { amount: [FIELD_WORDS.wrong] } })
      : told(403, WORDS.notAllowed),
  notFound: () => told(404, WORDS.transactionNotFound),
};
const PAYOUT_REFUSALS = {
  ...COMMON,
  refused: (call: string) =>
    call === "submit" ? told(400, WORDS.refused) : told(403, WORDS.notAllowed),
  notFound: () => told(404, WORDS.notFound),
  shortFloat: () => told(400, WORDS.shortFloat),
};
