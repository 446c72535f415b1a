import {
  nameProvider,
  type OrderAnswer,
  type OrderBySecretAnswer,
} from "@sesame/contract/checkout";
import { fcfaToJson } from "@sesame/kernel";
import type { CheckoutDeps } from "./needs.ts";
import { opensOf } from "./open-payment.ts";
import type { PaymentPage } from "./order.store.ts";
import type { OrderRow } from "./order.view.ts";

type AnswerDeps = Pick<CheckoutDeps, "access" | "refunds" | "botUrl" | "sellerBotUrl">;

/** The link into the group and the payment page are the buyer's alone. */
export async function answerOrder(
  deps: AnswerDeps,
  order: OrderRow,
  readerId: bigint,
): Promise<OrderAnswer> {
  const isBuyer = order.buyer_id === readerId;
  const page = isBuyer ? payablePage(order) : null;
  const { refund, claim, mayClaim } = await deps.refunds.ofOrder(order.id, readerId);
  return {
    id: String(order.id),
    kind: order.kind,
    status: order.status,
    amount: fcfaToJson(order.price),
    currency: "XOF",
    provider: order.provider,
    provider_name: nameProvider(order.provider),
    direct: order.direct,
    payments: order.payments.map(({ provider, status, created_at }) => ({
      provider,
      provider_name: nameProvider(provider),
      status,
      created_at: new Date(created_at).toISOString(),
    })),
    paid_twice: isPaidTwice(order),
    refund,
    claim,
    may_claim: [...mayClaim],
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
    payment_url: page?.url ?? null,
    opens: page && opensOf(page),
    bot_url: botOf(deps, order),
    bot_can_write: order.bot_can_write,
  };
}

export function answerOrderBySecret(
  deps: Pick<CheckoutDeps, "botUrl" | "sellerBotUrl">,
  order: OrderRow,
): OrderBySecretAnswer {
  const page = payablePage(order);
  return {
    id: String(order.id),
    kind: order.kind,
    status: order.status,
    amount: fcfaToJson(order.price),
    currency: "XOF",
    title: order.title,
    seller: order.seller_name,
    paid_at: order.paid_at?.toISOString() ?? null,
    provider: order.provider,
    provider_name: nameProvider(order.provider),
    paid_twice: isPaidTwice(order),
    payment_url: page?.url ?? null,
    opens: page && opensOf(page),
    bot_url: botOf(deps, order),
  };
}

function payablePage({ status, page }: OrderRow): PaymentPage | null {
  return status === "pending" || status === "failed" ? page : null;
}

function isPaidTwice({ payments }: OrderRow): boolean {
  return payments.filter(({ status }) => status === "paid").length > 1;
}

/** A seller buys his plan and tries his keys in his own bot. */
function botOf(deps: Pick<CheckoutDeps, "botUrl" | "sellerBotUrl">, order: OrderRow): string {
  return order.seller_id === null ? deps.sellerBotUrl() : deps.botUrl();
}
