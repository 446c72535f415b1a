import { unreachable } from "@sesame/kernel";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { MonerooApiMode } from "../wire.ts";
import { readInitialize } from "./initialize.ts";
import { methodItem, PAYMENT_METHODS, PAYOUT_METHODS } from "./methods.ts";
import type { Moneroo, MonerooOptions } from "./moneroo.ts";
import { retrieveShape, verifyShape } from "./shapes.ts";

/** Moneroo's own paths: payments under `/v1`, the lists of methods at the root (§4.8). */
export function registerMonerooRoutes(
  app: FastifyInstance,
  moneroo: Moneroo,
  options: MonerooOptions,
): void {
  const { clock, worldUrl } = options;
  const authorised = { preHandler: checkKey(options.secretKey) };
  app.post("/v1/payments/initialize", authorised, async (request, reply) => {
    const failure = await failAs(moneroo.modes.initialize, reply);
    if (failure !== null) return failure;
    const nowMs = clock.now().getTime();
    const read = readInitialize(request.body, { ...options, nowMs });
    if (!read.ok) return invalid(reply, read.errors);
    moneroo.open(read.payment);
    const { id } = read.payment;
    const data = { id, checkout_url: `${worldUrl()}/moneroo/checkout/${id}` };
    return json(reply, 201, {
      message: "Transaction initialized successfully",
      data,
      errors: null,
    });
  });
  app.get("/v1/payments/:id/verify", authorised, (request, reply) =>
    answerPayment(moneroo, { request, reply, shape: "verify" }, worldUrl()),
  );
  app.get("/v1/payments/:id", authorised, (request, reply) =>
    answerPayment(moneroo, { request, reply, shape: "retrieve" }, worldUrl()),
  );
  app.post("/v1/payments/:id/process", authorised, async (request, reply) => {
    const payment = moneroo.payment((request.params as { id: string }).id);
    if (payment === undefined) return notFound(reply);
    payment.processedAtMs ??= clock.now().getTime();
    const data = verifyShape(payment, worldUrl());
    return json(reply, 200, { message: "Payment marked as processed!", data, errors: null });
  });
  const lists = { payment: PAYMENT_METHODS, payout: PAYOUT_METHODS };
  for (const [kind, methods] of Object.entries(lists)) {
    app.get(`/utils/${kind}/methods`, authorised, async (_request, reply) => {
      const data = methods.map((method) => methodItem(method, worldUrl()));
      return json(reply, 200, { message: "Methods fetched successfully!", data, errors: null });
    });
  }
}

function checkKey(secretKey: string) {
  const expected = `Bearer ${secretKey}`;
  return async (request: FastifyRequest, reply: FastifyReply) => {
    if (request.headers.authorization !== expected) {
      return json(reply, 401, { message: "Unauthenticated.", data: null, errors: null });
    }
  };
}

type Asked = { request: FastifyRequest; reply: FastifyReply; shape: "verify" | "retrieve" };

async function answerPayment(
  moneroo: Moneroo,
  { request, reply, shape }: Asked,
  worldUrl: string,
): Promise<FastifyReply> {
  const mode = moneroo.modes.verify;
  const failure = mode === "normal" ? null : await failAs(mode, reply);
  if (failure !== null) return failure;
  const payment = moneroo.payment((request.params as { id: string }).id);
  if (payment === undefined) return notFound(reply);
  const flat = shape === "retrieve" || mode === "retrieveShape";
  const data = flat ? retrieveShape(payment, worldUrl) : verifyShape(payment, worldUrl);
  distort(data, mode);
  return json(reply, 200, {
    ...(flat ? { success: true } : {}),
    message: "Payment transaction fetched successfully!",
    data,
    errors: null,
  });
}

/** An answer that is well formed and wrong. */
function distort(data: Record<string, unknown>, mode: MonerooApiMode): void {
  if (mode === "wrongAmount") data.amount = Number(data.amount) - 1;
  if (mode === "unknownStatus") data.status = "on_hold_for_review";
  if (mode === "emptyMetadata") data.metadata = [];
  if (mode === "wrongCurrency") {
    const code = "XAF";
    const { currency } = data;
    data.currency = typeof currency === "string" ? code : { ...(currency as object), code };
  }
}

const SLOW_MS = 4_000;

/** The ways not to answer properly; null when the request should go on. */
async function failAs(mode: MonerooApiMode, reply: FastifyReply): Promise<FastifyReply | null> {
  switch (mode) {
    case "serverError":
      return json(reply, 500, { message: "Server Error", data: null, errors: null });
    case "tooMany":
      return json(reply, 429, { message: "Too Many Attempts.", data: null, errors: null });
    case "invalidJson":
      return reply.code(200).type("text/html").send("<html><body>Bad gateway</body></html>");
    case "notFound":
      return notFound(reply);
    case "timeout":
      reply.hijack();
      return reply;
    case "slow":
      await new Promise((done) => setTimeout(done, SLOW_MS).unref());
      return null;
    case "normal":
    case "retrieveShape":
    case "emptyMetadata":
    case "wrongAmount":
    case "wrongCurrency":
    case "unknownStatus":
      return null;
    default:
      return unreachable(mode);
  }
}

function notFound(reply: FastifyReply): FastifyReply {
  return json(reply, 404, { message: "Payment transaction not found.", data: null, errors: null });
}

function invalid(reply: FastifyReply, errors: Record<string, string[]>): FastifyReply {
  return json(reply, 422, { message: "The given data was invalid.", data: null, errors });
}

function json(reply: FastifyReply, status: number, body: object): FastifyReply {
  return reply.code(status).type("application/json").send(JSON.stringify(body));
}
