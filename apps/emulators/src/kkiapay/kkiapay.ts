import { MINUTE_MS, readableToken, textOf } from "@sesame/kernel";
import type { KeysOf } from "../kit/accounts.ts";
import { type Answer, type Asked, textAt } from "../kit/calls.ts";
import type { How, Payment } from "../kit/payments.ts";
import { type ProviderDeps, type Given, startProvider } from "../kit/provider.ts";
import { NotPossible } from "../telegram/state.ts";
import type {
  KkiapayModes,
  PaymentRule,
  CheckoutAction,
  CheckoutView,
  CheckoutMethod,
} from "../wire.ts";
import { NORMAL_MODES } from "../wire.ts";

type KkiapayKeys = KeysOf<"kkiapay">;

/** KkiaPay for tests and the control panel; its widget must be opened first. */
export type Kkiapay = ReturnType<typeof startKkiapay>["collect"];

/** Five further tries, with growing gaps. */
const PAUSES_MS = [1, 2, 5, 15, 60].map((minutes) => minutes * MINUTE_MS);
const LEAST_AMOUNT = 100;
/** The amount after it was changed in the browser. */
const CHANGED_AMOUNT = 100;

export function startKkiapay(deps: ProviderDeps, given: Given<KkiapayKeys, Opening>) {
  const { random, clock } = deps;
  const { state: book } = given;
  const modes = { ...NORMAL_MODES };
  /** The transaction of an attempt: the last one while it is pending, else a new one. */
  const tryOf = (opening: Opening, { method, phone }: How): Transaction => {
    const last = opening.tries.at(-1);
    if (last?.status === "PENDING") return last;
    const operator = method ?? OPERATORS[0]?.code ?? "";
    const transaction: Transaction = {
      id: readableToken(9, random),
      status: "PENDING",
      operator,
      phone: withDial((phone ?? opening.customer.phone).replace(/\D/g, ""), operator),
      fees: feesOf(Number(opening.amount), operator),
      failure: null,
      performedAtMs: clock.now().getTime(),
    };
    opening.tries.push(transaction);
    opening.transactionId = transaction.id;
    return transaction;
  };
  const provider = startProvider<KkiapayKeys, Opening>(deps, given, {
    name: "kkiapay",
    invent() {
      const word = () => readableToken(24, random).toLowerCase();
      const [privateKey, secretKey] = [`tpk_${word()}`, `tsk_${word()}`];
      return { publicKey: word(), privateKey, secretKey, webhookSecret: word() };
    },
    isBy: ({ publicKey, privateKey, secretKey }, headers) =>
      headers["x-api-key"] === publicKey &&
      headers["x-private-key"] === privateKey &&
      headers["x-secret-key"] === secretKey,
    refusals: REFUSALS,
    pausesMs: PAUSES_MS,
    // The secret itself and no signature: who has seen one webhook can send any.
    secret: ({ webhookSecret }) => webhookSecret,
    headers: (_body, secret) => ({ "x-kkiapay-secret": secret }),
    pagePath: null,
    page: (opening) => widgetWords(opening, modes),
    attempt(opening, outcome, how) {
      if (outcome === "cancel") return outcome;
      const transaction = tryOf(opening, how);
      opening.method = transaction.operator;
      if (outcome === "pending") return outcome;
      const failure = outcome === "failure" ? DECLINED : null;
      const status = failure === null ? "SUCCESS" : "FAILED";
      Object.assign(transaction, { failure, status, performedAtMs: clock.now().getTime() });
      return outcome;
    },
    /** A closed widget sends no webhook. */
    announce(opening, end) {
      const transaction = opening.tries.at(-1);
      if (end === "cancelled" || transaction === undefined) return;
      const body = webhookShape({ opening, transaction, modes });
      const { account } = opening;
      provider.webhook.announce({ event: body.event, paymentId: transaction.id, account, body });
    },
  });
  const { accounts, payments } = provider;

  const open = (config: Record<string, unknown>): Opening => {
    const { key, sandbox, data = null } = config;
    const account =
      key === undefined ? accounts.get("main") : accounts.by((one) => one.publicKey === key);
    if (account === undefined) throw new NotPossible("key");
    // A test key needs `sandbox`, and a live key its absence: else the widget does not open.
    const forTests = account.keys.privateKey.startsWith("tpk_");
    if (sandbox !== undefined && sandbox !== forTests) throw new NotPossible("sandbox");
    const asked = Number(config.amount);
    if (!Number.isInteger(asked) || asked < LEAST_AMOUNT) throw new NotPossible("amount");
    const names = [config.firstname, config.lastname].map(textOf).filter((part) => part !== "");
    const partnerId = textOf(config.partnerId) || null;
    return payments.open({
      id: `wd_${readableToken(12, random)}`,
      account: account.id,
      reference: typeof data === "string" ? data : partnerId,
      amount: modes.otherAmount ? CHANGED_AMOUNT : asked,
      description: textOf(config.reason),
      data,
      partnerId,
      customer: {
        name: textOf(config.fullname) || textOf(config.name) || names.join(" "),
        email: textOf(config.email),
        phone: (textOf(config.phoneNumber) || textOf(config.phone)).replace(/\D/g, ""),
      },
      tries: [],
    });
  };

  const about =
    (act: (opening: Opening, transaction: Transaction) => Answer | null) =>
    ({ account, body }: Asked<KkiapayKeys, PaymentRule>): Answer => {
      const id = textAt(body, "transactionId");
      for (const opening of book.payments.values()) {
        const transaction = opening.tries.find((one) => one.id === id);
        if (transaction === undefined) continue;
        if (opening.account !== account.id) return no(400, "INVALID_TRANSACTION");
        const refusal = act(opening, transaction);
        return refusal ?? { status: 200, body: statusShape({ opening, transaction, modes }) };
      }
      return REFUSALS.notFound();
    };
  /** The whole amount, once. */
  const revert = (opening: Opening, transaction: Transaction) => {
    if (transaction.status !== "SUCCESS") return no(400, "TRANSACTION_NOT_ELIGIBLE");
    transaction.status = "REVERTED";
    opening.status = "refunded";
    deps.changed();
    return null;
  };
  // Its two calls.
  provider.on(
    "POST /api/v1/transactions/status",
    "fetch",
    about(() => null),
  );
  provider.on("POST /api/v1/transactions/revert", "refund", about(revert));
  const collect = {
    ...payments,
    modes,
    /** As a browser does with `openKkiapayWidget`. */
    open,
    /** The state of an opening's last attempt. */
    lastTry: ({ tries }: Opening) => tries.at(-1),
    act(id: string, action: CheckoutAction): CheckoutView | null {
      const view = payments.page(id);
      // The page says that it is paid, without money and without a transaction.
      if (action.action === "success" && modes.forgedSuccess && view !== null) {
        const reported = { ...view.reported, transactionId: `forged-${id}` };
        return { ...view, status: "success", over: true, reported };
      }
      return payments.act(id, action);
    },
  };
  return { ...collect, ...provider.face, collect };
}

