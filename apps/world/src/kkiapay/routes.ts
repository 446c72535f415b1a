import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Answer, answerPaymentCall, type PaymentCounter } from "../payments/answers.ts";
import type { Merchant } from "../payments/merchants.ts";
import type { PaymentFaults } from "../payments/faults.ts";
import type { KkiapayKeys } from "../options.ts";
import { NotPossible } from "../telegram/api-error.ts";
import type { CheckoutAction, CheckoutView, KkiapayConfig, PaymentOutcome } from "../wire.ts";
import type { Kkiapay, KkiapayOptions } from "./kkiapay.ts";
import { statusShape } from "./shapes.ts";
import type { Opening, Transaction } from "./state.ts";
import { widgetView } from "./widget-view.ts";

type Parts = KkiapayOptions & { kkiapay: Kkiapay; faults: PaymentFaults };

/** KkiaPay's two calls (payment-providers.md §6.3, 6.4), and what the widget's page asks. */
export function registerKkiapayRoutes(app: FastifyInstance, parts: Parts): void {
  const { kkiapay, clock, show, faults } = parts;
  const counter: PaymentCounter = {
    name: "kkiapay",
    faults,
    refusals: {
      keys: () => UNKNOWN_KEYS,
      refused: (call) =>
        call === "refund" ? no(400, "INSUFFICIENT_FUND") : no(400, "INVALID_TRANSACTION"),
      notFound: () => no(404, "TRANSACTION_NOT_FOUND"),
      tooMany: () => no(429, "TOO_MANY_REQUESTS"),
      broken: (status) => no(status, "SERVER_ERROR"),
    },
    now: () => clock.now(),
    show,
  };
  const route = (name: string, call: "fetch" | "refund", act: Act) =>
    app.post(`/api/v1/transactions/${name}`, (request, reply) =>
      answerPaymentCall(counter, { request, reply, call }, () => {
        const account = accountOf(kkiapay, request);
        return account === undefined ? UNKNOWN_KEYS : act(parts, account, named(request));
      }),
    );
  route("status", "fetch", status);
  route("revert", "refund", revert);
  registerWidgetRoutes(app, parts);
}

type Act = (parts: Parts, account: Merchant<KkiapayKeys>, transactionId: string) => Answer;

/** Of its errors KkiaPay publishes the words alone; the statuses and the form are this world's. */
function no(status: number, reason: string): Answer {
  return { status, body: { status: 4003, reason, message: reason } };
}

const UNKNOWN_KEYS = no(401, "INVALID_API_KEY");

/** All three keys, of one account. */
function accountOf(kkiapay: Kkiapay, { headers }: FastifyRequest) {
  return kkiapay.accounts.by(
    (keys) =>
      headers["x-api-key"] === keys.publicKey &&
      headers["x-private-key"] === keys.privateKey &&
      headers["x-secret-key"] === keys.secretKey,
  );
}

function named({ body }: FastifyRequest): string {
  const { transactionId } = (body ?? {}) as { transactionId?: unknown };
  return typeof transactionId === "string" ? transactionId : "";
}

type Found = { opening: Opening; transaction: Transaction };

function find(parts: Parts, account: Merchant<KkiapayKeys>, id: string): Found | Answer {
  const transaction = parts.state.transactions.get(id);
  const opening = parts.state.openings.get(transaction?.openingId ?? "");
  if (!transaction || !opening) return no(404, "TRANSACTION_NOT_FOUND");
  const owner = parts.kkiapay.accounts.get(opening.account);
  return owner?.id === account.id ? { opening, transaction } : no(400, "INVALID_TRANSACTION");
}

function status(parts: Parts, account: Merchant<KkiapayKeys>, id: string): Answer {
  const found = find(parts, account, id);
  if ("body" in found) return found;
  return { status: 200, body: statusShape({ ...found, modes: parts.kkiapay.modes }) };
}

/** The whole amount, once. */
function revert(parts: Parts, account: Merchant<KkiapayKeys>, id: string): Answer {
  const found = find(parts, account, id);
  if ("body" in found) return found;
  if (found.transaction.status !== "SUCCESS") return no(400, "TRANSACTION_NOT_ELIGIBLE");
  found.transaction.status = "REVERTED";
  parts.changed();
  return { status: 200, body: statusShape({ ...found, modes: parts.kkiapay.modes }) };
}

/** Asked by the page in the widget's frame alone, on the world's own paths. */
function registerWidgetRoutes(app: FastifyInstance, { kkiapay, state }: Parts): void {
  const attempt = (reply: FastifyReply, act: () => CheckoutView) => {
    try {
      return act();
    } catch (error) {
      if (error instanceof NotPossible) return reply.code(422).send({ error: error.message });
      throw error;
    }
  };
  app.post("/world/kkiapay/openings", async (request, reply) =>
    attempt(reply, () => {
      const opening = kkiapay.open((request.body ?? {}) as KkiapayConfig);
      return widgetView(opening, undefined, kkiapay.modes);
    }),
  );
  app.post("/world/kkiapay/openings/:id", async (request, reply) => {
    const opening = state.openings.get((request.params as { id: string }).id);
    if (opening === undefined) return reply.code(404).send({ error: "no such opening" });
    const { action, method, phone, silent } = (request.body ?? {}) as CheckoutAction;
    // Paid in the browser alone: neither money nor a transaction behind it.
    if (action === "success" && kkiapay.modes.forgedSuccess) return forgedView(kkiapay, opening);
    const how = { phone, operator: method, silent, outcome: OUTCOMES[action] };
    return attempt(reply, () => widgetView(opening, kkiapay.act(opening, how), kkiapay.modes));
  });
}

const OUTCOMES = {
  success: "success",
  fail: "failure",
  cancel: "cancel",
  pending: "pending",
} as const satisfies Record<CheckoutAction["action"], PaymentOutcome>;

function forgedView({ modes }: Kkiapay, opening: Opening): CheckoutView {
  const view = widgetView(opening, undefined, modes);
  const told = { ...view.told, transactionId: `forged-${opening.id}` };
  return { ...view, status: "success", over: true, told };
}
