import { DAY_MS, readableToken } from "@sesame/kernel";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { PaydunyaKeys } from "../../options.ts";
import {
  type Answer,
  answerPaymentCall,
  type PaymentCounter,
  type PaymentRefusals,
} from "../../payments/answers.ts";
import { type PaymentDesk, paymentDesk } from "../../payments/desk.ts";
import { paymentFaults } from "../../payments/faults.ts";
import type { HostedPage } from "../../payments/hosted-page.ts";
import { type Merchant, merchantId, type Merchants } from "../../payments/merchants.ts";
import { NotPossible } from "../../telegram/api-error.ts";
import type { CheckoutView, PaymentCall, PaymentStatus } from "../../wire.ts";
import { callbackHash } from "../callback.ts";
import type { PaydunyaOptions } from "../paydunya.ts";
import { PAYDUNYA_WORDS as WORDS } from "../words.fr.ts";
import { type NewInvoice, readCheckoutInvoice } from "./create.ts";
import { confirmShape, invoiceView } from "./shapes.ts";
import type { Invoice } from "./state.ts";
import { networkMethods, withQuery } from "../../payments/networks.ts";

const SHOWN: Record<Invoice["status"], PaymentStatus> = {
  pending: "initiated",
  completed: "success",
  failed: "failed",
  expired: "failed",
  cancelled: "cancelled",
};

/** The hosted page; it sends the customer to `return_url?token=…` (§7.2). */
function checkoutOf(invoice: Invoice): CheckoutView {
  const { token, status, actions, customer, amount } = invoice;
  const back =
    status === "cancelled" ? (actions.cancel_url ?? actions.return_url) : actions.return_url;
  const [firstName = "", ...rest] = customer.name.split(" ");
  return {
    provider: "paydunya",
    id: token,
    status: SHOWN[status],
    amount,
    currency: "XOF",
    description: invoice.description,
    merchant: invoice.storeName,
    customer: {
      email: customer.email,
      firstName,
      lastName: rest.join(" "),
      phone: customer.phone === "" ? null : customer.phone,
    },
    methods: networkMethods(({ id }) => id),
    method: invoice.method,
    attempts: invoice.attempts,
    failureMessage: invoice.failReason,
    over: status === "completed" || status === "cancelled" || status === "expired",
    returnUrl: back === null ? null : withQuery(back, { token }),
  };
}

/** PayDunya's payments: the desk, the page, and the calls (payment-providers.md §7.1–7.3). */
export type PaydunyaCollect = PaymentDesk & HostedPage & { register(app: FastifyInstance): void };

type Parts = PaydunyaOptions & {
  merchants: Merchants<PaydunyaKeys>;
  notices: Parameters<typeof paymentDesk>[0]["notices"];
  announce(invoice: Invoice): void;
};

const EXPIRES_AFTER_MS = DAY_MS;

export function startCollect(parts: Parts): PaydunyaCollect {
  const { book, changed, worldUrl } = parts;
  const faults = paymentFaults(changed, parts.clock);
  const payUrl = ({ token }: Invoice) => `${worldUrl()}/paydunya/checkout/${token}`;
  for (const invoice of book.invoices.values()) expireLater(parts, invoice);
  return {
    ...paymentDesk({
      name: "paydunya",
      payments: () => book.invoices.values(),
      view: (invoice) => invoiceView(invoice, payUrl(invoice)),
      settle: (invoice, outcome, { silent }) =>
        end(parts, invoice, { status: SETTLED[outcome], silent }),
      announceChange: parts.announce,
      faults,
      notices: parts.notices,
      changed,
    }),
    page(token) {
      const invoice = book.invoices.get(token);
      return invoice === undefined ? null : checkoutOf(invoice);
    },
    act(token, { action, method, silent }) {
      const invoice = book.invoices.get(token);
      if (invoice === undefined) return null;
      end(parts, invoice, { status: ACTED[action], silent, ...(method ? { method } : {}) });
      return checkoutOf(invoice);
    },
    register(app) {
      const counter: PaymentCounter = {
        name: "paydunya",
        faults,
        refusals: REFUSALS,
        now: () => parts.clock.now(),
        show: parts.show,
      };
      registerRoutes(app, parts, { counter, payUrl });
    },
  };
}

const SETTLED = {
  success: "completed",
  failure: "failed",
  cancel: "cancelled",
  pending: "pending",
} as const;
const ACTED = {
  success: "completed",
  fail: "failed",
  cancel: "cancelled",
  pending: "pending",
} as const;

type Ending = {
  status: "completed" | "failed" | "cancelled" | "pending";
  method?: string;
  silent?: boolean | undefined;
};