/** KkiaPay publishes only the words of its errors; status and form are the emulator's own. */
const no = (status: number, reason: string): Answer => ({
  status,
  body: { status: 4003, reason, message: reason },
});

const REFUSALS = {
  keys: () => no(401, "INVALID_API_KEY"),
  refused: (call: string) =>
    no(400, call === "refund" ? "INSUFFICIENT_FUND" : "INVALID_TRANSACTION"),
  notFound: () => no(404, "TRANSACTION_NOT_FOUND"),
  tooMany: () => no(429, "TOO_MANY_REQUESTS"),
  broken: (status: number) => no(status, "SERVER_ERROR"),
};

/** Who carries the money, by the name KkiaPay gives in its answers (`source_common_name`). */
const OPERATORS: readonly CheckoutMethod[] = [
  { code: "mtn-benin", name: "MTN", country: "BJ", dialCode: "229" },
  { code: "moov-benin", name: "Moov", country: "BJ", dialCode: "229" },
  { code: "celtiis-benin", name: "Celtiis", country: "BJ", dialCode: "229" },
  { code: "mtn-ci", name: "MTN", country: "CI", dialCode: "225" },
  { code: "orange-ci", name: "Orange", country: "CI", dialCode: "225" },
  { code: "moov-ci", name: "Moov", country: "CI", dialCode: "225" },
  { code: "wave-senegal", name: "Wave", country: "SN", dialCode: "221" },
  { code: "orange-senegal", name: "Orange", country: "SN", dialCode: "221" },
  { code: "tmoney-togo", name: "T-Money", country: "TG", dialCode: "228" },
  { code: "moov-togo", name: "Moov", country: "TG", dialCode: "228" },
  { code: "airtel-niger", name: "Airtel", country: "NE", dialCode: "227" },
  { code: "visa", name: "Visa", country: "BJ", dialCode: "229" },
  { code: "mastercard", name: "Mastercard", country: "BJ", dialCode: "229" },
];

const isCard = (operator: string) => operator === "visa" || operator === "mastercard";

