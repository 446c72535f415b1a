import type { OrderAnswer, OrderBySecretAnswer } from "@sesame/contract/checkout";
import { fcfaToJson } from "@sesame/kernel";
import type { CheckoutDeps } from "./needs.ts";
import type { OrderRow } from "./order.view.ts";

/** The link into the group and the payment page are the buyer's alone. */
export async function answerOrder(
  deps: Pick<CheckoutDeps, "access" | "botUrl">,
  order: OrderRow,
  readerId: bigint,
): Promise<OrderAnswer> {
  const isBuyer = order.buyer_id === readerId;
  const payable = order.status === "pending" || order.status === "failed";
  return {
    id: String(order.id),
    status: order.status,
    amount: fcfaToJson(order.price),
    currency: "XOF",
    provider: order.provider,
    access: isBuyer ? await deps.access.accessOfOrder(order.id) : null,
    title: order.title,
    seller:
      order.seller_id === null
        ? null
        : { id: String(order.seller_id), name: order.seller_name ?? "" },
    group:
      order.group_title === null
        ? null
        : { name: order.group_title, type: order.group_kind === "channel" ? "canal" : "groupe" },
    reference: order.reference,
    duration: order.duration_minutes,
    is_renewal: order.is_renewal,
    created_at: order.created_at.toISOString(),
    paid_at: order.paid_at?.toISOString() ?? null,
    payment_url: isBuyer && payable ? order.payment_url : null,
    bot_url: deps.botUrl(),
    bot_can_write: order.bot_can_write,
  };
}

export function answerOrderBySecret(
  deps: Pick<CheckoutDeps, "botUrl">,
  order: OrderRow,
): OrderBySecretAnswer {
  return {
    id: String(order.id),
    status: order.status,
    amount: fcfaToJson(order.price),
    currency: "XOF",
    title: order.title,
    seller: order.seller_name,
    paid_at: order.paid_at?.toISOString() ?? null,
    bot_url: deps.botUrl(),
  };
}
