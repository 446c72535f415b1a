import type { Notice } from "../../kit/webhooks.ts";
import type { Message } from "../bot-api.ts";
import { postServiceFromBot, postToBot, tellAgain } from "../messages.ts";
import type { Dialog } from "../state.ts";
import { botById, dialogOf, type Town } from "../town.ts";
import type { Charge, Invoice } from "./state.ts";

/** The service message in the private chat of payer and bot; what was said once is told again. */
export function deliverTold(town: Town, notice: Notice): void {
  const { charges, invoices } = town.state.stars;
  const ids = invoices.get(notice.paymentId)?.chargeIds ?? [];
  const charge = charges.get(ids.find((id) => notice.body.startsWith(id)) ?? "");
  const invoice = charge && invoices.get(charge.slug);
  const bot = charge && botById(town, charge.botId);
  if (!charge || !invoice || !bot) return;
  const dialog = dialogOf(town, charge.personId, bot);
  const said = saidBefore(dialog, notice);
  if (said !== undefined) return tellAgain(town, bot, said);
  const payment = paymentShape(charge, invoice, notice.body);
  if (notice.event === "refunded_payment") {
    postServiceFromBot(town, bot, { dialog, content: { refunded_payment: payment } });
    return;
  }
  const provider_payment_charge_id = charge.providerChargeId;
  const successful_payment = {
    ...payment,
    ...periodOf(charge, invoice),
    provider_payment_charge_id,
  };
  postToBot(town, dialog, { successful_payment });
}

function saidBefore(dialog: Dialog, { event, body }: Notice): Message | undefined {
  return dialog.messages.find((message) => {
    const paid = message[event as "successful_payment" | "refunded_payment"];
    return paid?.telegram_payment_charge_id === body;
  });
}

function paymentShape(charge: Charge, invoice: Invoice, chargeId: string) {
  const { amount, payload, currency } = toldCharge(charge, invoice);
  return {
    currency,
    total_amount: amount,
    invoice_payload: payload,
    telegram_payment_charge_id: chargeId,
  };
}

/** Of a subscription the world knows the first payment alone: none renews itself here. */
function periodOf({ paidAtMs }: Charge, { subscriptionPeriod }: Invoice) {
  if (subscriptionPeriod === null) return {};
  return {
    subscription_expiration_date: Math.floor(paidAtMs / 1_000) + subscriptionPeriod,
    is_recurring: true as const,
    is_first_recurring: true as const,
  };
}

/** The truth of a charge, unless the world is made to lie. */
export function toldCharge({ amount }: Pick<Charge, "amount">, { told = {}, payload }: Invoice) {
  return {
    amount: Number(told.amount ?? amount),
    payload: told.reference ?? payload,
    currency: told.currency ?? "XTR",
  };
}