/** 1.9 % of mobile money, 4 % of a card. */
function feesOf(amount: number, operator: string): number {
  return Math.round((amount * (isCard(operator) ? 40 : 19)) / 1_000);
}

/** A number as KkiaPay sends it: with its country's code, if the customer left that out. */
function withDial(phone: string, operator: string): string {
  const dial = OPERATORS.find(({ code }) => code === operator)?.dialCode ?? "";
  return phone === "" || dialOf(phone) !== "" ? phone : `${dial}${phone}`;
}

/** The country's code at the head of a number; empty when there is none. */
function dialOf(phone: string): string {
  const known = OPERATORS.find(({ dialCode }) => phone.startsWith(dialCode));
  return known !== undefined && phone.length > 10 ? known.dialCode : "";
}

const DECLINED = { code: "payment_declined", message: "Payment declined" };

/** An opened widget with the browser's values: KkiaPay has no payment before an attempt. */
export type Opening = Payment & {
  data: unknown;
  partnerId: string | null;
  customer: { name: string; email: string; phone: string };
  /** Oldest first: each attempt is a transaction of its own. */
  tries: Transaction[];
};

type Transaction = {
  id: string;
  status: "PENDING" | "SUCCESS" | "FAILED" | "REVERTED";
  operator: string;
  /** Digits, with the country's code. */
  phone: string;
  fees: number;
  failure: { code: string; message: string } | null;
  performedAtMs: number;
};

type Shown = { opening: Opening; transaction: Transaction; modes: KkiapayModes };

/** POST /api/v1/transactions/status. Never a currency. */
function statusShape({ opening, transaction, modes }: Shown): Record<string, unknown> {
  const { fees, failure, operator, phone, performedAtMs } = transaction;
  const { reported = {}, customer } = opening;
  const performed = new Date(performedAtMs).toISOString();
  const amount = reported.amount ?? opening.amount;
  return {
    performed_at: performed,
    type: "DEBIT",
    status: reported.status ?? transaction.status,
    source: isCard(operator) ? "CARD" : "MOBILE_MONEY",
    source_common_name: operator,
    amount,
    fees,
    reason: failure?.message ?? null,
    failureCode: failure?.code ?? null,
    failureMessage: failure?.message ?? null,
    state: reported.reference ?? opening.data ?? null,
    partnerId: partnerOf(opening, modes),
    feeSupportedBy: "merchant",
    income: Number(amount) - fees,
    transactionId: transaction.id,
    performedAt: performed,
    client: { fullname: customer.name, phone, email: customer.email },
    // Only when the emulator is set to answer wrongly: KkiaPay knows one currency.
    ...(reported.currency ? { currency: reported.currency } : {}),
  };
}

/** The body of a webhook. */
function webhookShape({ opening, transaction, modes }: Shown) {
  const { failure, operator, phone, fees, performedAtMs, status } = transaction;
  const { reported = {} } = opening;
  const succeeded = status === "SUCCESS";
  const state = reported.reference ?? opening.data ?? null;
  return {
    transactionId: transaction.id,
    isPaymentSucces: succeeded,
    event: succeeded ? "transaction.success" : "transaction.failed",
    account: phone,
    method: isCard(operator) ? "CARD" : "MOBILE_MONEY",
    amount: reported.amount ?? opening.amount,
    fees,
    partnerId: partnerOf(opening, modes),
    performedAt: new Date(performedAtMs).toISOString(),
    stateData: modes.stateAsText ? JSON.stringify(state) : state,
    failureCode: failure?.code ?? null,
    failureMessage: failure?.message ?? null,
  };
}

function partnerOf({ reported = {}, partnerId }: Opening, modes: KkiapayModes): string | null {
  return modes.emptyPartnerId ? "" : (reported.reference ?? partnerId);
}

/** The page in the widget's frame; `reported`: its message to the page around it. */
function widgetWords(opening: Opening, modes: KkiapayModes) {
  const { customer, data, partnerId, tries, status } = opening;
  const dial = dialOf(customer.phone);
  const rank = (code: string) => (code === dial ? 0 : 1);
  const partner = partnerId === null || modes.emptyPartnerId ? {} : { partnerId };
  const transactionId = status === "cancelled" ? "" : (tries.at(-1)?.id ?? "");
  return {
    phone: customer.phone.slice(dial.length) || null,
    // Those of the customer's country first.
    methods: OPERATORS.toSorted((a, b) => rank(a.dialCode) - rank(b.dialCode)),
    reported: { transactionId, data, ...partner },
  } satisfies Partial<CheckoutView>;
}
