import {
  checkoutRefusals,
  createMonerooAnswer,
  createMonerooBody,
  nameOrderBody,
  orderAnswer,
  PAYMENT_OPENED,
  verifyAnswer,
  verifyMonerooAnswer,
} from "@sesame/contract/checkout";
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import type { App } from "../../app.ts";
import { answerRefusal } from "../../http/answers.ts";
import { callerOf, type HttpServer } from "../../http/server.ts";
import type { Db } from "../../postgres/database.ts";
import { createOrder } from "./create-order.ts";
import { answerCheckoutRefusal } from "./http-answers.ts";
import { answerOrder, type CareOf } from "./order-on-wire.ts";
import { type OrderRow, viewOrder, viewOrderByPayment } from "./order.view.ts";

const ORDER_NOT_FOUND = { kind: "checkout.order-not-found" } as const;

/** Calls of B §7 as thin faces of orders: they start nothing and credit nothing (decision 57). */
export function registerCompatibility(app: App, http: HttpServer, careOf: CareOf): void {
  const findNamed = async (request: FastifyRequest, name: string) => {
    const { personId: readerId } = callerOf(request);
    const order = await viewNamed(app.db, readerId, name);
    return order && answerOrder(app, order, { readerId, careOf });
  };
  http.post(
    "/api/transactions",
    {
      summary: "Retrouver une commande (compatibilité : ne crée et ne crédite rien)",
      config: { access: "person" },
      schema: { body: nameOrderBody, response: { 200: orderAnswer } },
    },
    async (request, reply) => {
      const { id, order_id, transaction_id, paymentId } = request.body;
      const name = [id, order_id, transaction_id, paymentId].find((value) => value !== undefined);
      if (name === undefined || name === null || name === "") {
        return answerRefusal(reply, { kind: "checkout.payment-id-missing" }, checkoutRefusals);
      }
      const order = await findNamed(request, String(name));
      if (!order) return answerRefusal(reply, ORDER_NOT_FOUND, checkoutRefusals);
      return order;
    },
  );
  http.get(
    "/api/payment/moneroo/verify/:paymentId",
    {
      summary: "État d'un paiement Moneroo (compatibilité)",
      config: { access: "person" },
      schema: { params: paymentInPath, response: { 200: verifyMonerooAnswer } },
    },
    async (request, reply) => {
      const order = await findNamed(request, request.params.paymentId);
      if (!order) return answerRefusal(reply, ORDER_NOT_FOUND, checkoutRefusals);
      const status = order.status === "paid" ? "succeeded" : order.status;
      return { status: "success" as const, payment: { id: order.id, status } };
    },
  );
  for (const { url, summary } of [
    { url: "/api/verify/:paymentId", summary: "État d'un paiement (compatibilité)" },
    {
      url: "/api/verify-abonnement-fedapay/:paymentId",
      summary: "État d'un paiement d'abonnement (compatibilité)",
    },
  ]) {
    http.get(
      url,
      {
        summary,
        config: { access: "person" },
        schema: { params: paymentInPath, response: { 200: verifyAnswer } },
      },
      async (request, reply) => {
        const order = await findNamed(request, request.params.paymentId);
        if (!order) return answerRefusal(reply, ORDER_NOT_FOUND, checkoutRefusals);
        const success = order.status === "paid";
        return { success, status: order.status, data: { success } };
      },
    );
  }
  registerPlanPurchase(app, http);
}

/** B §7: a seller buys the plan, through an order like every sale. */
function registerPlanPurchase(app: App, http: HttpServer): void {
  http.post(
    "/api/payment/moneroo/create",
    {
      summary: "Acheter le plan Premium chez Moneroo (compatibilité)",
      config: { access: "seller" },
      schema: { body: createMonerooBody, response: { 201: createMonerooAnswer } },
    },
    async (request, reply) => {
      const { customer_email, customer_first_name, customer_last_name } = request.body;
      const made = await createOrder(app, {
        buyer: callerOf(request),
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
      if (!made.ok) return answerCheckoutRefusal(reply, made.refusal);
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
async function viewNamed(db: Db, personId: bigint, name: string): Promise<OrderRow | null> {
  const byId = /^\d{1,18}$/.test(name) ? await viewOrder(db, BigInt(name), personId) : null;
  return byId ?? viewOrderByPayment(db, name, personId);
}
