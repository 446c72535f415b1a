import { idInPath } from "@sesame/contract";
import {
  checkoutRefusals,
  createMonerooAnswer,
  createMonerooBody,
  createOrderAnswer,
  createOrderBody,
  nameOrderBody,
  orderAnswer,
  orderBySecretAnswer,
  PAYMENT_OPENED,
  paymentProvidersAnswer,
  secretInPath,
  verifyAnswer,
  verifyMonerooAnswer,
} from "@sesame/contract/checkout";
import { fcfaToJson } from "@sesame/kernel";
import { z } from "zod";
import { answerCommon, answerRefusal } from "../../http/answers.ts";
import { readIdempotencyKey } from "../../http/idempotency-key.ts";
import { callerOf, type HttpServer } from "../../http/server.ts";
import type { Checkout } from "./index.ts";
import { type NoticeDeps, receiveNotice } from "./receive-notice.ts";

export type CheckoutHttpDeps = {
  readonly checkout: Checkout;
  /** One for each open provider. */
  readonly notices: readonly NoticeDeps[];
};

export function registerCheckoutHttp(app: HttpServer, deps: CheckoutHttpDeps): void {
  registerOrders(app, deps.checkout);
  registerCompatibility(app, deps.checkout);
  registerPlanPurchase(app, deps.checkout);
  for (const notice of deps.notices) registerNotices(app, notice);
  app.get(
    "/api/payment-providers",
    { config: { access: "public" }, schema: { response: { 200: paymentProvidersAnswer } } },
    async () => ({ success: true as const, providers: deps.checkout.openProviders() }),
  );
}

function registerOrders(app: HttpServer, checkout: Checkout): void {
  app.post(
    "/api/orders",
    {
      config: { access: "person" },
      schema: { body: createOrderBody, response: { 201: createOrderAnswer } },
    },
    async (request, reply) => {
      const { personId, telegramId } = callerOf(request);
      const named = readIdempotencyKey(request);
      if (named.kind === "malformed") return answerCommon(reply, { kind: "request.malformed" });
      const content = JSON.stringify(request.body);
      const made = await checkout.createOrder({
        buyer: { personId, telegramId },
        body: request.body,
        key: named.kind === "key" ? { key: named.key, content } : null,
      });
      if (!made.ok) return answerRefusal(reply, made.refusal, checkoutRefusals);
      const { id, status, amount, paymentUrl } = made.value;
      return reply.code(201).send({
        id: String(id),
        status,
        amount: fcfaToJson(amount),
        currency: "XOF",
        payment_url: paymentUrl,
      });
    },
  );
  app.get(
    "/api/orders/:id",
    {
      config: { access: "person" },
      schema: { params: z.object({ id: idInPath }), response: { 200: orderAnswer } },
    },
    async (request, reply) => {
      const order = await checkout.orderFor(callerOf(request).personId, request.params.id);
      if (!order) return answerRefusal(reply, ORDER_NOT_FOUND, checkoutRefusals);
      return reply.header("cache-control", "no-store").send(order);
    },
  );
  app.get(
    "/api/orders/by-secret/:secret",
    {
      config: { access: "public" },
      schema: { params: secretInPath, response: { 200: orderBySecretAnswer } },
    },
    async (request, reply) => {
      const order = await checkout.orderBySecret(request.params.secret);
      if (!order) return answerRefusal(reply, ORDER_NOT_FOUND, checkoutRefusals);
      return reply.header("cache-control", "no-store").send(order);
    },
  );
}

const ORDER_NOT_FOUND = { kind: "checkout.order-not-found" } as const;

