import { sayRefusal } from "@sesame/contract";
import * as contract from "@sesame/contract/checkout";
import { ok, refuse } from "@sesame/kernel";
import type { FastifyReply } from "fastify";
import type { App } from "../../app.ts";
import { answerSaid } from "../../http/answers.ts";
import { on } from "../../http/on.ts";
import type { Principal, HttpServer } from "../../http/server.ts";
import { makeOrder } from "./create-order.ts";
import { noteReported } from "./checks.ts";
import { offersFor } from "./check-sale.ts";
import { type WebhooksGiven, registerWebhooks } from "./webhooks.ts";
import { changePayment } from "./open-payment.ts";
import { answerOrder, type CareOf, findOrderNamed, findOrderOf, orderBySecret } from "./orders.ts";

type CheckoutGiven = WebhooksGiven & { readonly careOf: CareOf };

const ORDER_NOT_FOUND = refuse({ kind: "checkout.order-not-found" } as const);
const NO_PAYMENT_ID = refuse({ kind: "checkout.payment-id-missing" } as const);

/** The form of a provider's transaction id: letters, digits and a few signs. */
const TRANSACTION_NAME = /^[A-Za-z0-9._:-]{1,100}$/;

export function registerCheckoutHttp(app: App, http: HttpServer, given: CheckoutGiven): void {
  const { careOf } = given;
  on(http, contract.createOrder, async ({ body, caller: buyer, call, reply }) => {
    // The order stores its key itself.
    const key = call && { key: call.key, content: JSON.stringify(body) };
    const made = await makeOrder(app, { buyer, body, key });
    if (!made.ok) return sayUnopened(reply, made.refusal);
    const { reopened, ...answer } = made.value;
    return reopened ? reply.code(200).send(answer) : answer;
  });
  on(http, contract.openPayment, async ({ params, body, caller: buyer, reply }) => {
    const opened = await changePayment(app, { buyer, orderId: params.id, body });
    return opened.ok ? opened.value : sayUnopened(reply, opened.refusal);
  });
  on(http, contract.readOrder, async ({ params, caller: { personId: readerId } }) => {
    const order = await findOrderOf(app.db, params.id, readerId);
    return order ? answerOrder(app, order, readerId, careOf) : ORDER_NOT_FOUND;
  });
  on(http, contract.readOrderBySecret, async ({ params, reply }) => {
    const order = await orderBySecret(app, params.secret);
    if (!order) return ORDER_NOT_FOUND;
    reply.header("cache-control", "no-store");
    return order;
  });
  on(http, contract.listPaymentProviders, async ({ query }) => {
    const providers = await offersFor(app, query);
    return providers ? { providers } : refuse({ kind: "checkout.product-not-found" });
  });
  on(http, contract.reportTransaction, async ({ params: { secret }, body }) => {
    const { transaction_id: transactionId } = body;
    if (typeof transactionId !== "string" || !TRANSACTION_NAME.test(transactionId)) {
      return NO_PAYMENT_ID;
    }
    const known = await noteReported(app.db, { secret, transactionId, now: app.clock.now() });
    return known ? undefined : ORDER_NOT_FOUND;
  });
  registerWebhooks(app, http, given);

  // Calls of B §7 that only read an order: they start nothing and credit nothing (decision 57).
  const named = async ({ personId: readerId }: Principal, name: string) => {
    const order = await findOrderNamed(app.db, name, readerId);
    return order ? ok(await answerOrder(app, order, readerId, careOf)) : ORDER_NOT_FOUND;
  };
  on(http, contract.findOrder, async ({ body, caller }) => {
    const names = [body.id, body.order_id, body.transaction_id, body.paymentId];
    const name = names.find((value) => value !== undefined);
    if (name === undefined || name === null || name === "") return NO_PAYMENT_ID;
    const order = await named(caller, String(name));
    return order.ok ? order.value : order;
  });
  on(http, contract.verifyMonerooPayment, async ({ params, caller }) => {
    const order = await named(caller, params.paymentId);
    if (!order.ok) return order;
    const status = order.value.status === "paid" ? "succeeded" : order.value.status;
    return { status: "success" as const, payment: { id: order.value.id, status } };
  });
  for (const route of [contract.verifyPayment, contract.verifyPlanPayment]) {
    on(http, route, async ({ params, caller }) => {
      const order = await named(caller, params.paymentId);
      if (!order.ok) return order;
      const { status } = order.value;
      const success = status === "paid";
      return { success, status, data: { success } };
    });
  }
  on(http, contract.buyPlan, async ({ body, caller: buyer, reply }) => {
    const customer = {
      email: body.customer_email,
      first_name: body.customer_first_name ?? undefined,
      last_name: body.customer_last_name ?? undefined,
    };
    const order = { plan: "payant", provider: "moneroo", customer } as const;
    const made = await makeOrder(app, { buyer, body: order, key: null });
    if (!made.ok) return sayUnopened(reply, made.refusal);
    const { id, payment_url } = made.value;
    return {
      status: "success" as const,
      message: contract.PAYMENT_OPENED,
      payment_url,
      payment_id: id,
      transaction_id: id,
    };
  });
}

/** The answer of a refusal, with the id of an order that was created and waits for a payment. */
function sayUnopened(reply: FastifyReply, refusal: contract.CheckoutRefusal): FastifyReply {
  const { status, body } = sayRefusal(refusal, contract.checkoutRefusals);
  const orderId = "orderId" in refusal ? refusal.orderId : null;
  const said: contract.UnopenedOrderBody = orderId ? { ...body, order_id: String(orderId) } : body;
  if ("retryAfterSeconds" in refusal) reply.header("retry-after", refusal.retryAfterSeconds);
  return answerSaid(reply, { status, body: said });
}
