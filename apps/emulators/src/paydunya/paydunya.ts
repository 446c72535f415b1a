import { DAY_MS, MINUTE_MS, readableToken, secretToken } from "@sesame/kernel";
import { type KeysOf, MAIN } from "../kit/accounts.ts";
import {
  type Answer,
  asForm,
  brokenRules,
  isText,
  isUrl,
  isWhole,
  type Rule,
  textAt,
} from "../kit/calls.ts";
import { referenceKey, withQuery, type Payment } from "../kit/payments.ts";
import { asReported, findNetwork, type Payout, reportedWord } from "../kit/payouts.ts";
import { type ProviderDeps, type Given, startPaying, startProvider } from "../kit/provider.ts";
import { isNational, networkMethods } from "../mobile-money/networks.ts";
import { PAYDUNYA_MESSAGES as MESSAGES } from "../kit/messages.fr.ts";
import { createHash } from "node:crypto";
import { stringify } from "node:querystring";
import type { PayoutRule } from "../wire.ts";

type PaydunyaKeys = KeysOf<"paydunya">;

const FIRST_FLOAT = 10_000_000;
/** The smallest amount it sends. */
const MIN_AMOUNT = 200;
const RETRY_EVERY_MS = 5 * MINUTE_MS;

/** Of `POST /checkout-invoice/create`. */
const INVOICE_RULES: readonly Rule[] = [
  [
    "invoice.total_amount",
    (value) => Number.isInteger(Number(value)) && Number(value) >= 1,
    "Invalid total_amount: it must be a number greater than zero.",
  ],
  ["store.name", isText, "The store name is required."],
  ...["callback_url", "return_url", "cancel_url"].map(
    (name): Rule => [
      `actions.${name}`,
      (value) => !isText(value) || isUrl(value),
      `The ${name} must be a valid URL.`,
    ],
  ),
];

/** Of `POST /api/v2/disburse/get-invoice`. */
const disburseRules = (body: unknown): Rule[] => {
  const network = findNetwork("paydunya", asForm(body).withdraw_mode);
  return [
    ["withdraw_mode", () => network !== undefined, "The withdraw_mode is not supported."],
    [
      "account_alias",
      (value) => isText(value) && network !== undefined && isNational(network, value),
      "The account_alias must be a number without country code.",
    ],
    ["amount", isWhole, "The amount must be an integer."],
    ["amount", (value) => Number(value) >= MIN_AMOUNT, `The minimum amount is ${MIN_AMOUNT} FCFA.`],
    ["callback_url", isUrl, "The callback_url must be a valid URL."],
    [
      "disburse_id",
      (value) => value === undefined || isText(value),
      "The disburse_id must be a string.",
    ],
  ];
};