function end(parts: Parts, invoice: Invoice, { status, method, silent }: Ending): void {
  if (invoice.status === "completed") throw new NotPossible("this invoice is paid");
  if (invoice.status === "expired") throw new NotPossible("this invoice has expired");
  if (status === "pending") return;
  invoice.status = status;
  invoice.method = method ?? invoice.method ?? "orange-money-ci";
  invoice.attempts += status === "cancelled" ? 0 : 1;
  invoice.failReason = status === "failed" ? WORDS.failed : null;
  if (status === "completed") invoice.providerReference = readableToken(14, parts.chance);
  if (silent !== true) parts.announce(invoice);
  parts.changed();
}

function expireLater({ scheduler, changed }: Parts, invoice: Invoice): void {
  if (invoice.status !== "pending") return;
  scheduler.at(invoice.createdAtMs + EXPIRES_AFTER_MS, () => {
    if (invoice.status !== "pending") return;
    invoice.status = "expired";
    invoice.failReason = WORDS.expired;
    changed();
  });
}

/** As confirm answers it, and as the notice tells it. */
export function confirmed(
  { merchants, worldUrl }: Pick<Parts, "merchants" | "worldUrl">,
  invoice: Invoice,
  forged = false,
) {
  const masterKey = merchants.get(invoice.account)?.keys.masterKey ?? "";
  const hash = callbackHash(forged ? `${masterKey}-forged` : masterKey);
  return confirmShape(invoice, { hash, worldUrl: worldUrl(), expiresAfterMs: EXPIRES_AFTER_MS });
}

const PATHS = { live: "/api/v1/checkout-invoice", test: "/sandbox-api/v1/checkout-invoice" };

type Routes = { counter: PaymentCounter; payUrl(invoice: Invoice): string };

/** Keys of one kind are unknown at the other kind's address. */
function registerRoutes(app: FastifyInstance, parts: Parts, { counter, payUrl }: Routes): void {
  const merchantOf = ({ headers }: FastifyRequest, kind: keyof typeof PATHS) =>
    parts.merchants.by(
      ({ masterKey, privateKey, token }) =>
        headers["paydunya-master-key"] === masterKey &&
        headers["paydunya-private-key"] === privateKey &&
        headers["paydunya-token"] === token &&
        privateKey.startsWith("test_") === (kind === "test"),
    );
  for (const kind of ["live", "test"] as const) {
    type Act = (merchant: Merchant<PaydunyaKeys>, request: FastifyRequest) => Answer;
    const route = (call: PaymentCall, act: Act) => (request: FastifyRequest, reply: FastifyReply) =>
      answerPaymentCall(counter, { request, reply, call }, () => {
        const merchant = merchantOf(request, kind);
        return merchant === undefined ? REFUSALS.keys() : act(merchant, request);
      });
    const create = route("create", (merchant, { body }) => {
      const read = readCheckoutInvoice(body);
      if (!read.ok) return no(read.code, read.text);
      const invoice = open(parts, read.given, { merchant, sandbox: kind === "test" });
      return yes({
        response_code: "00",
        response_text: payUrl(invoice),
        description: "Checkout Invoice Created",
        token: invoice.token,
      });
    });
    const confirm = route("fetch", (merchant, { params }) => {
      const invoice = parts.book.invoices.get((params as { token: string }).token);
      if (invoice === undefined || invoice.account !== merchantId(merchant).account) {
        return REFUSALS.notFound();
      }
      return yes(confirmed(parts, invoice));
    });
    app.post(`${PATHS[kind]}/create`, create);
    app.get(`${PATHS[kind]}/confirm/:token`, confirm);
  }
}

type Opening = { merchant: Merchant<PaydunyaKeys>; sandbox: boolean };

function open(parts: Parts, given: NewInvoice, { merchant, sandbox }: Opening): Invoice {
  const invoice: Invoice = {
    ...given,
    ...merchantId(merchant),
    token: `${sandbox ? "test_" : ""}${readableToken(10, parts.chance)}`,
    sandbox,
    status: "pending",
    method: null,
    attempts: 0,
    failReason: null,
    createdAtMs: parts.clock.now().getTime(),
    providerReference: null,
  };
  parts.book.invoices.set(invoice.token, invoice);
  expireLater(parts, invoice);
  parts.changed();
  return invoice;
}

const yes = (body: object): Answer => ({ status: 200, body });
const no = (code: string, text: string): Answer =>
  yes({ response_code: code, response_text: text });

/** Its refusals come with HTTP 200 too: the code alone says no. */
const REFUSALS: PaymentRefusals = {
  keys: () => no("1001", "Invalid Masterkey Specified"),
  refused: (call) =>
    call === "create"
      ? no("4003", "This account is not allowed to receive payments.")
      : no("4003", "This account is not allowed to see this invoice."),
  notFound: () => no("4004", "Invoice Not Found"),
  tooMany: () => ({ status: 429, body: { message: "Too Many Attempts." } }),
  broken: (status) => ({ status, body: { message: "Server Error" } }),
};
