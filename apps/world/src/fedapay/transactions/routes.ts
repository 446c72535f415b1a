import { textOf } from "@sesame/kernel";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { FedapayKeys } from "../../options.ts";
import {
  type Answer,
  answerPaymentCall,
  type PaymentCounter,
  type PaymentRefusals,
} from "../../payments/answers.ts";
import type { Merchant } from "../../payments/merchants.ts";
import type { PaymentCall } from "../../wire.ts";
import { asForm } from "../create.ts";
import { listMeta } from "../shapes.ts";
import { FEDAPAY_WORDS as WORDS, FIELD_WORDS } from "../words.fr.ts";
import { type NewTransaction, readTransaction } from "./create.ts";
import { feesOf, transactionShape } from "./shapes.ts";
import type { Transaction } from "./state.ts";

export type FedapayCashier = PaymentCounter & {
  merchantOf(authorization: string | undefined): Merchant<FedapayKeys> | undefined;
  /** Of that account, oldest first. */
  transactionsOf(merchant: Merchant<FedapayKeys>): Transaction[];
  open(given: NewTransaction, merchant: Merchant<FedapayKeys>): Transaction;
  payUrl(transaction: Transaction): string;
  /** The operator's answer to a payment begun without the page. */
  push(transaction: Transaction, paid: { mode: string; phone: string; approved: boolean }): void;
};

type Asked = { merchant: Merchant<FedapayKeys>; request: FastifyRequest };

/** FedaPay's transactions (payment-providers.md §5.2–5.4). */
export function registerTransactionRoutes(app: FastifyInstance, cashier: FedapayCashier): void {
  const route =
    (call: PaymentCall, act: (asked: Asked) => Answer) =>
    (request: FastifyRequest, reply: FastifyReply) =>
      answerPaymentCall(cashier, { request, reply, call }, () => {
        const merchant = cashier.merchantOf(request.headers.authorization);
        return merchant === undefined ? REFUSALS.keys() : act({ merchant, request });
      });
  const ofTransaction = (act: (transaction: Transaction, asked: Asked) => Answer) =>
    route("fetch", (asked) => {
      const { id } = asked.request.params as { id: string };
      const found = cashier.transactionsOf(asked.merchant).find((one) => String(one.id) === id);
      return found === undefined ? REFUSALS.notFound() : act(found, asked);
    });
  const shown = (transaction: Transaction, { request }: Asked): Answer =>
    one(cashier, transaction, isExpanded(request));
  app.post(
    "/v1/transactions",
    route("create", (asked) => create(cashier, asked)),
  );
  app.get(
    "/v1/transactions",
    route("fetch", (asked) => list(cashier, asked)),
  );
  app.get(
    "/v1/transactions/fees",
    route("fetch", (asked) => fees(cashier, asked)),
  );
  const byReference = route("fetch", (asked) => {
    const { reference } = asked.request.params as { reference: string };
    const all = cashier.transactionsOf(asked.merchant);
    const found = all.find(({ merchantReference }) => merchantReference === reference);
    return found === undefined ? REFUSALS.notFound() : shown(found, asked);
  });
  app.get("/v1/transactions/merchant/:reference", byReference);
  app.get("/v1/transactions/:id", ofTransaction(shown));
  const token = ofTransaction((transaction) =>
    json(200, { token: transaction.token, url: cashier.payUrl(transaction) }),
  );
  app.post("/v1/transactions/:id/token", token);
  app.post(
    "/v1/:mode",
    route("create", (asked) => push(cashier, asked)),
  );
}

function create(cashier: FedapayCashier, { merchant, request }: Asked): Answer {
  const isUsed = (reference: string) =>
    cashier
      .transactionsOf(merchant)
      .some(({ merchantReference }) => merchantReference === reference);
  const read = readTransaction(request.body, isUsed);
  if (!read.ok) return json(422, { message: WORDS.transactionInvalid, errors: read.errors });
  return one(cashier, cashier.open(read.given, merchant), isExpanded(request));
}

const PER_PAGE = 25;
const MAX_PER_PAGE = 100;

/** Newest first. */
function list(cashier: FedapayCashier, { merchant, request }: Asked): Answer {
  const query = asForm(request.query);
  const all = cashier.transactionsOf(merchant).reverse();
  const page = Math.max(1, Number(query.page) || 1);
  const perPage = Math.min(MAX_PER_PAGE, Math.max(1, Number(query.per_page) || PER_PAGE));
  const shown = all.slice((page - 1) * perPage, page * perPage);
  const shape = { expanded: isExpanded(request) };
  return json(200, {
    "v1/transactions": shown.map((each) =>
      transactionShape(each, { payUrl: cashier.payUrl(each), ...shape }),
    ),
    meta: listMeta(all.length, page, perPage),
  });
}

function fees(cashier: FedapayCashier, { merchant, request }: Asked): Answer {
  const { token } = asForm(request.query);
  const found = cashier.transactionsOf(merchant).find((each) => each.token === token);
  if (found === undefined) return REFUSALS.notFound();
  const { amount } = found;
  const fee = feesOf(amount);
  return json(200, {
    amount_debited: amount + fee,
    amount_transferred: amount,
    apply_fees_to_customer: true,
    commission: fee,
    fixed_commission: 0,
  });
}

/** The one mode of the sandbox; every other is refused there. */
const SANDBOX_MODE = "momo_test";
const APPROVED_NUMBERS: readonly string[] = ["0166000001", "0164000001"];

/** A payment without their page: the operator asks on the phone itself (§5.3). */
function push(cashier: FedapayCashier, { merchant, request }: Asked): Answer {
  const { mode } = request.params as { mode: string };
  if (mode !== SANDBOX_MODE) return told(400, WORDS.notAllowed);
  const form = asForm(request.body);
  const found = cashier.transactionsOf(merchant).find(({ token }) => token === form.token);
  if (found === undefined) return REFUSALS.notFound();
  if (found.status === "expired" || found.approvedAtMs !== null) {
    return told(400, WORDS.notPayable);
  }
  const phone = textOf(asForm(form.phone_number).number);
  cashier.push(found, { mode, phone, approved: APPROVED_NUMBERS.includes(phone) });
  return json(200, {
    "v1/payment_intent": {
      klass: "v1/payment_intent",
      id: found.id,
      reference: found.reference,
      status: "pending",
      mode,
    },
  });
}

/** Objects instead of their numbers, where the call asks for them. */
function isExpanded({ query, body }: FastifyRequest): boolean {
  return asForm(query).include !== undefined || asForm(body).include !== undefined;
}

function one(cashier: FedapayCashier, transaction: Transaction, expanded: boolean): Answer {
  const payUrl = cashier.payUrl(transaction);
  return json(200, { "v1/transaction": transactionShape(transaction, { payUrl, expanded }) });
}

const json = (status: number, body: object): Answer => ({ status, body });
const told = (status: number, message: string): Answer => json(status, { message });

export const REFUSALS: PaymentRefusals = {
  keys: () => told(401, WORDS.badKey),
  refused: (call) =>
    call === "create"
      ? json(422, { message: WORDS.transactionInvalid, errors: { amount: [FIELD_WORDS.wrong] } })
      : told(403, WORDS.notAllowed),
  notFound: () => told(404, WORDS.transactionNotFound),
  tooMany: () => told(429, WORDS.tooMany),
  broken: (status) => json(status, {}),
};