export function startPaydunya(deps: ProviderDeps, given: Given<PaydunyaKeys, Invoice>) {
  const { random, clock, near, emulatorUrl } = deps;
  const hashOf = (account: string, forged: boolean) => {
    const masterKey = provider.accounts.get(account)?.keys.masterKey ?? "";
    return callbackHash(`${masterKey}${forged ? "-forged" : ""}`);
  };
  const confirmed = (invoice: Invoice, forged = false) =>
    confirmShape(invoice, hashOf(invoice.account, forged), emulatorUrl());
  const isForged = () => provider.webhook.webhooks.forgeSignature;
  /** To the address that came with the payment or the payout, as a form with one field, of JSON. */
  const notify = (address: string, what: { event: string; paymentId: string }, answer: object) => {
    const body = stringify({ data: JSON.stringify(answer) });
    provider.webhook.announce({ ...what, url: near(address), body });
  };
  const announce = (invoice: Invoice) => {
    const { id: paymentId, actions } = invoice;
    if (actions.callback_url === null) return;
    const answer = confirmed(invoice, isForged());
    notify(actions.callback_url, { event: `invoice.${answer.status}`, paymentId }, answer);
  };
  const provider = startProvider<PaydunyaKeys, Invoice>(deps, given, {
    name: "paydunya",
    invent: () => ({
      masterKey: readableToken(20, random),
      privateKey: `live_private_${secretToken(18, random)}`,
      token: readableToken(20, random),
    }),
    isBy: ({ masterKey, privateKey, token }, headers) =>
      headers["paydunya-master-key"] === masterKey &&
      headers["paydunya-private-key"] === privateKey &&
      headers["paydunya-token"] === token,
    refusals: REFUSALS,
    pausesMs: [RETRY_EVERY_MS, RETRY_EVERY_MS, RETRY_EVERY_MS],
    secret: ({ masterKey }) => masterKey,
    headers: () => ({ "content-type": "application/x-www-form-urlencoded" }),
    pagePath: "/paydunya/checkout/",
    page(invoice) {
      const { token, status, actions, customer } = invoice;
      const back =
        status === "cancelled" ? (actions.cancel_url ?? actions.return_url) : actions.return_url;
      return {
        phone: customer.phone || null,
        merchant: invoice.storeName,
        methods: networkMethods(({ id }) => id),
        failureMessage: failReason(invoice),
        over: status === "success" || status === "cancelled" || status === "expired",
        // It sends the customer to `return_url?token=…`.
        returnUrl: back && withQuery(back, { token }),
      };
    },
    attempt(invoice, outcome) {
      if (outcome !== "pending") invoice.method ??= "orange-money-ci";
      if (outcome === "success") invoice.transactionId = readableToken(14, random);
      return outcome;
    },
    announce,
    announceChange: announce,
  });
  const paying = startPaying(deps, provider, {
    name: "paydunya",
    refusals: PAYOUT_REFUSALS,
    accounts: [MAIN],
    firstFloat: FIRST_FLOAT,
    fresh: ({ handle }) => ({
      id: `TFA-TX-${readableToken(20, random)}`,
      handle: handle ?? readableToken(20, random),
    }),
    announce(payout, step) {
      // It sends a webhook only at the end.
      if (step === "initiated" || payout.callbackUrl === null) return;
      const { response_code, response_text, ...rest } = checkShape(payout);
      const answer = { response_code, response_text, hash: hashOf(MAIN, isForged()), ...rest };
      const what = { event: `disburse.${payout.status}`, paymentId: payout.id };
      notify(payout.callbackUrl, what, answer);
    },
  });
  const { payments: collect } = provider;
  const { payouts } = paying;

  const byToken = (body: unknown) => {
    const token = textAt(body, "disburse_invoice");
    return payouts.all().find(({ handle }) => handle === token);
  };
  /** The same token again answers the same payout: nothing is sent twice. */
  const referenceOf = (payout: Payout, body: unknown): string | null | Answer => {
    const reference = textAt(body, "disburse_id") || payout.reference;
    const isAnother = payout.reference !== null && payout.reference !== reference;
    if (isAnother) return no("5000", "The disburse_id is not the one of this invoice.");
    const isUsed = ({ id, reference: theirs, status }: Payout) =>
      id !== payout.id && theirs === reference && status !== "created";
    if (reference === null || !payouts.all().some(isUsed)) return reference;
    return no("5000", "This disburse_id has already been used.");
  };
  // All three POST, and a refusal is HTTP 200 too.
  const path = "POST /api/v2/disburse/";
  paying.on(`${path}get-invoice`, "prepare", ({ body }) => {
    const [wrong] = brokenRules(body, disburseRules(body));
    if (wrong) return no(wrong[0] === "withdraw_mode" ? "1001" : "4004", wrong[2]);
    const form = asForm(body);
    const network = findNetwork("paydunya", form.withdraw_mode);
    const payout = payouts.open({
      amount: Number(form.amount),
      method: network?.id ?? "",
      phone: `+${network?.dial}${textAt(body, "account_alias")}`,
      reference: textAt(body, "disburse_id") || null,
      callbackUrl: textAt(body, "callback_url"),
    });
    return yes({ response_code: "00", disburse_token: payout.handle });
  });
  paying.on(`${path}submit-invoice`, "submit", ({ body, fault }) => {
    const payout = byToken(body);
    if (payout === undefined) return PAYOUT_REFUSALS.notFound();
    const reference = referenceOf(payout, body);
    if (reference !== null && typeof reference === "object") return reference;
    payout.reference = reference;
    if (!payouts.accept(payout, fault)) return PAYOUT_REFUSALS.shortFloat();
    return yes(submitShape(payout, fault));
  });
  paying.on(`${path}check-status`, "lookup", ({ body, fault }) => {
    const payout = byToken(body);
    return payout && yes(checkShape(asReported(payout, fault), fault));
  });
  for (const [at, sandbox] of [
    ["/api/v1/checkout-invoice", false],
    ["/sandbox-api/v1/checkout-invoice", true],
  ] as const) {
    /** Keys of one kind are unknown at the other kind's address. */
    const isWrong = ({ privateKey }: PaydunyaKeys) => privateKey.startsWith("test_") !== sandbox;
    provider.on(`POST ${at}/create`, "create", ({ account, body }) => {
      if (isWrong(account.keys)) return REFUSALS.keys();
      const [wrong] = brokenRules(body, INVOICE_RULES);
      if (wrong) return no("4002", wrong[2]);
      const { invoice, custom_data: data } = asForm(body);
      const customData = asForm(data);
      const reference = customData[referenceKey(customData)];
      const token = `${sandbox ? "test_" : ""}${readableToken(10, random)}`;
      const address = (name: string) => textAt(body, `actions.${name}`) || null;
      const opened = collect.open({
        id: token,
        account: account.id,
        reference: typeof reference === "string" ? reference : null,
        amount: Number(asForm(invoice).total_amount),
        description: textAt(invoice, "description"),
        expiresAtMs: clock.now().getTime() + DAY_MS,
        sandbox,
        items: asForm(asForm(invoice).items),
        storeName: textAt(body, "store.name"),
        customData,
        actions: {
          callback_url: address("callback_url"),
          return_url: address("return_url"),
          cancel_url: address("cancel_url"),
        },
        customer: {
          name: textAt(invoice, "customer.name"),
          email: textAt(invoice, "customer.email"),
          phone: textAt(invoice, "customer.phone"),
        },
      });
      const description = "Checkout Invoice Created";
      const response_text = collect.payUrl(opened);
      return yes({ response_code: "00", response_text, description, token });
    });
    provider.on(`GET ${at}/confirm/:token`, "fetch", ({ account, params }) => {
      if (isWrong(account.keys)) return REFUSALS.keys();
      const invoice = collect.get(params.token ?? "", account.id);
      return invoice && yes(confirmed(invoice));
    });
  }
  return { ...payouts, ...provider.face, collect };
}

