import { idInPath, refusalBody } from "@sesame/contract";
import {
  checkoutRefusals,
  createOrderAnswer,
  createOrderBody,
  heardBody,
  openPaymentBody,
  orderAnswer,
  orderBySecretAnswer,
  paymentProvidersAnswer,
  paymentProvidersQuery,
  secretInPath,
} from "@sesame/contract/checkout";
import { fcfaToJson } from "@sesame/kernel";
import type { FastifyReply } from "fastify";
import { z } from "zod";
import type { App } from "../../app.ts";
import { answerCommon, answerRefusal } from "../../http/answers.ts";
import { readIdempotencyKey } from "../../http/idempotency-key.ts";
import { callerOf, type HttpServer } from "../../http/server.ts";
import { changePayment } from "./change-payment.ts";
import { createOrder, type OrderToOpen } from "./create-order.ts";
import { noteHeard } from "./heard.store.ts";
import { answerCheckoutRefusal } from "./http-answers.ts";
import { registerCompatibility } from "./http-compatibility.ts";
import { type NoticesGiven, registerNotices } from "./http-notices.ts";
import { offersFor } from "./offers.ts";
import { answerOrder, type CareOf, orderBySecret } from "./order-on-wire.ts";
import { viewOrder } from "./order.view.ts";

export type CheckoutGiven = NoticesGiven & { readonly careOf: CareOf };

export function registerCheckoutHttp(app: App, http: HttpServer, given: CheckoutGiven): void {
  registerMaking(app, http);
  registerReading(app, http, given.careOf);
  registerProviders(app, http);
  registerCompatibility(app, http, given.careOf);
  registerNotices(app, http, given);
}

const ORDER_NOT_FOUND = { kind: "checkout.order-not-found" } as const;
const PRODUCT_NOT_FOUND = { kind: "checkout.product-not-found" } as const;

function registerMaking(app: App, http: HttpServer): void {
  http.post(
    "/api/orders",
    {
      summary:
        "Commander ; pour un don, `amount` en francs. La réponse porte l'adresse de la page de paiement ; si le prestataire ne répond pas, `order_id` nomme la commande qui attend. Au-delà de 5 commandes non payées du même produit, ou de 20 en tout, en 24 heures : 200 avec la plus récente encore ouverte, sinon 429 avec `Retry-After`",
      config: { access: "person", idempotent: true },
      schema: {
        body: createOrderBody,
        response: { 200: createOrderAnswer, 201: createOrderAnswer },
      },
    },
    async (request, reply) => {
      const named = readIdempotencyKey(request);
      if (named.kind === "malformed") return answerCommon(reply, { kind: "request.malformed" });
      const content = JSON.stringify(request.body);
      const made = await createOrder(app, {
        buyer: callerOf(request),
        body: request.body,
        key: named.kind === "key" ? { key: named.key, content } : null,
      });
      if (!made.ok) return answerCheckoutRefusal(reply, made.refusal);
      return answerOpened(reply, made.value);
    },
  );
  http.post(
    "/api/orders/:id/payment",
    {
      summary:
        "Payer la même commande autrement, ou essayer encore ; 429 ou 503 avec `Retry-After` quand trop de paiements s'ouvrent",
      config: { access: "person" },
      schema: { params: idParams, body: openPaymentBody, response: { 201: createOrderAnswer } },
    },
    async (request, reply) => {
      const opened = await changePayment(app, {
        buyer: callerOf(request),
        orderId: request.params.id,
        body: request.body,
      });
      if (!opened.ok) return answerCheckoutRefusal(reply, opened.refusal);
      return answerOpened(reply, opened.value);
    },
  );
}

const idParams = z.object({ id: idInPath });

function answerOpened(reply: FastifyReply, order: OrderToOpen): FastifyReply {
  return reply.code(order.reopened ? 200 : 201).send({
    id: String(order.id),
    status: order.status,
    amount: fcfaToJson(order.amount),
    currency: "XOF",
    payment_url: order.paymentUrl,
    opens: order.opens,
  });
}

function registerReading(app: App, http: HttpServer, careOf: CareOf): void {
  http.get(
    "/api/orders/:id",
    {
      summary: "Suivre une commande, pour son acheteur et son vendeur",
      config: { access: "person" },
      schema: { params: idParams, response: { 200: orderAnswer } },
    },
    async (request, reply) => {
      const { personId: readerId } = callerOf(request);
      const order = await viewOrder(app.db, request.params.id, readerId);
      if (!order) return answerRefusal(reply, ORDER_NOT_FOUND, checkoutRefusals);
      const answer = await answerOrder(app, order, { readerId, careOf });
      return reply.header("cache-control", "no-store").send(answer);
    },
  );
  http.get(
    "/api/orders/by-secret/:secret",
    {
      summary: "L'état d'une commande au retour du paiement, dans n'importe quel navigateur",
      config: { access: "public" },
      schema: { params: secretInPath, response: { 200: orderBySecretAnswer } },
    },
    async (request, reply) => {
      const order = await orderBySecret(app, request.params.secret);
      if (!order) return answerRefusal(reply, ORDER_NOT_FOUND, checkoutRefusals);
      return reply.header("cache-control", "no-store").send(order);
    },
  );
}

function registerProviders(app: App, http: HttpServer): void {
  http.get(
    "/api/payment-providers",
    {
      summary:
        "Les moyens de paiement ouverts ; avec `reference` ou `plan`, ceux de cet achat, leur état et leur prix ; pour un don, `amount` dit lequel",
      config: { access: "public" },
      schema: {
        querystring: paymentProvidersQuery,
        response: { 200: paymentProvidersAnswer, 404: refusalBody },
      },
    },
    async (request, reply) => {
      const providers = await offersFor(app, request.query);
      if (!providers) return answerRefusal(reply, PRODUCT_NOT_FOUND, checkoutRefusals);
      return { success: true as const, providers };
    },
  );
  http.post(
    "/api/payments/:secret/heard",
    {
      summary:
        "Dire le nom que le prestataire a donné au paiement dans le navigateur : il est vérifié aussitôt, jamais cru",
      config: { access: "public" },
      schema: { params: secretInPath, body: heardBody },
    },
    async (request, reply) => {
      const name = request.body.transaction_id;
      if (typeof name !== "string" || !TRANSACTION_NAME.test(name)) {
        return answerRefusal(reply, { kind: "checkout.payment-id-missing" }, checkoutRefusals);
      }
      const { secret } = request.params;
      const told = { secret, transactionId: name, now: app.clock.now() };
      const known = await noteHeard(app.db, told);
      if (!known) return answerRefusal(reply, ORDER_NOT_FOUND, checkoutRefusals);
      return reply.code(204).send();
    },
  );
}

/** What a provider may call a transaction: letters, digits and a few signs. */
const TRANSACTION_NAME = /^[A-Za-z0-9._:-]{1,100}$/;
