import type { Quote } from "@sesame/providers";
import { type Db, maybe } from "../../postgres/database.ts";
import { noteTold } from "./heard.store.ts";

/** An invoice somebody wants to pay now. */
export type StarInvoice = {
  readonly status: string;
  readonly buyer_id: bigint;
  /** Of the buyer. */
  readonly telegram_id: bigint;
  readonly quote: Quote | null;
  readonly created_at: Date;
  /** Null for a plan. */
  readonly product_reference: string | null;
  /** A payment of it was told, proved or not. */
  readonly charged: boolean;
};

export async function viewInvoice(db: Db, reference: string): Promise<StarInvoice | null> {
  return maybe<StarInvoice>(db)`
    SELECT o.status, o.buyer_id, buyer.telegram_id, p.quote, p.created_at,
      product.reference AS product_reference,
      p.status IN ('paid', 'mismatched')
        OR EXISTS (SELECT FROM payment_rumours r WHERE r.payment_id = p.id)
        OR EXISTS (SELECT FROM star_charges c WHERE c.reference = p.reference) AS charged
    FROM payments p
    JOIN orders o ON o.id = p.order_id
    JOIN people buyer ON buyer.id = o.buyer_id
    LEFT JOIN products product ON product.id = o.product_id
    WHERE p.provider = 'stars' AND p.provider_payment_id = ${reference}
  `;
}

/** Telegram told of a payment: its list is asked at once. */
export function noteCharge(
  db: Db,
  told: { reference: string; chargeId: string; now: Date },
): Promise<void> {
  const { reference: providerPaymentId, chargeId: transactionId, now } = told;
  return noteTold(db, { provider: "stars", providerPaymentId, transactionId, now });
}