const yes = (body: object): Answer => ({ status: 200, body });
const no = (code: string, text: string): Answer =>
  yes({ response_code: code, response_text: text });

/** PayDunya refuses with HTTP 200: only the code says no. */
const COMMON = {
  keys: () => no("1001", "Invalid Masterkey Specified"),
  tooMany: (): Answer => ({ status: 429, body: { message: "Too Many Attempts." } }),
  broken: (status: number): Answer => ({ status, body: { message: "Server Error" } }),
};
const REFUSALS = {
  ...COMMON,
  refused: (call: string) =>
    no(
      "4003",
      `This account is not allowed to ${call === "create" ? "receive payments" : "see this invoice"}.`,
    ),
  notFound: () => no("4004", "Invoice Not Found"),
};
const PAYOUT_REFUSALS = {
  ...COMMON,
  refused: (call: string) =>
    call === "submit"
      ? no("4006", "The recipient account cannot receive this transaction.")
      : no("401", "Disbursement is not enabled on this account."),
  notFound: () => no("4004", "The disburse_invoice was not found."),
  shortFloat: () => no("4002", "Insufficient balance in your PayDunya account."),
};

/** A payment at PayDunya; its number is its token. */
export type Invoice = Payment & {
  sandbox: boolean;
  items: Record<string, unknown>;
  storeName: string;
  customData: Record<string, unknown>;
  actions: { callback_url: string | null; return_url: string | null; cancel_url: string | null };
  customer: { name: string; email: string; phone: string };
};

