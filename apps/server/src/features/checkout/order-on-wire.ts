import {
  nameProvider,
  type OrderBySecretAnswer,
  type orderAnswer,
} from "@sesame/contract/checkout";
import type { ClaimKind } from "@sesame/contract/claims";
import { fcfaToJson } from "@sesame/kernel";
import type { z } from "zod";
import type { App } from "../../app.ts";
import { accessOfOrder } from "../access/index.ts";
import { opensOf } from "./open-payment.ts";
import type { PaymentPage } from "./order.store.ts";
import { type OrderRow, viewOrderBySecret } from "./order.view.ts";

/** What came after a payment: money given back, a claim. */
export type OrderCare = Pick<z.output<typeof orderAnswer>, "refund" | "claim"> & {
  /** What its buyer may say of it now. */
  readonly mayClaim: readonly ClaimKind[];
};

/** Of an order, to one of the two who may read it. */
export type CareOf = (orderId: bigint, readerId: bigint) => Promise<OrderCare>;

/** The link into the group and the payment page are the buyer's alone. */
export async function answerOrder(
  app: App,
  order: OrderRow,
  { readerId, careOf }: { readonly readerId: bigint; readonly careOf: CareOf },
): Promise<z.output<typeof orderAnswer>> {
  const isBuyer = order.buyer_id === readerId;
  const page = isBuyer ? payablePage(order) : null;
  const { refund, claim, mayClaim } = await careOf(order.id, readerId);
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
    access: isBuyer ? await accessOfOrder(app.db, order.id) : null,
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
    bot_url: botOf(app, order),
    bot_can_write: order.bot_can_write,
  };
}

/** By the secret of the return address: status only, never the link. */
export async function orderBySecret(app: App, secret: string): Promise<OrderBySecretAnswer | null> {
  const order = await viewOrderBySecret(app.db, secret);
  if (!order) return null;
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
    bot_url: botOf(app, order),
  };
}

function payablePage({ status, page }: OrderRow): PaymentPage | null {
  return status === "pending" || status === "failed" ? page : null;
}

function isPaidTwice({ payments }: OrderRow): boolean {
  return payments.filter(({ status }) => status === "paid").length > 1;
}

/** A seller buys his plan and tries his keys in his own bot. */
function botOf({ telegram: { names } }: App, order: OrderRow): string {
  return order.seller_id === null ? names.sellerUrl() : names.buyerUrl();
}
