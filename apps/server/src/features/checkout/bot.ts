import { ASKED_FOR_MS, checkoutRefusals } from "@sesame/contract/checkout";
import { sayRefusal } from "@sesame/contract";
import { addMs } from "@sesame/kernel";
import type { Quote } from "@sesame/providers";
import type { PreCheckoutQuery } from "grammy/types";
import type { App } from "../../app.ts";
import type { UpdateHandler } from "../../bot/update-loop.ts";
import * as messages from "./messages.fr.ts";
import { maybe } from "../../postgres/database.ts";
import { noteReported } from "./checks.ts";
import { checkSale } from "./check-sale.ts";
import { alertRefundThere } from "./settle.ts";

/**
 * Telegram's updates about Stars, to the buyers' bot. Before a payment: whether it may be made, answered
 * at once (Telegram waits 10 s). Afterwards: only a report, like each webhook. Only what is then found in
 * Telegram's own list is money.
 */
export function starUpdates(app: App): UpdateHandler {
  return async ({ pre_checkout_query: query, message }) => {
    const now = app.clock.now();
    if (query) {
      const refusal = await checkQuery(app, query);
      // Telegram refuses an answer that comes too late: nothing was paid.
      await app.telegram.gatewayOf("buyer").call("answerPreCheckoutQuery", {
        pre_checkout_query_id: query.id,
        ...(refusal === null ? { ok: true } : { ok: false, error_message: refusal }),
      });
    }
    const paid = message?.successful_payment;
    if (paid?.currency === "XTR") {
      await noteReported(app.db, {
        provider: "stars",
        providerPaymentId: paid.invoice_payload,
        transactionId: paid.telegram_payment_charge_id,
        now,
      });
    }
    const returned = message?.refunded_payment;
    if (returned) {
      const of = { starCharge: returned.telegram_payment_charge_id, partly: false };
      await alertRefundThere(app.db, of, now);
    }
  };
}

/** Why the payment must not be made, in French; null: it may. */
async function checkQuery(app: App, query: PreCheckoutQuery): Promise<string | null> {
  if (!app.providers.some(({ id }) => id === "stars")) return messages.STARS_CLOSED;
  // `charged`: a payment of it was reported, confirmed or not. No product: a plan.
  const invoice = await maybe<{
    status: string;
    buyer_id: bigint;
    telegram_id: bigint;
    quote: Quote | null;
    created_at: Date;
    product_reference: string | null;
    charged: boolean;
  }>(app.db)`
    SELECT o.status, o.buyer_id, buyer.telegram_id, p.quote, p.created_at,
      product.reference AS product_reference,
      p.status IN ('paid', 'mismatched')
        OR EXISTS (SELECT FROM reported_transactions r WHERE r.payment_id = p.id)
        OR EXISTS (SELECT FROM star_charges c WHERE c.reference = p.reference) AS charged
    FROM payments p
    JOIN orders o ON o.id = p.order_id
    JOIN people buyer ON buyer.id = o.buyer_id
    LEFT JOIN products product ON product.id = o.product_id
    WHERE p.provider = 'stars' AND p.provider_payment_id = ${query.invoice_payload}
  `;
  if (!invoice) return messages.INVOICE_UNKNOWN;
  if (invoice.telegram_id !== BigInt(query.from.id)) return messages.INVOICE_OF_ANOTHER;
  if (invoice.charged || !["pending", "failed"].includes(invoice.status))
    return messages.INVOICE_PAID;
  const { quote } = invoice;
  const exact = quote?.currency === query.currency && quote.amount === String(query.total_amount);
  if (!exact) return messages.INVOICE_CHANGED;
  if (addMs(invoice.created_at, ASKED_FOR_MS) <= app.clock.now()) return messages.INVOICE_TOO_OLD;
  if (invoice.product_reference === null) return null;
  const { buyer_id: personId, telegram_id: telegramId } = invoice;
  const sale = await checkSale(app, invoice.product_reference, { personId, telegramId });
  return sale.ok ? null : sayRefusal(sale.refusal, checkoutRefusals).body.message;
}