/** Its words where they are not ours. */
const STATUSES: Record<string, string> = { initiated: "pending", success: "completed" };

/** `2026-11-16 09:00:04`. */
const instant = (ms: number) => new Date(ms).toISOString().slice(0, 19).replace("T", " ");

const failReason = ({ status }: Invoice) =>
  status === "failed" ? MESSAGES.failed : status === "expired" ? MESSAGES.expired : null;

type AnswerBody = Record<string, unknown> & { status?: string };

/** Answer of confirm; who paid, and the receipt, are there only once it is. */
function confirmShape(invoice: Invoice, hash: string, emulatorUrl: string): AnswerBody {
  const { token, description, items, customData, actions, customer, reported = {} } = invoice;
  const sandbox = reported.environment ? reported.environment === "sandbox" : invoice.sandbox;
  const renamed = reported.reference ? { [referenceKey(customData)]: reported.reference } : {};
  return {
    response_code: "00",
    response_text: "Transaction Found",
    hash,
    invoice: {
      token,
      ...(Object.keys(items).length === 0 ? {} : { items }),
      // Text, as a form would write it.
      total_amount: String(reported.amount ?? invoice.amount),
      description,
      ...(reported.currency ? { currency: reported.currency } : {}),
      expire_date: instant(invoice.expiresAtMs ?? 0),
    },
    custom_data: Object.keys(customData).length === 0 ? [] : { ...customData, ...renamed },
    actions,
    mode: sandbox ? "test" : "live",
    status: reported.status ?? STATUSES[invoice.status] ?? invoice.status,
    fail_reason: failReason(invoice) ?? "",
    ...(invoice.paidAtMs === null
      ? {}
      : {
          customer: { ...customer, payment_method: invoice.method ?? "" },
          receipt_identifier: `${token}-receipt`,
          receipt_url: `${emulatorUrl}/paydunya/receipts/${token}.pdf`,
          provider_reference: invoice.transactionId ?? "",
        }),
  };
}

const wordOf = ({ status }: Payout) => (status === "queued" ? "pending" : status);

/** `16/11/2026 09:00:04`. */
function frenchInstant(iso: string): string {
  const [day = "", time = ""] = iso.split("T");
  return `${day.split("-").reverse().join("/")} ${time.slice(0, 8)}`;
}

/** Answer of check-status: every value a string, the amount too. */
function checkShape(payout: Payout, fault: PayoutRule | null = null): AnswerBody {
  const { handle, method, amount, reference, id, operatorReference, failure, status } = payout;
  const word = reportedWord(wordOf(payout), fault);
  const ended = status === "success" || status === "failed";
  return {
    response_code: "00",
    response_text: status === "failed" ? (failure ?? "") : "Transaction Found",
    ...(word === undefined ? {} : { status: word }),
    token: handle ?? "",
    withdraw_mode: method,
    amount: `${amount}.00`,
    updated_at: frenchInstant(payout.updatedAt),
    ...(reference === null ? {} : { disburse_id: reference }),
    ...(status === "created" ? {} : { transaction_id: id }),
    ...(ended && operatorReference !== null ? { disburse_tx_id: operatorReference } : {}),
  };
}

/** Answer of submit-invoice: a "00" says that it was taken, and not that it has arrived. */
function submitShape(payout: Payout, fault: PayoutRule | null): AnswerBody {
  const { id, status, operatorReference } = payout;
  const word = reportedWord(wordOf(payout), fault);
  return {
    response_code: "00",
    response_text:
      status === "success"
        ? "Transaction completed successfully"
        : "Transaction pending, please check the final status later",
    description: `${payout.amount} FCFA to ${payout.phone.slice(1)}`,
    transaction_id: id,
    ...(word === undefined ? {} : { status: word }),
    ...(operatorReference === null ? {} : { provider_ref: operatorReference }),
  };
}

/** A constant of the account, which proves little and can be replayed. */
export const callbackHash = (masterKey: string): string =>
  createHash("sha512").update(masterKey).digest("hex");