/** Calls of B §7 as thin faces of orders: they start nothing and credit nothing (decision 57). */
function registerCompatibility(app: HttpServer, checkout: Checkout): void {
  app.post(
    "/api/transactions",
    {
      config: { access: "person" },
      schema: { body: nameOrderBody, response: { 200: orderAnswer } },
    },
    async (request, reply) => {
      const { personId } = callerOf(request);
      const { id, order_id, transaction_id, paymentId } = request.body;
      const name = [id, order_id, transaction_id, paymentId].find((value) => value !== undefined);
      if (name === undefined || name === null || name === "") {
        return answerRefusal(reply, { kind: "checkout.payment-id-missing" }, checkoutRefusals);
      }
      const order = await findNamed(checkout, personId, String(name));
      if (!order) return answerRefusal(reply, ORDER_NOT_FOUND, checkoutRefusals);
      return order;
    },
  );
  app.get(
    "/api/payment/moneroo/verify/:paymentId",
    {
      config: { access: "person" },
      schema: { params: paymentInPath, response: { 200: verifyMonerooAnswer } },
    },
    async (request, reply) => {
      const { personId } = callerOf(request);
      const order = await findNamed(checkout, personId, request.params.paymentId);
      if (!order) return answerRefusal(reply, ORDER_NOT_FOUND, checkoutRefusals);
      const status = order.status === "paid" ? "succeeded" : order.status;
      return { status: "success" as const, payment: { id: order.id, status } };
    },
  );
  for (const url of ["/api/verify/:paymentId", "/api/verify-abonnement-fedapay/:paymentId"]) {
    app.get(
      url,
      {
        config: { access: "person" },
        schema: { params: paymentInPath, response: { 200: verifyAnswer } },
      },
      async (request, reply) => {
        const { personId } = callerOf(request);
        const order = await findNamed(checkout, personId, request.params.paymentId);
        if (!order) return answerRefusal(reply, ORDER_NOT_FOUND, checkoutRefusals);
        const success = order.status === "paid";
        return { success, status: order.status, data: { success } };
      },
    );
  }
}

/** B §7: a seller buys the plan, through an order as any other. */
function registerPlanPurchase(app: HttpServer, checkout: Checkout): void {
  app.post(
    "/api/payment/moneroo/create",
    {
      config: { access: "seller" },
      schema: { body: createMonerooBody, response: { 201: createMonerooAnswer } },
    },
    async (request, reply) => {
      const { personId, telegramId } = callerOf(request);
      const { customer_email, customer_first_name, customer_last_name } = request.body;
      const made = await checkout.createOrder({
        buyer: { personId, telegramId },
        body: {
          plan: "payant",
          provider: "moneroo",
          customer: {
            email: customer_email,
            first_name: customer_first_name ?? undefined,
            last_name: customer_last_name ?? undefined,
          },
        },
        key: null,
      });
      if (!made.ok) return answerRefusal(reply, made.refusal, checkoutRefusals);
      const id = String(made.value.id);
      return reply.code(201).send({
        status: "success",
        message: PAYMENT_OPENED,
        payment_url: made.value.paymentUrl,
        payment_id: id,
        transaction_id: id,
      });
    },
  );
}

const paymentInPath = z.object({ paymentId: z.string().max(64) });

/** By our order's id, or by the provider's payment id. */
async function findNamed(checkout: Checkout, personId: bigint, name: string) {
  const byId = /^\d{1,18}$/.test(name) ? await checkout.orderFor(personId, BigInt(name)) : null;
  return byId ?? checkout.orderOfPayment(personId, name);
}

/** A signed notice is answered 200 whatever it says (WIRE §3): theirs are a thousandth of this. */
const NOTICE_LIMIT_BYTES = 4 * 1024 * 1024;

/** In a scope of its own: whatever a notice says it is, its bytes stay as they were signed. */
function registerNotices(app: HttpServer, notice: NoticeDeps): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) =>
      done(null, body),
    );
    scope.post(
      `/webhooks/${notice.provider.id}`,
      {
        // No page is ever shown from here, and the signature is what guards it.
        config: { access: "notice", rateLimit: false },
        helmet: false,
        bodyLimit: NOTICE_LIMIT_BYTES,
      },
      async (request, reply) => {
        const rawBody = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        const taken = await receiveNotice(notice, request.headers, rawBody);
        return taken
          ? reply.code(200).send()
          : answerRefusal(reply, { kind: "checkout.notice-not-signed" }, checkoutRefusals);
      },
    );
  });
}
