import { createHmac } from "node:crypto";
import { spacedOut } from "../notices/spacing.ts";
import type { Payout } from "../payouts/state.ts";
import { payoutWord } from "./payout-shapes.ts";
import type { Payment } from "./state.ts";

/** Lower-case hexadecimal HMAC-SHA256 of the raw body. */
export function sign(body: string, secret: string): string {
  return createHmac("sha256", secret).update(body).digest("hex");
}

/** Compact, so that signing the bytes and signing their re-serialisation give the same. */
export function noticeBody(payment: Payment, event: string, unusualSpacing: boolean): string {
  const { customer } = payment;
  const content = {
    event,
    data: {
      id: payment.id,
      amount: payment.amount,
      currency: payment.currency,
      status: payment.status,
      customer: {
        id: customer.id,
        email: customer.email,
        firstName: customer.first_name,
        lastName: customer.last_name,
        phone: payment.phone ?? customer.phone,
      },
    },
  };
  return unusualSpacing ? spacedOut(content) : JSON.stringify(content);
}

/** The same form for money sent; the metadata are not in it either. */
export function payoutNoticeBody(payout: Payout, event: string, unusualSpacing: boolean): string {
  const { id, amount, customer, phone } = payout;
  const content = {
    event,
    data: {
      id,
      amount,
      currency: "XOF",
      status: payoutWord(payout),
      ...(customer === null ? {} : { customer: { ...customer, phone: phone.slice(1) } }),
    },
  };
  return unusualSpacing ? spacedOut(content) : JSON.stringify(content);
}
