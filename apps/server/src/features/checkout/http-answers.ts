import { sayRefusal } from "@sesame/contract";
import {
  type CheckoutRefusal,
  checkoutRefusals,
  type UnopenedOrderBody,
} from "@sesame/contract/checkout";
import type { FastifyReply } from "fastify";

/** As every refusal; of an order that was made and waits for a payment, with its id. */
export function answerCheckoutRefusal(reply: FastifyReply, refusal: CheckoutRefusal): FastifyReply {
  const { status, body } = sayRefusal(refusal, checkoutRefusals);
  const orderId = "orderId" in refusal ? refusal.orderId : null;
  const answer: UnopenedOrderBody = orderId ? { ...body, order_id: String(orderId) } : body;
  if ("retryAfterSeconds" in refusal) reply.header("retry-after", refusal.retryAfterSeconds);
  return reply
    .code(status)
    .type("application/json; charset=utf-8")
    .serializer((payload: unknown) => JSON.stringify(payload))
    .send(answer);
}
