import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import {
  type Answer,
  answerPaymentCall,
  type PaymentCounter,
  type PaymentRefusals,
} from "../payments/answers.ts";
import type { PaymentFaults } from "../payments/faults.ts";
import { merchantId } from "../payments/merchants.ts";
import { readInitialize } from "./initialize.ts";
import { methodItem, PAYMENT_METHODS, PAYOUT_METHODS } from "./methods.ts";
import type { Moneroo, MonerooOptions } from "./moneroo.ts";
import { retrieveShape, verifyShape } from "./shapes.ts";
import type { Payment } from "./state.ts";

/** Moneroo's own paths: payments under `/v1`, the lists of methods at the root (§4.8). */
export function registerMonerooRoutes(
  app: FastifyInstance,
  moneroo: Moneroo,
  options: MonerooOptions & { faults: PaymentFaults },
): void {
  const { clock, worldUrl } = options;
  const keyed = { preHandler: checkKey(moneroo.merchants) };
  const counter: PaymentCounter = {
    name: "moneroo",
    faults: options.faults,
    refusals: REFUSALS,
    now: () => clock.now(),
    show: options.show,
  };
  app.post("/v1/payments/initialize", keyed, async (request, reply) => {
    return answerPaymentCall(counter, { request, reply, call: "create" }, () => {
      const nowMs = clock.now().getTime();
      const read = readInitialize(request.body, { ...options, nowMs });
      if (!read.ok) return invalid(read.errors);
      const { id } = read.payment;
      moneroo.open({ ...read.payment, ...accountOf(moneroo, request) });
      const data = { id, checkout_url: `${worldUrl()}/moneroo/checkout/${id}` };
      return answer(201, { message: "Transaction initialized successfully", data, errors: null });
    });
  });
  const shown = (shape: "verify" | "retrieve") => (request: FastifyRequest, reply: FastifyReply) =>
    answerPayment(moneroo, counter, { request, reply, shape, worldUrl: worldUrl() });
  app.get("/v1/payments/:id/verify", keyed, shown("verify"));
  app.get("/v1/payments/:id", keyed, shown("retrieve"));
  app.post("/v1/payments/:id/process", keyed, async (request, reply) => {
    const payment = paymentOf(moneroo, request);
    if (payment === undefined) return send(reply, REFUSALS.notFound());
    payment.processedAtMs ??= clock.now().getTime();
    const data = verifyShape(payment, worldUrl());
    return json(reply, 200, { message: "Payment marked as processed!", data, errors: null });
  });
  const lists = { payment: PAYMENT_METHODS, payout: PAYOUT_METHODS };
  for (const [kind, methods] of Object.entries(lists)) {
    app.get(`/utils/${kind}/methods`, keyed, async (_request, reply) => {
      const data = methods.map((method) => methodItem(method, worldUrl()));
      return json(reply, 200, { message: "Methods fetched successfully!", data, errors: null });
    });
  }
}

function merchantOf({ merchants }: Moneroo, { headers }: FastifyRequest) {
  return merchants.by(({ secretKey }) => headers.authorization === `Bearer ${secretKey}`);
}

function accountOf(moneroo: Moneroo, request: FastifyRequest): { account?: string } {
  const merchant = merchantOf(moneroo, request);
  return merchant === undefined ? {} : merchantId(merchant);
}

function checkKey(merchants: Moneroo["merchants"]) {
  return async ({ headers }: FastifyRequest, reply: FastifyReply) => {
    const { authorization } = headers;
    if (merchants.by(({ secretKey }) => authorization === `Bearer ${secretKey}`) === undefined) {
      return send(reply, REFUSALS.keys());
    }
  };
}

/** Each account sees its own. */
function paymentOf(moneroo: Moneroo, request: FastifyRequest): Payment | undefined {
  const payment = moneroo.payment((request.params as { id: string }).id);
  return payment?.account === accountOf(moneroo, request).account ? payment : undefined;
}

type Asked = {
  request: FastifyRequest;
  reply: FastifyReply;
  shape: "verify" | "retrieve";
  worldUrl: string;
};

async function answerPayment(
  moneroo: Moneroo,
  counter: PaymentCounter,
  { request, reply, shape, worldUrl }: Asked,
): Promise<FastifyReply> {
  return answerPaymentCall(counter, { request, reply, call: "fetch" }, () => {
    const payment = paymentOf(moneroo, request);
    if (payment === undefined) return REFUSALS.notFound();
    const flat = shape === "retrieve";
    const data = flat ? retrieveShape(payment, worldUrl) : verifyShape(payment, worldUrl);
    return answer(200, {
      ...(flat ? { success: true } : {}),
      message: "Payment transaction fetched successfully!",
      data,
      errors: null,
    });
  });
}

function invalid(errors: Record<string, string[]>): Answer {
  return answer(422, { message: "The given data was invalid.", data: null, errors });
}

const answer = (status: number, body: object): Answer => ({ status, body });
const told = (status: number, message: string): Answer =>
  answer(status, { message, data: null, errors: null });

const REFUSALS: PaymentRefusals = {
  keys: () => told(401, "Unauthenticated."),
  refused: (call) =>
    call === "create"
      ? invalid({ amount: ["The amount is not allowed on this account."] })
      : told(403, "This action is unauthorized."),
  notFound: () => told(404, "Payment transaction not found."),
  tooMany: () => told(429, "Too Many Attempts."),
  broken: (status) => told(status, "Server Error"),
};

function send(reply: FastifyReply, { status, body }: Answer): FastifyReply {
  return json(reply, status, body);
}

function json(reply: FastifyReply, status: number, body: object): FastifyReply {
  return reply.code(status).type("application/json").send(JSON.stringify(body));
}
